//! Any YAML of somebody else's making.

use documents::yaml::{MAX_BYTES, YamlError, from_outside, from_own, to_string};
use serde_json::Value;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn yaml_within_the_budget_reads_back_the_same() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = from_outside::<Value>(text);
    match &parsed {
        Ok(value) => {
            // Sixteen as written; an alias repeats as many, four aliases deep.
            assert!(depth(value) <= 80);
            let written = to_string(value).expect("what was read can be written");
            assert_eq!(from_own::<Value>(&written).as_ref(), Ok(value), "{written:?}");
        }
        Err(error) => {
            is_safe_to_show(&error.to_string());
            assert_eq!(matches!(error, YamlError::TooLarge { .. }), text.len() > MAX_BYTES);
        }
    }
    Verdict::of(&parsed)
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}
