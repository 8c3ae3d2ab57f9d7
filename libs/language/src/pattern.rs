//! Sentence patterns with named slots: the one matcher of words.
//!
//! ```text
//! roll {dice}                          a slot takes one or more words, as typed
//! what is {value} {from} in {to}       of two slots side by side the first takes one word
//! my {thing:3} is {name}               at most three words
//! read {path:file}                     one word that names a file: with a dot or a slash within
//! open {url:page}                      one word that names a page: with `://` within, or `www.` before it
//! {thing} code {code:figure}            one word with a digit within
//! i am {name:name}                     one word that begins with a capital letter
//! [please] add|put {item} to my list   [..] may be missing; a|b is one word or the other
//! when is {day:feast}                  a day of the year that has a name
//! show my *list                        any word that ends so: `list`, `wishlist`
//! ```
//!
//! A pattern covers a whole line. Literal words are compared folded ([`crate::fold`]). Matching costs at most words times
//! pattern length, regardless of the pattern and the line.

mod nearest;

use std::ops::Range;

pub use nearest::Nearest;

use crate::fold;
use crate::slot::SlotKind;
use crate::words::Words;

/// A parsed pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    items: Vec<Item>,
    slots: Vec<String>,
    /// The slots that take one word of a kind alone.
    named: Vec<(usize, SlotKind)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    /// One of these words.
    Word(Vec<String>),
    /// The slot of that number, with the most words that it takes.
    Slot(usize, usize),
    /// The start of an optional group, with the place after its end.
    Optional(usize),
}

/// A pattern that is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Nothing but slots and optional words: it would match everything.
    #[error("a pattern needs a word that must be there")]
    NoWord,
    #[error("a pattern has at most {MAX_ITEMS} words and slots, and {MAX_BYTES} bytes")]
    TooLong,
    /// A bracket without its partner, or one within another.
    #[error(
        "`{0}` is not in its place; slots are `{{name}}`, optional words `[..]`, neither within the other's name"
    )]
    Bracket(char),
    /// An invalid name of a slot.
    #[error("`{{{0}}}` is not a slot: lower-case letters, digits, `_` and `-`, each name once")]
    Slot(String),
}

const MAX_ITEMS: usize = 32;
const MAX_BYTES: usize = 300;

/// What a match brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The words that each slot took; none for one that stands in a group that is missing.
    pub slots: Vec<Option<Range<usize>>>,
    /// Literal words times 1000, less one for each word in a slot.
    pub score: i32,
}

