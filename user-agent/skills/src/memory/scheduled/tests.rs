use super::*;

fn over(exit: Option<u8>, words: &str, cut: bool) -> Over {
    Over {
        schedule: "morning".parse().unwrap(),
        number: 7,
        at: "2026-11-24T06:00:05Z".to_owned(),
        exit,
        words: words.to_owned(),
        cut,
    }
}

#[test]
fn each_outcome_has_its_sentence_with_what_is_left_out() {
    let now: Zoned = "2026-11-24T10:00:00+01:00[Europe/Zurich]".parse().unwrap();
    let said = |over: Over, skipped, code| sentence(&over, skipped, &now, Language::of_code(code).unwrap());
    assert_eq!(
        said(over(Some(0), " Good morning.\nIt rains.\n", false), 0, "en"),
        "the schedule `morning` answered, 07:00:\n  Good morning.\n  It rains."
    );
    assert_eq!(
        said(over(Some(11), "Shall I?", false), 0, "en"),
        "the schedule `morning` waits for a person, 07:00:\n  Shall I?"
    );
    for failed in [Some(1), Some(3), None] {
        let said = said(over(failed, "no room", true), 2, "en");
        assert_eq!(
            said,
            "the schedule `morning` failed, 07:00 (earlier runs not shown: 2) (the beginning is left out):\n  no room"
        );
    }
    assert_eq!(said(over(Some(0), "", false), 0, "de"), "der Zeitplan „morning“ hat geantwortet, 07:00");
    let yesterday = Over { at: "2026-11-23T06:00:05Z".to_owned(), ..over(Some(0), "x", false) };
    assert!(said(yesterday, 0, "en").contains("Monday, 23 November 2026, 07:00"));
    // No control character of a run reaches the terminal.
    assert!(!said(over(Some(0), "a\u{1b}[2Jb", false), 0, "en").contains('\u{1b}'));
}
