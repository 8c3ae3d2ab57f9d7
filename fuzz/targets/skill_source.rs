//! Rust that a model wrote for a skill.

use builder::scan::scan;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_source_that_passes_the_scan_is_printed_so_that_it_passes_again_unchanged() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let scanned = scan(text);
    match &scanned {
        Ok(passed) => {
            let again = scan(&passed.source).expect("the print passes its own judgement");
            assert_eq!(&again, passed);
            assert_eq!(passed.lines, passed.source.lines().count());
        }
        Err(violations) => {
            assert!(!violations.is_empty(), "a refusal says why");
            for violation in violations {
                assert_ne!(violation.rule, "scanner", "the scan itself failed: {violation:?}");
                is_safe_to_show(&violation.excerpt);
                is_safe_to_show(&violation.why);
            }
        }
    }
    Verdict::of(&scanned)
}
