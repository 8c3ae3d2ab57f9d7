//! What a verb asks of the running admin service: a line of JSON on its socket.

use api::Request;

use crate::harness::{Verdict, target};

#[test]
fn a_request_that_is_read_is_written_and_read_the_same() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = serde_json::from_str::<Request>(text);
    if let Ok(request) = &parsed {
        let write = |request: &Request| serde_json::to_string(request).expect("a request can be written");
        let again: Request = serde_json::from_str(&write(request)).expect("and read");
        assert_eq!(write(&again), write(request));
    }
    Verdict::of(&parsed)
}
