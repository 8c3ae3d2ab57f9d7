//! Learns from examples, without any model: finds a rule that explains pairs of texts, and writes it as the source of a skill.
//! This layer uses `skill-sdk` alone: it reads no file, and its answer depends on nothing but the pairs.
//!
//! - `helpers`: the functions that a source may use; the search runs the same ones
//! - `steps`: the small language, with what each step costs
//! - `pool`: every value that cheap steps make of the inputs
//! - `targets`: arithmetic and letters, read from the outputs
//! - `search`: rows and cases of such values that make up the outputs
//! - `probes`: plausible inputs that no example showed
//! - `write`: a rule as Rust
//!
//! The cheapest rule is proposed only if it is right for pairs that the search did not see, and if no other cheap rule differs
//! from it on a plausible input. Otherwise the answer is a question about that input.
#![forbid(unsafe_code)]

#[expect(
    clippy::manual_is_multiple_of,
    clippy::manual_range_contains,
    clippy::unnecessary_map_or,
    reason = "written for Rust 1.63, and for a child to read"
)]
mod helpers;
mod pair;
mod pool;
mod probes;
mod rule;
mod search;
mod steps;
mod targets;
#[cfg(test)]
mod tests;
mod value;
mod write;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

pub use pair::Pair;
pub use rule::Rule;
pub use write::{Skill, source};

/// Pairs that determine a rule at least: fewer leave too much open, even if a rule fits them.
pub const LEAST: usize = 4;
/// The most pairs that are taken.
pub const MOST: usize = 64;
/// The longest input or output, in bytes.
pub const LONGEST: usize = 200;
/// The bytes that the steps of one search may make: a count, so that every machine finds the same.
pub const STEPS: u64 = 30_000_000;
/// How many times the search is done again to name a pair that does not fit.
const MOST_AGAIN: usize = 8;

/// What the pairs come to.
#[derive(Debug, Clone, PartialEq)]
pub enum Learned {
    /// A rule that explains all of them, those that the search did not see too.
    Rule(Box<Rule>),
    /// One more pair is needed: what is right for this input; without an input, for any other one.
    Question(Option<String>),
    /// There is no rule.
    Nothing(NoRule),
}

/// Why there is no rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRule {
    /// Too many pairs.
    TooMany(usize),
    /// A text of a pair is empty or too long; which pair, from 1.
    Length(usize),
    /// Two pairs have the same input and different outputs; the input.
    Contradiction(String),
    /// No rule explains all; the input of a pair without which one explains the others, if there is such a pair.
    Unexplained(Option<String>),
    /// The search was cancelled.
    Stopped,
}

impl std::error::Error for NoRule {}

impl fmt::Display for NoRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRule::TooMany(many) => write!(f, "there are {many} pairs; at most {MOST} are taken"),
            NoRule::Length(which) => {
                write!(f, "pair {which} has an empty text, or one of more than {LONGEST} bytes")
            }
            NoRule::Contradiction(input) => write!(f, "two pairs say different things about `{input}`"),
            NoRule::Stopped => f.write_str("the search for a rule was stopped"),
            NoRule::Unexplained(None) => f.write_str("I found no rule for all of them"),
            NoRule::Unexplained(Some(input)) => {
                write!(f, "I found no rule for all of them; there is one for the others without `{input}`")
            }
        }
    }
}

/// What a person is asked where one more pair is needed.
pub fn question(input: Option<&str>) -> String {
    match input {
        Some(input) => format!("one more example is needed: what is `{input}`?"),
        None => "one more example is needed".to_owned(),
    }
}

/// Finds the rule of pairs, or the question that decides between rules; stops within a moment once it is cancelled.
pub fn learn(pairs: &[Pair], cancel: &AtomicBool) -> Learned {
    match look(pairs, cancel) {
        Learned::Question(_) | Learned::Nothing(_) if cancel.load(Ordering::Relaxed) => {
            Learned::Nothing(NoRule::Stopped)
        }
        learned => learned,
    }
}

fn look(pairs: &[Pair], cancel: &AtomicBool) -> Learned {
    let pairs = match distinct(pairs) {
        Ok(pairs) => pairs,
        Err(why) => return Learned::Nothing(why),
    };
    if pairs.len() < 2 {
        return Learned::Question(None);
    }
    let (shown, kept) = keep_back(&pairs);
    let found = search::find(&shown, STEPS, cancel);
    if let Some(found) = found {
        let rule = guarded(&found, &shown);
        if kept.iter().all(|pair| rule.answer(&pair.input).as_deref() == Some(&pair.output)) {
            return decide(rule, &found, &shown, &kept);
        }
    }
    // Kept back was a pair that the others do not tell of. With it there may be a rule, which a further pair has to try.
    match search::find(&pairs, STEPS, cancel).filter(|_| !kept.is_empty()) {
        Some(found) => Learned::Question(open(&found.best, &found.others, &pairs)),
        None => Learned::Nothing(NoRule::Unexplained(misfit(&pairs, cancel))),
    }
}

