//! What can be made of the inputs: every value that the steps reach, the cheap ones first. Values that are equal for all pairs are
//! one class, which keeps the cheapest ways to them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::pair::Pair;
use crate::rule::Made;
use crate::steps::{Arg, HELPERS, Run, Step, Test, call};
use crate::value::{Kind, Value};

/// By how much, in tenths of a plain step, another rule may cost more and still count beside the best one.
pub(crate) const MARGIN: u32 = 12;
/// What a value may cost, in tenths of a plain step.
const MOST_COST: u32 = 58;
/// How many classes there may be.
const MOST_CLASSES: usize = 12_000;
/// How many ways to a class are kept.
const MOST_WAYS: usize = 6;
/// The longest text that a step may make, in bytes.
const LONGEST: usize = 400;

/// One way to a class.
#[derive(Debug, Clone)]
pub(crate) struct Way {
    /// The last step, and the class that it takes; nothing for the input itself.
    pub(crate) last: Option<(Step, usize)>,
    pub(crate) cost: u32,
}

/// Values that are equal for all pairs.
#[derive(Debug)]
pub(crate) struct Class {
    /// One for each pair; nothing where a pair has no value.
    pub(crate) values: Vec<Option<Value>>,
    /// The cheapest first.
    pub(crate) ways: Vec<Way>,
}

impl Class {
    pub(crate) fn cost(&self) -> u32 {
        self.ways[0].cost
    }
}

/// All classes.
pub(crate) struct Pool {
    pub(crate) classes: Vec<Class>,
    by_key: HashMap<Vec<u8>, usize>,
    waiting: BTreeMap<u32, Vec<usize>>,
    /// Whether a value may be missing for some pairs.
    partial: bool,
    /// Bytes that steps may still make.
    pub(crate) left: u64,
}

/// The steps that are tried, by what they take.
struct Menu {
    text: Vec<Step>,
    /// Those that are tried on the input alone.
    input: Vec<Step>,
    list: Vec<Step>,
    number: Vec<Step>,
    date: Vec<Step>,
}

impl Pool {
    /// Makes all that the steps reach from the inputs of these pairs.
    pub(crate) fn grow(pairs: &[Pair], partial: bool, bytes: u64, cancel: &AtomicBool) -> Pool {
        let mut pool =
            Pool { classes: vec![], by_key: HashMap::new(), waiting: BTreeMap::new(), partial, left: bytes };
        let inputs = pairs.iter().map(|pair| Some(Value::Text(pair.input.clone()))).collect();
        pool.keep(inputs, Way { last: None, cost: 0 });
        let menu = Menu::of(pairs);
        while let Some((cost, ids)) = pool.waiting.pop_first() {
            for id in ids {
                // A cheaper way may have been found since.
                if pool.classes[id].cost() == cost {
                    pool.expand(id, &menu);
                }
                let is_full = pool.left == 0 || pool.classes.len() >= MOST_CLASSES;
                if is_full || cancel.load(Ordering::Relaxed) {
                    return pool;
                }
            }
        }
        pool
    }

    fn expand(&mut self, id: usize, menu: &Menu) {
        let kind = self.classes[id].values.iter().flatten().next().map(Value::kind);
        let steps = match kind {
            Some(Kind::Text) => &menu.text,
            Some(Kind::List) => &menu.list,
            Some(Kind::Number) => &menu.number,
            Some(Kind::Date) => &menu.date,
            None => return,
        };
        let of_input = if id == 0 { menu.input.as_slice() } else { &[] };
        for step in steps.iter().chain(of_input) {
            self.apply(step, id);
        }
    }

