//! What crosses the socketpair between the door and `mind`: an owned door sends what it likes.

use door::frames::{Asked, ToDoor};
use net::frames::{decode, encode};

use crate::harness::{Verdict, target};

#[test]
fn frames_of_a_door_are_read_or_end_the_line() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let (mut asked, mut answered) = (bytes.to_vec(), bytes.to_vec());
    let mut some = false;
    while let Ok(Some(frame)) = decode::<Asked>(&mut asked) {
        let mut again = encode(&frame).expect("what came in a frame fits into one");
        assert_eq!(decode::<Asked>(&mut again).expect("and reads"), Some(frame));
        some = true;
    }
    while let Ok(Some(frame)) = decode::<ToDoor>(&mut answered) {
        let mut again = encode(&frame).expect("what came in a frame fits into one");
        assert_eq!(decode::<ToDoor>(&mut again).expect("and reads"), Some(frame));
        some = true;
    }
    if some { Verdict::Taken } else { Verdict::Refused }
}
