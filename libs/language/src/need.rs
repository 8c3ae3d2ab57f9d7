//! A person in need: lines that speak of self-harm, abuse or an emergency, in every language.
//!
//! A [`score`] learned from lines of need and ordinary lines, and rules beside it. Rules of `need.yaml` are sequences of words
//! with bounded gaps, within a sentence. The line is read once, in windows of [`WINDOW`] words; a set of places is a `u64`, so a
//! rule costs a few shifts a window, however long the line is.

use std::ops::ControlFlow;

pub use crate::data::need::Kind;
use crate::data::need::{Forms, Group, Rules, step};
use crate::data::{self, MODEL};
use crate::intent;
use crate::languages::Language;
use crate::near::is_near;
use crate::restate;
pub use after::{After, Said};
use score::{Model, Reader};
use text::{Part, parts};

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
        let says = self.language.says();
        match (self.kind, is_minor) {
            (Kind::Emergency, true) => says.need_emergency_minor,
            (Kind::Emergency, false) => says.need_emergency,
            (Kind::SelfHarm, true) => says.need_self_harm_minor,
            (Kind::SelfHarm, false) => says.need_self_harm,
            (Kind::Abuse, true) => says.need_abuse_minor,
            (Kind::Abuse, false) => says.need_abuse,
            (Kind::Another, _) => says.need_another,
        }
    }

    /// What answers a later line that continues about it, in the language of that line.
    pub fn answer_after(self) -> &'static str {
        let says = self.language.says();
        match self.kind {
            Kind::Emergency => says.need_after_emergency,
            Kind::SelfHarm => says.need_after_self_harm,
            Kind::Abuse => says.need_after_abuse,
            Kind::Another => says.need_after_another,
        }
    }

    /// The same need, where a short line continues about it: nothing in it speaks of another matter.
    pub fn goes_on(self, line: &str) -> Option<Need> {
        let mut left: Vec<_> = data::all().iter().map(|data| (data, true)).collect();
        let (mut words, mut items) = (0, Vec::new());
        let _ = parts(line, |part| {
            let Part::Word(word) = part else { return ControlFlow::Continue(()) };
            words += 1;
            for (data, is_left) in &mut left {
                items.clear();
                items_of(word, &data.need, &mut items);
                *is_left &= items.contains(&FILLER) || items.contains(&AFTER);
            }
            if words > MOST_OF_AFTER { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let is_short = (1..=MOST_OF_AFTER).contains(&words);
        let mut fitting =
            left.iter().filter(|(_, is_left)| *is_left && is_short).map(|(data, _)| Language::of(data));
        let first = fitting.clone().next()?;
        Some(Need { language: fitting.find(|language| *language == self.language).unwrap_or(first), ..self })
    }
}

/// The words that are looked at together.
const WINDOW: u32 = 64;

/// The words that two windows have in common; no rule spans more.
const SHARED: u32 = 32;

/// The least margin of a line where a rule matches as well.
const LEAST_OF_A_RULE: f32 = -0.7;

/// The least margin of a line.
const LEAST: f32 = -0.03;

/// The words that say too little on their own, and the least margin of such a line.
const VERY_FEW_WORDS: usize = 3;
const LEAST_OF_FEW: f32 = 0.1;

/// The most words of a line that somebody types at once, and the least margin of a longer text.
const FEW_WORDS: usize = 60;
const LEAST_OF_MANY: f32 = 1.2;

/// The least margin of a line that speaks to the program about itself, such as `tell me something about yourself`.
const LEAST_OF_ABOUT_THE_PROGRAM: f32 = 1.2;

/// The least margin of a line that sets a reminder, where what it is to remind of speaks of no need by its own.
const LEAST_OF_A_REMINDER: f32 = 1.2;

/// The least margin of a line that names nobody.
const LEAST_WITHOUT_A_PERSON: f32 = 0.2;

/// The least margin of a line with figures that asks how many or how long.
const LEAST_OF_AN_AMOUNT: f32 = 0.6;

/// The least margin of a line with a figure of four digits and more: a rent, an extension, a year.
const LEAST_OF_A_LARGE_FIGURE: f32 = 0.6;
/// The digits of such a figure. The numbers of emergency calls have fewer.
const DIGITS: usize = 4;

/// How far a rule moves the margin of its kind, by the score's order: the more urgent, the further.
const OF_A_RULE: [f32; 3] = [5.0, 3.0, 1.0];

/// The item of the words that are passed over, and of those of a line that continues about what was said before.
const FILLER: u16 = 0;
const AFTER: u16 = 1;

/// The most words of a line that continues about what was said before.
const MOST_OF_AFTER: usize = 10;

/// Whether a line that somebody typed speaks of a person in need, in any language.
pub fn need(line: &str) -> Option<Need> {
    need_by(line, MODEL, FEW_WORDS)
}

/// Whether a text that nobody typed, such as a model's answer, speaks of one: as in a long line, a rule has to match, or the
/// score has to be sure.
pub fn need_in_text(text: &str) -> Option<Need> {
    need_by(text, MODEL, 0)
}

/// The same by some model; a text of at most the given number of words counts as typed.
fn need_by(line: &str, model: Model, few_words: usize) -> Option<Need> {
    let mut windows: Vec<Window<'_>> = data::all().iter().map(|data| Window::new(&data.need)).collect();
    let mut reader = Reader::new(model);
    let _ = parts(line, |part| {
        reader.part(part);
        windows.iter_mut().for_each(|window| window.part(part));
        ControlFlow::Continue(())
    });
    windows.iter_mut().for_each(|window| window.look(u64::MAX));
    let best = reader.best()?;
    let matches = data::all().iter().zip(windows).filter(|(_, window)| window.kinds.contains(&true));
    let matches: Vec<([bool; 4], &'static data::Data)> =
        matches.map(|(data, window)| (window.kinds, data)).collect();
    let is_match = !matches.is_empty();
    let least = match reader.words {
        _ if is_match => LEAST_OF_A_RULE,
        words if words <= VERY_FEW_WORDS.min(few_words) => LEAST_OF_FEW,
        words if words <= few_words => LEAST,
        _ => LEAST_OF_MANY,
    };
    // The score does not know a language without corpora; rules of one language match lines of another.
    let unknown = matches.iter().find(|(_, data)| !model.languages.contains(&data.code));
    let by_score = || Language::of_code(best.language(model)).unwrap_or(Language::DEFAULT);
    let language = unknown.map_or_else(by_score, |(_, data)| Language::of(data));
    let is_matched = |kind: Kind| matches.iter().any(|(kinds, _)| kinds[kind as usize]);
    let kind =
        Kind::ALL[best.kind(model, |kind| if is_matched(Kind::ALL[kind]) { OF_A_RULE[kind] } else { 0.0 })];
    let kind = if kind == Kind::SelfHarm && is_matched(Kind::Another) { Kind::Another } else { kind };
    let is_harmless = || {
        let is_typed = !is_match && reader.words <= few_words;
        let may_be = |least| is_typed && best.margin < least;
        is_typed && reader.sure < least
            || may_be(LEAST_WITHOUT_A_PERSON) && !reader.names_somebody
            || may_be(LEAST_OF_A_LARGE_FIGURE) && has_large_figure(line)
            || may_be(LEAST_OF_AN_AMOUNT) && restate::asks_an_amount(line)
            || may_be(LEAST_OF_ABOUT_THE_PROGRAM) && intent::is_about_the_program(line)
            || may_be(LEAST_OF_A_REMINDER)
                && intent::reminded_of(line).is_some_and(|of| need_by(&of, model, few_words).is_none())
            // `tell me in 5 minutes to stop`: what the reminder is about counts.
            || may_be(LEAST_OF_ABOUT_THE_PROGRAM)
                && intent::told_later(line).is_some_and(|text| need_by(&text, model, few_words).is_none())
    };
    (best.margin >= least && !is_harmless()).then_some(Need { kind, language })
}

fn has_large_figure(line: &str) -> bool {
    let digits = line.split(|c: char| !c.is_ascii_digit());
    digits.map(str::len).any(|digits| digits >= DIGITS)
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
    /// Whether a rule of each kind matched.
    kinds: [bool; 4],
}

impl<'a> Window<'a> {
    fn new(rules: &'a Rules) -> Window<'a> {
        let places = vec![0; rules.items];
        Window { rules, places, starts: 0, is_start: true, len: 0, items: Vec::new(), kinds: [false; 4] }
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Word(word) => self.word(word),
            Part::Sentence | Part::Line => self.is_start = true,
        }
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
        for group in self.rules.groups() {
            self.kinds[group.kind as usize] |= self.holds(group, within);
        }
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
    // A number that differs in one digit is another number: 91 is not 911.
    if items.is_empty() && !word.bytes().any(|b| b.is_ascii_digit()) {
        items.extend(near(word, &rules.near));
    }
}

/// The items of the words that differ from one in a letter.
fn near<'a>(word: &'a str, forms: &'a Forms) -> impl Iterator<Item = u16> + 'a {
    let begin = |form: usize| forms.word(form).as_bytes()[0];
    let from = first(0, forms.len(), |form| begin(form) >= word.as_bytes()[0]);
    let to = first(from, forms.len(), |form| begin(form) > word.as_bytes()[0]);
    let alike = (from..to).filter(|form| is_near(word.as_bytes(), forms.word(*form).as_bytes()));
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

mod after;
pub(crate) mod score;
pub(crate) mod text;
#[cfg(test)]
mod train;

#[cfg(test)]
mod tests;
