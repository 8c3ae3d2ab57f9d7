//! Finds the patterns of all rules in one pass over the words.

use shared_types::audience::Audience;

use crate::hash::{self, EMPTY};
use crate::learned::Signature;
use crate::tables::{self, ENDS, End, FILLER, Family, MAIL, RULES, SYMBOLS, Use};
use crate::verdict::Source;
use crate::words::{Listener, Scrambled, Word};

/// How many words weigh together; a longer text is judged by its worst stretch of two such blocks.
const BLOCK: u32 = 256;

/// What a whole sentence, or a paragraph, counts as between two words.
const SENTENCE: u32 = 2;
const PARAGRAPH: u32 = 6;

/// The longest word that is sought in a row of letters without gaps.
const LONGEST: usize = 16;

/// The state of one pass.
pub(crate) struct Machine {
    /// When each step was last reached, and where its pattern began; 0 for never.
    reached: Vec<(u32, u32)>,
    /// When each symbol came last and where its phrase began, anywhere, and at the start of a sentence; 0 for never.
    seen: [Vec<(u32, u32)>; 2],
    /// A bit for each symbol and step that came with this word, and with the word before; several share one.
    signs: u64,
    signs_before: u64,
    /// The symbols and steps that came with the last words, and with those before them.
    recent: Recent,
    /// The number of the word, counting pauses too.
    now: u32,
    /// Whether a sentence begins here.
    fresh: bool,
    /// The words with which the sentence began: the first one, and those after it while they were fillers.
    start: (u32, u32),
    outside: bool,
    audience: u8,
    /// The block in which each rule fired last; 0 for never.
    fired: Vec<u32>,
    block: u32,
    sums: [Sums; 3],
    /// The rules that fired, in order.
    pub(crate) rules: Vec<u16>,
    /// The words for the learned weights.
    pub(crate) learned: Signature,
    /// Words that are rules or the like in rot13, and backwards.
    pub(crate) rot13: u32,
    pub(crate) backwards: u32,
}

/// What came lately, a bit for each symbol and step; several share one.
#[derive(Default)]
struct Recent {
    now: [u64; Recent::LANES],
    before: [u64; Recent::LANES],
    /// How many words are counted in the newer half.
    words: u32,
}

impl Recent {
    const LANES: usize = 16;
    /// How many words one half holds: no step reaches farther back.
    const WORDS: u32 = 48;

    #[inline]
    fn add(&mut self, number: usize) {
        self.now[number / 64 % Recent::LANES] |= 1 << (number % 64);
    }

    #[inline]
    fn holds(&self, number: usize) -> bool {
        let lane = number / 64 % Recent::LANES;
        (self.now[lane] | self.before[lane]) >> (number % 64) & 1 == 1
    }

    #[inline]
    fn step_on(&mut self) {
        self.words += 1;
        if self.words == Recent::WORDS {
            self.words = 0;
            self.before = std::mem::take(&mut self.now);
        }
    }

    /// Counts everything as recent.
    fn forget_order(&mut self) {
        self.now = [u64::MAX; Recent::LANES];
    }
}

/// The weights of one family, in thousandths of nats.
#[derive(Clone, Copy, Default)]
struct Sums {
    before: i32,
    now: i32,
    /// Counted in both blocks.
    twice: i32,
    most: i32,
}

impl Sums {
    fn total(self) -> i32 {
        self.most.max(self.before + self.now - self.twice)
    }
}

impl Machine {
    pub(crate) fn new(audience: Audience, source: Source) -> Machine {
        Machine {
            reached: vec![(0, 0); ENDS.len()],
            seen: [vec![(0, 0); SYMBOLS], vec![(0, 0); SYMBOLS]],
            signs: 0,
            signs_before: 0,
            recent: Recent::default(),
            now: 0,
            fresh: true,
            start: (1, 1),
            outside: source != Source::Typed,
            audience: 1 << (audience as u8),
            fired: vec![0; RULES.len()],
            block: 1,
            sums: [Sums::default(); 3],
            rules: Vec::new(),
            learned: Signature::default(),
            rot13: 0,
            backwards: 0,
        }
    }