/// The rule, if enough pairs speak for it and no other one speaks against it.
fn decide(rule: Rule, found: &search::Found, shown: &[Pair], kept: &[Pair]) -> Learned {
    let holds = |other: &&rule::Body| {
        kept.iter().all(|pair| other.answer(&pair.input).as_deref() == Some(&pair.output))
    };
    let others: Vec<rule::Body> = found.others.iter().filter(holds).cloned().collect();
    let pairs = [shown, kept].concat();
    if kept.is_empty() {
        return Learned::Question(open(&found.best, &others, &pairs));
    }
    let probes = probes::like(&pairs);
    if let Some(input) = divided(&rule, &others, &probes) {
        return Learned::Question(Some(input));
    }
    // A case that no kept-back pair tried may fit its few examples by chance.
    let is_tried = |input: &str| kept.iter().any(|pair| rule.body.case(&pair.input) == rule.body.case(input));
    match pairs.iter().all(|pair| is_tried(&pair.input)) {
        true => Learned::Rule(Box::new(rule)),
        false => Learned::Question(probes.into_iter().find(|input| !is_tried(input))),
    }
}

/// The input to ask about: one on which rules differ, or else a plausible one.
fn open(best: &rule::Body, others: &[rule::Body], pairs: &[Pair]) -> Option<String> {
    let probes = probes::like(pairs);
    let rule = Rule { guard: vec![], body: best.clone() };
    divided(&rule, others, &probes).or_else(|| probes.into_iter().find(|input| rule.answer(input).is_some()))
}

/// The input on which the most other rules differ from this one.
fn divided(rule: &Rule, others: &[rule::Body], probes: &[String]) -> Option<String> {
    let differ = |input: &String| {
        let own = rule.answer(input)?;
        let differs = |other: &&rule::Body| other.answer(input).is_some_and(|answer| answer != own);
        Some(others.iter().filter(differs).count())
    };
    let counted = probes.iter().filter_map(|input| Some((differ(input)?, input)));
    let mut best: Option<(usize, &String)> = None;
    for (count, input) in counted.filter(|(count, _)| *count > 0) {
        if best.is_none_or(|(most, _)| count > most) {
            best = Some((count, input));
        }
    }
    best.map(|(_, input)| input.clone())
}

/// The best rule, which answers only where the examples say what is right.
fn guarded(found: &search::Found, pairs: &[Pair]) -> Rule {
    let mut rule = Rule { guard: vec![], body: found.best.clone() };
    if pairs.iter().all(|pair| helpers::is_number(&pair.input)) {
        rule.guard.push(steps::Test::IsNumber);
        return rule;
    }
    let counts: Vec<usize> = pairs.iter().map(|pair| pair.input.split_whitespace().count()).collect();
    let is_same = counts.iter().all(|count| *count == counts[0]);
    if is_same && divided(&rule, &found.others, &probes::of_other_lengths(pairs)).is_some() {
        rule.guard.push(steps::Test::HasWords(counts[0] as i64));
    }
    rule
}

/// The pairs without repetitions, if they can be learned from.
fn distinct(pairs: &[Pair]) -> Result<Vec<Pair>, NoRule> {
    if pairs.len() > MOST {
        return Err(NoRule::TooMany(pairs.len()));
    }
    let mut kept: Vec<Pair> = Vec::new();
    for (at, pair) in pairs.iter().enumerate() {
        if [&pair.input, &pair.output].iter().any(|text| text.is_empty() || text.len() > LONGEST) {
            return Err(NoRule::Length(at + 1));
        }
        match kept.iter().find(|known| known.input == pair.input) {
            Some(known) if known.output != pair.output => {
                return Err(NoRule::Contradiction(pair.input.clone()));
            }
            Some(_) => {}
            None => kept.push(pair.clone()),
        }
    }
    Ok(kept)
}

/// Parts the pairs into those that are searched and those that are kept back: one of four, the last ones of the frames that most
/// pairs have, so that a frame that one pair alone shows is searched.
fn keep_back(pairs: &[Pair]) -> (Vec<Pair>, Vec<Pair>) {
    let mut back = vec![false; pairs.len()];
    let frames: Vec<String> = pairs.iter().map(|pair| probes::frame_of(&pair.input)).collect();
    for _ in 0..if pairs.len() < LEAST { 0 } else { pairs.len() / LEAST } {
        let like = |at: usize| {
            (0..pairs.len()).filter(|other| !back[*other] && frames[*other] == frames[at]).count()
        };
        let next = (0..pairs.len()).filter(|at| !back[*at]).max_by_key(|at| (like(*at), *at));
        if let Some(at) = next {
            back[at] = true;
        }
    }
    let part = |wanted: bool| {
        pairs.iter().zip(&back).filter(|(_, back)| **back == wanted).map(|(pair, _)| pair.clone()).collect()
    };
    (part(false), part(true))
}

/// The input of a pair without which the others have a rule.
fn misfit(pairs: &[Pair], cancel: &AtomicBool) -> Option<String> {
    if pairs.len() < LEAST {
        return None;
    }
    let last = (0..pairs.len()).rev().take(MOST_AGAIN);
    let explained = |at: &usize| {
        let others: Vec<Pair> =
            pairs.iter().enumerate().filter(|(other, _)| other != at).map(|(_, p)| p.clone()).collect();
        search::find_plain(&others, STEPS / 10, cancel).is_some()
    };
    last.into_iter().find(explained).map(|at| pairs[at].input.clone())
}
