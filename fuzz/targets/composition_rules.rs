//! `admin/composition_rules.yaml`.

use std::path::Path;

use compose::rules::Rules;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn composition_rules_are_read_or_refused_in_text_that_is_safe_to_show() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = Rules::parse(Path::new("composition_rules.yaml"), text);
    if let Err(error) = &parsed {
        is_safe_to_show(&error.to_string());
    }
    Verdict::of(&parsed)
}