    /// The weight of a family in its worst stretch; below 0 where more speaks for the text than against it.
    pub(crate) fn weight(&self, family: Family) -> i32 {
        self.sums[family as usize].total()
    }

    /// Lets a rule count that no pattern finds.
    pub(crate) fn notice(&mut self, id: &str) {
        if let Some(at) = RULES.iter().position(|rule| rule.id == id) {
            self.fire(u16::try_from(at).expect("few rules"));
        }
    }

    fn step_on(&mut self) {
        self.now += 1;
        self.signs_before = std::mem::take(&mut self.signs);
        self.recent.step_on();
        if self.fresh {
            self.start.1 = self.now;
        }
        let block = self.now / BLOCK + 1;
        if block > self.block {
            let next = block == self.block + 1;
            for sums in &mut self.sums {
                let before = if next { sums.now } else { 0 };
                *sums = Sums { before, now: 0, twice: 0, most: sums.total() };
            }
            self.block = block;
        }
    }

    fn begin_sentence(&mut self) {
        self.fresh = true;
        self.start = (self.now + 1, self.now + 1);
    }

    /// Gives a symbol that stands at this word, or for a phrase from the word `from` to this one.
    fn give(&mut self, symbol: u16, from: u32) {
        if self.seen[0][usize::from(symbol)] == (self.now, from) {
            // Several phrases and spellings may stand for the same; it happens once.
            return;
        }
        let starts = self.starts(from);
        if from == self.now {
            return self.give_here(symbol, starts);
        }
        // What begins before this word is rare, and looks for what came before that.
        if let Some(waiting) = tables::waiting(symbol) {
            for step in waiting.near(u64::MAX).flatten().chain(waiting.far()) {
                self.reach(step, from, starts);
            }
        }
        // Only now: a pattern may ask for the same symbol twice.
        self.see(symbol, from, starts);
    }

    /// Gives a symbol that stands at this word: takes the steps that waited for it, behind what came lately.
    #[inline]
    fn give_here(&mut self, symbol: u16, starts: bool) {
        if let Some(waiting) = tables::waiting(symbol) {
            for step in waiting.near(self.signs_before).flatten() {
                self.reach(step, self.now, starts);
            }
            for step in waiting.far() {
                if step.reach == 0 || self.recent.holds(step.before()) {
                    self.reach(step, self.now, starts);
                }
            }
        }
        self.see(symbol, self.now, starts);
    }

    /// Whether what begins at a word begins a sentence.
    fn starts(&self, from: u32) -> bool {
        (self.start.0..=self.start.1).contains(&from)
    }

    /// Remembers when and where a symbol stood.
    #[inline]
    fn see(&mut self, symbol: u16, from: u32, starts: bool) {
        self.signs |= 1 << (symbol % 64);
        self.recent.add(usize::from(symbol));
        self.seen[0][usize::from(symbol)] = (self.now, from);
        if starts {
            self.seen[1][usize::from(symbol)] = (self.now, from);
        }
    }

    /// Takes a step if the one before it is near enough.
    #[inline(never)]
    fn reach(&mut self, waiting: &Use, from: u32, starts: bool) {
        let at = usize::from(waiting.at);
        let began = if waiting.reach == 0 {
            if waiting.starts && !starts {
                return;
            }
            from
        } else {
            let (before, began) = match self.seen[usize::from(waiting.starts)].get(usize::from(waiting.first))
            {
                Some(seen) => *seen,
                None => self.reached[at - 1],
            };
            if before == 0 || before >= from || from - before > u32::from(waiting.reach) {
                return;
            }
            began
        };
        self.reached[at] = (self.now, began);
        self.signs |= 1 << (at % 64);
        self.recent.add(at);
        match tables::end(at) {
            End::Onward => {}
            End::Symbol(symbol) => self.give(symbol, began),
            End::Rule(rule) => self.fire(rule),
        }
    }

