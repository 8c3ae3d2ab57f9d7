//! The file that names the lines of a chip, as `cl-pins` reads it.

use crate::harness::{Verdict, target};
use pins::lines;

#[test]
fn lines_that_are_taken_are_devices_with_names_and_faults_are_safe_to_show() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    match lines::parse(text) {
        Ok(lines) => {
            assert!(lines.len() <= pin_protocol::MOST_LINES);
            for line in lines {
                assert!(pin_protocol::is_name(&line.name) && line.chip.starts_with("/dev"), "{line:?}");
            }
            Verdict::Taken
        }
        Err(faults) => {
            let is_safe = |text: &str| !text.chars().any(|c| c.is_control() && c != '\n');
            assert!(!faults.is_empty());
            assert!(faults.iter().all(|fault| is_safe(&fault.message)), "{faults:?}");
            Verdict::Refused
        }
    }
}
