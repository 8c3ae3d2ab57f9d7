use proptest::prelude::*;
use serde_json::json;

use super::*;

fn described(description: &str, schema: Value) -> Described {
    Described {
        description: description.to_owned(),
        tools: vec![
            DescribedTool {
                name: "roll".parse().unwrap(),
                description: description.to_owned(),
                parameters: Parameters::foreign(schema),
                phrases: vec![("en".to_owned(), "roll {n}".to_owned())],
                examples: vec![description.to_owned(), "roll 3".to_owned()],
            },
            DescribedTool {
                name: "again".parse().unwrap(),
                description: String::new(),
                parameters: Parameters::none(),
                phrases: vec![],
                examples: vec![],
            },
        ],
        handles: vec!["dice.rolled".parse().unwrap()],
        emits: vec!["dice.thrown".parse().unwrap(), "user_input".parse().unwrap()],
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        (-20i64..20).prop_map(Value::from),
        (-3i64..3).prop_map(|n| Value::from((1i64 << 53) + n)),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        Just(Value::from(-0.0)),
        Just(Value::from(1.0)),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number,
        any::<String>().prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        // Keys on both sides of the units that stand for characters beyond the first plane.
        let key = prop_oneof![
            "[a-zA-Z\"\\\\]{0,4}",
            "[\u{e000}\u{ffff}\u{10000}\u{10ffff}a]{0,3}",
            any::<String>()
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..5)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    /// What an approver signs is the canonical JSON of a skill's description, regardless of its content.
    #[test]
    fn the_digest_is_that_of_canonical_json(text in any::<String>(), schema in json_value()) {
        let described = described(&text, schema);
        let canonical = serde_json_canonicalizer::to_string(&described).unwrap();
        prop_assert_eq!(described.canonical().unwrap(), canonical.clone());
        prop_assert_eq!(described.digest(), Digest::of(canonical.as_bytes()));
    }
}

#[test]
fn what_is_written_otherwise_than_it_is_canonical_is_found() {
    for (schema, canonical) in [
        (
            json!({"type": "object", "properties": {"n": {"minimum": -1000, "maximum": 9_007_199_254_740_991_i64}}}),
            true,
        ),
        (json!({"a": 1.0}), false),
        (json!({"a": -0.0}), false),
        (json!({"a": [1e30]}), false),
        (json!({"a": 9_007_199_254_740_993_i64}), false),
        (json!({"a": u64::MAX}), false),
        (json!({"a": i64::MIN}), false),
        (json!({"a": {"\u{e000}": 1, "\u{10000}": 2}}), false),
        (json!({"\u{d7ff}": "\u{10000}\u{7f}\u{1f}\u{2028}\""}), true),
    ] {
        assert_eq!(is_canonical(&schema), canonical, "{schema}");
        let described = described("\u{1}\"\\/\u{7f}", schema);
        assert_eq!(described.canonical().unwrap(), serde_json_canonicalizer::to_string(&described).unwrap());
    }
}
