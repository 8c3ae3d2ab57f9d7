use std::string::ToString;

use super::*;

#[test]
fn letters_become_small_as_in_unicode_or_stay_as_they_are() {
    for letter in '\0'..=char::MAX {
        let (ours, unicode) = (lower(&letter.to_string()), letter.to_lowercase().to_string());
        let known = matches!(letter, '\0'..='į' | 'Ĳ'..='ķ' | 'Ĺ'..='ŷ' | 'Ź'..='ž' | 'Α'..='ώ' | 'Ѐ'..='џ');
        assert!(ours == unicode || (!known && ours == letter.to_string()), "{letter:?}: {ours}");
    }
    assert_eq!(lower("WÜRFLE 2W6, ÉCOLE, ΑΘΉΝΑ, МОЛОКО, ŁÓDŹ"), "würfle 2w6, école, αθΉνα, молоко, łódź");
}

#[test]
fn words_are_without_the_marks_around_them() {
    for (text, found) in [
        ("", &[][..]),
        (" ... -- ' !", &[]),
        ("Well-known: don't pay 3.50!", &["Well-known", "don't", "pay", "3.50"]),
        ("„Grüße“, sagte sie – ‘ja’", &["Grüße", "sagte", "sie", "ja"]),
        ("one,two;three/four—five", &["one", "two", "three", "four", "five"]),
        ("at 12:30, 1,000 of a.b", &["at", "12:30", "1,000", "of", "a", "b"]),
        ("rock 'n' roll's end-", &["rock", "n", "roll's", "end"]),
        ("l’été cafe\u{301} 🐌", &["l’été", "cafe\u{301}", "🐌"]),
        ("¿Qué? «Мир» ありがとう。はい", &["Qué", "Мир", "ありがとう", "はい"]),
        ("x", &["x"]),
    ] {
        assert_eq!(words(text), found, "{text}");
    }
}
