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
    /// A person fears for another, who hurts themselves or does not want to live.
    Another,
}

impl Kind {
    /// Every kind, in the order of the rules; the score tells the first apart.
    pub(crate) const ALL: [Kind; 4] = [Kind::Emergency, Kind::SelfHarm, Kind::Abuse, Kind::Another];

    /// The kind in a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Emergency => "emergency",
            Kind::SelfHarm => "self-harm",
            Kind::Abuse => "abuse",
            Kind::Another => "fear-for-another",
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
    /// How many items there are; the first are the words that are passed over, then those of a line that continues the topic.
    pub(crate) items: usize,
    /// Groups of rules, each its [`Group`] in this order: kind, how many items take a match away, how many rules; then these items,
    /// then of each rule how many steps it has, and [`step`] after step.
    pub(crate) groups: &'static [u16],
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

/// Rules of one kind whose match the same items take away.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group {
    pub(crate) kind: Kind,
    /// Items that take a match away where they stand in the same sentence.
    pub(crate) unless: &'static [u16],
    count: usize,
    rules: &'static [u16],
}

/// A step's most words before it, and its item.
pub(crate) fn step(step: u16) -> (u8, usize) {
    ((step >> 12) as u8, usize::from(step & 0xfff))
}

impl Rules {
    pub(crate) fn groups(&self) -> impl Iterator<Item = Group> + use<> {
        let mut left = self.groups;
        std::iter::from_fn(move || {
            let ([kind, unless, count], rest) = left.split_first_chunk()?;
            let kind = Kind::ALL[usize::from(*kind)];
            let (unless, rules) = rest.split_at(usize::from(*unless));
            let group = Group { kind, unless, count: usize::from(*count), rules };
            left = group.rules().last().map_or(rules, |(_, rest)| rest);
            Some(group)
        })
    }
}

impl Group {
    /// The steps of each rule, and what stands behind them.
    pub(crate) fn rules(self) -> impl Iterator<Item = (&'static [u16], &'static [u16])> {
        let mut left = self.rules;
        (0..self.count).map_while(move |_| {
            let (len, rest) = left.split_first()?;
            let (steps, rest) = rest.split_at(usize::from(*len));
            left = rest;
            Some((steps, rest))
        })
    }
}

impl Forms {
    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

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