    fn fire(&mut self, number: u16) {
        let rule = &RULES[usize::from(number)];
        let last = self.fired[usize::from(number)];
        if last == self.block || rule.audiences & self.audience == 0 {
            return;
        }
        if last == 0 {
            self.rules.push(number);
        }
        self.fired[usize::from(number)] = self.block;
        let weight = if self.outside { rule.outside } else { rule.typed };
        let sums = &mut self.sums[rule.family as usize];
        sums.now += weight;
        if last != 0 && last + 1 == self.block {
            sums.twice += weight;
        }
    }

    /// Takes a word by its keys.
    fn take(&mut self, key: u32, others: [Option<u32>; 3], scrambled: Option<Scrambled>) {
        self.step_on();
        let mut filler = false;
        let mut known = self.give_all(key, &mut filler);
        for key in others.into_iter().flatten() {
            known |= self.give_all(key, &mut filler);
        }
        if let Some(letters) = scrambled.filter(|_| !known) {
            for symbol in tables::scrambled(letters.key()) {
                self.give(*symbol, self.now);
            }
        }
        self.fresh &= filler;
    }

    /// Gives the symbols of one reading of a word; whether there are any.
    fn give_all(&mut self, key: u32, filler: &mut bool) -> bool {
        let symbols = tables::symbols(key);
        let starts = self.starts(self.now);
        for symbol in symbols {
            match *symbol {
                FILLER => *filler = true,
                tables::ROT13 => self.rot13 += 1,
                tables::BACKWARDS => self.backwards += 1,
                _ => self.give_here(*symbol, starts),
            }
        }
        !symbols.is_empty()
    }

    fn take_letters(&mut self, letters: impl Iterator<Item = char>) {
        let hash = letters.fold(EMPTY, hash::with);
        self.take(hash::key(hash), [None; 3], None);
    }
}

impl Listener for Machine {
    fn word(&mut self, word: &Word) {
        self.learned.word(word.key);
        self.take(word.key, word.others, word.scrambled);
    }

    fn stop(&mut self, paragraph: bool) {
        self.now += if paragraph { PARAGRAPH } else { SENTENCE };
        self.begin_sentence();
    }

    fn line(&mut self) {
        self.begin_sentence();
    }

    fn mark(&mut self, rest: &str, line_start: bool) {
        let bytes = rest.as_bytes();
        for mark in tables::marks(bytes[0].to_ascii_lowercase()) {
            let sign = mark.sign.as_bytes();
            if (line_start || !mark.line)
                && bytes.get(..sign.len()).is_some_and(|b| b.eq_ignore_ascii_case(sign))
            {
                self.step_on();
                self.give(mark.symbol, self.now);
            }
        }
    }

    fn at_sign(&mut self) {
        self.give(MAIL, self.now);
    }

    fn spaced(&mut self, letters: &[(char, bool)]) {
        // The letters have been counted one by one; together they are only a few words. Which word comes before the
        // first of them is not known any more.
        self.signs = u64::MAX;
        self.recent.forget_order();
        self.now = self.now.saturating_sub(u32::try_from(letters.len()).expect("a short row"));
        if letters.iter().skip(1).any(|(_, wide)| *wide) {
            let mut from = 0;
            for at in 1..=letters.len() {
                if at == letters.len() || letters[at].1 {
                    self.take_letters(letters[from..at].iter().map(|l| l.0));
                    from = at;
                }
            }
            return;
        }
        // Without gaps the words are found again by taking the longest known one at each place.
        let mut at = 0;
        while at < letters.len() {
            let mut hash = EMPTY;
            let mut known = None;
            for (length, (letter, _)) in letters[at..].iter().take(LONGEST).enumerate() {
                hash = hash::with(hash, *letter);
                if length >= 1 && !tables::symbols(hash::key(hash)).is_empty() {
                    known = Some(length + 1);
                }
            }
            match known {
                Some(length) => {
                    self.take_letters(letters[at..at + length].iter().map(|l| l.0));
                    at += length;
                }
                None => at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests;
