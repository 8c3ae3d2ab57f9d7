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
    assert_eq!(ordinary_call(&tool), Some(json!({})));
    assert_eq!(cases(&tool, Some(&json!({}))), Vec::<Value>::new(), "the example does");
    assert_eq!(cases(&tool, None), Vec::<Value>::new(), "the ordinary call does");
}

/// The author of the source may have seen the example, but not the ordinary call.
#[test]
fn an_ordinary_call_is_made_from_the_parameters_alone_and_is_no_edge_case() {
    let year =
        |schema: Value| tool(json!({"type": "object", "required": ["year"], "properties": {"year": schema}}));
    let tool = year(json!({"type": "integer", "minimum": 1583}));
    assert_eq!(ordinary_call(&tool), Some(json!({"year": 1583})));
    let cases = cases(&tool, Some(&json!({"year": 2024})));
    assert!(!cases.is_empty() && !cases.contains(&json!({"year": 1583})), "{cases:?}");
    let below = year(json!({"type": "integer", "maximum": 0}));
    assert_eq!(ordinary_call(&below), None, "nothing is called that the schema refuses");
    assert_eq!(ordinary_call(&year(json!({"type": "string"}))), None, "no text is ordinary for every tool");
}
