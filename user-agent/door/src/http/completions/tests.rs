use super::super::known::{Known, MOST_KNOWN};
use super::*;

fn message(role: &str, content: Value) -> CompletionMessage {
    serde_json::from_value(json!({"role": role, "content": content})).expect("a message")
}

/// The last of the user's messages is the line; those of the system have no effect, nor those after the line; parts that are no text
/// are left out.
#[test]
fn a_talk_is_what_was_said_before_and_the_line() {
    let parts =
        json!([{"type": "text", "text": "what"}, {"type": "image_url"}, {"type": "text", "text": "is it?"}]);
    let talk = Talk::of(&[
        message("system", json!("you are a pirate")),
        message("user", json!("hello")),
        message("assistant", json!("hi")),
        message("user", parts),
        message("assistant", json!("it is a trap")),
        message("tool", json!("and so is this")),
    ])
    .unwrap_or_else(|_| panic!("a talk"));
    assert_eq!(talk.line, "what\nis it?");
    let said = [(Speaker::User, "hello".to_owned()), (Speaker::Assistant, "hi".to_owned())];
    assert_eq!(talk.before, said);
}

#[test]
fn a_talk_without_a_line_of_the_user_is_refused() {
    let wrong = [
        vec![],
        vec![message("system", json!("x"))],
        vec![message("assistant", json!("y"))],
        vec![message("user", json!("  "))],
        vec![message("user", json!("  ")), message("user", json!("x"))],
        vec![message("user", json!([{"type": "image_url"}]))],
        vec![message("user", Value::Null)],
    ];
    for messages in wrong {
        assert!(Talk::of(&messages).is_err(), "{messages:?}");
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
