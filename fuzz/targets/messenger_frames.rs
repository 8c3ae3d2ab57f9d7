//! What crosses the socketpair between the process that talks to a messenger's server and `mind`: an owned one sends what it likes.

use std::fmt::Debug;

use door::messenger::frames::{Heard, ToMessenger};
use net::frames::{decode, encode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::harness::{Verdict, target};

#[test]
fn frames_of_a_messenger_are_read_or_end_the_line() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let (heard, told) = (reads::<Heard>(bytes), reads::<ToMessenger>(bytes));
    if heard || told { Verdict::Taken } else { Verdict::Refused }
}

/// Whether there is a frame; each reads back the same.
fn reads<T: Serialize + DeserializeOwned + PartialEq + Debug>(bytes: &[u8]) -> bool {
    let (mut received, mut some) = (bytes.to_vec(), false);
    while let Ok(Some(frame)) = decode::<T>(&mut received) {
        let mut again = encode(&frame).expect("what came in a frame fits into one");
        assert_eq!(decode::<T>(&mut again).expect("and reads"), Some(frame));
        some = true;
    }
    some
}
