//! The tables of how people in need speak.

/// What a person in need speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A life is in danger now.
    Emergency,
    /// A person hurts themselves or does not want to live.
    SelfHarm,
    /// A person is hurt, touched or threatened by another.
    Abuse,
}

impl Kind {
    /// The kind in a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Emergency => "emergency",
            Kind::SelfHarm => "self-harm",
            Kind::Abuse => "abuse",
        }
    }
}

/// The rules of a language, packed: without an address for each word and rule they take a fifth of the room.
#[derive(Debug)]
pub(crate) struct Rules {
    /// Words and beginnings of words, sorted, with the items that they belong to; `$` ends a whole word.
    pub(crate) forms: Forms,
    /// Words in which one letter may be wrong.
    pub(crate) near: Forms,
    /// How many items there are; the first are the words that are passed over.
    pub(crate) items: usize,
    /// Of each rule [`head`], [`step`] after step, and the items that take its match away.
    pub(crate) rules: &'static [u16],
}

/// Words with their items.
#[derive(Debug)]
pub(crate) struct Forms {
    /// All words, one behind the other.
    pub(crate) text: &'static str,
    /// Where each word ends.
    pub(crate) ends: &'static [u16],
    /// All items, those of one word behind those of the other.
    pub(crate) items: &'static [u16],
    /// Where the items of each word end.
    pub(crate) item_ends: &'static [u16],
}

/// A sequence of items that tells of a need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) kind: Kind,
    /// The items, each with the most words that may stand before it; see [`step`].
    pub(crate) steps: &'static [u16],
    /// Items that take the match away where they stand in the same sentence.
    pub(crate) unless: &'static [u16],
}

/// A step's most words before it, and its item.
pub(crate) fn step(step: u16) -> (u8, usize) {
    ((step >> 12) as u8, usize::from(step & 0xfff))
}

/// A rule's kind, and how many steps and items behind them it has.
fn head(head: u16) -> (Kind, usize, usize) {
    let kind = [Kind::Emergency, Kind::SelfHarm, Kind::Abuse][usize::from(head >> 12)];
    (kind, usize::from(head >> 6 & 0x3f), usize::from(head & 0x3f))
}

impl Rules {
    /// The rules.
    pub(crate) fn each(&self) -> impl Iterator<Item = Rule> + use<> {
        let mut left = self.rules;
        std::iter::from_fn(move || {
            let (first, rest) = left.split_first()?;
            let (kind, steps, unless) = head(*first);
            let (steps, rest) = rest.split_at(steps);
            let (unless, rest) = rest.split_at(unless);
            left = rest;
            Some(Rule { kind, steps, unless })
        })
    }
}

impl Forms {
    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A word.
    pub(crate) fn word(&self, at: usize) -> &'static str {
        &self.text[start(self.ends, at)..usize::from(self.ends[at])]
    }

    /// The items of a word.
    pub(crate) fn items(&self, at: usize) -> &'static [u16] {
        &self.items[start(self.item_ends, at)..usize::from(self.item_ends[at])]
    }
}

/// Where something begins: at the end of what stands before it.
fn start(ends: &[u16], at: usize) -> usize {
    at.checked_sub(1).map_or(0, |before| usize::from(ends[before]))
}
