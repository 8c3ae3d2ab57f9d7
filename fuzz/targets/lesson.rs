//! A line that tells a skill by examples.

use language::pairs::lesson;

use crate::harness::{Verdict, target};

#[test]
fn each_text_of_an_example_stands_in_the_line() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let Some(lesson) = lesson(text) else { return Verdict::Refused };
    assert!(
        lesson.name.as_ref().is_none_or(|name| name.len() <= 60 && text.contains(name.as_str())),
        "{lesson:?}"
    );
    for (input, output) in &lesson.pairs {
        assert!(text.contains(input.as_str()) && text.contains(output.as_str()), "{lesson:?}");
    }
    Verdict::Taken
}
