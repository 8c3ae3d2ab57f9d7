//! The tables as Rust source.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Write};

use shared_types::audience::Audience;

use crate::compile::{Tables, Target};
use crate::source::{Family, Thresholds};

/// Writes the tables down.
pub(crate) fn emit(tables: &Tables<'_>, thresholds: &Thresholds) -> String {
    let mut out = String::new();
    words(&mut out, "WORDS", &tables.words);
    words(&mut out, "SCRAMBLED", &tables.scrambled);
    uses(&mut out, tables);
    ends(&mut out, tables);
    let marks: Vec<String> = tables
        .marks
        .iter()
        .map(|(sign, symbol, line)| format!("Mark {{ sign: {sign:?}, symbol: {symbol}, line: {line} }}"))
        .collect();
    let _ = writeln!(out, "pub(crate) static MARKS: [Mark; {}] = [{}];", marks.len(), marks.join(", "));
    rules(&mut out, tables);
    let _ = writeln!(out, "pub(crate) const SYMBOLS: usize = {};", tables.symbols.len());
    for name in ["filler", "mail", "rot13", "backwards"] {
        let symbol = tables.symbols[&format!("{{{name}}}")];
        let _ = writeln!(out, "pub(crate) const {}: u16 = {symbol};", name.to_uppercase());
    }
    for audience in Audience::ALL {
        let limits = thresholds.audiences.get(&audience).expect("every audience has its thresholds");
        assert!(0.0 < limits.caution && limits.caution < limits.block && limits.block < 1.0, "{audience}");
        let name = audience.as_str().to_uppercase();
        let _ = writeln!(
            out,
            "pub(crate) const {name}: Limits = Limits {{ caution: {:?}, block: {:?} }};",
            limits.caution, limits.block
        );
    }
    out
}

/// What each step of a pattern leads to: a symbol, or a rule, numbered behind the symbols.
fn ends(out: &mut String, tables: &Tables<'_>) {
    let rules_from = u16::try_from(tables.symbols.len()).expect("few symbols");
    let ends: Vec<u16> = tables
        .steps
        .iter()
        .map(|step| match step.end {
            None => u16::MAX,
            Some(Target::Symbol(symbol)) => symbol,
            Some(Target::Rule(rule)) => rules_from + rule,
        })
        .collect();
    array(out, "ENDS", "u16", &ends);
    let _ = writeln!(out, "const ONWARD: u16 = {};", u16::MAX);
    let _ = writeln!(out, "const RULES_FROM: u16 = {rules_from};");
}

/// A map from keys to sets of symbols: keys in buckets by their upper bits, one or two each, of which the lower half is kept,
/// and each key's set. Two keys that differ in what lies between are one.
fn words(out: &mut String, name: &str, words: &BTreeMap<u32, BTreeSet<u16>>) {
    let bits = words.len().ilog2();
    let mut halves: BTreeMap<(u32, u16), BTreeSet<u16>> = BTreeMap::new();
    for (key, symbols) in words {
        halves.entry((key >> (u32::BITS - bits), *key as u16)).or_default().extend(symbols);
    }
    let mut sets: Vec<&BTreeSet<u16>> = halves.values().collect();
    sets.sort();
    sets.dedup();
    let mut starts = Vec::new();
    let mut symbols = Vec::new();
    for set in &sets {
        starts.push(symbols.len());
        symbols.extend(set.iter().copied());
    }
    starts.push(symbols.len());
    let keys: Vec<(u32, u16)> = halves.keys().copied().collect();
    let set_of: Vec<usize> =
        halves.values().map(|set| sets.binary_search(&set).expect("every set is there")).collect();
    let buckets: Vec<usize> =
        (0..=1_u32 << bits).map(|bucket| keys.partition_point(|key| key.0 < bucket)).collect();
    let lower: Vec<u16> = keys.iter().map(|key| key.1).collect();
    array(out, &format!("{name}_KEYS"), "u16", &lower);
    array(out, &format!("{name}_SETS"), "u16", &set_of);
    array(out, &format!("{name}_BUCKETS"), "u16", &buckets);
    array(out, &format!("{name}_STARTS"), "u16", &starts);
    array(out, &format!("{name}_SYMBOLS"), "u16", &symbols);
}

