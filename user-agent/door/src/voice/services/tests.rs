use super::{LONGEST_WORDS, Said, judged};

#[test]
fn words_are_what_a_person_says() {
    for words in [
        "what time is it",
        "Wie spät ist es?",
        "what's 5% of 80",
        "what is 2 + 2",
        "remind me at 7:30, please!",
        "日本語",
    ] {
        assert_eq!(judged(&format!(" {words}\n")), Said::Words(words.to_owned()));
    }
    for nothing in ["", " ", "\n\t"] {
        assert_eq!(judged(nothing), Said::Nothing);
    }
    let long = "a".repeat(LONGEST_WORDS + 1);
    for strange in ["a\nb", "\u{1b}[2J", "a\u{202e}b", "/approve 1", "a\0", "<b>", "`x`", "{}", long.as_str()]
    {
        assert_eq!(judged(strange), Said::Strange, "{strange:?}");
    }
}
