//! Steps whose numbers and tables are read from the outputs: arithmetic, and letters that become others.

use std::collections::BTreeMap;

use crate::helpers;
use crate::pair::Pair;
use crate::pool::Pool;
use crate::steps::{Arg, Step, call};
use crate::value::Value;

/// What a number may cost before arithmetic is tried on it.
const MOST_COST: u32 = 40;
/// How many numbers arithmetic is tried on.
const MOST_NUMBERS: usize = 200;
/// The most digits of a factor.
const DIGITS: i32 = 5;

/// Adds what leads from numbers of the inputs to numbers of the outputs.
pub(crate) fn arithmetic(pool: &mut Pool, pairs: &[Pair]) {
    let found: Vec<Vec<String>> = pairs
        .iter()
        .map(|pair| helpers::numbers_in(&pair.output.replace(',', "")).unwrap_or_default())
        .collect();
    let many = found[0].len();
    if many == 0 || many > 3 || found.iter().any(|numbers| numbers.len() != many) {
        return;
    }
    for place in 0..many {
        let texts: Vec<&str> = found.iter().map(|numbers| numbers[place].as_str()).collect();
        let Some(mut targets) = texts.iter().map(|text| helpers::number(text)).collect::<Option<Vec<f64>>>()
        else {
            continue;
        };
        for (target, (text, pair)) in targets.iter_mut().zip(texts.iter().zip(pairs)) {
            if pair.output.contains(&format!("-{text}")) && pair.output.starts_with('-') {
                *target = -*target;
            }
        }
        let decimals = texts.iter().map(|text| text.split_once('.').map_or(0, |(_, rest)| rest.len()));
        let decimals = decimals.max().unwrap_or_default() as i32;
        toward(pool, &targets, decimals);
    }
}

fn toward(pool: &mut Pool, targets: &[f64], decimals: i32) {
    let numbers: Vec<(usize, Vec<f64>)> = numbers_of(pool);
    for (id, values) in numbers {
        for step in steps_to(&values, targets, decimals) {
            let Some(made) = pool.apply(&step, id) else { continue };
            finish(pool, made, targets, decimals);
        }
    }
}

/// What makes a text of the number, after one more step where that is missing.
fn finish(pool: &mut Pool, made: usize, targets: &[f64], decimals: i32) {
    let now: Vec<f64> = pool.classes[made].values.iter().filter_map(number_of).collect();
    let mut ends = vec![made];
    let gap = targets[0] - now[0];
    if gap != 0.0 && now.iter().zip(targets).all(|(now, target)| same(target - now, gap, decimals)) {
        ends.extend(pool.apply(&call("plus", Arg::Number(gap)), made));
    }
    for end in ends.clone() {
        ends.extend(pool.apply(&call("rounded", Arg::Nothing), end));
    }
    for end in ends {
        for (name, arg) in [
            ("plain", Arg::Nothing),
            ("with_decimals", Arg::Count(1)),
            ("with_decimals", Arg::Count(2)),
            ("with_commas", Arg::Nothing),
        ] {
            pool.apply(&call(name, arg), end);
        }
        for width in [2, 3] {
            if let Some(plain) = pool.apply(&call("plain", Arg::Nothing), end) {
                pool.apply(&call("with_zeros", Arg::Count(width)), plain);
            }
        }
    }
}

/// The numbers that every pair has.
fn numbers_of(pool: &Pool) -> Vec<(usize, Vec<f64>)> {
    let all = |id: usize| {
        let class = &pool.classes[id];
        let values: Option<Vec<f64>> = class.values.iter().map(number_of).collect();
        Some((id, values?)).filter(|_| class.cost() <= MOST_COST)
    };
    let mut found: Vec<(usize, Vec<f64>)> = (0..pool.classes.len()).filter_map(all).collect();
    found.sort_by_key(|(id, _)| pool.classes[*id].cost());
    found.truncate(MOST_NUMBERS);
    found
}

fn number_of(value: &Option<Value>) -> Option<f64> {
    match value {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    }
}

fn same(one: f64, other: f64, decimals: i32) -> bool {
    (one - other).abs() <= 0.500_001 * 10f64.powi(-decimals)
}