/// For each symbol the steps that wait for it: those that follow at once, in groups by the bit of the step before, and the
/// others, a pattern's later ones first.
fn uses(out: &mut String, tables: &Tables<'_>) {
    let mut near: Vec<BTreeMap<usize, Vec<String>>> = vec![BTreeMap::new(); tables.symbols.len()];
    let mut far: Vec<Vec<String>> = vec![Vec::new(); tables.symbols.len()];
    for (at, step) in tables.steps.iter().enumerate().rev() {
        if step.gap.is_none() && step.end.is_none() {
            continue;
        }
        let reach = step.gap.map_or(0, |gap| gap + 1);
        // A second step looks up when the first one's symbol came last; a first step does nothing.
        let before = at.checked_sub(1).map(|at| &tables.steps[at]).filter(|b| reach > 0 && b.gap.is_none());
        let first = before.map_or(u16::MAX, |before| before.symbol);
        let starts = before.map_or(step.starts, |before| before.starts);
        let sign = before.map_or(at.wrapping_sub(1) % 64, |before| usize::from(before.symbol) % 64);
        let entry = format!("Use {{ at: {at}, first: {first}, reach: {reach}, starts: {starts} }}");
        let symbol = usize::from(step.symbol);
        if reach == 1 {
            near[symbol].entry(sign).or_default().push(entry);
        } else {
            far[symbol].push(entry);
        }
    }
    near.truncate(tables.waiting);
    far.truncate(tables.waiting);
    let signs: Vec<u64> = near.iter().map(|near| near.keys().map(|sign| 1 << sign).sum()).collect();
    let distinct: Vec<u64> = BTreeSet::from_iter(signs.iter().copied()).into_iter().collect();
    let (mut symbols, mut groups, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for ((near, far), signs) in near.into_iter().zip(far).zip(signs) {
        let signs = distinct.binary_search(&signs).expect("every one is there");
        let first = groups.len();
        for group in near.into_values() {
            groups.push(all.len());
            all.extend(group);
        }
        groups.push(all.len());
        let from = all.len();
        all.extend(far);
        let to = all.len();
        symbols.push(format!("Waiting {{ signs: {signs}, groups: {first}, from: {from}, to: {to} }}"));
    }
    array(out, "SIGNS", "u64", &distinct);
    array(out, "GROUPS", "u16", &groups);
    let _ = writeln!(out, "static WAITING: [Waiting; {}] = [{}];", symbols.len(), symbols.join(", "));
    let _ = writeln!(out, "pub(crate) static USES: [Use; {}] = [{}];", all.len(), all.join(", "));
}

fn rules(out: &mut String, tables: &Tables<'_>) {
    let _ = writeln!(out, "pub(crate) static RULES: [Rule; {}] = [", tables.rules.len());
    for rule in &tables.rules {
        let family = match rule.family {
            Family::Steering => "Steering",
            Family::Harm => "Harm",
            Family::Blocked => "Blocked",
        };
        let audiences = rule.audiences.as_deref().unwrap_or(&Audience::ALL);
        let mask: u8 = audiences.iter().map(|audience| 1 << (*audience as u8)).sum();
        let _ = writeln!(
            out,
            "Rule {{ id: {:?}, says: {:?}, family: Family::{family}, typed: {}, outside: {}, audiences: {mask} }},",
            rule.id,
            rule.says,
            evidence(rule.score),
            evidence(rule.outside.unwrap_or(rule.score)),
        );
    }
    out.push_str("];\n");
}

/// A score as a weight that adds up: thousandths of nats.
fn evidence(score: f64) -> i32 {
    let nats = -(1.0 - score.abs()).ln() * 1000.0;
    #[expect(clippy::cast_possible_truncation, reason = "a score below 1 gives a small number")]
    let rounded = nats.round() as i32;
    if score < 0.0 { -rounded } else { rounded }
}

fn array<T: Debug>(out: &mut String, name: &str, kind: &str, values: &[T]) {
    let _ = writeln!(out, "pub(crate) static {name}: [{kind}; {}] = {values:?};", values.len());
}
