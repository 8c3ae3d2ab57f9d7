use serde_json::json;

use super::*;

fn dice() -> Parameters {
    json!({"type": "object", "required": ["dice"], "properties": {
        "dice": {"type": "string", "minLength": 2},
        "times": {"type": "integer", "minimum": 1, "maximum": 9},
        "mode": {"type": "string", "enum": ["sum", "list"]}}})
    .try_into()
    .unwrap()
}

#[test]
fn arguments_that_fit_pass() {
    assert!(dice().check(&json!({"dice": "2d6", "times": 3, "mode": "sum"})).is_ok());
}

#[test]
fn every_fault_is_told_in_one_pass() {
    let faults = dice().check(&json!({"times": 10, "mode": "x", "more": 1})).unwrap_err();
    let paths: Vec<&str> = faults.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, ["arguments.mode", "arguments.more", "arguments.times", "arguments.dice"]);
}

#[test]
fn keywords_outside_the_subset_are_refused_by_name() {
    for (schema, path) in [
        (
            json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}}),
            "parameters.properties.a.pattern",
        ),
        (json!({"type": "object", "$ref": "#"}), "parameters.$ref"),
        (json!({"type": "string"}), "parameters.type"),
        (json!({"type": "object", "additionalProperties": true}), "parameters.additionalProperties"),
        (json!({"type": "object", "required": ["ghost"]}), "parameters.required"),
    ] {
        assert_eq!(Parameters::try_from(schema).unwrap_err().path, path);
    }
}

#[test]
fn of_a_foreign_schema_only_what_the_subset_knows_is_checked() {
    let schema = json!({"type": "object", "required": ["a"], "properties": {
        "a": {"type": ["string", "null"]}, "b": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "c": {"type": "object", "patternProperties": {"^x": {}}, "additionalProperties": false},
        "d": {"$ref": "#/$defs/d", "type": "string"}, "e": {"type": "integer", "maximum": 9},
        "f": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
        "g": true, "h": {"type": "null"}, "i": {"type": "object", "properties": {}, "additionalProperties": false}}});
    let parameters = Parameters::foreign(schema);
    let fits = json!({"a": null, "b": [], "c": {"x": 1}, "d": 1, "e": 3.0, "f": ["a", 1], "g": {}, "h": null, "more": 1});
    assert_eq!(parameters.check(&fits), Ok(()));
    let faults = parameters.check(&json!({"e": 10, "i": {"more": 1}})).unwrap_err();
    let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, ["arguments.e", "arguments.i.more", "arguments.a"]);
}
