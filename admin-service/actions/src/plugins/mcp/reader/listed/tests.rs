use serde_json::json;

use super::*;

fn listed(name: &str) -> Listed {
    Listed { name: name.into(), description: "Does it".into(), input: json!({"type": "object"}) }
}

#[test]
fn the_order_of_a_list_does_not_matter_and_every_word_of_it_does() {
    let (one, two) = (listed("one"), listed("two"));
    let digest_of = |list: &[Listed]| digest(list);
    let before = digest_of(&[one.clone(), two.clone()]);
    assert_eq!(digest_of(&[two.clone(), one.clone()]), before);
    let said = Listed { description: "Does it now".into(), ..one.clone() };
    assert_ne!(digest_of(&[said, two.clone()]), before);
    let asks = Listed { input: json!({"type": "object", "properties": {}}), ..one.clone() };
    assert_ne!(digest_of(&[asks, two.clone()]), before);
    assert_ne!(digest_of(&[one]), before);
}

/// Plugins are installed with this digest, so it stays what it was.
#[test]
fn the_digest_is_that_of_the_list_in_its_canonical_form() {
    let one = Listed { input: json!({"b": 1.0, "a": [9_007_199_254_740_993_u64]}), ..listed("one") };
    let text = r#"[{"description":"Does it","input":{"a":[9007199254740992],"b":1},"name":"one"}]"#;
    assert_eq!(digest(&[one]), Digest::of(text.as_bytes()));
}

#[test]
fn what_is_told_of_a_tool_fits_its_frame_and_no_longer_name_passes_for_a_shorter_one() {
    use crate::plugins::mcp::frames::FromReader;

    let long = |count: usize| Listed {
        name: "x".repeat(count),
        description: "\u{20ac}".repeat(count),
        input: json!({"a": "y".repeat(count)}),
    };
    for tool in [listed("one"), long(MOST_NAME), long(MOST_NAME + 1), long(MOST_SCHEMA), long(1 << 20)] {
        let told = FromReader::Tool(tool.told());
        assert_eq!(FromReader::decode(&told.encode()), Ok(told));
    }
    assert_eq!(long(MOST_NAME).told().name, "x".repeat(MOST_NAME));
    assert!(long(MOST_NAME + 1).told().name.ends_with(MORE));
    assert_eq!(long(MOST_SCHEMA).told().schema, None);
    assert_eq!(Listed { input: Value::Null, ..listed("one") }.told().schema.as_deref(), Some("{}"));
}
