//! The list of what may be said: names of skills and words of a person come into it.

use ear::phrases::{MOST_PHRASES, Phrases};

use crate::harness::{Verdict, target};

#[test]
fn phrases_become_a_grammar_with_the_rules_of_the_program_alone() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    // A dictionary that knows everything is the worst one.
    let Ok(phrases) = Phrases::read(text, |_| true) else { return Verdict::Refused };
    assert!((1..=MOST_PHRASES).contains(&phrases.count()));
    let grammar = phrases.grammar();
    let (_, phrase) = grammar.split_once("public <phrase> =").expect("the rule");
    let mut phrase = phrase.strip_suffix(";\n").expect("its end").to_owned();
    for slot in ["<number>", "<date>", "<dice>", "<unit>"] {
        phrase = phrase.replace(slot, "");
    }
    let is_plain = |c: char| c.is_ascii_lowercase() || matches!(c, '\'' | ' ' | '|' | '(' | ')' | '[' | ']');
    assert!(phrase.chars().all(is_plain), "{phrase}");
    for (open, closed) in [('(', ')'), ('[', ']')] {
        assert_eq!(phrase.matches(open).count(), phrase.matches(closed).count(), "{phrase}");
    }
    Verdict::Taken
}
