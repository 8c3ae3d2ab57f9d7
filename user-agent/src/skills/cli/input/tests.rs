use super::*;

fn lines(bytes: &[u8], ended: bool) -> Vec<String> {
    let mut lines = Lines { bytes: bytes.iter().copied().collect(), ended };
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
fn a_line_without_end_is_cut() {
    let taken = lines(&vec![b'x'; MAX_LINE + 10], false);
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].len(), MAX_LINE);
}

#[test]
fn a_person_who_cancels_is_heard_before_anything_is_read() {
    let cancelled = AtomicBool::new(true);
    assert_eq!(Lines::default().next(None, &cancelled), Taken::Cancelled);
}
