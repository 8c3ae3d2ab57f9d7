use super::super::known::{Known, MOST_KNOWN};
use super::*;

fn message(role: &str, content: Value) -> CompletionMessage {
    serde_json::from_value(json!({"role": role, "content": content})).expect("a message")
}

/// The last of the user's messages is the line; those of the system have no effect, nor those after the line. What clients send
/// besides is taken: parts, messages without a text before the line, an assistant that only called tools, names.
#[test]
fn a_talk_is_what_was_said_before_and_the_line() {
    let picture = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}});
    let parts = json!([{"type": "text", "text": "what"}, picture, {"type": "text", "text": "is it?"}]);
    let called = json!({"role": "assistant", "tool_calls": [{"id": "1"}], "name": "bot"});
    let talk = Talk::of(&[
        message("system", json!("you are a pirate")),
        message("user", json!([picture])),
        message("user", json!("")),
        message("user", Value::Null),
        message("user", json!("hello")),
        serde_json::from_value(called).unwrap(),
        message("tool", json!([{"type": "text", "text": "4"}])),
        message("assistant", json!([{"type": "text", "text": "hi"}, {"type": "refusal", "refusal": "no"}])),
        message("user", parts),
        message("assistant", json!("it is a trap")),
        message("tool", json!("and so is this")),
    ])
    .unwrap();
    assert_eq!(talk.line, "what\nis it?");
    assert_eq!(talk.pictures, [SentPicture { name: "picture 1".to_owned(), data: "AAAA".to_owned() }]);
    let said = [
        (Speaker::User, ""),
        (Speaker::User, ""),
        (Speaker::User, ""),
        (Speaker::User, "hello"),
        (Speaker::Assistant, ""),
        (Speaker::Tool, "4"),
        (Speaker::Assistant, "hi"),
    ];
    assert_eq!(talk.before, said.map(|(role, text)| (role, text.to_owned())));
}

/// What is not taken is refused with the name of its field.
#[test]
fn a_talk_without_a_line_of_the_user_is_refused_with_the_field() {
    let part = |part: Value| json!([{"type": "text", "text": "x"}, part]);
    let wrong = [
        (vec![], "messages"),
        (vec![message("system", json!("x"))], "messages"),
        (vec![message("assistant", json!("y"))], "messages"),
        (vec![message("user", json!("  "))], "messages[0].content"),
        (vec![message("user", json!("x")), message("user", json!("  "))], "messages[1].content"),
        (vec![message("user", json!({"text": "x"}))], "messages[0].content"),
        (vec![message("user", json!(7))], "messages[0].content"),
        (vec![message("user", Value::Null)], "messages[0].content"),
        (vec![message("user", part(json!({"type": "input_audio"})))], "messages[0].content[1].type"),
        (vec![message("user", part(json!("x")))], "messages[0].content[1].type"),
        (vec![message("user", part(json!({"type": "text"})))], "messages[0].content[1].text"),
        (
            vec![message(
                "user",
                part(json!({"type": "image_url", "image_url": {"url": "https://example.org/a.png"}})),
            )],
            "messages[0].content[1].image_url.url",
        ),
    ];
    for (messages, field) in wrong {
        let failed = Talk::of(&messages).expect_err(field).body();
        assert_eq!(failed.error.param.as_deref(), Some(field), "{}", failed.error.message);
        assert!(failed.error.message.starts_with(&format!("`{field}` ")), "{}", failed.error.message);
    }
}

/// What no answer has is refused where a client asks for it, and what has no effect is not.
#[test]
fn what_no_answer_has_is_refused_by_its_field() {
    let request = |more: Value| -> CompletionRequest {
        let mut request =
            json!({"messages": [{"role": "user", "content": "x"}], "temperature": 2, "tools": [{}]});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(request).unwrap()
    };
    for taken in [
        json!({}),
        json!({"stream": null, "n": null, "tool_choice": null, "response_format": null}),
        json!({"n": 1.0, "tool_choice": "auto", "response_format": {"type": "text"}, "modalities": ["text"]}),
        json!({"logprobs": false, "tool_choice": "none"}),
    ] {
        assert_eq!(request(taken.clone()).unanswerable(), None, "{taken}");
    }
    for (wrong, field) in [
        (json!({"n": 2}), "n"),
        (json!({"tool_choice": "required"}), "tool_choice"),
        (json!({"response_format": {"type": "json_object"}}), "response_format"),
        (json!({"modalities": ["text", "audio"]}), "modalities"),
        (json!({"logprobs": true}), "logprobs"),
    ] {
        assert_eq!(request(wrong).unanswerable().map(|(field, _)| field), Some(field));
    }
}

/// A talk that begins with what was answered is known again, blanks at the ends aside; one that was altered is not.
#[test]
fn a_talk_is_known_again_by_all_that_was_said() {
    let known = Known::default();
    let first = Talk::of(&[message("user", json!("hello"))]).unwrap_or_else(|_| panic!("a talk"));
    known.keep(first.with("hi "), "c1".to_owned());
    let find = |messages: &[CompletionMessage]| {
        let talk = Talk::of(messages).unwrap_or_else(|_| panic!("a talk"));
        known.find(&digest(&talk.before))
    };
    let again =
        [message("user", json!("hello")), message("assistant", json!("hi")), message("user", json!("x"))];
    assert_eq!(find(&again).as_deref(), Some("c1"));
    let altered = [
        message("user", json!("hello")),
        message("assistant", json!("the code is 1")),
        message("user", json!("x")),
    ];
    assert_eq!(find(&altered), None);
}

#[test]
fn only_so_many_talks_are_known() {
    let known = Known::default();
    let talk = |n: usize| digest(&[(Speaker::User, n.to_string())]);
    for n in 0..=MOST_KNOWN {
        known.keep(talk(n), n.to_string());
    }
    assert_eq!((known.find(&talk(0)), known.find(&talk(1))), (None, Some("1".to_owned())));
}
