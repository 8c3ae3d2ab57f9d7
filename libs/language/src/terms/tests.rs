use proptest::prelude::*;

use super::*;

#[test]
fn case_accents_and_ways_of_writing_a_letter_do_not_matter() {
    for (one, other) in [
        ("Heißt ÜMIT", "heisst umit"),
        ("CAFÉ", "cafe\u{301}"),
        ("Smørrebrød", "smorrebrod"),
        ("Łódź", "lodz"),
        ("ΟΔΟΣ", "οδος"),
        ("ﬁnance ２０", "finance 20"),
        ("don't  stop!", "dont stop"),
        ("it’s", "its"),
        ("soft\u{ad}ware", "software"),
        ("İstanbul", "istanbul"),
    ] {
        assert_eq!(fold(one), fold(other), "{one}");
    }
    assert_ne!(fold("cat"), fold("cut"));
}

#[test]
fn scripts_without_spaces_are_taken_by_character_and_pair() {
    assert_eq!(fold("我的猫"), "我 的 我的 猫 的猫");
    assert_eq!(fold("iPhone 手机"), "iphone 手 机 手机");
    assert_eq!(fold("моя собака"), "моя собака");
    assert_eq!(fold("كِتَاب"), "كتاب");
}

#[test]
fn small_words_are_known_and_nothing_else() {
    for word in ["the", "der", "about"] {
        assert!(is_small(word), "{word}");
    }
    for word in ["cat", "them", "thee", "dermatologist", "猫", "abouts"] {
        assert!(!is_small(word), "{word}");
    }
}

#[test]
fn small_words_do_not_count_and_no_word_counts_twice() {
    assert_eq!(distinct("The cat and the CAT of my dog", 9), ["cat", "dog"]);
    assert_eq!(distinct("one two three", 2), ["one", "two"]);
}

proptest! {
    #[test]
    fn any_text_folds_to_words_that_fold_to_themselves(text in "\\PC{0,60}") {
        let folded = fold(&text);
        for word in folded.split(' ').filter(|w| !w.is_empty()) {
            prop_assert!(word.chars().count() <= MAX_CHARS);
            // A pair of characters is a word of its own; all else stays one.
            if !word.chars().any(is_unspaced) {
                prop_assert_eq!(fold(word), word);
            }
        }
    }
}
