use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::*;

fn at(columns: usize, text: &str) -> String {
    wrapped(text, Some(columns))
}

#[test]
fn lines_break_between_words_and_not_within_them() {
    assert_eq!(at(11, "one two three four"), "one two\nthree four");
    assert_eq!(at(11, "one two\n\nthree  four five\n"), "one two\n\nthree\nfour five\n");
    assert_eq!(wrapped("one two three four", None), "one two three four", "a pipe");
}

#[test]
fn what_continues_a_list_a_quote_or_a_label_stands_below_its_first_word() {
    assert_eq!(at(12, "- one two three"), "- one two\n  three");
    assert_eq!(at(14, "  10. one two three"), "  10. one two\n      three");
    assert_eq!(at(12, "> one two three"), "> one two\n  three");
    assert_eq!(at(12, "[a] one two three"), "[a] one two\n    three");
    assert_eq!(at(12, "\u{1b}[32m- \u{1b}[0mone two three"), "\u{1b}[32m- \u{1b}[0mone two\n  three");
}

#[test]
fn a_word_longer_than_a_line_is_the_terminals_and_only_such_a_word() {
    let url = "https://a.example/0123456789";
    assert_eq!(at(11, &format!("see {url} for it")), format!("see\n{url} for\nit"));
    assert_eq!(at(40, &format!("see the page {url} for it")), format!("see the page\n{url} for it"));
}

#[test]
fn wide_characters_count_two_columns_and_may_be_separated() {
    assert_eq!(at(8, "日本語の文章"), "日本語\nの文章");
    assert_eq!(at(8, "ab日本語"), "ab日本\n語");
}

#[test]
fn control_sequences_take_no_room_and_stay_with_their_word() {
    assert_eq!(at(11, "one \u{1b}[1mtwo three\u{1b}[0m four"), "one \u{1b}[1mtwo\nthree\u{1b}[0m four");
}

proptest! {
    #[test]
    fn any_split_shows_the_same_words_and_no_line_is_too_wide(
        text in "([a-zäöü日本]{1,9}[ \n]|- |\u{1b}\\[1m){0,40}",
        columns in 1_usize..50,
    ) {
        let mut wrap = Wrap::new(Some(columns));
        let mut shown: String = text.chars().map(|c| wrap.feed(c.encode_utf8(&mut [0; 4]))).collect();
        shown.push_str(&wrap.finish());
        prop_assert_eq!(&shown, &at(columns, &text));
        let kept = |text: &str| text.replace([' ', '\n'], "");
        prop_assert_eq!(kept(&shown), kept(&text));
        for line in shown.replace("\u{1b}[1m", "").lines() {
            let is_one_word = !line.trim().contains(' ');
            prop_assert!(line.width() < columns || is_one_word || columns < 22, "{line:?}");
        }
    }
}