    /// Takes a step from a class; the class of what it makes.
    pub(crate) fn apply(&mut self, step: &Step, from: usize) -> Option<usize> {
        let cost = self.classes[from].cost() + step.cost();
        if cost > MOST_COST {
            return None;
        }
        let mut values = Vec::with_capacity(self.classes[from].values.len());
        for value in &self.classes[from].values {
            let made = value.as_ref().and_then(|value| step.run(value));
            let size = made.as_ref().map_or(1, Value::size);
            self.left = self.left.saturating_sub(size as u64);
            if size > LONGEST || (made.is_none() && !self.partial) {
                return None;
            }
            values.push(made);
        }
        if values.iter().flatten().count() < 2 {
            return None;
        }
        Some(self.keep(values, Way { last: Some((step.clone(), from)), cost }))
    }

    fn keep(&mut self, values: Vec<Option<Value>>, way: Way) -> usize {
        let mut key = Vec::new();
        for value in &values {
            match value {
                Some(value) => value.key(&mut key),
                None => key.push(0),
            }
        }
        if let Some(&id) = self.by_key.get(&key) {
            let class = &mut self.classes[id];
            let (before, cost) = (class.cost(), way.cost);
            let at = class.ways.partition_point(|other| other.cost <= cost);
            if at > 0 && cost > before + MARGIN {
                return id;
            }
            class.ways.insert(at, way);
            let least = class.cost();
            class.ways.retain(|way| way.cost <= least + MARGIN);
            class.ways.truncate(MOST_WAYS);
            if least < before {
                self.waiting.entry(least).or_default().push(id);
            }
            return id;
        }
        let id = self.classes.len();
        self.waiting.entry(way.cost).or_default().push(id);
        self.by_key.insert(key, id);
        self.classes.push(Class { values, ways: vec![way] });
        id
    }

    /// The steps to a class by its cheapest ways; `other` names a class that is reached by another one of its ways.
    pub(crate) fn made(&self, id: usize, other: Option<(usize, usize)>) -> Arc<Made> {
        let (way, other) = match other {
            Some((class, way)) if class == id => (way, None),
            other => (0, other),
        };
        match &self.classes[id].ways[way].last {
            None => Arc::new(Made::Input),
            Some((step, from)) => Arc::new(Made::By(step.clone(), self.made(*from, other))),
        }
    }

    /// The classes on the cheapest way to a class, itself included.
    pub(crate) fn on_the_way(&self, id: usize) -> Vec<usize> {
        let mut found = vec![id];
        let mut at = id;
        while let Some((_, from)) = &self.classes[at].ways[0].last {
            at = *from;
            found.push(at);
        }
        found
    }
}

/// The marks that stand in at least two of the texts, or in all if there is only one.
pub(crate) fn marks<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    let mut texts_seen = 0;
    for text in texts {
        texts_seen += 1;
        let mut seen: Vec<char> = text.chars().filter(|c| !c.is_alphanumeric() && *c != ' ').collect();
        seen.sort_unstable();
        seen.dedup();
        for mark in seen {
            *counts.entry(mark).or_default() += 1;
        }
    }
    let enough = |count: &usize| *count >= 2.min(texts_seen);
    counts.iter().filter(|(_, count)| enough(count)).map(|(mark, _)| mark.to_string()).collect()
}

/// What may stand between the items of a list in the outputs: each run of marks and blanks in them.
fn between(pairs: &[Pair]) -> Vec<String> {
    let mut found: Vec<String> = vec![String::new(), " ".to_owned()];
    for pair in pairs {
        let runs = pair.output.split(|c: char| c.is_alphanumeric());
        for run in runs.filter(|run| !run.is_empty() && run.len() <= 3) {
            if !found.iter().any(|known| known == run) && found.len() < 8 {
                found.push(run.to_owned());
            }
        }
    }
    let has_and = |pair: &Pair| pair.output.contains(" and ");
    if pairs.iter().any(has_and) {
        found.push(" and ".to_owned());
    }
    found
}

