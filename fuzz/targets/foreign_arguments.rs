//! The JSON Schema of a stranger's tool and arguments for it, as the confined child checks them.

use actions::plugins::arguments::{Order, check};
use serde_json::{Value, json};

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn whatever_a_schema_says_arguments_are_checked_or_it_is_refused_with_safe_words() {
    target!(text holds);
}

/// The first line is the schema, the rest are the arguments.
fn holds(text: &str) -> Verdict {
    let (schema, args) = text.split_once('\n').unwrap_or((text, "{}"));
    let args: Value = serde_json::from_str(args).unwrap_or_else(|_| json!({"a": args}));
    let order: Order = serde_json::from_value(json!({"schema": schema, "args": args})).expect("an order");
    let checked = check(&order);
    match &checked {
        Ok(checked) => {
            assert!(checked.faults.len() <= 8, "{:?}", checked.faults);
            checked.faults.iter().chain(&checked.unchecked).for_each(|words| is_safe_to_show(words));
        }
        Err(why) => is_safe_to_show(&why.to_string()),
    }
    Verdict::of(&checked)
}
