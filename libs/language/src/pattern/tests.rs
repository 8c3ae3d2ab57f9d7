use std::collections::BTreeSet;

use super::*;
use crate::data::ALL;

/// What the slots of a pattern take of a line.
fn taken<'a>(pattern: &str, line: &'a str) -> Option<Vec<&'a str>> {
    let words = Words::of(line, |_| None)?;
    let found = Pattern::parse(pattern).unwrap().matches(&words, &[])?;
    Some(found.slots.into_iter().flatten().map(|slot| words.typed(slot)).collect())
}

#[test]
fn a_pattern_covers_the_whole_line() {
    for (pattern, line, slots) in [
        ("roll|throw {x}", "THROW 2d6!", Some(vec!["2d6"])),
        ("roll {x}", "he rolls 2d6", None),
        ("[please] roll {x} [now|again]", "roll it again", Some(vec!["it again"])),
        ("{a} {b} in {c}", "one two three in four", Some(vec!["one", "two three", "four"])),
        ("add {x} to my list", "add a to my list to my list", Some(vec!["a to my list"])),
        ("my {x:2} is {y}", "my own dog is Rex", Some(vec!["own dog", "Rex"])),
        ("my {x:2} is {y}", "my own old dog is Rex", None),
        ("say {x}", "say", None),
        ("say {x}", "say .", None),
    ] {
        assert_eq!(taken(pattern, line), slots, "{pattern} on {line}");
    }
}

#[test]
fn a_slot_takes_all_it_can_or_the_least() {
    let pattern = Pattern::parse("my {x:4} is {y}").unwrap();
    let line = Words::of("my dog is what is good", |_| None).unwrap();
    assert_eq!(pattern.matches(&line, &[]).unwrap().slots, [Some(1..4), Some(5..6)]);
    assert_eq!(pattern.matches_least(&line).unwrap().slots, [Some(1..2), Some(3..6)]);
}

#[test]
fn patterns_for_the_same_lines_are_the_same_however_they_are_written() {
    let same = |a: &str, b: &str| Pattern::parse(a).unwrap().says_the_same(&Pattern::parse(b).unwrap());
    for (a, b) in [("Würfle {x}!", "wurfle  {y:3}"), ("what’s [the] {x}", "What's [the]{x} ?")] {
        assert!(same(a, b), "{a} and {b}");
    }
    for (a, b) in [("roll {x}", "roll x"), ("roll [the] {x}", "roll the {x}"), ("{x} a {y}", "{x} a")] {
        assert!(!same(a, b), "{a} and {b}");
    }
}

#[test]
fn the_words_that_a_pattern_needs_tell_which_lines_it_cannot_match() {
    let may = |pattern: &str, line: &str| may_match(pattern, &[Words::of(line, |_| None).unwrap()]);
    for pattern in
        ["roll {x}", "throw|Roll! {x}", "[please] roll", "{x} roll", "?! roll", "  roll", "toss| {x}", "*oll"]
    {
        assert!(may(pattern, "roll"), "{pattern}");
    }
    for pattern in [
        "throw|toss {x}",
        "rolls",
        "rol|l [x]",
        "throw! roll",
        "Throw roll",
        "throw{x} roll",
        "roll {x} twice",
        "roll[s] Würfel",
        "{x} rolls",
        "*olle",
    ] {
        assert!(!may(pattern, "roll"), "{pattern}");
    }
    assert!(may("roll {x} würfel", "Roll drei Würfel") && !may("drei {x}", "roll drei") && !may("roll", ""));
}

/// Lines that each pattern of the languages matches: each choice in turn, with what may be missing and without.
#[test]
fn no_pattern_is_passed_over_that_matches() {
    for (_, text, _) in ALL.iter().flat_map(|data| data.intents.iter()) {
        let pattern = Pattern::parse(text).unwrap();
        for (turn, whole) in (0..4).flat_map(|turn| [(turn, true), (turn, false)]) {
            let (mut said, mut at) = (Vec::new(), 0);
            while let Some(item) = pattern.items.get(at) {
                at += 1;
                match item {
                    Item::Word(choices) => {
                        said.push(choices[turn % choices.len()].trim_start_matches('*').to_owned());
                    }
                    Item::Slot(..) => said.push("x.7".to_owned()),
                    Item::Optional(end) => at = if whole { at } else { *end },
                }
            }
            let line = said.join(" ");
            let words = [Words::of(&line, |_| None).unwrap()];
            assert!(may_match(text, &words) || pattern.matches(&words[0], &[]).is_none(), "{text}: {line}");
        }
    }
}

