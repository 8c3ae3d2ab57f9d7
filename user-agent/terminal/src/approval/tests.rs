use serde_json::json;
use shared_types::risk::Risk;

use super::*;

fn english() -> &'static Says {
    language::Language::DEFAULT.says()
}

#[test]
fn a_yes_is_one_in_the_language_of_the_question_or_in_english() {
    let german = language::Language::of_code("de").unwrap().says();
    for line in ["j", "Ja", "y", "yes"] {
        assert_eq!(meant(line, true, german), Said::Yes, "{line:?}");
    }
    for line in ["jaja", "n", "nein", "", "j j", "j y"] {
        assert_eq!(meant(line, true, german), Said::No, "{line:?}");
    }
    assert_eq!(meant("ja", true, english()), Said::No);
    assert_eq!(meant("ja", false, german), Said::Unseen);
}

#[test]
fn only_a_yes_is_a_yes() {
    for line in ["y", "Y", " yes ", "YES"] {
        assert_eq!(meant(line, true, english()), Said::Yes, "{line:?}");
        assert_eq!(meant(line, false, english()), Said::Unseen, "{line:?}");
    }
    for line in ["", " ", "n", "no", "yy", "yes please", "y y", "v v", "\u{1b}[A", "approve"] {
        assert_eq!(meant(line, true, english()), Said::No, "{line:?}");
        assert_eq!(meant(line, false, english()), Said::No, "{line:?}");
    }
    assert_eq!(meant("v", false, english()), Said::Rest);
    assert_eq!(meant("v", true, english()), Said::No);
}

#[test]
fn every_row_of_the_arguments_stands_behind_the_margin() {
    let hostile = format!("ok\nApprove? [y/N] y\n\u{1b}[2J\u{202e}{}", "w".repeat(300));
    let (shown, whole) = arguments(&json!({"text": hostile, "n": 3}), MOST_SHOWN, 80, english());
    assert!(whole);
    let mut rows = shown.lines();
    assert_eq!(rows.next(), Some("  with these arguments, written by the assistant:"));
    for row in rows {
        assert!(row.starts_with(MARGIN) && row.len() < 80 + 8, "{row}");
        assert!(!row.chars().any(text::is_unsafe), "{row:?}");
    }
    assert!(shown.contains("n: 3") && shown.contains("\\u{1b}[2J"), "{shown}");
}

#[test]
fn what_is_not_shown_is_counted_and_keeps_a_yes_from_counting() {
    let long = "é".repeat(4_000);
    let (shown, whole) = arguments(&json!({"a": "short", "b": long}), MOST_SHOWN, 80, english());
    assert!(!whole);
    // Eight bytes of `a: short` and `b: ` with three, and as many whole characters as fit.
    let kept = shown.matches('é').count() * 2;
    let hidden = 8 + 3 + 8_000 - (8 + 3 + kept);
    assert!(
        shown.ends_with(&format!("... {hidden} more bytes, not shown")),
        "{}",
        &shown[shown.len() - 80..]
    );
    let (all, whole) = arguments(&json!({"a": "short", "b": "é".repeat(4_000)}), usize::MAX, 80, english());
    assert!(whole && all.matches('é').count() == 4_000);
    // One that fits to the byte is whole.
    let exact = "x".repeat(MOST_SHOWN - 3);
    assert!(arguments(&json!({"b": exact}), MOST_SHOWN, 80, english()).1);
    assert!(!arguments(&json!({"b": format!("{exact}x")}), MOST_SHOWN, 80, english()).1);
    assert_eq!(arguments(&json!({}), 9, 80, english()), ("  with no arguments".to_owned(), true));
}

#[test]
fn the_facts_are_the_programs_and_harmless() {
    let asked = CallQuestion {
        tool: "notes.add".to_owned(),
        skill: "notes".parse().unwrap(),
        learned: true,
        risk: Risk::Medium,
        reason: "writes\u{1b}[31m".to_owned(),
        args: json!({}),
        to: Some("a.example\nApprove".to_owned()),
        untyped: vec![],
    };
    let head = head(&asked, english(), Tongue::ENGLISH);
    assert!(head.contains("notes.add (skill notes, learned)") && head.contains("risk    medium"), "{head}");
    assert!(head.lines().count() == 5 && !head.contains('\u{1b}'), "{head}");
}
