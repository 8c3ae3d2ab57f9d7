use proptest::prelude::*;

use super::*;

#[test]
fn words_are_alike_by_their_beginning_and_a_short_ending() {
    for (one, other, expected) in [
        ("cat", "cat", true),
        ("cat", "cats", false),
        ("house", "houses", true),
        ("garten", "gartens", true),
        ("work", "working", true),
        ("work", "workshops", false),
        ("möwe", "möwen", true),
        ("house", "mouse", false),
    ] {
        assert_eq!((alike(one, other), alike(other, one)), (expected, expected), "{one} {other}");
    }
}

#[test]
fn rarer_and_newer_counts_for_more() {
    assert!(weight(1, 100) > weight(50, 100));
    assert!(weight(300, 100) >= 1.0, "a group of words may be seen more often than there are texts");
    assert!(score(2.0, 5, 9, 10) > score(2.0, 5, 8, 10));
    assert!(score(2.0, 5, 0, 10) > score(2.0, 200, 9, 10));
}

proptest! {
    #[test]
    fn the_stems_are_exactly_the_shorter_words_that_are_alike(term in "[a-zä]{1,9}") {
        let stems: Vec<&str> = stems(&term).collect();
        for (end, _) in term.char_indices().skip(1) {
            let shorter = &term[..end];
            prop_assert_eq!(stems.contains(&shorter), alike(shorter, &term));
        }
    }
}
