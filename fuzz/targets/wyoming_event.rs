//! Events of the Wyoming protocol: a client or a voice service sends what it likes.

use crate::harness::{Verdict, target};

#[test]
fn events_are_read_back_as_they_were_or_end_the_stream() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let mut input = bytes;
    let mut some = false;
    loop {
        match wyoming::read(&mut input) {
            Ok(Some(event)) => {
                let mut again = Vec::new();
                wyoming::write(&mut again, &event).expect("a Vec takes it");
                let read = wyoming::read(&mut again.as_slice()).expect("it is valid");
                assert_eq!(read, Some(event));
                some = true;
            }
            Ok(None) => return if some { Verdict::Taken } else { Verdict::Refused },
            Err(fault) => {
                assert!(!fault.to_string().chars().any(char::is_control), "{fault}");
                return Verdict::Refused;
            }
        }
    }
}