#[test]
fn patterns_that_would_match_everything_or_that_are_broken_are_refused() {
    for (pattern, error) in [
        ("{x}", PatternError::NoWord),
        ("", PatternError::NoWord),
        ("[please] {x}", PatternError::NoWord),
        ("{a} {b}", PatternError::NoWord),
        ("?!", PatternError::NoWord),
        ("roll {", PatternError::Bracket('{')),
        ("roll }", PatternError::Bracket('}')),
        ("roll [x", PatternError::Bracket('[')),
        ("roll x]", PatternError::Bracket(']')),
        ("roll [a [b]]", PatternError::Bracket('[')),
        ("roll {X}", PatternError::Slot("X".to_owned())),
        ("roll {x} {x}", PatternError::Slot("x".to_owned())),
        ("roll {x:0}", PatternError::Slot("x:0".to_owned())),
    ] {
        assert_eq!(Pattern::parse(pattern).unwrap_err(), error, "{pattern}");
    }
    assert_eq!(Pattern::parse(&"w ".repeat(60)).unwrap_err(), PatternError::TooLong);
    assert_eq!(Pattern::parse(&"w".repeat(301)).unwrap_err(), PatternError::TooLong);
}

#[test]
fn a_figure_is_one_word_with_a_digit() {
    let pattern = "{thing} code {code:figure}";
    assert_eq!(taken(pattern, "garage code B-12"), Some(vec!["garage", "B-12"]));
    for line in ["garage code again", "garage code", "garage code 12 34", "garage code:"] {
        assert_eq!(taken(pattern, line), None, "{line}");
    }
}

#[test]
fn a_files_name_has_a_dot_or_a_slash_within() {
    let pattern = Pattern::parse("read {path:file}").unwrap();
    let fits = |line| pattern.matches(&crate::readings(line)[0], &[]).is_some();
    for line in ["read a.txt", "read notes/today", "read \"a.txt\"", "read ../../x", "read ~/x"] {
        assert!(fits(line), "{line}");
    }
    for line in ["read minds", "read this.", "read a.txt b.txt", "read ...", "read ../"] {
        assert!(!fits(line), "{line}");
    }
}

/// The words that a line may begin with which a pattern matches, by its items; `None` if any may.
fn first_words(pattern: &Pattern) -> Option<BTreeSet<&str>> {
    let (mut first, mut places) = (BTreeSet::new(), vec![0]);
    while let Some(at) = places.pop() {
        match pattern.items.get(at)? {
            Item::Word(choices) if choices.iter().any(|choice| choice.starts_with('*')) => return None,
            Item::Word(choices) => first.extend(choices.iter().map(String::as_str)),
            Item::Slot(..) => return None,
            Item::Optional(end) => places.extend([at + 1, *end]),
        }
    }
    Some(first)
}

/// A line would be held against too few patterns.
#[test]
fn the_index_by_first_words_holds_every_pattern_for_every_word_that_may_begin_it() {
    for data in ALL {
        for (number, (_, text, _)) in data.intents.iter().enumerate() {
            let pattern = Pattern::parse(text).unwrap();
            match first_words(&pattern) {
                Some(words) => words.into_iter().for_each(|word| {
                    assert!(data.intents.starting(&[word]).contains(&number), "{word}: {text}");
                }),
                None => assert!(data.intents.starting(&["xyzzy"]).contains(&number), "{text}"),
            }
        }
        assert!(data.intents.starting(&["xyzzy"]).len() * 4 < data.intents.iter().count(), "{}", data.code);
    }
}
