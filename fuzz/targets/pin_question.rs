//! Questions to `cl-pins` and its answers: a client or a service sends what it likes.

use crate::harness::{Verdict, target};

#[test]
fn questions_and_answers_are_read_back_as_they_were_or_end_the_stream() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let mut some = false;
    let mut input = bytes;
    loop {
        match pin_protocol::read_ask(&mut input) {
            Ok(Some(ask)) => {
                let mut again = Vec::new();
                pin_protocol::write_ask(&mut again, &ask).expect("a Vec takes it");
                let read = pin_protocol::read_ask(&mut again.as_slice()).expect("it is valid");
                assert_eq!(read, Some(ask));
                some = true;
            }
            Ok(None) => break,
            Err(fault) => {
                assert!(!fault.to_string().chars().any(char::is_control), "{fault}");
                some = false;
                break;
            }
        }
    }
    let mut input = bytes;
    while let Ok(Some(told)) = pin_protocol::read_told(&mut input) {
        let mut again = Vec::new();
        pin_protocol::write_told(&mut again, &told).expect("a Vec takes it");
        // Text grows where its marks are written out, so the longest may be over the limit of a line.
        if again.len() as u64 <= pin_protocol::LONGEST {
            let read = pin_protocol::read_told(&mut again.as_slice()).expect("it is valid");
            assert_eq!(read, Some(told));
        }
    }
    if some { Verdict::Taken } else { Verdict::Refused }
}
