//! A person in need: lines that speak of self-harm, abuse or an emergency, in every language.
//!
//! Rules of `need.yaml` are sequences of words with bounded gaps, within a sentence. The line is read once, in windows of
//! [`WINDOW`] words; a set of places is a `u64`, so a rule costs a few shifts a window, however long the line is.

pub use crate::data::need::Kind;
use crate::data::need::{Forms, Group, Rules, step};
use crate::data::{Data, Says};
use crate::languages::{Language, detect};
use crate::squeeze::squeeze;
use crate::{data, fold};

/// That a line speaks of a person in need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// What it speaks of; of several, the most urgent.
    pub kind: Kind,
    /// The language of the line.
    pub language: Language,
}

impl Need {
    /// The two sentences that answer, for a minor or for an adult.
    pub fn answer(self, is_minor: bool) -> &'static str {
        let Says {
            need_emergency_minor,
            need_emergency,
            need_self_harm_minor,
            need_self_harm,
            need_abuse_minor,
            need_abuse,
            ..
        } = self.language.says();
        match (self.kind, is_minor) {
            (Kind::Emergency, true) => need_emergency_minor,
            (Kind::Emergency, false) => need_emergency,
            (Kind::SelfHarm, true) => need_self_harm_minor,
            (Kind::SelfHarm, false) => need_self_harm,
            (Kind::Abuse, true) => need_abuse_minor,
            (Kind::Abuse, false) => need_abuse,
        }
    }
}

/// The words that are looked at together.
const WINDOW: u32 = 64;

/// The words that two windows have in common; no rule spans more.
const SHARED: u32 = 32;

/// The longest word that is compared, in bytes; what follows is left away.
const MAX_WORD: usize = 40;

/// The item of the words that are passed over.
const FILLER: u16 = 0;

/// Whether a line speaks of a person in need, in any language.
pub fn need(line: &str) -> Option<Need> {
    let found =
        |data: &'static Data| Some(Need { kind: kind(line, &data.need)?, language: Language::of(data) });
    let mut needs = data::all().iter().filter_map(found);
    let first = needs.next()?;
    // Two languages seldom match: words such as `suicide` stand in both.
    let Some(second) = needs.next() else { return Some(first) };
    let language = detect(line);
    Some(if second.language == language { second } else { first })
}

/// What a line speaks of by the rules of one language.
fn kind(line: &str, rules: &Rules) -> Option<Kind> {
    let mut window = Window::new(rules);
    let mut splitter = Splitter::default();
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            // Whoever hesitates goes on: `i want... to die` is one sentence.
            '.' if letters.next_if_eq(&'.').is_some() => {
                while letters.next_if_eq(&'.').is_some() {}
                splitter.end(&mut window);
            }
            '.' | '!' | '?' | ';' | '\n' => {
                splitter.end(&mut window);
                window.is_start = true;
            }
            _ => fold::each(c, |part| splitter.part(part, &mut window)),
        }
        if window.kind == Some(Kind::Emergency) {
            break;
        }
    }
    splitter.end(&mut window);
    window.look(u64::MAX);
    window.kind
}

/// Makes words of letters.
#[derive(Default)]
struct Splitter {
    word: String,
    squeezed: String,
}

impl Splitter {
    fn part(&mut self, c: char, window: &mut Window<'_>) {
        if c.is_alphanumeric() {
            if self.word.len() < MAX_WORD {
                self.word.push(c);
            }
        } else if !matches!(c, '\'' | '`') {
            self.end(window);
        }
    }

    fn end(&mut self, window: &mut Window<'_>) {
        if !self.word.is_empty() {
            squeeze(&self.word, &mut self.squeezed);
            window.word(&self.squeezed);
            self.word.clear();
        }
    }
}

/// The last words of a line: where each item stands.
struct Window<'a> {
    rules: &'a Rules,
    places: Vec<u64>,
    /// The places at which sentences begin.
    starts: u64,
    /// Whether the next word begins a sentence.
    is_start: bool,
    len: u32,
    items: Vec<u16>,
    kind: Option<Kind>,
}

