//! What a family's groups, slots and conditions say of one wish.

use std::collections::{BTreeMap, BTreeSet};

use shared_types::capability::Token;

use super::condition::{Condition, World};
use super::format::Choice;
use super::patterns::{Patterns, Text};
use super::slots::Slot;
use super::wish::Wish;

/// What a family, or the list of refusals, looks for.
#[derive(Debug, Default)]
pub(super) struct Looks {
    pub(super) anywhere: BTreeMap<String, Patterns>,
    pub(super) in_line: BTreeMap<String, Patterns>,
    pub(super) slots: BTreeMap<String, Slot>,
    pub(super) is: BTreeMap<String, Condition>,
}

/// A wish as a family sees it.
pub(super) struct Facts<'a> {
    wish: &'a Wish,
    looks: &'a Looks,
    values: BTreeMap<String, String>,
    /// Slots that were found, what they say beside their values, and switches.
    marks: BTreeSet<String>,
}

impl<'a> Facts<'a> {
    /// Fills the slots from the wish: first those of the wish itself, then those of other slots.
    pub(super) fn of(wish: &'a Wish, looks: &'a Looks) -> Facts<'a> {
        let mut facts = Facts { wish, looks, values: BTreeMap::new(), marks: BTreeSet::new() };
        for derived in [false, true] {
            for (name, slot) in looks.slots.iter().filter(|(_, slot)| slot.is_derived() == derived) {
                if let Some(found) = slot.fill(&facts, wish) {
                    facts.marks.insert(name.clone());
                    facts.values.insert(name.clone(), found.value);
                    for (part, value) in found.parts {
                        facts.marks.insert(format!("{name}.{part}"));
                        facts.values.insert(format!("{name}.{part}"), value);
                    }
                }
            }
        }
        facts
    }

    /// A text with the values.
    pub(super) fn text(&self, text: &Text) -> String {
        text.with(|name| self.value(name))
    }

    /// Texts with the values.
    pub(super) fn texts(&self, texts: &BTreeMap<String, Text>) -> BTreeMap<String, String> {
        texts.iter().map(|(name, text)| (name.clone(), self.text(text))).collect()
    }

    /// Whether a condition holds. A missing condition holds.
    pub(super) fn meet(&self, condition: Option<&Condition>) -> bool {
        condition.is_none_or(|condition| condition.holds(self))
    }

    /// Takes the first case that holds.
    pub(super) fn choose(&mut self, choice: &Choice, switches: &mut BTreeSet<String>) {
        let of = self.text(&choice.of);
        let fits = |is: &Patterns| is.match_whole(&of);
        let case = choice
            .cases
            .iter()
            .find(|case| self.meet(case.when.as_ref()) && case.is.as_ref().is_none_or(fits));
        let Some(case) = case else { return };
        let set = self.texts(&case.set);
        self.values.extend(set);
        self.marks.extend(case.keep.iter().cloned());
        switches.extend(case.keep.iter().cloned());
    }

    /// Sets a value.
    pub(super) fn set(&mut self, name: &str, value: String) {
        self.values.insert(name.to_owned(), value);
    }
}

impl World for Facts<'_> {
    fn holds(&self, name: &str) -> bool {
        if let Some(condition) = self.looks.is.get(name) {
            return condition.holds(self);
        }
        let anywhere = self.looks.anywhere.get(name).is_some_and(|words| self.wish.has(words));
        let in_line = self.looks.in_line.get(name).is_some_and(|words| self.wish.says(words));
        anywhere || in_line || self.marks.contains(name)
    }

    fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    fn has(&self, words: &Patterns) -> bool {
        self.wish.has(words)
    }

    fn may(&self, token: Token) -> bool {
        self.wish.capabilities.contains(token)
    }
}
