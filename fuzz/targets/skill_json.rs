//! JSON as a learned skill reads it, in its own small parser.

use guest::json::to_json;
use skill_sdk::json::{parse, write};

use crate::harness::{Verdict, target};

#[test]
fn what_the_skills_parser_takes_is_json_and_reads_back_the_same() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = parse(text);
    match &parsed {
        Ok(value) => {
            assert_eq!(to_json(&parse(&write(value)).expect("what is written reads")), to_json(value));
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text:?}");
        }
        Err(error) => assert!(error.at <= text.len()),
    }
    Verdict::of(&parsed)
}
