use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

#[test]
fn what_steers_a_terminal_is_escaped_and_means_the_same() {
    let value = json!({"k\u{9b}": "a\u{1b}[31m\u{9b}2J\u{202e}\u{200b}\u{7f}\u{338}\u{e0041}\n\t\u{2028}"});
    let printed = line(&value);
    assert_eq!(printed, r#"{"k\u009b":"a\u001b[31m\u009b2J\u202e\u200b\u007f\u0338\udb40\udc41\n\t\u2028"}"#);
    assert_eq!(serde_json::from_str::<Value>(&printed).expect("it is JSON"), value);
}

#[test]
fn words_of_every_language_stay_as_they_are() {
    let words = json!(["Tiếng Việt", "हिन्दी", "العربيّة", "עִבְרִית", "ไทย", "1\u{fe0f}\u{20e3}", "größe"]);
    assert_eq!(line(&words), words.to_string());
}

#[test]
fn several_lines_keep_their_newlines() {
    assert_eq!(pretty(&json!({"a": "\u{85}"})), "{\n  \"a\": \"\\u0085\"\n}");
}

proptest! {
    #[test]
    fn every_text_is_printed_safely_and_read_back(text in any::<String>()) {
        let printed = line(&text);
        prop_assert!(!printed.chars().any(is_unsafe), "{printed:?}");
        prop_assert_eq!(serde_json::from_str::<String>(&printed).expect("it is JSON"), text);
    }
}
