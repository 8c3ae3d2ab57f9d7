use super::*;

fn lines(bytes: &[u8], ended: bool) -> Vec<String> {
    let mut lines = Lines { bytes: bytes.iter().copied().collect(), ended, ..Lines::default() };
    std::iter::from_fn(|| lines.take()).collect()
}

#[test]
fn lines_are_taken_one_by_one_and_the_last_needs_no_end() {
    assert_eq!(lines(b"one\ntwo\n\nthree", true), ["one", "two", "", "three"]);
    assert_eq!(lines(b"one\ntwo", false), ["one"]);
}

#[test]
fn bytes_that_are_no_text_do_not_end_the_program() {
    assert_eq!(lines(b"a\xff\n", false), ["a\u{fffd}"]);
}

#[test]
fn a_line_that_is_far_too_long_is_one_line_and_holds_no_more_than_the_limit() {
    let mut lines = Lines::default();
    for _ in 0..300 {
        lines.bytes.extend(vec![b'x'; 10_000]);
        assert_eq!(lines.take(), None);
        assert!(lines.bytes.len() <= MAX_LINE + 10_000);
    }
    lines.bytes.extend(b" the rest\nnext\n");
    assert_eq!(lines.take().map(|l| l.len()), Some(MAX_LINE));
    assert_eq!(lines.take().as_deref(), Some("next"));
}

#[test]
fn a_person_who_cancels_is_heard_before_anything_is_read() {
    let cancelled = AtomicBool::new(true);
    assert_eq!(Lines::default().next(None, &cancelled), LineRead::Cancelled);
}
