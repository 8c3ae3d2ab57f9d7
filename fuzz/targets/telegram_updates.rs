//! The body of an answer of Telegram's `getUpdates`.

use door::telegram::typed_in;

use crate::harness::{Verdict, target};

#[test]
fn a_line_is_the_persons_and_holds_no_quoted_line() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let people = ["123456789".to_owned(), "-5".to_owned()];
    let Some(lines) = typed_in(bytes, &people) else { return Verdict::Refused };
    for (sender, line) in lines {
        assert!(people.contains(&sender), "{sender} is not the person");
        assert!(!line.lines().any(|line| line.starts_with('>')), "a quoted line counts as typed: {line:?}");
        assert!(line.len() <= bytes.len(), "a line is no longer than the answer");
    }
    Verdict::Taken
}
