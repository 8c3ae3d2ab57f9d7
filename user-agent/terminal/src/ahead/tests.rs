use super::*;

fn ahead(parts: &[&[u8]]) -> (Vec<String>, String, bool) {
    let mut ahead = Ahead::default();
    parts.iter().for_each(|part| ahead.push(part));
    let lines = std::iter::from_fn(|| ahead.line()).collect();
    (lines, ahead.take_begun(), ahead.has_left())
}

#[test]
fn each_line_is_kept_and_the_one_that_was_begun() {
    assert_eq!(ahead(&[b"one\rtwo\nthr"]), (vec!["one".into(), "two".into()], "thr".into(), false));
    // A key, a character or a line may come in pieces.
    let split: &[&[u8]] = &[b"Z\xc3", b"\xbcrich\x1b", b"[A", b" x\r"];
    assert_eq!(ahead(split).0, ["Z\u{fc}rich x"]);
    let many = "line\r".repeat(500);
    assert_eq!(ahead(&[many.as_bytes()]).0.len(), 500);
}

#[test]
fn the_rest_of_a_line_that_is_too_long_is_thrown_away() {
    let (lines, begun, _) = ahead(&[&vec![b'x'; MAX_LINE + 9], b"\rnext"]);
    assert_eq!((lines[0].len(), begun.as_str()), (MAX_LINE + 1, "next"));
}

#[test]
fn keys_edit_what_they_would_edit_at_the_prompt() {
    assert_eq!(ahead(&[b"ab\xc3\xbc\x7f\x7fc\r"]).0, ["ac"]);
    assert_eq!(ahead(&[b"wrong\x15right\r"]).0, ["right"]);
    assert_eq!(ahead(&[b"\x1bOAa\x1b[1;5Cb\x0c\r"]).0, ["ab"]);
}

#[test]
fn a_paste_is_one_input_and_is_not_sent_by_itself() {
    let paste = b"\x1b[200~one\rtwo\x1b[201~";
    assert_eq!(ahead(&[paste]), (vec![], "one\ntwo".into(), false));
    assert_eq!(ahead(&[paste, b"\r"]).0, ["one\ntwo"]);
}

#[test]
fn the_person_leaves_behind_the_lines_and_not_before_them() {
    assert_eq!(ahead(&[b"one\r\x04"]), (vec!["one".into()], String::new(), true));
    assert_eq!(ahead(&[b"one\r\0"]), (vec!["one".into()], String::new(), true));
    assert!(!ahead(&[b"half\x04"]).2 && ahead(&[b"half\x03"]).2);
}
