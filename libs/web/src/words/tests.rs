use std::collections::BTreeMap;

use super::*;

/// The names in braces of a text.
fn names(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> =
        text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_language_says_everything_with_the_same_facts() {
    let english = languages().next().expect("there is a file");
    assert_eq!(english.code, "en");
    let first: BTreeMap<_, _> = english.rows().collect();
    assert!(first.len() > 140, "{}", first.len());
    for other in languages() {
        let rows: BTreeMap<_, _> = other.rows().collect();
        assert_eq!(rows.len(), other.rows().count(), "{}: a name stands twice", other.code);
        assert_eq!(rows.len(), other.text.lines().count(), "{}: a line is no row", other.code);
        let named: Vec<_> = rows.keys().filter(|name| !name.starts_with('"')).collect();
        assert_eq!(named, first.keys().collect::<Vec<_>>(), "{}", other.code);
        for (name, words) in rows {
            assert!(!words.trim().is_empty(), "{}: {name}", other.code);
            let facts = first.get(name).map_or_else(|| names(name), |english| names(english));
            // A refusal that English says in the program's own words is called by another language.
            if !name.contains("refusal.") {
                assert_eq!(names(words), facts, "{}: {name}", other.code);
            }
        }
    }
}

#[test]
fn a_sentence_is_retold_with_its_facts_and_any_other_stays() {
    let german = languages().find(|language| language.code == "de").expect("there is a German file");
    assert_eq!(german.retell("the bot is starting"), "Der Bot startet gerade.");
    let said = german.retell("a = b.png is one too many: at most 4 pictures go with one message");
    assert_eq!(said, "a = b.png ist zu viel: Zu einer Nachricht gehören höchstens 4 Bilder.");
    let said = german.retell("refused: the text that was signed is not a yes to this");
    assert_eq!(said, "Abgelehnt: Was unterschrieben wurde, ist kein Ja dazu.");
    for other in ["", "the bot is starting now", "a sentence that no file has"] {
        assert_eq!(german.retell(other), other);
    }
}

#[test]
fn facts_are_what_stands_in_the_place_of_a_name() {
    assert_eq!(facts("a {x} c", "a b c"), Some(vec![("x", "b")]));
    assert_eq!(facts("{x}: {y}", "a: b: c"), Some(vec![("x", "a"), ("y", "b: c")]));
    assert_eq!(
        facts("{x} ends. Really.", "it ends. Really. ends. Really."),
        Some(vec![("x", "it ends. Really.")])
    );
    assert_eq!(facts("same", "same"), Some(vec![]));
    for (pattern, said) in [("a {x} c", "a b d"), ("same", "same too"), ("same", ""), ("a {x} c", "a b c d")]
    {
        assert_eq!(facts(pattern, said), None, "{pattern}: {said}");
    }
}

#[test]
fn a_server_has_its_own_words_before_those_of_all() {
    let english = languages().next().expect("there is a file");
    assert_eq!(english.say("door", "back"), "Back to the chat");
    assert_eq!(english.say("review", "back"), "Back to what waits");
    assert_eq!(english.say("door", "leave"), english.say("review", "leave"));
    assert_eq!(english.say("door", "no such name"), "");
}
