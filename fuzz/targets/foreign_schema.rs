//! The JSON Schema of a stranger's tool, and what a model and a person are shown of it.

use actions::plugins::schema::{Shown, shown};
use serde_json::Value;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn what_is_shown_of_a_foreign_schema_is_safe_and_stays_what_it_is() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let Ok(schema) = serde_json::from_str::<Value>(text) else { return Verdict::Refused };
    let made = shown(&schema);
    match &made {
        Ok(Shown { schema, names }) => {
            texts(schema);
            let root = schema.as_object().expect("an object");
            assert!(root["type"] == "object" && root["properties"].is_object());
            for key in ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "enum", "const"] {
                assert!(!root.contains_key(key), "{key} at the top: {schema}");
            }
            let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
            let own = root["properties"].as_object().expect("an object");
            assert!(own.keys().all(|name| (1..=64).contains(&name.len()) && name.chars().all(plain)));
            assert!(names.keys().all(|name| own.contains_key(name)));
            // Shown once more it is the same.
            assert_eq!(
                shown(schema).expect("still a schema"),
                Shown { names: [].into(), schema: schema.clone() }
            );
        }
        Err(why) => is_safe_to_show(&why.to_string()),
    }
    Verdict::of(&made)
}

/// Each text of it is one short line.
fn texts(value: &Value) {
    let text = |text: &str| {
        is_safe_to_show(text);
        assert!(text.chars().count() <= 200 && !text.contains('\n'), "{text:?}");
    };
    match value {
        Value::Object(map) => {
            map.keys().for_each(|key| text(key));
            map.values().for_each(texts);
        }
        Value::Array(all) => all.iter().for_each(texts),
        // Where it leads is shown as it is.
        Value::String(words) if !words.starts_with("#/") => text(words),
        _ => {}
    }
}
