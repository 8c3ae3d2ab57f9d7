use std::collections::BTreeSet;

use super::*;

struct Fixed(BTreeSet<&'static str>);

impl World for Fixed {
    fn holds(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    fn value(&self, _: &str) -> &str {
        ""
    }

    fn has(&self, words: &Patterns) -> bool {
        words.iter().any(|word| self.0.contains(word))
    }

    fn may(&self, token: Token) -> bool {
        self.0.contains(token.as_str())
    }
}

fn read(text: &str) -> Result<Condition, BadCondition> {
    Condition::try_from(text.to_owned())
}

#[test]
fn a_condition_is_read_with_its_parentheses() {
    let world = Fixed(["a", "c", "tea time", "user:input"].into());
    for (text, holds) in [
        ("a", true),
        ("b", false),
        ("!b", true),
        ("a & b | c", true),
        ("a & (b | c)", true),
        ("a & !(b | c)", false),
        ("!!a", true),
        ("'tea time' & a", true),
        ("'coffee, tea time'", true),
        ("may:user:input & !may:file:read", true),
    ] {
        assert_eq!(read(text).unwrap().holds(&world), holds, "{text}");
    }
}

#[test]
fn other_text_is_not_a_condition() {
    for text in ["", "a &", "a b", "(a", "a)", "'a", "!", "a || b", "a, b", "a-b"] {
        assert!(matches!(read(text), Err(BadCondition::Form(_))), "{text}");
    }
    assert!(matches!(read("may:fly"), Err(BadCondition::Token(token)) if token == "fly"));
    assert!(read(&format!("{}a", "!".repeat(9))).is_err());
    assert!(read(&format!("{}a", "(".repeat(100_000))).is_err());
}

#[test]
fn the_names_of_a_condition_are_known() {
    assert_eq!(read("a & !(b | 'c' | may:user:input)").unwrap().names(), ["a", "b"]);
}
