use super::*;

#[test]
fn escapes_and_overrides_become_visible() {
    assert_eq!(line("a\u{1b}[31mb\u{202e}c\nd"), "a\\u{1b}[31mb\\u{202e}c d");
    assert_eq!(block("a\tb\n\u{7}c"), "a    b\n\\u{7}c");
}

#[test]
fn a_cut_is_said() {
    assert_eq!(cut("abcdef", 4), "abcd [... 2 more characters]");
    assert_eq!(cut("abcd", 4), "abcd");
}

#[test]
fn joiners_are_let_through_but_not_shown() {
    assert!(!is_refused('\u{200d}') && is_unsafe('\u{200d}'));
    assert!(is_refused('\u{200b}') && is_refused('\u{202e}') && is_refused('\u{1b}'));
}

#[test]
fn noncharacters_are_no_text() {
    for c in ['\u{fffe}', '\u{ffff}', '\u{fdd0}', '\u{1fffe}', '\u{10ffff}'] {
        assert!(is_refused(c), "{}", c.escape_unicode());
    }
    assert!(!is_unsafe('\u{fffd}') && !is_unsafe('\u{fdcf}') && !is_unsafe('\u{1fffd}'));
}
