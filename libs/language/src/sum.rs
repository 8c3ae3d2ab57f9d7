//! Sums as people type them: `12+7`, `15% of 80`, `half of 90`, `was ist 7 mal 8`. Fractions are kept whole, so that
//! `0.1+0.2` is `0.3`.

use crate::languages::{self, Language};

mod measures;
mod prose;
mod ratio;
mod reckon;

use ratio::Ratio;
use reckon::{Fault, Sign, Worked, plainly, shown};

/// What a sum came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sum {
    /// The sum in signs and its result; whether the result is rounded.
    Result {
        sum: String,
        result: String,
        /// Whether the result is rounded.
        rounded: bool,
    },
    /// Something is divided by zero.
    ByZero,
    /// A number on the way is too large, or a root does not exist.
    TooLarge,
}

/// How many lines back a sum may continue (`times 2`).
const MAX_LINES: usize = 6;

/// The sum in a line, if the line is nothing else; `earlier` are the lines before it, the newest first.
pub fn sum(line: &str, earlier: &[&str], language: Language) -> Option<Sum> {
    let worked = worked(line, &earlier[..earlier.len().min(MAX_LINES)])?;
    let comma = language.decimal_comma();
    Some(match worked.outcome {
        Ok(result) => {
            // Who writes fractions wants one.
            let divisions = worked.signs.iter().filter(|sign| **sign == Sign::Of('/')).count();
            let exact = result.fraction().filter(|_| divisions > 1);
            let (result, rounded) = result.written(worked.digits, comma);
            let (sum, result) = match worked.measured {
                Some((amounts, unit)) => (measures::shown(&amounts, comma), format!("{result} {unit}")),
                None => (shown(&worked.signs, comma), result),
            };
            if let Some(fraction) = exact.filter(|_| rounded) {
                return Some(Sum::Result { sum, result: format!("{fraction} ≈ {result}"), rounded: false });
            }
            Sum::Result { sum, result, rounded }
        }
        Err(Fault::ByZero) => Sum::ByZero,
        Err(_) => Sum::TooLarge,
    })
}

/// A line that does what is wished for already.
pub fn able(wish: &str) -> Option<String> {
    crate::intent::able(wish).or_else(|| measures::example(wish))
}

/// What a line comes to; `None` where it is neither a sum, nor an amount to convert, nor a sum in prose.
fn worked(line: &str, earlier: &[&str]) -> Option<Worked> {
    let last = || last(earlier);
    plainly(line, &last)
        .or_else(|| measures::converted(line, earlier))
        .or_else(|| measures::converted(&in_feet(line)?, earlier))
        .or_else(|| prose::told(line, &last))
        .or_else(|| within(line))
        .or_else(|| worked(&in_cents(line)?, earlier))
}

/// The line with `12 euro 80` as `12.80`, as its language writes it.
fn in_cents(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_figure = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_sum = |at: usize| {
        let [whole, unit, part] = words[at..].first_chunk::<3>()?;
        let part = part.trim_end_matches(['?', '.', ',', '!']);
        let unit = languages::in_sum(&crate::fold::word(unit)).filter(|_| unit.len() >= LEAST_OF_A_COIN)?;
        (is_figure(whole) && is_figure(part) && part.len() == 2 && unit.is_empty()).then_some((*whole, part))
    };
    let mark = if languages::detect(line).decimal_comma() { ',' } else { '.' };
    let (at, (whole, part)) = (0..words.len()).find_map(|at| Some((at, is_sum(at)?)))?;
    Some(format!("{} {whole}{mark}{part} {}", words[..at].join(" "), words[at + 3..].join(" ")))
}

/// The shortest word for a coin or a note.
const LEAST_OF_A_COIN: usize = 4;

/// The line with `5'10` as feet and inches.
fn in_feet(line: &str) -> Option<String> {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let (at, mark) = line.char_indices().find(|(at, c)| {
        let (before, after) = (&line[..*at], &line[at + c.len_utf8()..]);
        matches!(c, '\'' | '’') && is_digit(before.chars().next_back()) && is_digit(after.chars().next())
    })?;
    let (before, after) = (&line[..at], &line[at + mark.len_utf8()..]);
    let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    Some(format!("{before} ft {} in{}", &after[..end], after[end..].trim_start_matches(['"', '”'])))
}

/// A sum beside words that ask for it or talk around it: one clause of the line, or what a question begins with.
fn within(line: &str) -> Option<Worked> {
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let clauses = crate::intent::clauses(line);
    let mut sums = clauses.iter().filter_map(|clause| Some((*clause, plainly(clause, &|| None)?)));
    if let (Some((sum, worked)), None) = (sums.next(), sums.next()) {
        let others = clauses.iter().filter(|clause| **clause != sum);
        return others.into_iter().all(|clause| !has_digit(clause)).then_some(worked);
    }
    if clauses.len() > 1 || !languages::asks_for_sum(line) {
        return None;
    }
    let ends = line.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at);
    let ends: Vec<usize> = ends.filter(|at| !has_digit(&line[*at..])).collect();
    ends.into_iter().rev().find_map(|at| plainly(&line[..at], &|| None))
}

/// What the line before came to, where it came to anything.
fn last(earlier: &[&str]) -> Option<Ratio> {
    let (before, rest) = earlier.split_first()?;
    worked(before, rest)?.outcome.ok()
}

#[cfg(test)]
mod tests;