impl<'a> Window<'a> {
    fn new(rules: &'a Rules) -> Window<'a> {
        let places = vec![0; rules.items];
        Window { rules, places, starts: 0, is_start: true, len: 0, items: Vec::new(), kind: None }
    }

    fn word(&mut self, word: &str) {
        self.items.clear();
        items_of(word, self.rules, &mut self.items);
        if self.items.contains(&FILLER) {
            return;
        }
        if self.len == WINDOW {
            self.go_on();
        }
        let place = 1 << self.len;
        self.items.iter().for_each(|item| self.places[usize::from(*item)] |= place);
        if std::mem::take(&mut self.is_start) {
            self.starts |= place;
        }
        self.len += 1;
    }

    /// Looks at a full window and keeps its last words: the sentence that has begun, of a long one the last words.
    fn go_on(&mut self) {
        let begun = if self.is_start { WINDOW } else { WINDOW - 1 - self.starts.leading_zeros().min(63) };
        let cut = if begun < WINDOW - SHARED { WINDOW - SHARED } else { begun };
        // What takes a match away may still come in the sentence that has begun.
        self.look(if cut == begun { u64::MAX.checked_shr(WINDOW - cut).unwrap_or(0) } else { u64::MAX });
        let shift = |places: u64| places.checked_shr(cut).unwrap_or(0);
        self.places.iter_mut().for_each(|places| *places = shift(*places));
        self.starts = shift(self.starts);
        self.len = WINDOW - cut;
    }

    /// Looks for the rules that end at some places of the window.
    fn look(&mut self, within: u64) {
        let found =
            self.rules.groups().filter(|group| self.holds(*group, within)).map(|group| group.kind).min();
        self.kind = [self.kind, found].into_iter().flatten().min();
    }

    /// Whether a rule of a group ends at one of these places.
    fn holds(&self, group: Group, within: u64) -> bool {
        let ends = group.rules().fold(0, |ends, (steps, _)| ends | self.ends(steps)) & within;
        let against = group.unless.iter().fold(0, |all, item| all | self.places[usize::from(*item)]);
        ends != 0 && ends & !self.sentences_of(against) != 0
    }

    /// The places at which a rule ends.
    fn ends(&self, steps: &[u16]) -> u64 {
        let mut ends = u64::MAX;
        for (at, (gap, item)) in steps.iter().map(|of| step(*of)).enumerate() {
            let places = self.places[item];
            ends = if at == 0 { places } else { places & self.behind(ends, gap) };
            if ends == 0 {
                break;
            }
        }
        ends
    }

    /// The places behind some others, in the same sentence, with at most `gap` words between.
    fn behind(&self, places: u64, gap: u8) -> u64 {
        let (mut next, mut all) = (places, 0);
        for _ in 0..=gap {
            next = (next << 1) & !self.starts;
            all |= next;
        }
        all
    }

    /// All places of the sentences that some places belong to.
    fn sentences_of(&self, places: u64) -> u64 {
        let (mut before, mut after) = (places, places);
        let rounds = if places == 0 { 0 } else { WINDOW };
        for _ in 0..rounds {
            after |= (after << 1) & !self.starts;
            before |= (before & !self.starts) >> 1;
        }
        before | after
    }
}

/// The items that a word belongs to.
fn items_of(word: &str, rules: &Rules, items: &mut Vec<u16>) {
    let forms = &rules.forms;
    let (mut from, mut to) = (0, forms.len());
    for (at, byte) in word.bytes().chain([b'$']).enumerate() {
        let letter = |form: usize| forms.word(form).as_bytes()[at];
        from = first(from, to, |form| letter(form) >= byte);
        to = first(from, to, |form| letter(form) > byte);
        if from < to && forms.word(from).len() == at + 1 {
            items.extend(forms.items(from));
            from += 1;
        }
        if from == to {
            break;
        }
    }
    if items.is_empty() {
        items.extend(near(word, &rules.near));
    }
}

/// The items of the words that differ from one in a letter.
fn near<'a>(word: &'a str, forms: &'a Forms) -> impl Iterator<Item = u16> + 'a {
    let alike = (0..forms.len()).filter(|form| is_near(word.as_bytes(), forms.word(*form).as_bytes()));
    alike.flat_map(|form| forms.items(form).iter().copied())
}

/// The first of a sorted range for which it is so.
fn first(mut from: usize, mut to: usize, is_so: impl Fn(usize) -> bool) -> usize {
    while from < to {
        let middle = usize::midpoint(from, to);
        if is_so(middle) { to = middle } else { from = middle + 1 }
    }
    from
}

/// Whether two words that begin alike differ in one letter, or in the order of two.
fn is_near(a: &[u8], b: &[u8]) -> bool {
    if a[0] != b[0] || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let alike = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[alike..], &b[alike..]);
    match (a, b) {
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([a1, a2, a @ ..], [b1, b2, b @ ..]) if a1 == b2 && a2 == b1 && a == b => true,
        ([_, rest @ ..], b) if rest == b => true,
        (a, [_, rest @ ..]) => rest == a,
        (_, []) => a.is_empty(),
    }
}

#[cfg(test)]
mod tests;
