//! A learned skill's sentence pattern (first line), and a person's line for it (the rest).

use models::phrases::route;
use models::{Phrase, ToolSpec};
use serde_json::json;

use crate::harness::{Verdict, target};

#[test]
fn a_pattern_leads_to_its_own_tool_alone_with_arguments_that_it_declares() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let (pattern, line) = text.split_once('\n').unwrap_or((text, ""));
    let tool = ToolSpec {
        examples: vec![],
        only_answers: false,
        name: "dice.roll".to_owned(),
        description: "Roll dice".to_owned(),
        parameters: json!({"type": "object", "properties": {
            "dice": {"type": "string"}, "times": {"type": "integer"}, "loud": {"type": "boolean"},
            "weight": {"type": "number"}}}),
        phrases: vec![Phrase { language: "en".to_owned(), pattern: pattern.to_owned() }],
    };
    let found = route(line, std::slice::from_ref(&tool), None);
    assert!(found.iter().all(|candidate| candidate.tool == tool.name));
    for candidate in &found {
        let arguments = candidate.arguments.as_object().expect("arguments are an object");
        assert!(
            arguments.keys().all(|key| tool.parameters["properties"].get(key).is_some()),
            "{arguments:?}"
        );
    }
    if found.is_empty() { Verdict::Refused } else { Verdict::Taken }
}