/// The steps that lead from these numbers to those, each on its own, or all but for the same difference.
fn steps_to(values: &[f64], targets: &[f64], decimals: i32) -> Vec<Step> {
    let mut steps = Vec::new();
    let is_constant = values.iter().all(|value| *value == values[0]);
    if is_constant {
        return steps;
    }
    let pairs = || values.iter().zip(targets);
    let exact = |a: f64, b: f64| (a - b).abs() < 1e-9;
    let gap = tidy(targets[0] - values[0], decimals);
    if gap != 0.0 && pairs().all(|(value, target)| exact(target - value, gap)) {
        steps.push(call("plus", Arg::Number(gap)));
    }
    // The largest number tells the factor best.
    let Some((largest, of)) = pairs().max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) else { return steps };
    let fits = |factor: f64| pairs().all(|(value, target)| same(value * factor, *target, decimals));
    if *largest != 0.0 {
        let factor = of / largest;
        let plain = (1..=DIGITS).map(|digits| significant(factor, digits)).find(|factor| fits(*factor));
        steps.extend(plain.filter(|factor| *factor != 1.0).map(|factor| call("times", Arg::Number(factor))));
        let by = largest / of;
        let plain =
            (1..=DIGITS).map(|digits| significant(by, digits)).find(|by| *by != 0.0 && fits(1.0 / by));
        steps.extend(plain.filter(|by| by.fract() == 0.0).map(|by| call("divided", Arg::Number(by))));
    }
    // A slope, and the same difference for all.
    if let Some((value, target)) = pairs().find(|(value, _)| *value != largest) {
        let slope = significant((of - target) / (largest - value), DIGITS);
        let gap = tidy(of - largest * slope, decimals.max(2));
        let all = pairs().all(|(value, target)| same(value * slope + gap, *target, decimals));
        if all && gap != 0.0 && slope != 0.0 && slope != 1.0 {
            steps.push(call("times", Arg::Number(slope)));
        }
    }
    for by in 2..=12 {
        let by = f64::from(by);
        if pairs().all(|(value, target)| exact(value.rem_euclid(by), *target)) {
            steps.push(call("rest", Arg::Number(by)));
        }
    }
    for by in [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 10.0, 12.0, 24.0, 60.0, 100.0, 1000.0] {
        if pairs().all(|(value, target)| exact((value / by).floor(), *target)) {
            steps.push(call("whole_times", Arg::Number(by)));
        }
        if by > 12.0 && pairs().all(|(value, target)| exact(value.rem_euclid(by), *target)) {
            steps.push(call("rest", Arg::Number(by)));
        }
    }
    steps
}

fn significant(number: f64, digits: i32) -> f64 {
    format!("{number:.*e}", (digits - 1) as usize).parse().unwrap_or(number)
}

fn tidy(number: f64, decimals: i32) -> f64 {
    format!("{number:.*}", decimals.max(0) as usize).parse().unwrap_or(number)
}

/// Adds what changes letters one by one, where the outputs are as long as a text.
pub(crate) fn letters(pool: &mut Pool, pairs: &[Pair]) {
    for id in 0..pool.classes.len() {
        if pool.classes[id].cost() > 16 {
            continue;
        }
        if let Some((from, to)) = table(&pool.classes[id].values, pairs) {
            pool.apply(&call("changed_letters", Arg::Table(from, to)), id);
        }
    }
}

/// The letters and what they become, if the outputs can be described so.
fn table(values: &[Option<Value>], pairs: &[Pair]) -> Option<(String, String)> {
    let mut known: BTreeMap<char, char> = BTreeMap::new();
    for (value, pair) in values.iter().zip(pairs) {
        let text = value.as_ref()?.as_text()?;
        if text.chars().count() != pair.output.chars().count() {
            return None;
        }
        for (letter, other) in text.chars().zip(pair.output.chars()) {
            if *known.entry(letter).or_insert(other) != other {
                return None;
            }
        }
    }
    let changed = known.iter().filter(|(letter, other)| letter != other).count();
    // Marks between pieces are for other steps. Each change must be worth its row: more stays as it is than is changed.
    let has_mark = known.iter().any(|(letter, other)| letter != other && !letter.is_alphanumeric());
    if has_mark || changed == 0 || changed * 2 > known.len() {
        return None;
    }
    Some((known.keys().collect(), known.values().collect()))
}
