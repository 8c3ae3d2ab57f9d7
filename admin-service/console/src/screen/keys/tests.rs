use super::*;

fn keys(bytes: &[u8]) -> Vec<Key> {
    Decoder::default().feed(bytes)
}

#[test]
fn letters_controls_and_sequences_are_keys() {
    assert_eq!(keys(b"aA\r\t\x7f"), [Key::Char('a'), Key::Char('A'), Key::Enter, Key::Tab, Key::Backspace]);
    assert_eq!(keys(b"\x03\x07"), [Key::Ctrl('c'), Key::Ctrl('g')]);
    assert_eq!(
        keys(b"\x1b[A\x1bOB\x1b[5~\x1b[6~\x1b[Z"),
        [Key::Up, Key::Down, Key::PageUp, Key::PageDown, Key::BackTab]
    );
    assert_eq!(keys(b"\x1b[1~\x1b[F\x1b[3~\x1b[1;5C"), [Key::Home, Key::End, Key::Delete, Key::Right]);
    assert_eq!(keys("ä語".as_bytes()), [Key::Char('ä'), Key::Char('語')]);
}

#[test]
fn a_sequence_may_come_in_pieces() {
    let mut decoder = Decoder::default();
    assert_eq!(decoder.feed(b"\x1b"), []);
    assert_eq!(decoder.feed(b"["), []);
    assert!(decoder.is_within());
    assert_eq!(decoder.feed(b"B"), [Key::Down]);
    assert_eq!(decoder.feed(&"ä".as_bytes()[..1]), []);
    assert_eq!(decoder.feed(&"ä".as_bytes()[1..]), [Key::Char('ä')]);
}

#[test]
fn an_escape_is_a_key_once_nothing_follows() {
    let mut decoder = Decoder::default();
    assert_eq!(decoder.feed(b"\x1b"), []);
    assert_eq!(decoder.settle(), Some(Key::Esc));
    assert_eq!(decoder.feed(b"\x1b["), []);
    assert_eq!(decoder.settle(), None);
    assert!(!decoder.is_within());
}

#[test]
fn what_is_no_key_is_dropped_and_the_next_key_counts() {
    assert_eq!(keys(b"\x1b[200~a"), [Key::Char('a')]);
    assert_eq!(keys(b"\x1b[<0;10;10Ma"), [Key::Char('a')]);
    assert_eq!(keys(b"\x1b[[A\x1b[?1;2ca"), [Key::Char('a')]);
    assert_eq!(keys(b"\xff\xfea"), [Key::Char('a')]);
    assert_eq!(keys("\u{202e}a".as_bytes()), [Key::Char('a')]);
    assert_eq!(keys(&[b"\x1b[".as_slice(), &[b'1'; 100], b"~a"].concat()).last(), Some(&Key::Char('a')));
}
