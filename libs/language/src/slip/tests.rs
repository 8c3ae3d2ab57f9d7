use super::*;

#[test]
fn a_slip_is_mended_and_another_word_is_not() {
    let patterns = ["what is the weather", "remind me {what}"];
    let mended = |line| mended(line, patterns.into_iter());
    for (line, meant) in [
        ("waht tiem is it", "what time is it"),
        ("how mcuh is 25 + 17", "how much is 25 + 17"),
        ("erinneere mich", "erinnere mich"),
        ("what is the waether", "what is the weather"),
        ("thx for hte help", "thx for the help"),
    ] {
        assert_eq!(mended(line).as_deref(), Some(meant), "{line}");
    }
    for line in ["what time is it", "cat", "xyz qqq", "hwat tiem si hte dtae", "12 34"] {
        assert_eq!(mended(line), None, "{line}");
    }
}

#[test]
fn one_edit_is_told_from_two() {
    for (typed, word) in
        [("shoping", "shopping"), ("wheather", "weather"), ("tomorrov", "tomorrow"), ("hous", "house")]
    {
        assert!(is_edited(typed, word), "{typed}");
    }
    for (typed, word) in [("hose", "hosts"), ("shpping", "shopped"), ("mouse", "house"), ("tim", "time")] {
        assert!(!is_edited(typed, word), "{typed}");
    }
    assert!(is_swapped("teh", "the") && !is_swapped("eth", "the") && !is_swapped("no", "on"));
}
