use std::time::Instant;

use super::*;

fn faults(schema: &Value, args: Value) -> Vec<String> {
    check(&Order { schema: schema.to_string(), args: Some(args) }).unwrap().faults
}

#[test]
fn arguments_are_held_against_the_whole_schema() {
    let schema = json!({"type": "object", "required": ["where"], "properties": {
        "where": {"$ref": "#/$defs/place"}, "one": {"oneOf": [{"type": "integer"}, {"type": "string", "pattern": "^a+$"}]}},
        "patternProperties": {"^x-": {"type": "number"}}, "additionalProperties": false,
        "$defs": {"place": {"type": "object", "required": ["city"], "properties": {"in": {"$ref": "#/$defs/place"}}}}});
    assert!(
        faults(&schema, json!({"where": {"city": 1, "in": {"city": 2}}, "one": "aa", "x-y": 1})).is_empty()
    );
    for (wrong, place) in [
        (json!({"where": {"city": 1, "in": {}}}), "where.in: "),
        (json!({"where": {"city": 1}, "one": "b"}), "one: "),
        (json!({"where": {"city": 1}, "x-y": "z"}), "x-y: "),
        (json!({"where": {"city": 1}, "other": 1}), "arguments: "),
        (json!({}), "arguments: "),
    ] {
        let faults = faults(&schema, wrong);
        assert!(faults.len() == 1 && faults[0].starts_with(place), "{faults:?}");
    }
}

#[test]
fn a_draft_that_is_named_counts() {
    let tuple = |draft: &str| json!({"$schema": draft, "properties": {"a": {"items": [{"type": "string"}]}}});
    let seventh = tuple("http://json-schema.org/draft-07/schema#");
    assert_eq!(faults(&seventh, json!({"a": [1]})).len(), 1);
    let newest = tuple("https://json-schema.org/draft/2020-12/schema").to_string();
    assert!(check(&Order { schema: newest, args: None }).is_err(), "items is one schema there");
}

#[test]
fn faults_are_few_short_safe_and_do_not_repeat_what_was_sent() {
    let schema = json!({"additionalProperties": {"enum": [format!("\u{202e}{}", "y".repeat(5_000))]}});
    let args: Value = (0..50).map(|n| (format!("k{n}\u{1b}[2J"), json!("secret"))).collect();
    let faults = faults(&schema, args);
    assert_eq!(faults.len(), 8);
    for fault in faults {
        assert!(
            fault.len() < 600 && !fault.contains(['\u{1b}', '\u{202e}']) && !fault.contains("secret"),
            "{fault}"
        );
    }
}

#[test]
fn a_pattern_takes_time_with_the_text_alone_and_another_is_left_to_the_server() {
    let schema = |pattern: &str| json!({"properties": {"a": {"pattern": pattern}}});
    let long = json!({"a": "a".repeat(30_000) + "b"});
    let begun = Instant::now();
    assert_eq!(faults(&schema("^(a+)+$"), long.clone()).len(), 1);
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
    for other in ["^(?!b)a", "(a)\\1", "((a{999}){999}){999}"] {
        let checked = check(&Order { schema: schema(other).to_string(), args: Some(long.clone()) }).unwrap();
        assert_eq!((checked.faults.len(), checked.unchecked), (0, vec![other.to_owned()]));
    }
}

#[test]
fn a_schema_that_leads_elsewhere_or_is_none_is_refused() {
    let refused = [
        json!({"x-own": {"$ref": "https://example.org/a"}, "$ref": "#/x-own"}),
        json!({"$ref": "file:///etc/passwd"}),
        json!({"type": "nonsense"}),
        json!({"properties": []}),
        json!({"patternProperties": {"(?!a)": {}}}),
    ];
    for schema in refused {
        let why = check(&Order { schema: schema.to_string(), args: None }).unwrap_err().to_string();
        assert!(!why.contains("root:"), "{why}");
    }
    assert!(check(&Order { schema: "{".to_owned(), args: None }).is_err());
}
