//! The script of the mock provider.

use std::sync::atomic::AtomicBool;

use models::{Mock, Provider as _, Request};

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_script_that_is_taken_can_be_followed_beyond_its_end() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = Mock::new("scripted", text);
    match &parsed {
        Ok(mock) => {
            // A script may ask for a pause; cancelled, it takes none.
            let cancel = AtomicBool::new(true);
            for _ in 0..3 {
                let answered = mock.chat(&Request::default(), &mut |_| {}, &cancel);
                assert!(answered.is_err(), "a cancelled request has no answer");
            }
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&parsed)
}
