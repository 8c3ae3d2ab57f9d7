//! The search: rows of fixed texts and of values of the pool that make up every output, or such rows for each of two cases.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::pair::Pair;
use crate::pool::{Class, MARGIN, Pool, marks};
use crate::rule::{Body, Part};
use crate::steps::Test;
use crate::targets;
use crate::value::Value;

/// What each further part of an answer costs, in tenths of a plain step.
const PART: u32 = 7;
/// What a rule may cost at most: beyond it, the parts say no more than the outputs do.
const MOST_COST: u32 = 150;
/// How many places in the outputs the search looks at.
const MOST_PLACES: usize = 4_000;
/// How many ways on from one place are kept.
const MOST_WAYS: usize = 6;
/// The longest text, in bytes, that a part may put in.
const LONGEST_FIXED: usize = 24;
/// How many ways to tell two cases apart are tried.
const MOST_CASES: usize = 30;
/// How many pairs each of two cases needs, and each of three: more cases fit more things by chance.
const LEAST: usize = 2;
const LEAST_OF_THREE: usize = 3;
/// How often a rule tells two cases apart, one within the other.
const DEEPEST: u32 = 2;
/// How many other rules are compared with the best one.
const MOST_OTHERS: usize = 400;

/// A rule in terms of the pool, and what it costs.
#[derive(Debug, Clone)]
struct Plan {
    cost: u32,
    shape: Shape,
}

#[derive(Debug, Clone)]
enum Shape {
    /// The best row, and others that cost hardly more.
    Row(Vec<Piece>, Vec<Vec<Piece>>),
    /// Tests that tell the same pairs apart, the cheapest first.
    Cases(Vec<Test>, Box<Plan>, Box<Plan>),
}

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Fixed(String),
    Class(usize),
}

/// The best rule, and those that cost hardly more.
pub(crate) struct Found {
    pub(crate) best: Body,
    pub(crate) others: Vec<Body>,
}

/// Finds the cheapest rule for all of these pairs; `bytes` bounds what the steps make. One that is cancelled finds none.
pub(crate) fn find(pairs: &[Pair], bytes: u64, cancel: &AtomicBool) -> Option<Found> {
    let every: Vec<usize> = (0..pairs.len()).collect();
    find_plain(pairs, bytes, cancel).or_else(|| {
        let pool = Pool::grow(pairs, true, bytes, cancel);
        let usable = usable(&pool, pairs);
        let plan = cases(&pool, &usable, pairs, &every, DEEPEST, cancel)?;
        Some(told(&pool, &plan))
    })
}

/// Finds the cheapest rule without cases.
pub(crate) fn find_plain(pairs: &[Pair], bytes: u64, cancel: &AtomicBool) -> Option<Found> {
    let every: Vec<usize> = (0..pairs.len()).collect();
    let mut pool = Pool::grow(pairs, false, bytes, cancel);
    targets::arithmetic(&mut pool, pairs);
    targets::letters(&mut pool, pairs);
    let plan = row(&pool, &usable(&pool, pairs), pairs, &every)?;
    let Shape::Row(row, _) = &plan.shape else { return None };
    row.iter().any(|piece| matches!(piece, Piece::Class(_))).then(|| told(&pool, &plan))
}

/// The classes of texts that outputs hold, each with the pairs for which they do.
fn usable(pool: &Pool, pairs: &[Pair]) -> Vec<(usize, u64)> {
    let holds = |(value, pair): (&Option<Value>, &Pair)| {
        let text = value.as_ref().and_then(Value::as_text);
        text.is_some_and(|text| !text.is_empty() && pair.output.contains(text))
    };
    let of = |(id, class): (usize, &Class)| {
        let bits = class.values.iter().zip(pairs).map(holds).enumerate();
        (id, bits.fold(0u64, |bits, (at, holds)| bits | u64::from(holds) << at))
    };
    pool.classes.iter().enumerate().map(of).filter(|(_, bits)| bits.count_ones() >= 2).collect()
}

