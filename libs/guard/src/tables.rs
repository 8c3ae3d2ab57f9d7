//! The rules as static tables, made by `build.rs` from the files in `rules/`.

/// A step that waits for a symbol.
pub(crate) struct Use {
    /// Which step.
    pub(crate) at: u16,
    /// Of a second step, the symbol of the first one; else the largest number.
    pub(crate) first: u16,
    /// How far behind the step before may be, in words; 0 for a first step.
    pub(crate) reach: u8,
    /// Whether a sentence must begin with the first step.
    pub(crate) starts: bool,
}

impl Use {
    /// What must have come before: the symbol of the first step, or the step before, which has a number of its own.
    #[inline]
    pub(crate) fn before(&self) -> usize {
        if self.first == u16::MAX { usize::from(self.at).wrapping_sub(1) } else { usize::from(self.first) }
    }
}

/// What waits for a symbol.
pub(crate) struct Waiting {
    /// Which of `SIGNS`: the bits that steps set behind which others follow at once, each of them with a group.
    signs: u16,
    /// The first group.
    groups: u16,
    /// The steps that may follow later.
    from: u16,
    to: u16,
}

/// What it means that a step is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// More steps follow.
    Onward,
    /// The pattern stands for this symbol.
    Symbol(u16),
    /// The pattern fires this rule.
    Rule(u16),
}

/// An exact sign.
pub(crate) struct Mark {
    /// In lower case.
    pub(crate) sign: &'static str,
    pub(crate) symbol: u16,
    /// Whether it counts at the start of a line only.
    pub(crate) line: bool,
}

/// What a rule's weight adds up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Text that wants to steer the assistant past its rules.
    Steering,
    /// Text that wants something harmful.
    Harm,
    /// Words that are held back from an audience, regardless of what speaks for them.
    Blocked,
}

pub(crate) struct Rule {
    pub(crate) id: &'static str,
    pub(crate) says: &'static str,
    pub(crate) family: Family,
    /// Its weight in typed text, in thousandths of nats.
    pub(crate) typed: i32,
    /// Its weight in any other text.
    pub(crate) outside: i32,
    /// A bit for each audience.
    pub(crate) audiences: u8,
}

/// The scores from which a text is a caution, or blocked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) caution: f32,
    pub(crate) block: f32,
}

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The symbols of a word.
#[inline]
pub(crate) fn symbols(key: u32) -> &'static [u16] {
    find(key, &WORDS_BUCKETS, &WORDS_KEYS, &WORDS_SETS, &WORDS_STARTS, &WORDS_SYMBOLS)
}

/// The symbols of a word with swapped letters.
pub(crate) fn scrambled(key: u32) -> &'static [u16] {
    find(key, &SCRAMBLED_BUCKETS, &SCRAMBLED_KEYS, &SCRAMBLED_SETS, &SCRAMBLED_STARTS, &SCRAMBLED_SYMBOLS)
}

/// What it means that a step is reached.
#[inline]
pub(crate) fn end(step: usize) -> End {
    match ENDS[step] {
        ONWARD => End::Onward,
        end => match end.checked_sub(RULES_FROM) {
            Some(rule) => End::Rule(rule),
            None => End::Symbol(end),
        },
    }
}

/// What waits for a symbol; nothing does if it can only begin patterns.
#[inline]
pub(crate) fn waiting(symbol: u16) -> Option<&'static Waiting> {
    WAITING.get(usize::from(symbol))
}

impl Waiting {
    #[inline]
    fn signs(&self) -> u64 {
        SIGNS[usize::from(self.signs)]
    }

    /// The steps that may follow anywhere within their reach.
    #[inline]
    pub(crate) fn far(&self) -> &'static [Use] {
        &USES[usize::from(self.from)..usize::from(self.to)]
    }

    /// The steps that follow at once behind a step that sets one of the bits, in groups of one bit.
    #[inline]
    pub(crate) fn near(&self, signs: u64) -> impl Iterator<Item = &'static [Use]> {
        let all = self.signs();
        let mut left = signs & all;
        std::iter::from_fn(move || {
            let lowest = left & left.wrapping_neg();
            left ^= lowest;
            (lowest != 0).then(|| {
                let group = usize::from(self.groups) + (all & (lowest - 1)).count_ones() as usize;
                &USES[usize::from(GROUPS[group])..usize::from(GROUPS[group + 1])]
            })
        })
    }
}

/// The signs that begin with a byte.
pub(crate) fn marks(first: u8) -> &'static [Mark] {
    let from = MARKS.partition_point(|mark| mark.sign.as_bytes()[0] < first);
    let to = MARKS.partition_point(|mark| mark.sign.as_bytes()[0] <= first);
    &MARKS[from..to]
}

#[inline]
fn find(
    key: u32,
    buckets: &[u16],
    keys: &[u16],
    sets: &[u16],
    starts: &[u16],
    symbols: &'static [u16],
) -> &'static [u16] {
    let bucket = (key >> (u32::BITS - (buckets.len() - 1).ilog2())) as usize;
    let (from, to) = (usize::from(buckets[bucket]), usize::from(buckets[bucket + 1]));
    match keys[from..to].iter().position(|known| *known == key as u16) {
        Some(at) => {
            let set = usize::from(sets[from + at]);
            &symbols[usize::from(starts[set])..usize::from(starts[set + 1])]
        }
        None => &[],
    }
}
