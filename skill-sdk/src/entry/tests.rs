use std::vec;

use super::*;
use crate::{Answer, Description, Param, Refusal, Tool};

struct Sample;

impl Skill for Sample {
    fn describe(&self) -> Description {
        Description::new("Samples").handles("a.b").tool(
            Tool::new("say", "Says it back")
                .param(Param::text("what", "the words").one_of(&["a", "b"]))
                .param(Param::int("times", "how often").optional().min(1).max(3))
                .phrase("en", "say {what}")
                .example("say a"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "say" => Ok(call.text("what")?.into()),
            "other" => Err(Refusal::not_mine()),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }

    fn handle(&mut self, event: &Event) -> Option<Value> {
        match event.kind() {
            "a.deep" => Some((0..50).fold(Value::Null, |inner, _| Value::List(vec![inner]))),
            "a.b" => Some(event.payload().clone()),
            _ => None,
        }
    }
}

fn ask(message: &Value) -> Value {
    codec::decode(&answer(&mut Sample, &codec::encode(message).unwrap())).unwrap()
}

fn call(tool: &str) -> Value {
    ask(&Value::map([
        ("op", "call_tool".into()),
        ("tool", tool.into()),
        ("args", Value::map([("what", "hi".into())])),
    ]))
}

#[test]
fn a_tool_call_is_answered_failed_or_not_mine() {
    assert_eq!(call("say"), Value::map([("ok", "hi".into())]));
    assert_eq!(call("other"), Value::map([("not_mine", true.into())]));
    assert_eq!(call("none"), Value::map([("failed", "this skill has no tool `none`".into())]));
}

#[test]
fn the_description_carries_a_schema() {
    let described = ask(&Value::map([("op", "describe".into())]));
    let schema = r#"{"type":"object","properties":{"what":{"type":"string","description":"the words","enum":["a","b"]},"times":{"type":"integer","description":"how often","minimum":1,"maximum":3}},"required":["what"],"additionalProperties":false}"#;
    assert_eq!(crate::json::write(described.at("tools.0.parameters").unwrap()), schema);
    assert_eq!(described.at("tools.0.phrases.0.pattern"), Some(&"say {what}".into()));
    assert_eq!(described.at("handles.0"), Some(&"a.b".into()));
}

#[test]
fn an_event_is_handled_or_left() {
    let event = |kind: &str| {
        let event = Value::map([("type", kind.into()), ("payload", 7.into())]);
        ask(&Value::map([("op", "handle".into()), ("event", event)]))
    };
    assert_eq!(event("a.b"), Value::map([("value", 7.into())]));
    assert_eq!(event("x.y"), Value::map([("value", Value::Null)]));
}

#[test]
fn a_broken_message_or_answer_is_a_failure_that_can_be_read() {
    let broken = codec::decode(&answer(&mut Sample, &[9])).unwrap();
    assert_eq!(broken, Value::map([("failed", "the message holds the unknown tag 9".into())]));
    assert!(ask(&Value::Null).get("failed").is_some());
    assert!(ask(&Value::map([("op", "call_tool".into())])).get("failed").is_some());
    let event = Value::map([("type", "a.deep".into())]);
    let deep = ask(&Value::map([("op", "handle".into()), ("event", event)]));
    assert!(deep.get("failed").and_then(Value::as_text).unwrap().contains("nested deeper"));
}