/// Whether a pattern can match one of these readings of a line, as far as the words tell that it needs. Each line is held against
/// all patterns, so few of them are read whole.
pub fn may_match(pattern: &str, readings: &[Words<'_>]) -> bool {
    let (mut rest, mut at_start) = (pattern.trim_start(), true);
    while let Some(c) = rest.chars().next() {
        let end = match c {
            // What may be missing, and what takes any word, need none.
            '[' | '{' => {
                at_start = false;
                rest.find(if c == '[' { ']' } else { '}' }).map_or(rest.len(), |at| at + 1)
            }
            c if c.is_whitespace() => c.len_utf8(),
            _ => {
                let end = end_of_word(rest).max(c.len_utf8());
                let is_there = |choice| readings.iter().any(|words| stands(choice, words, at_start));
                if !rest[..end].split('|').any(is_there) {
                    return false;
                }
                at_start = false;
                end
            }
        };
        rest = &rest[end..];
    }
    true
}

/// Whether a literal stands in a line, or at its start.
fn stands(choice: &str, words: &Words<'_>, at_start: bool) -> bool {
    let is_word = |choice: &str| {
        let mut norms = words.norms().take(if at_start { 1 } else { usize::MAX });
        norms.any(|norm| is_choice(choice, norm))
    };
    // Folded already, as most are.
    if !choice.is_empty() && choice.bytes().all(|b| b.is_ascii_lowercase() || b == b'*') {
        return is_word(choice);
    }
    let folded = fold::word(choice);
    folded.is_empty() || is_word(&folded)
}

/// Whether a literal of a pattern is a word: the same, or its end behind a star.
fn is_choice(literal: &str, word: &str) -> bool {
    literal == word || literal.strip_prefix('*').is_some_and(|end| word.ends_with(end))
}

/// One way to say a pattern without slots: the first of each choice, and nothing that may be missing.
pub fn plainly(pattern: &str) -> String {
    let mut kept = String::new();
    let mut depth = 0_usize;
    for c in pattern.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            c if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    let first = |word: &str| word.split('|').next().unwrap_or_default().to_owned();
    kept.split_whitespace().map(first).collect::<Vec<_>>().join(" ")
}

/// Where a word at the beginning of a text ends.
fn end_of_word(text: &str) -> usize {
    text.find(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '[' | ']')).unwrap_or(text.len())
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// See [`PatternError`].
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        if text.len() > MAX_BYTES {
            return Err(PatternError::TooLong);
        }
        let mut pattern = Pattern { items: Vec::new(), slots: Vec::new(), named: Vec::new() };
        let mut group: Option<usize> = None;
        let mut has_word = false;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            match c {
                '{' => {
                    let (name, after) = rest[1..].split_once('}').ok_or(PatternError::Bracket('{'))?;
                    pattern.push_slot(name)?;
                    rest = after;
                }
                '[' if group.is_none() => {
                    group = Some(pattern.items.len());
                    pattern.items.push(Item::Optional(0));
                    rest = &rest[1..];
                }
                ']' => {
                    let start = group.take().ok_or(PatternError::Bracket(']'))?;
                    pattern.items[start] = Item::Optional(pattern.items.len());
                    rest = &rest[1..];
                }
                '}' | '[' => return Err(PatternError::Bracket(c)),
                c if c.is_whitespace() => rest = &rest[c.len_utf8()..],
                _ => {
                    let end = end_of_word(rest);
                    let choices: Vec<String> =
                        rest[..end].split('|').map(fold::word).filter(|w| !w.is_empty()).collect();
                    if !choices.is_empty() {
                        has_word |= group.is_none();
                        pattern.items.push(Item::Word(choices));
                    }
                    rest = &rest[end..];
                }
            }
            if pattern.items.len() > MAX_ITEMS {
                return Err(PatternError::TooLong);
            }
        }
        match group {
            Some(_) => Err(PatternError::Bracket('[')),
            None if !has_word => Err(PatternError::NoWord),
            None => Ok(pattern),
        }
    }

    /// Whether both match the same lines: names of slots and ways of spelling a word do not count, nor how many words a slot
    /// takes.
    pub fn says_the_same(&self, other: &Pattern) -> bool {
        let same = |(one, other): (&Item, &Item)| match (one, other) {
            (Item::Slot(one, _), Item::Slot(other, _)) => one == other,
            _ => one == other,
        };
        self.items.len() == other.items.len() && self.items.iter().zip(&other.items).all(same)
    }

    /// The names of the slots, in order.
    pub fn slots(&self) -> &[String] {
        &self.slots
    }

    fn push_slot(&mut self, text: &str) -> Result<(), PatternError> {
        let (name, most) = match text.split_once(':') {
            Some((name, kind @ ("file" | "page" | "figure" | "name" | "feast"))) => {
                let kind = match kind {
                    "file" => SlotKind::FileName,
                    "page" => SlotKind::Page,
                    "name" => SlotKind::Name,
                    "feast" => SlotKind::Feast,
                    _ => SlotKind::Figure,
                };
                let most = kind.longest();
                self.named.push((self.slots.len(), kind));
                (name, most)
            }
            Some((name, most)) => (name, most.parse().map_err(|_| PatternError::Slot(text.to_owned()))?),
            None => (text, usize::MAX),
        };
        let fits = (1..=63).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-');
        if !fits || most == 0 || self.slots.iter().any(|s| s == name) {
            return Err(PatternError::Slot(shared_types::text::cut(text, 40)));
        }
        self.items.push(Item::Slot(self.slots.len(), most));
        self.slots.push(name.to_owned());
        Ok(())
    }

    /// Matches the whole line. `kinds` has one entry per slot; a slot beyond them takes any words.
    pub fn matches(&self, line: &Words<'_>, kinds: &[SlotKind]) -> Option<Found> {
        self.found(line, kinds, false)
    }

    /// Matches the whole line, and each slot takes the fewest words that it can: up to the first occurrence of the word
    /// behind it.
    pub fn matches_least(&self, line: &Words<'_>) -> Option<Found> {
        self.found(line, &[], true)
    }

    fn found(&self, line: &Words<'_>, kinds: &[SlotKind], least: bool) -> Option<Found> {
        if self.cannot_match(line) {
            return None;
        }
        let table = self.table(line, kinds);
        table.get(0, 0).then(|| self.collect(line, kinds, &table, least))
    }

    /// The first literal decides most lines at no cost.
    fn cannot_match(&self, line: &Words<'_>) -> bool {
        match self.items.first() {
            Some(Item::Word(choices)) => {
                line.is_empty() || !choices.iter().any(|c| is_choice(c, line.norm(0)))
            }
            _ => line.is_empty(),
        }
    }

    /// For each item and word: whether the items from there match the words from there. Filled from the end, so that
    /// each field costs a constant (slots: one look at a running answer).
    fn table(&self, line: &Words<'_>, kinds: &[SlotKind]) -> Table {
        let (items, words) = (self.items.len(), line.len());
        let mut table = Table { width: words + 1, fields: vec![false; (items + 1) * (words + 1)] };
        table.set(items, words);
        for (at, item) in self.items.iter().enumerate().rev() {
            // The nearest end beyond the present word from which the rest matches.
            let mut nearest: Option<usize> = None;
            for word in (0..=words).rev() {
                let holds = match item {
                    Item::Word(choices) => {
                        word < words
                            && table.get(at + 1, word + 1)
                            && choices.iter().any(|c| is_choice(c, line.norm(word)))
                    }
                    Item::Optional(end) => table.get(at + 1, word) || table.get(*end, word),
                    Item::Slot(slot, most) => {
                        if word < words && table.get(at + 1, word + 1) {
                            nearest = Some(word + 1);
                        }
                        match self.kind(kinds, *slot) {
                            SlotKind::Text => nearest.is_some_and(|end| end - word <= *most),
                            kind => (1..=kind.longest().min(words - word))
                                .any(|n| table.get(at + 1, word + n) && kind.takes(line, word..word + n)),
                        }
                    }
                };
                if holds {
                    table.set(at, word);
                }
            }
        }
        table
    }

    fn collect(&self, line: &Words<'_>, kinds: &[SlotKind], table: &Table, least: bool) -> Found {
        let mut found = Found { slots: vec![None; self.slots.len()], score: 0 };
        let (mut at, mut word) = (0, 0);
        while at < self.items.len() {
            match &self.items[at] {
                Item::Word(_) => {
                    found.score += 1000;
                    word += 1;
                    at += 1;
                }
                Item::Optional(end) => at = if table.get(at + 1, word) { at + 1 } else { *end },
                Item::Slot(slot, most) => {
                    let kind = self.kind(kinds, *slot);
                    let longest = kind.longest().min(*most).min(line.len() - word);
                    let fits = |n: &usize| table.get(at + 1, word + n) && kind.takes(line, word..word + n);
                    // Side by side, the first takes the least; before a word, all up to the word's last occurrence.
                    let n = if least || matches!(self.items.get(at + 1), Some(Item::Slot(..))) {
                        (1..=longest).find(fits)
                    } else {
                        (1..=longest).rev().find(fits)
                    };
                    let n = n.unwrap_or(1);
                    found.slots[*slot] = Some(word..word + n);
                    found.score -= i32::try_from(n).unwrap_or(i32::MAX);
                    word += n;
                    at += 1;
                }
            }
        }
        found
    }

    fn kind<'a>(&'a self, kinds: &'a [SlotKind], slot: usize) -> &'a SlotKind {
        if let Some((_, kind)) = self.named.iter().find(|(named, _)| *named == slot) {
            return kind;
        }
        kinds.get(slot).unwrap_or(&SlotKind::Text)
    }
}

struct Table {
    width: usize,
    fields: Vec<bool>,
}

impl Table {
    fn get(&self, item: usize, word: usize) -> bool {
        self.fields[item * self.width + word]
    }

    fn set(&mut self, item: usize, word: usize) {
        self.fields[item * self.width + word] = true;
    }
}

#[cfg(test)]
mod tests;
