//! The body of an answer of a homeserver to `/sync`.

use door::matrix::typed_in;

use crate::harness::{Verdict, target};

const BOT: &str = "@tame:example.org";

#[test]
fn a_line_is_the_persons_and_neither_the_assistants_nor_a_quoted_one() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let people = ["@anna:example.org".to_owned(), BOT.to_owned()];
    let Some(lines) = typed_in(bytes, BOT, &people) else { return Verdict::Refused };
    for (sender, line) in lines {
        assert_eq!(sender, people[0], "the assistant hears the person alone");
        assert!(!line.lines().any(|line| line.starts_with('>')), "a quoted line counts as typed: {line:?}");
        assert!(line.len() <= bytes.len(), "a line is no longer than the answer");
    }
    Verdict::Taken
}
