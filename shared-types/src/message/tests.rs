use serde_json::json;

use super::*;
use crate::memory::Fact;
use crate::provenance::Provenance;

fn read(event: &str, payload: Value) -> Result<Message, serde_json::Error> {
    Message::read(&event.parse().unwrap(), payload)
}

#[test]
fn what_a_learned_skill_sends_is_what_the_parts_of_the_bot_say() {
    for (event, payload, message) in [
        (core::USER_INPUT, json!({"text": "hi"}), Input::typed("hi", false).into()),
        (core::USER_INPUT, json!({"command": "policy", "argument": ""}), Command::Policy.into()),
        (
            core::MEMORY_QUERY,
            json!({"what": "facts", "query": "cat"}),
            Recall::Facts { query: "cat".into(), limit: None }.into(),
        ),
        (core::SKILL_PROPOSAL, json!({"what": "list"}), Request::List.into()),
        (core::ASSISTANT_OUTPUT, json!({"say": "hello"}), Show::Say { say: "hello".into() }.into()),
        ("dice.rolled", json!([6]), Message::Own("dice.rolled".parse().unwrap(), json!([6]))),
    ] {
        let read = read(event, payload).unwrap();
        assert_eq!(read, message);
        assert_eq!(read.event_type().as_str(), event);
        let again = Message::read(&read.event_type(), read.to_json()).unwrap();
        assert_eq!(again, message, "the way out is the way in");
    }
}

#[test]
fn a_learned_skill_makes_no_call_in_the_persons_name() {
    let call = json!({"tool": "shell", "arguments": {"command": "ls"}});
    let read = read(core::USER_INPUT, json!({"text": "hi", "call": call}));
    assert_eq!(read.unwrap(), Input::typed("hi", false).into());
}

#[test]
fn other_content_is_refused_with_what_would_fit() {
    let why = read(core::MEMORY_QUERY, json!({"what": "everything"})).unwrap_err().to_string();
    assert!(why.contains("`everything`") && why.contains("`conversations`"), "{why}");
    assert!(read(core::USER_INPUT, json!({"command": "approve"})).is_err());
    let question = json!({"approve": {"tool": "shell", "args": {}}});
    assert!(read(core::ASSISTANT_OUTPUT, question).is_err(), "the gate alone asks for a yes");
}

#[test]
fn an_answer_is_read_as_what_was_asked_for_and_as_nothing_else() {
    let facts = Message::from(Recall::Facts { query: String::new(), limit: None });
    let row = json!([{"id": "1", "text": "a cat", "outside": true}]);
    let answer = Answer::read(&facts, row).unwrap();
    assert_eq!(answer.brings(), Some(Provenance::BOTH));
    assert_eq!(answer.to_json()[0]["text"], "a cat");
    assert_eq!(Answer::read(&facts, json!({"reply": "x"})), None);
    assert_eq!(Answer::read(&Command::Policy.into(), json!({"rules": []})), None);
    assert_eq!(Answer::read(&facts, json!({"error": "no"})), Some(Answer::Failed("no".into())));
    let own = Message::Own("dice.roll".parse().unwrap(), json!({}));
    assert_eq!(Answer::read(&own, json!({"error": "no"})), Some(Answer::Own(json!({"error": "no"}))));
}

#[test]
fn every_record_that_memory_answers_marks_the_conversation() {
    let fact = Fact { outside: true, ..Fact::default() };
    assert_eq!(Answer::Facts(vec![fact]).brings(), Some(Provenance::BOTH));
    assert_eq!(Answer::Facts(vec![Fact::default()]).brings(), Some(Provenance::PRIVATE));
    assert_eq!(Answer::Facts(vec![]).brings(), None);
    assert_eq!(Answer::Last(Some("1".into())).brings(), None);
    let turn = Turn { outside: true, ..Turn::default() };
    assert_eq!(Answer::Turns(vec![Turn::default(), turn]).brings(), Some(Provenance::BOTH));
    let shown = |outside| Answer::Facts(vec![Fact { outside, ..Fact::default() }]).to_json();
    assert_eq!((&shown(true)[0]["outside"], &shown(false)[0]["outside"]), (&json!(true), &json!(false)));
}
