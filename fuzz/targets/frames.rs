//! What crosses the socketpair between the two processes of the bot.

use net::frames::{Answer, Ask, FrameError, MAX_FRAME, decode, encode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::harness::{Verdict, target};

#[test]
fn frames_are_taken_off_one_by_one_and_encode_to_what_decodes_the_same() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let asked = drain::<Ask>(bytes);
    let answered = drain::<Answer>(bytes);
    if asked || answered { Verdict::Taken } else { Verdict::Refused }
}

/// Takes frames off until none is left or the line is broken; whether there was one.
fn drain<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(bytes: &[u8]) -> bool {
    let mut buffer = bytes.to_vec();
    let mut some = false;
    loop {
        let before = buffer.clone();
        match decode::<T>(&mut buffer) {
            Ok(Some(frame)) => {
                assert!(before.ends_with(&buffer) && before.len() >= buffer.len() + 4);
                let mut again = encode(&frame).expect("what came in a frame fits into one");
                assert_eq!(decode::<T>(&mut again).expect("and reads"), Some(frame));
                assert!(again.is_empty());
                some = true;
            }
            Ok(None) => {
                assert_eq!(buffer, before, "what is not whole stays");
                return some;
            }
            Err(error) => {
                if let FrameError::TooLarge(length) = error {
                    assert!(length > MAX_FRAME);
                }
                return some;
            }
        }
    }
}
