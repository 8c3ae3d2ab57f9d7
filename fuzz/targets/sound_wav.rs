//! WAV files: a person, or a program that records, hands in what it likes.

use crate::harness::{Verdict, target};

#[test]
fn sound_is_read_back_as_it_was_or_refused() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    match sound::wav::read(bytes) {
        Ok(samples) => {
            let again = sound::wav::write(&samples).expect("a Vec takes it");
            assert_eq!(sound::wav::read(again.as_slice()).expect("it is valid"), samples);
            Verdict::Taken
        }
        Err(fault) => {
            assert!(!fault.to_string().chars().any(char::is_control), "{fault}");
            Verdict::Refused
        }
    }
}
