use serde_json::json;

use super::*;

#[test]
fn notes_and_limits_that_the_plugin_checks_itself_are_dropped() {
    let schema = json!({
        "$schema": "x", "title": "T", "type": "object", "additionalProperties": {}, "required": ["a"],
        "properties": {"a": {"type": "string", "title": "A", "format": "uri", "default": "", "pattern": "^x", "minLength": 1}},
    });
    let fitted = serde_json::to_value(fit(&schema).unwrap()).unwrap();
    let expected =
        json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "minLength": 1}}});
    assert_eq!(fitted, expected);
}

#[test]
fn a_parameter_that_may_be_absent_or_null_becomes_one_of_its_type() {
    let schema = json!({"type": "object", "properties": {
        "a": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": null},
        "b": {"type": ["string", "null"]},
        "c": {"const": "x", "type": "string"},
    }});
    let fitted = serde_json::to_value(fit(&schema).unwrap()).unwrap();
    assert_eq!(fitted["properties"]["a"], json!({"type": "integer", "minimum": 1}));
    assert_eq!(fitted["properties"]["b"], json!({"type": "string"}));
    assert_eq!(fitted["properties"]["c"], json!({"type": "string", "enum": ["x"]}));
}

#[test]
fn what_would_change_the_meaning_is_refused() {
    let refused = [
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}}),
        json!({"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}}),
        json!({"type": "object", "properties": {"a": {"not": {"type": "string"}}}}),
        json!({"type": "object", "properties": {"camelCase": {"type": "string"}}}),
        json!({"type": "object", "allOf": []}),
        json!({"type": "array"}),
    ];
    for schema in refused {
        assert!(fit(&schema).is_err(), "{schema}");
    }
}

#[test]
fn a_deep_schema_is_refused_and_not_followed() {
    let mut schema = json!({"type": "string"});
    for _ in 0..50 {
        schema = json!({"type": "object", "properties": {"a": schema}});
    }
    assert!(fit(&schema).is_err());
}

#[test]
fn nothing_at_all_stands_for_no_parameters() {
    assert!(fit(&serde_json::Value::Null).unwrap().check(&json!({})).is_ok());
    assert!(fit(&json!({})).unwrap().check(&json!({"a": 1})).is_err());
}

#[test]
fn a_description_is_one_safe_line_and_a_cut_is_marked() {
    assert_eq!(short("  two\nlines \u{1b}[2J "), "two lines \\u{1b}[2J");
    let long = short(&"x".repeat(500));
    assert!(long.chars().count() == 200 && long.ends_with("..."), "{long}");
}
