//! What a learned skill says about itself, as JSON.

use guest::{Described, describe, json};

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_description_that_is_taken_keeps_its_bounds_and_hides_no_character() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let Ok(value) = serde_json::from_str(text) else { return Verdict::Refused };
    let read = describe::read(&json::from_json(&value));
    match &read {
        Ok(described) => {
            assert!(
                described.tools.len() <= 16 && described.handles.len() <= 16 && described.emits.len() <= 16
            );
            let mut shown = vec![&described.description];
            for tool in &described.tools {
                assert!(tool.phrases.len() <= 32 && tool.examples.len() <= 32);
                shown.push(&tool.description);
                shown.extend(&tool.examples);
                shown.extend(tool.phrases.iter().flat_map(|(language, pattern)| [language, pattern]));
            }
            for text in shown {
                assert!(!text.chars().any(shared_types::text::is_refused), "{text:?}");
            }
            let written = serde_json::to_string(described).expect("a description can be written");
            assert_eq!(&serde_json::from_str::<Described>(&written).expect("and read"), described);
            let _ = described.digest();
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&read)
}
