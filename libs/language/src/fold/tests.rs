use proptest::prelude::*;

use super::*;

#[test]
fn words_that_read_alike_are_alike() {
    for (typed, folded) in [
        ("Würfle", "wurfle"),
        ("HEISSE", "heisse"),
        ("Heiße!", "heisse"),
        ("cafe\u{301}", "cafe"),
        ("Łódź", "lodz"),
        ("Smørrebrød", "smorrebrod"),
        ("ﬁnance", "finance"),
        ("ＲＯＬＬ", "roll"),
        ("what’s", "what's"),
        ("geht´s", "geht's"),
        ("to\u{2011}do", "to-do"),
        ("2020–2021", "2020-2021"),
        ("le\u{200b}arn", "learn"),
        ("soft\u{ad}ware", "software"),
        ("\u{feff}„Rom“,", "rom"),
        ("İstanbul", "istanbul"),
        ("ΟΔΟΣ", "οδοσ"),
        ("?!", ""),
    ] {
        assert_eq!(word(typed), folded, "{typed}");
    }
    assert_ne!(word("сat"), word("cat"), "look-alikes of other scripts stay what they are");
}

proptest! {
    #[test]
    fn a_folded_word_folds_to_itself(text in "\\PC{0,20}") {
        let folded = word(&text);
        let again = word(&folded);
        // Punctuation that only stood at an end once what was around it was gone is not a part of a word either.
        prop_assert_eq!(word(&again), again);
    }
}
