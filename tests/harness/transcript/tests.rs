use super::*;

#[test]
fn escape_sequences_are_dropped_even_when_they_arrive_in_pieces() {
    let mut plain = Plain::default();
    for piece in ["\x1b[1", ";31mred\x1b", "[0m\r\n", "\x1b]0;ti", "tle\x07done", "\x1b]8;;x\x1b\\!"] {
        plain.feed(piece.as_bytes());
    }
    assert_eq!(String::from_utf8_lossy(&plain.text), "red\ndone!");
}

#[test]
fn a_match_is_searched_for_only_after_the_last_one() {
    let transcript = Transcript::follow("one two one".as_bytes());
    assert_eq!(transcript.expect("one", Duration::from_secs(5)), "one");
    assert_eq!(transcript.expect("one", Duration::from_secs(5)), " two one");
    assert_eq!(transcript.wait_for(&["one"], Duration::from_secs(5)), None);
}

#[test]
fn the_earliest_of_several_texts_is_taken() {
    let transcript = Transcript::follow("b a".as_bytes());
    assert_eq!(transcript.wait_for(&["a", "b"], Duration::from_secs(5)), Some((1, "b".to_owned())));
}
