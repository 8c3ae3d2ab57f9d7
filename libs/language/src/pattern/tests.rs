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

/// What a line comes nearest to, and at what cost.
fn nearest(pattern: &str, line: &str) -> Option<(String, u32, u32)> {
    let words = Words::of(line, |_| None)?;
    let near = Pattern::parse(pattern).unwrap().nearest(&words, &[], 6, pattern)?;
    Some((near.said, near.cost, near.telling))
}

#[test]
fn a_line_comes_near_by_what_it_lacks_and_has_too_much() {
    let add = "add|put {x} to|on my|the Grocery|shopping [list]";
    for (pattern, line, near) in [
        (add, "add milk to my shopping list", Some(("add milk to my shopping list", 0, 2))),
        (add, "add gravy granules to shopping", Some(("add gravy granules to my shopping", 1, 1))),
        // The words that lack are written as the pattern has them.
        (add, "add milk to my list", Some(("add milk to my Grocery list", 4, 1))),
        ("flip a coin", "flip for it", None),
        ("flip a coin", "flip the coin now", Some(("flip a coin", 3, 2))),
        // A pattern that begins with any words is near to all lines.
        ("{x} is right", "the soup is right", None),
    ] {
        let near = near.map(|(said, cost, telling)| (said.to_owned(), cost, telling));
        assert_eq!(nearest(pattern, line), near, "{pattern}: {line}");
    }
    assert_eq!(nearest("flip a coin", &"flip ".repeat(60)), None);
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
        let pattern = Pattern::parse(&text).unwrap();
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
            assert!(may_match(&text, &words) || pattern.matches(&words[0], &[]).is_none(), "{text}: {line}");
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

/// Lines that a pattern matches: each choice stands in one, with and without what may be missing.
fn lines(pattern: &Pattern) -> BTreeSet<String> {
    let most = |item: &Item| if let Item::Word(choices) = item { choices.len() } else { 1 };
    let choices = pattern.items.iter().map(most).max().unwrap_or_default();
    let line = |choice: usize, whole: bool| {
        let (mut words, mut at) = (Vec::new(), 0);
        while let Some(item) = pattern.items.get(at) {
            at += 1;
            match item {
                Item::Word(choices) => words.push(choices[choice % choices.len()].replace('*', "xyzzy")),
                Item::Slot(..) => words.push("xyzzy".to_owned()),
                Item::Optional(end) if !whole => at = *end,
                Item::Optional(_) => {}
            }
        }
        words.join(" ")
    };
    (0..choices).flat_map(|choice| [line(choice, false), line(choice, true)]).collect()
}

/// A line would be held against too few patterns.
#[test]
fn the_index_finds_every_pattern_for_the_lines_that_it_matches() {
    for data in ALL {
        for (number, (_, text, _)) in data.intents.iter().enumerate() {
            for line in lines(&Pattern::parse(&text).unwrap()) {
                let words = Words::of(&line, |_| None).unwrap();
                assert!(data.intents.fitting(&[words]).contains(&number), "{line}: {text}");
            }
        }
        let fitting = |line: &str| data.intents.fitting(&[Words::of(line, |_| None).unwrap()]).len();
        for line in ["xyzzy", "what is the best way to the station", "was ist der beste weg zum bahnhof"] {
            assert!(fitting(line) * 8 < data.intents.iter().count(), "{}: {}", data.code, fitting(line));
        }
    }
}
