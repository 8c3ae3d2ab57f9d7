use std::string::ToString;

use super::*;

#[test]
fn json_survives_the_round_trip() {
    let text = r#"{"a":[1,-2.5,true,false,null],"b":{"c":"x\"y\\z\nÜ\u0001"},"d":{},"e":[]}"#;
    assert_eq!(write(&parse(text).unwrap()), text);
}

#[test]
fn numbers_keep_their_kind() {
    assert_eq!(parse("7"), Ok(Value::Int(7)));
    assert_eq!(parse("7.0"), Ok(Value::Float(7.0)));
    assert_eq!(parse("1e3"), Ok(Value::Float(1000.0)));
    assert_eq!(parse("99999999999999999999"), Ok(Value::Float(1e20)));
    assert_eq!(write(&Value::Float(7.0)), "7.0");
    assert_eq!(write(&Value::Float(f64::NAN)), "null");
}

#[test]
fn escapes_are_read_and_broken_pairs_refused() {
    assert_eq!(parse(r#""\ud83d\udc0c \u00e4 \/""#), Ok("\u{1F40C} ä /".into()));
    for text in
        [r#""\ud83d""#, r#""\ud83dx""#, r#""\ud83d\u0041""#, r#""\udc0c""#, r#""\x""#, r#""\u12"#, "\"\n\""]
    {
        assert!(parse(text).is_err(), "{text}");
    }
}

#[test]
fn what_is_not_json_is_refused_with_its_place() {
    for text in ["", "{", "[1,]", "{\"a\"}", "{a:1}", "nul", "1 2", "\"abc", "[1", "--1", "1e999", "é"] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert_eq!(parse("[1, x]"), Err(JsonError { at: 4 }));
    assert_eq!(JsonError { at: 4 }.to_string(), "the text is not JSON at byte 4");
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse(&nested(32)).is_ok());
    assert!(parse(&nested(33)).is_err());
    assert!(parse(&"[".repeat(1_000_000)).is_err());
}

#[test]
fn a_path_leads_through_maps_and_lists() {
    let value = parse(r#"{"a":{"b":[10,{"c":"here"}]}}"#).unwrap();
    assert_eq!(value.at("a.b.1.c").and_then(Value::as_text), Some("here"));
    assert_eq!(value.at("a.b.0").and_then(Value::as_number), Some(10.0));
    assert_eq!(value.at("a.b.9"), None);
    assert_eq!(value.at("a.x.1"), None);
}

#[test]
fn a_number_has_the_form_that_json_gives_it() {
    for text in ["-0", "0.5", "1E+2", "10e-1"] {
        assert!(parse(text).is_ok(), "{text}");
    }
    for text in ["-", "-0.", "01", "1.e3", "1e", "1e+", "+1", "-.5", "0x10", "1-2"] {
        assert!(parse(text).is_err(), "{text}");
    }
}
