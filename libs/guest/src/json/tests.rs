use serde_json::json;

use super::*;

#[test]
fn json_survives_the_way_through_a_value() {
    let json = json!({"a": [1, -2.5, true, null, "text"], "b": {"c": i64::MIN}, "d": 7.0});
    assert_eq!(to_json(&from_json(&json)), json);
    assert!(to_json(&from_json(&json))["d"].is_f64());
}

#[test]
fn a_whole_number_beyond_64_signed_bits_becomes_a_float() {
    assert_eq!(from_json(&json!(u64::MAX)), Value::Float(u64::MAX as f64));
}

#[test]
fn a_number_that_json_cannot_say_becomes_null() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(to_json(&Value::Float(number)), Json::Null);
    }
}

#[test]
fn of_a_repeated_key_the_first_counts_on_both_sides() {
    let value = Value::map([("key", 1.into()), ("key", 2.into())]);
    assert_eq!(to_json(&value), json!({"key": 1}));
    assert_eq!(value.get("key"), Some(&Value::Int(1)));
}
