//! Text on its way to a terminal.

use shared_types::text::{block, cut, is_refused, is_unsafe, line};

use crate::harness::{Verdict, target};

#[test]
fn shown_text_holds_no_unsafe_character_and_is_shown_the_same_twice() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let one = line(text);
    assert!(!one.chars().any(is_unsafe), "{one:?}");
    assert_eq!(line(&one), one);
    let many = block(text);
    assert!(!many.chars().any(|c| c != '\n' && is_unsafe(c)), "{many:?}");
    // Lines at the end that became empty do not count as lines the second time.
    assert_eq!(block(&many).trim_end_matches('\n'), many.trim_end_matches('\n'));
    for limit in [0, 1, 80] {
        let short = cut(text, limit);
        assert!(!short.chars().any(is_unsafe), "{short:?}");
        if one.chars().count() <= limit {
            assert_eq!(short, one);
        } else {
            assert!(short.ends_with(" more characters]"), "a cut is said: {short:?}");
            assert!(short.chars().count() <= limit + 40);
        }
    }
    // What a proposal may not hold is a part of what is not shown.
    assert!(text.chars().all(|c| !is_refused(c) || is_unsafe(c)));
    if text.chars().any(|c| is_refused(c) && c != '\n' && c != '\t') {
        Verdict::Refused
    } else {
        Verdict::Taken
    }
}