/// One row for these pairs.
fn row(pool: &Pool, usable: &[(usize, u64)], pairs: &[Pair], chosen: &[usize]) -> Option<Plan> {
    let outputs: Vec<&str> = chosen.iter().map(|at| pairs[*at].output.as_str()).collect();
    let wanted = chosen.iter().fold(0u64, |bits, at| bits | 1 << at);
    let mut by_first: HashMap<&str, Vec<(usize, Vec<&str>)>> = HashMap::new();
    for (id, _) in usable.iter().filter(|(_, bits)| bits & wanted == wanted) {
        let text =
            |at: &usize| pool.classes[*id].values[*at].as_ref().and_then(Value::as_text).unwrap_or_default();
        let texts: Vec<&str> = chosen.iter().map(text).collect();
        // A text that is the same for all pairs is no more than a fixed one.
        if chosen.len() > 1 && texts.iter().all(|text| *text == texts[0]) {
            continue;
        }
        by_first.entry(texts[0]).or_default().push((*id, texts));
    }
    let mut rows = Rows { pool, outputs, by_first, known: BTreeMap::new() };
    let start = vec![0; chosen.len()];
    rows.from(&start);
    let best = rows.best(&start)?;
    let cost = rows.known[&start].first()?.cost;
    if cost > MOST_COST {
        return None;
    }
    let others = rows.others(&start);
    Some(Plan { cost, shape: Shape::Row(best, others) })
}

/// A piece, what the row costs from it to the end, and where it continues.
#[derive(Debug, Clone)]
struct Onward {
    cost: u32,
    piece: Piece,
    next: Vec<usize>,
}

struct Rows<'a> {
    pool: &'a Pool,
    outputs: Vec<&'a str>,
    by_first: HashMap<&'a str, Vec<(usize, Vec<&'a str>)>>,
    known: BTreeMap<Vec<usize>, Vec<Onward>>,
}

impl Rows<'_> {
    /// What the cheapest row from a place to the end costs.
    fn from(&mut self, place: &[usize]) -> Option<u32> {
        let is_end = |(at, output): (&usize, &&str)| *at == output.len();
        if place.iter().zip(&self.outputs).all(is_end) {
            return Some(0);
        }
        if let Some(known) = self.known.get(place) {
            return known.first().map(|onward| onward.cost);
        }
        if self.known.len() >= MOST_PLACES {
            return None;
        }
        self.known.insert(place.to_vec(), vec![]);
        let mut ways: Vec<Onward> = Vec::new();
        for (piece, own, next) in self.pieces(place) {
            if let Some(rest) = self.from(&next) {
                ways.push(Onward { cost: own + rest, piece, next });
            }
        }
        ways.sort_by_key(|way| way.cost);
        let least = ways.first().map_or(0, |way| way.cost);
        ways.retain(|way| way.cost <= least + MARGIN);
        ways.truncate(MOST_WAYS);
        self.known.insert(place.to_vec(), ways);
        self.known[place].first().map(|onward| onward.cost)
    }

    /// The pieces that can stand at a place, with their costs and the places after them.
    fn pieces(&self, place: &[usize]) -> Vec<(Piece, u32, Vec<usize>)> {
        let rest: Vec<&str> = self.outputs.iter().zip(place).map(|(output, at)| &output[*at..]).collect();
        let mut found = Vec::new();
        let ends = rest[0].char_indices().map(|(at, c)| at + c.len_utf8());
        for end in ends {
            for (id, texts) in self.by_first.get(&rest[0][..end]).into_iter().flatten() {
                if texts.iter().zip(&rest).all(|(text, rest)| rest.starts_with(text)) {
                    let next = texts.iter().zip(place).map(|(text, at)| at + text.len()).collect();
                    found.push((Piece::Class(*id), self.pool.classes[*id].cost() + PART, next));
                }
            }
        }
        let shared = rest[1..].iter().fold(rest[0].len(), |least, other| least.min(shared(rest[0], other)));
        let ends = rest[0].char_indices().map(|(at, c)| at + c.len_utf8());
        for end in ends.filter(|end| *end <= shared.min(LONGEST_FIXED)) {
            let fixed = &rest[0][..end];
            let next = place.iter().map(|at| at + end).collect();
            found.push((Piece::Fixed(fixed.to_owned()), cost_of(fixed) + PART, next));
        }
        found
    }

    /// The cheapest row from a place on.
    fn best(&self, place: &[usize]) -> Option<Vec<Piece>> {
        let mut row = Vec::new();
        let mut at = place.to_vec();
        while at.iter().zip(&self.outputs).any(|(at, output)| *at < output.len()) {
            let onward = self.known.get(&at)?.first()?;
            row.push(onward.piece.clone());
            at = onward.next.clone();
        }
        Some(row)
    }

    /// Rows that differ from the cheapest one in one choice and cost hardly more.
    fn others(&self, start: &[usize]) -> Vec<Vec<Piece>> {
        let (mut before, mut found) = (Vec::new(), Vec::new());
        let mut at = start.to_vec();
        while let Some(ways) = self.known.get(&at) {
            let Some(best) = ways.first() else { break };
            for other in &ways[1..] {
                if let Some(rest) = self.best(&other.next) {
                    found.push([before.clone(), vec![other.piece.clone()], rest].concat());
                }
            }
            before.push(best.piece.clone());
            at = best.next.clone();
        }
        found
    }
}

