use super::*;

const NOW: i64 = 1_764_000_000;

fn last(text: &str, now: i64) -> Option<i64> {
    Some(read(text, now)?.last()?.second)
}

#[test]
fn the_moments_count_that_are_over_for_a_minute_and_not_for_a_day() {
    let said = |moments: &[i64]| {
        let text: String = moments.iter().map(|moment| format!("{moment}\n")).collect();
        last(&text, NOW)
    };
    assert_eq!(said(&[]), None);
    assert_eq!(said(&[NOW - 30, NOW, NOW + 3_600]), None, "a chat may tell it still");
    assert_eq!(said(&[NOW - 60]), Some(NOW - 60));
    assert_eq!(said(&[NOW - 3_600, NOW + 9, NOW - 61, NOW - 90]), Some(NOW - 61));
    assert_eq!(said(&[NOW - LATEST - 1]), None);
    assert_eq!(said(&[i64::MIN, i64::MAX, 0, -1]), None);
}

#[test]
fn a_file_of_another_form_says_nothing() {
    let good = format!("{}\n", NOW - 90);
    assert_eq!(last(&good, NOW), Some(NOW - 90));
    for nonsense in ["buy milk\n", "\n", "1.5\n", "99999999999999999999\n", "[1764000000]\n", "\u{1b}[2J\n"] {
        assert_eq!(last(&format!("{good}{nonsense}"), NOW), None, "{nonsense}");
    }
    assert_eq!(last(&good.repeat(MOST), NOW), Some(NOW - 90));
    assert_eq!(last(&good.repeat(MOST + 1), NOW), None);
}

/// What a bot that somebody owns writes behind a moment is one line of visible characters.
#[test]
fn the_words_of_a_reminder_are_one_short_line() {
    let words = |words: &str| read(&format!("{} {words}\n", NOW - 90), NOW).unwrap()[0].words.clone();
    assert_eq!(words("feed the cat"), "feed the cat");
    assert_eq!(words("Bio-M\u{fc}ll \u{1f5d1}"), "Bio-M\u{fc}ll \u{1f5d1}");
    assert_eq!(words("\u{1b}[2J\u{202e}x"), "\\u{1b}[2J\\u{202e}x");
    assert_eq!(words(&"x".repeat(300)), format!("{} [... 100 more characters]", "x".repeat(200)));
}

/// Of the file of unknown accounts the first line counts, and only as a moment of the last day.
#[test]
fn a_note_of_a_stranger_is_a_moment_of_today() {
    let of = |text: &str| last_stranger(text, NOW);
    assert_eq!(of(&format!("{}\n@mallory:example.org\n", NOW - 5)), Some(NOW - 5));
    assert_eq!(of(&format!("{}\n", NOW - LATEST - 1)), None);
    for garbage in ["", "\n", "CANARY\n", "-1\n", "1.5\n", "\u{1b}[2J\n", "99999999999999999999\n"] {
        assert_eq!(of(garbage), None, "{garbage:?}");
    }
    assert_eq!(of(&format!("{}\n", NOW + 60)), None, "and not one to come");
}
