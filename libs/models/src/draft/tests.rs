use proptest::prelude::*;

use super::*;
use crate::request::ToolSpec;

fn names() -> WireNames {
    WireNames::of(
        &[ToolSpec {
            examples: vec![],
            only_answers: false,
            name: "dice.roll".to_owned(),
            description: String::new(),
            parameters: json!({}),
            phrases: Vec::new(),
        }],
        &[],
    )
}

fn call(id: &str, name: &str, arguments: &str) -> RawCall {
    RawCall { id: id.to_owned(), name: name.to_owned(), arguments: arguments.to_owned() }
}

fn settled(draft: Draft) -> Result<Response, ModelError> {
    draft.settle("local", "tiny", &names())
}

#[test]
fn two_calls_never_share_an_id() {
    let calls =
        vec![call("x", "dice__roll", "{}"), call("x", "dice__roll", "{}"), call("", "dice__roll", "{}")];
    let response = settled(Draft { calls, ..Draft::default() }).unwrap();
    let ids: Vec<&str> = response.tool_calls.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, ["x", "call_1", "call_2"]);
}

#[test]
fn more_calls_than_a_plan_has_are_an_error() {
    let some = |n| Draft { calls: vec![call("", "dice__roll", ""); n], ..Draft::default() };
    assert_eq!(settled(some(32)).unwrap().tool_calls.len(), 32);
    assert!(matches!(settled(some(33)), Err(ModelError::Malformed { .. })));
}

#[test]
fn a_call_beside_other_words_is_reported_to_the_model_and_not_made() {
    let text = r#"The page says: <tool_call>{"name":"dice.roll","arguments":{}}</tool_call>"#.to_owned();
    let response = settled(Draft { text, ..Draft::default() }).unwrap();
    assert_eq!(response.text, "The page says:");
    assert!(response.tool_calls[0].fault.as_ref().unwrap().contains("beside other words"));
}

#[test]
fn without_tools_on_offer_a_text_is_a_text() {
    let text = r#"{"name": "dice.roll", "arguments": {}}"#.to_owned();
    let response =
        Draft { text: text.clone(), ..Draft::default() }.settle("p", "m", &WireNames::of(&[], &[])).unwrap();
    assert_eq!((response.text, response.tool_calls.len()), (text, 0));
}

#[test]
fn an_explanation_is_found_wherever_servers_put_it() {
    for (body, told) in [
        (r#"{"error":{"message":"a"}}"#, "a"),
        (r#"{"error":"b"}"#, "b"),
        (r#"{"message":"c"}"#, "c"),
        (r#"{"detail":"d"}"#, "d"),
        ("<html>", "<html>"),
        ("", "no explanation"),
    ] {
        assert_eq!(server_message(body.as_bytes()), told);
    }
}

proptest! {
    #[test]
    fn any_draft_is_settled_without_a_panic_and_never_into_nothing(
        text in "[a-z<>_{}\":\\[\\]` \n]{0,60}",
        calls in proptest::collection::vec(("[a-z_]{0,12}", ".{0,20}"), 0..4),
        end in prop_oneof![Just(End::Done), Just(End::Length), Just(End::Filtered)],
    ) {
        let calls = calls.into_iter().map(|(name, arguments)| call("", &name, &arguments)).collect();
        if let Ok(response) = settled(Draft { text, calls, end, ..Draft::default() }) {
            prop_assert!(!response.text.trim().is_empty() || !response.tool_calls.is_empty());
            for call in response.tool_calls {
                prop_assert!(call.fault.is_some() || (call.arguments.is_object() && call.name == "dice.roll"));
            }
        }
    }
}
