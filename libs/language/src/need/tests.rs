use super::*;

/// A language's lines of people in need, and its ordinary lines.
const LISTS: [(&str, &str, &str); 2] = [
    ("en", include_str!("en/need.txt"), include_str!("en/ordinary.txt")),
    ("de", include_str!("de/need.txt"), include_str!("de/ordinary.txt")),
];

/// The same by others, who wrote them without a look at the rules; how many of these may be missed, and how many taken for need.
const BY_OTHERS: [(&str, &str, usize, &str, usize); 2] = [
    ("en", include_str!("en/others-need.txt"), 12, include_str!("en/others-ordinary.txt"), 7),
    ("de", include_str!("de/others-need.txt"), 4, include_str!("de/others-ordinary.txt"), 14),
];

fn kind_of(line: &str) -> Option<Kind> {
    need(line).map(|need| need.kind)
}

#[test]
fn every_line_of_a_person_in_need_is_noticed_in_its_language() {
    for (code, lines, _) in LISTS {
        let codes = lines.lines().map(|line| (line, need(line).map(|need| need.language.code())));
        let missed: Vec<_> = codes.filter(|(_, found)| *found != Some(code)).collect();
        assert!(missed.is_empty(), "{code}: {missed:#?}");
        assert!(lines.lines().count() >= 150, "{code}");
    }
}

#[test]
fn ordinary_lines_are_left_alone() {
    for (code, _, lines) in LISTS {
        let found: Vec<_> = lines.lines().filter_map(|line| Some((line, need(line)?))).collect();
        assert!(found.is_empty(), "{code}: {found:#?}");
        assert!(lines.lines().count() >= 250, "{code}");
    }
}

/// The bounds only go down; the aims are 2 of 100 missed and 1 of 200 taken for need.
#[test]
fn lines_by_others_are_told_apart() {
    for (code, needs, may_miss, ordinary, may_take) in BY_OTHERS {
        let missed: Vec<_> = needs.lines().filter(|line| need(line).is_none()).collect();
        let taken: Vec<_> = ordinary.lines().filter(|line| need(line).is_some()).collect();
        assert!(missed.len() <= may_miss, "{code}: {} missed: {missed:#?}", missed.len());
        assert!(taken.len() <= may_take, "{code}: {} taken: {taken:#?}", taken.len());
    }
}

#[test]
fn the_kind_is_the_most_urgent_one() {
    for (line, kind) in [
        ("I want to die", Kind::SelfHarm),
        ("my dad hits me", Kind::Abuse),
        ("my dad hits me and I want to die", Kind::SelfHarm),
        ("I want to die, I took all the pills", Kind::Emergency),
        ("Es brennt bei uns!", Kind::Emergency),
        ("er fasst mich an", Kind::Abuse),
        ("meine Schwester ritzt sich", Kind::SelfHarm),
    ] {
        assert_eq!(kind_of(line), Some(kind), "{line}");
    }
}

#[test]
fn orthography_does_not_matter() {
    for line in [
        "I WANT TO DIE!!!",
        "i waaant to dieee",
        "I don’t want to live anymore",
        "i dont wanna live",
        "i want... to die",
        "suizidd",
        "Ich möchte sterben",
        "ich moechte sterben",
        "ich mochte sterben",
        "ich will mich umbrignen",
        "\u{200b}kys",
    ] {
        assert!(need(line).is_some(), "{line}");
    }
}

#[test]
fn what_takes_a_match_away_counts_in_its_sentence_only() {
    assert_eq!(kind_of("I want to die in this game"), None);
    assert_eq!(kind_of("I like this game. I want to die."), Some(Kind::SelfHarm));
}

#[test]
fn a_sentence_is_found_at_any_place_of_a_long_line() {
    for words in [0, 1, 31, 32, 33, 60, 61, 62, 63, 64, 65, 95, 96, 97, 1000, 200_000] {
        let line = format!("{} grandma does not wake up", "word ".repeat(words));
        assert_eq!(kind_of(&line), Some(Kind::Emergency), "behind {words} words");
        assert_eq!(kind_of(&format!("{line} {line}")), Some(Kind::Emergency), "behind {words} words");
    }
    assert_eq!(kind_of(&"a.".repeat(500_000)), None);
    assert_eq!(kind_of(&"x".repeat(1_000_000)), None);
    assert_eq!(kind_of(""), None);
}

#[test]
fn a_text_of_ordinary_lines_is_left_alone_wherever_a_window_ends() {
    for (code, _, lines) in LISTS {
        for before in 0..64 {
            let text = format!("{}.\n{lines}", "word ".repeat(before));
            assert_eq!(need(&text), None, "{code} behind {before} words");
        }
    }
}

#[test]
fn words_are_near_that_differ_in_one_letter_or_in_the_order_of_two() {
    for (word, is) in [
        ("suicide", true),
        ("suicde", true),
        ("suixide", true),
        ("suiicde", true),
        ("suicidee", true),
        ("sucde", false),
    ] {
        assert_eq!(is_near(word.as_bytes(), b"suicide"), is, "{word}");
    }
}

#[test]
fn an_answer_is_two_short_sentences_that_send_to_a_person() {
    for language in Language::all() {
        for kind in [Kind::Emergency, Kind::SelfHarm, Kind::Abuse] {
            let [minor, adult] = [true, false].map(|is_minor| Need { kind, language }.answer(is_minor));
            assert_ne!(minor, adult);
            for answer in [minor, adult] {
                assert!(answer.chars().count() <= 320 && !answer.contains('?'), "{answer}");
                assert_eq!(answer.matches(['.', '!']).count(), 2, "{answer}");
            }
        }
    }
}