/// What a fixed text costs: letters and digits are copied from the examples, marks seldom are.
fn cost_of(fixed: &str) -> u32 {
    let plain = fixed.chars().filter(|c| !c.is_alphanumeric()).count() as u32;
    let copied = fixed.chars().count() as u32 - plain;
    3 + 2 * plain + if copied > 0 { 8 + 4 * copied } else { 0 }
}

fn shared(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

/// Two cases, each with a rule of its own.
fn cases(
    pool: &Pool,
    usable: &[(usize, u64)],
    pairs: &[Pair],
    chosen: &[usize],
    deep: u32,
    cancel: &AtomicBool,
) -> Option<Plan> {
    let least = if deep == DEEPEST { LEAST } else { LEAST_OF_THREE };
    if deep == 0 || chosen.len() < 2 * least {
        return None;
    }
    let mut best: Option<Plan> = None;
    for (so, tests) in splits(pairs, chosen, least).into_iter().take(MOST_CASES) {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let (yes, no): (Vec<usize>, Vec<usize>) = chosen.iter().partition(|at| so.contains(at));
        let own = tests[0].cost();
        let worse = |cost: u32| best.as_ref().is_some_and(|best| best.cost <= cost) || cost > MOST_COST;
        let Some(then) = row(pool, usable, pairs, &yes).filter(|then| !worse(own + then.cost)) else {
            continue;
        };
        let no_row = row(pool, usable, pairs, &no);
        let Some(otherwise) = no_row.or_else(|| cases(pool, usable, pairs, &no, deep - 1, cancel)) else {
            continue;
        };
        let cost = own + then.cost + otherwise.cost;
        if !worse(cost) {
            best = Some(Plan { cost, shape: Shape::Cases(tests, Box::new(then), Box::new(otherwise)) });
        }
    }
    best
}

/// The ways to tell the pairs apart by their inputs: those for which it is so, and the tests that say it, the cheapest first.
fn splits(pairs: &[Pair], chosen: &[usize], least: usize) -> Vec<(Vec<usize>, Vec<Test>)> {
    let mut by_pairs: BTreeMap<Vec<usize>, Vec<Test>> = BTreeMap::new();
    for test in tests(pairs, chosen) {
        for test in [test.clone(), Test::Not(Box::new(test))] {
            let so: Vec<usize> = chosen.iter().copied().filter(|at| test.holds(&pairs[*at].input)).collect();
            if so.len() >= least && chosen.len() - so.len() >= least {
                by_pairs.entry(so).or_default().push(test);
            }
        }
    }
    let mut splits: Vec<(Vec<usize>, Vec<Test>)> = by_pairs.into_iter().collect();
    for (_, tests) in &mut splits {
        tests.sort_by_key(Test::cost);
    }
    splits.sort_by_key(|(_, tests)| tests[0].cost());
    splits
}

fn tests(pairs: &[Pair], chosen: &[usize]) -> Vec<Test> {
    let inputs: Vec<&str> = chosen.iter().map(|at| pairs[*at].input.as_str()).collect();
    let mut tests = vec![
        Test::HasDigits,
        Test::IsNumber,
        Test::BeginsWithCapital,
        Test::BeginsWithVowel,
        Test::IsDividedBy(2),
        Test::IsDividedBy(3),
        Test::IsDividedBy(5),
        Test::IsDividedBy(10),
    ];
    tests.extend(marks(inputs.iter().copied()).into_iter().map(Test::Has));
    tests.extend((1..=4).map(Test::HasWords));
    let lengths = inputs.iter().map(|input| input.chars().count() as i64);
    let mut lengths: Vec<i64> = lengths.collect();
    lengths.sort_unstable();
    lengths.dedup();
    tests.extend(lengths.into_iter().map(Test::HasLetters));
    let mut numbers: Vec<i64> = inputs.iter().filter_map(|input| input.parse().ok()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for numbers in numbers.windows(2) {
        tests.push(Test::IsAtLeast(numbers[1]));
        tests.push(Test::IsAtLeast(numbers[0] + 1));
    }
    let mut endings: Vec<String> = Vec::new();
    for input in &inputs {
        let letters: Vec<char> = input.chars().collect();
        for long in 1..=2.min(letters.len()) {
            endings.push(letters[letters.len() - long..].iter().collect());
        }
    }
    endings.sort();
    endings.dedup();
    tests.extend(endings.into_iter().map(Test::EndsIn));
    tests
}

/// The best rule of a plan and the others, in steps.
fn told(pool: &Pool, plan: &Plan) -> Found {
    let best = body(pool, plan);
    let mut others: Vec<Body> = Vec::new();
    for other in variants(pool, plan) {
        if other != best && !others.contains(&other) && others.len() < MOST_OTHERS {
            others.push(other);
        }
    }
    Found { best, others }
}

fn body(pool: &Pool, plan: &Plan) -> Body {
    match &plan.shape {
        Shape::Row(row, _) => Body::Parts(parts(pool, row, None)),
        Shape::Cases(tests, then, otherwise) => {
            let (then, otherwise) = (body(pool, then), body(pool, otherwise));
            Body::If(tests[0].clone(), Box::new(then), Box::new(otherwise))
        }
    }
}

fn parts(pool: &Pool, row: &[Piece], other: Option<(usize, usize)>) -> Vec<Part> {
    let part = |piece: &Piece| match piece {
        Piece::Fixed(text) => Part::Fixed(text.clone()),
        Piece::Class(id) => Part::Made(pool.made(*id, other)),
    };
    let mut parts: Vec<Part> = Vec::new();
    for part in row.iter().map(part) {
        match (parts.last_mut(), part) {
            (Some(Part::Fixed(before)), Part::Fixed(text)) => before.push_str(&text),
            (_, part) => parts.push(part),
        }
    }
    parts
}

/// Rules that differ from the plan's in one choice.
fn variants(pool: &Pool, plan: &Plan) -> Vec<Body> {
    match &plan.shape {
        Shape::Row(row, others) => {
            let mut found = Vec::new();
            for piece in row {
                let Piece::Class(id) = piece else { continue };
                for class in pool.on_the_way(*id) {
                    for way in 1..pool.classes[class].ways.len() {
                        found.push(Body::Parts(parts(pool, row, Some((class, way)))));
                    }
                }
            }
            found.extend(others.iter().map(|row| Body::Parts(parts(pool, row, None))));
            found
        }
        Shape::Cases(tests, then, otherwise) => {
            let (yes, no) = (body(pool, then), body(pool, otherwise));
            let either = |test: &Test, yes: &Body, no: &Body| {
                Body::If(test.clone(), Box::new(yes.clone()), Box::new(no.clone()))
            };
            let least = tests[0].cost();
            let near = tests[1..].iter().filter(|test| test.cost() <= least + MARGIN);
            let mut found: Vec<Body> = near.map(|test| either(test, &yes, &no)).collect();
            found.extend(variants(pool, then).iter().map(|yes| either(&tests[0], yes, &no)));
            found.extend(variants(pool, otherwise).iter().map(|no| either(&tests[0], &yes, no)));
            found
        }
    }
}
