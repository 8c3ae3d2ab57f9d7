//! The JSON Schema of a stranger's tool, fitted into the subset that every tool here has.

use actions::plugins::schema::fit;
use serde_json::Value;
use shared_types::schema::Parameters;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_foreign_schema_becomes_one_of_the_subset_or_is_refused_in_words() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let Ok(schema) = serde_json::from_str::<Value>(text) else { return Verdict::Refused };
    let fitted = fit(&schema);
    match &fitted {
        Ok(parameters) => {
            let written = Value::from(parameters.clone());
            assert_eq!(&Parameters::try_from(written.clone()).expect("still a schema"), parameters);
            // A second fitting changes nothing.
            assert_eq!(&fit(&written).expect("it fits"), parameters);
            descriptions(&written);
        }
        Err(why) => is_safe_to_show(&why.to_string()),
    }
    Verdict::of(&fitted)
}

/// What a model and a person read of it is one safe line each.
fn descriptions(value: &Value) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(text)) = map.get("description") {
                is_safe_to_show(text);
                assert!(text.chars().count() <= 200 && !text.contains('\n'), "{text:?}");
            }
            map.values().for_each(descriptions);
        }
        Value::Array(all) => all.iter().for_each(descriptions),
        _ => {}
    }
}
