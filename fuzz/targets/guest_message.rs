//! A message of a learned skill, as bytes.

use guest::{ToolOutcome, Value, describe, json};
use skill_sdk::codec;

use crate::harness::{Verdict, target};

#[test]
fn a_skills_message_is_within_its_bounds_and_encodes_to_the_same_bytes() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let decoded = codec::decode(bytes);
    if let Ok(value) = &decoded {
        assert!(depth(value) <= codec::MAX_DEPTH);
        assert_eq!(codec::encode(value).as_deref(), Ok(bytes));
        // What the host makes of it next.
        let as_json = json::to_json(value);
        assert_eq!(json::to_json(&json::from_json(&as_json)), as_json);
        let _ = (ToolOutcome::read(value), describe::read(value));
    }
    Verdict::of(&decoded)
}

fn depth(value: &Value) -> usize {
    let below = match value {
        Value::List(items) => items.iter().map(depth).max(),
        Value::Map(entries) => entries.iter().map(|(_, value)| depth(value)).max(),
        _ => None,
    };
    1 + below.unwrap_or_default()
}