impl Menu {
    fn of(pairs: &[Pair]) -> Menu {
        let marks_in = marks(pairs.iter().map(|pair| pair.input.as_str()));
        let blank = pairs.iter().filter(|pair| pair.input.contains(' ')).count() >= 2;
        let has_zeros = pairs.iter().any(|pair| pair.output.contains('0'));
        let mut menu = Menu { text: vec![], input: vec![], list: vec![], number: vec![], date: vec![] };
        let joints = between(pairs);
        for (at, helper) in HELPERS.iter().enumerate() {
            let counted = |counts: &[i64]| -> Vec<Step> {
                counts.iter().map(|count| Step::Call(at, Arg::Count(*count))).collect()
            };
            let marked = |marks: &[String]| -> Vec<Step> {
                marks.iter().map(|mark| Step::Call(at, Arg::Mark(mark.clone()))).collect()
            };
            let plain = || vec![Step::Call(at, Arg::Nothing)];
            match (helper.run, helper.name) {
                (Run::TextCount(_), "with_zeros") if has_zeros => {
                    menu.text.extend(counted(&[2, 3, 4, 5, 6, 8]))
                }
                (Run::TextCount(_), "with_zeros") => {}
                (Run::TextCount(_), "repeated") => menu.input.extend(counted(&[2, 3])),
                (Run::TextCount(_), "moved_letters") => {
                    menu.input.extend(counted(&(1..26).collect::<Vec<i64>>()));
                }
                (Run::TextCount(_), _) => menu.text.extend(counted(&[1, 2, 3, 4])),
                (Run::TextMark(_), _) => {
                    menu.text.extend(marked(&marks_in));
                    if blank && helper.name != "without" {
                        menu.text.extend(marked(&[" ".to_owned()]));
                    }
                }
                (Run::SplitMark(_), _) => menu.text.extend(marked(&marks_in)),
                (Run::ReadMark(_), _) => {
                    menu.input.extend(marked(&marks_in));
                    menu.input.extend(marked(&["a", "e", "i", "o", "u", "s"].map(str::to_owned)));
                }
                (Run::Text(_) | Run::Split(_) | Run::Read(_) | Run::ReadDate(_), _) => {
                    menu.text.extend(plain())
                }
                (Run::PickCount(_), _) => menu.list.extend(counted(&[1, 2, 3, 4, -1, -2])),
                (Run::Join(_), _) => menu.list.extend(marked(&joints)),
                (Run::Pick(_) | Run::List(_) | Run::Add(_), _) => menu.list.extend(plain()),
                (Run::Number(_) | Run::Write(_), _) => menu.number.extend(plain()),
                (Run::WriteCount(_), _) => menu.number.extend(counted(&[1, 2])),
                (Run::OfDate(_) | Run::Name(_), _) => menu.date.extend(plain()),
                (Run::Later(_), _) => menu.date.extend(counted(&[1, 7, -1])),
                // Their numbers and tables are read from the outputs.
                (Run::NumberBy(_) | Run::TextTable(_), _) => {}
            }
            if helper.in_loops {
                let steps = match helper.run {
                    Run::TextCount(_) => counted(&[1, 2, 3]),
                    _ => plain(),
                };
                menu.list.extend(steps.into_iter().map(|step| Step::Each(vec![step])));
            }
        }
        let first = call("first_letters", Arg::Count(1));
        menu.list.push(Step::Each(vec![first, call("upper_case", Arg::Nothing)]));
        menu.list.extend(tests_of_items().into_iter().map(Step::Those));
        menu
    }
}

fn tests_of_items() -> Vec<Test> {
    let not = |test: Test| Test::Not(Box::new(test));
    let mut tests = vec![
        Test::HasDigits,
        not(Test::HasDigits),
        Test::BeginsWithCapital,
        not(Test::BeginsWithCapital),
        Test::BeginsWithVowel,
        Test::IsDividedBy(2),
        not(Test::IsDividedBy(2)),
        Test::IsAtLeast(10),
    ];
    tests.extend((3..=6).map(Test::HasLetters));
    tests
}
