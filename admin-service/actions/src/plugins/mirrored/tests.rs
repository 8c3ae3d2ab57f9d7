use serde_json::json;

use super::*;

fn headers(schema: &Value, args: &Value) -> Vec<(String, String)> {
    let found = of_schema(schema).expect("a schema that is allowed");
    found.iter().filter_map(|mirrored| mirrored.of(args).expect("a short value")).collect()
}

#[test]
fn annotated_arguments_become_headers_and_others_do_not() {
    let schema = json!({"type": "object", "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "x-mcp-header": {"type": "string", "default": {"x-mcp-header": "no schema"}},
        "options": {"type": "object", "properties": {"limit": {"type": "integer", "x-mcp-header": "Limit"}}},
        "dry": {"type": "boolean", "x-mcp-header": "Dry-Run"},
        "note": {"type": "string"}}});
    let sent = |args: Value| headers(&schema, &args);
    let pair = |name: &str, value: &str| (format!("mcp-param-{name}"), value.to_owned());
    assert_eq!(
        sent(
            json!({"region": "eu west", "options": {"limit": 42.0}, "dry": false, "note": "n", "x-mcp-header": "x"})
        ),
        [pair("dry-run", "false"), pair("limit", "42"), pair("region", "eu west")]
    );
    assert!(sent(json!({"region": null, "options": 7, "note": "n"})).is_empty());
    assert!(sent(json!({"region": 1.5, "options": {"limit": 1_u64 << 53}})).is_empty());
}

#[test]
fn what_no_header_can_carry_goes_in_base64() {
    let schema = json!({"properties": {"a": {"type": "string", "x-mcp-header": "A"}}});
    let sent = |text: &str| headers(&schema, &json!({"a": text})).remove(0).1;
    for plain in ["", "a", "a b", "~!", "=?base64?"] {
        assert_eq!(sent(plain), plain);
    }
    for (text, form) in [
        ("Zürich", "=?base64?WsO8cmljaA==?="),
        (" a", "=?base64?IGE=?="),
        ("a\r\nx: y", "=?base64?YQ0KeDogeQ==?="),
        ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
    ] {
        assert_eq!(sent(text), form);
    }
    let found = of_schema(&schema).expect("allowed");
    assert_eq!(found[0].of(&json!({"a": "x".repeat(MOST_VALUE + 1)})), Err(Long));
}

#[test]
fn an_annotation_that_the_protocol_does_not_allow_is_refused() {
    let parameter = |parameter: Value| json!({"properties": {"a": parameter}});
    let named = |name: Value| parameter(json!({"type": "string", "x-mcp-header": name}));
    for wrong in [
        named(json!("")),
        named(json!("two words")),
        named(json!("a\r\nb")),
        named(json!("a:b")),
        named(json!(1)),
        named(json!("x".repeat(MOST_NAME + 1))),
        parameter(json!({"type": "number", "x-mcp-header": "A"})),
        parameter(json!({"type": "object", "x-mcp-header": "A"})),
        parameter(json!({"x-mcp-header": "A"})),
        parameter(json!({"type": "array", "items": {"type": "string", "x-mcp-header": "A"}})),
        json!({"type": "string", "x-mcp-header": "A"}),
        json!({"$defs": {"a": {"type": "string", "x-mcp-header": "A"}}}),
        json!({"oneOf": [{"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}]}),
        json!({"properties": {"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}}}),
    ] {
        assert_eq!(of_schema(&wrong), Err(Misplaced), "{wrong}");
    }
    let many: Map<String, Value> = (0..=MOST)
        .map(|n| (format!("p{n}"), json!({"type": "string", "x-mcp-header": format!("H{n}")})))
        .collect();
    assert_eq!(of_schema(&json!({"properties": many})), Err(Misplaced));
}
