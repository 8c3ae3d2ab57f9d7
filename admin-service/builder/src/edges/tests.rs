use serde_json::json;
use shared_types::schema::Parameters;

use super::*;

fn tool(parameters: Value) -> DescribedTool {
    DescribedTool {
        name: "try".parse().unwrap(),
        description: "a tool".into(),
        parameters: Parameters::try_from(parameters).unwrap(),
        phrases: vec![],
        examples: vec![],
    }
}

#[test]
fn every_case_is_one_that_the_schema_allows_and_none_comes_twice() {
    let tool = tool(json!({"type": "object", "required": ["text", "count"], "properties": {
        "text": {"type": "string", "maxLength": 20}, "count": {"type": "integer", "minimum": 1, "maximum": 6},
        "kind": {"type": "string", "enum": ["red", "green"]}, "list": {"type": "array", "items": {"type": "number"}, "minItems": 1}}}));
    let cases = cases(&tool, None);
    assert!(cases.len() > 6 && cases.len() <= MOST_OF_A_TOOL, "{cases:?}");
    for (at, args) in cases.iter().enumerate() {
        assert_eq!(tool.parameters.check(args), Ok(()), "{args}");
        assert!(!cases[..at].contains(args), "{args} comes twice");
    }
    let has = |key: &str, value: Value| cases.iter().any(|c| c[key] == value);
    assert!(has("text", json!("")) && has("count", json!(6)) && has("kind", json!("green")), "{cases:?}");
    assert!(cases.iter().any(|c| c.get("kind").is_none()), "a parameter that may be left out is left out");
}

#[test]
fn texts_are_tried_empty_long_and_hostile_beside_a_call_that_is_right() {
    let tool = tool(json!({"type": "object", "required": ["dice", "note"], "properties": {
        "dice": {"type": "string"}, "note": {"type": "string"}}}));
    let cases = cases(&tool, Some(&json!({"dice": "1d6", "note": "n"})));
    assert!(cases.iter().any(|c| c["dice"] == "" && c["note"] == "n"));
    assert!(cases.iter().any(|c| c["dice"].as_str().is_some_and(|d| d.len() > 3_000)));
    assert!(cases.iter().any(|c| c["dice"].as_str().is_some_and(|d| d.contains('\u{202e}'))));
    assert!(cases.iter().all(|c| c["dice"] == "1d6" || c["note"] == "n"), "one thing is varied at a time");
}

#[test]
fn a_tool_without_parameters_is_tried_once() {
    let tool = tool(json!({"type": "object", "properties": {}}));
    assert_eq!(cases(&tool, Some(&json!({}))), Vec::<Value>::new(), "the example does");
    assert_eq!(cases(&tool, None), [json!({})]);
}
