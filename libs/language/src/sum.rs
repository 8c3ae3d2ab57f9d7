//! Sums as people type them: `12+7`, `15% of 80`, `half of 90`, `was ist 7 mal 8`. Fractions are kept whole, so that
//! `0.1+0.2` is `0.3`.

use crate::languages::{self, Language};

mod bases;
mod measures;
mod prose;
mod rates;
mod ratio;
mod reckon;
mod worked;

use ratio::Ratio;
use reckon::{plainly, shown};
use worked::{Fault, Form, Sign, Worked};

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
        Ok(result) => said(&worked, result, comma),
        Err(Fault::ByZero) => Sum::ByZero,
        Err(_) => Sum::TooLarge,
    })
}

/// Digits behind the point of a percentage.
const DIGITS_OF_PERCENT: usize = 2;

/// A sum and its result as they are said.
fn said(worked: &Worked, result: Ratio, comma: bool) -> Sum {
    let signs = &worked.signs[..];
    let (number, is_rounded) = result.written(worked.digits, comma);
    // An hour and a minute have sixty parts.
    let sixtieths = || {
        let all = result.times(Ratio::whole(60))?;
        Some((all.nearest()?, Ratio::whole(all.nearest()?) != all))
    };
    let (sum, (result, rounded)) = match (&worked.measured, worked.form) {
        (Some((amounts, unit)), _) => {
            (measures::shown(amounts, comma), (format!("{number} {unit}"), is_rounded))
        }
        (None, Form::Percent) => {
            let (number, rounded) = result.written(DIGITS_OF_PERCENT, comma);
            let sum = shown(&signs[..signs.len().saturating_sub(2)], comma);
            (sum, (format!("{number}{}%", if comma { " " } else { "" }), rounded))
        }
        (None, Form::Fraction) => (shown(signs, comma), (result.mixed(), false)),
        (None, Form::Unit(unit)) => (shown(signs, comma), (format!("{number} {unit}"), is_rounded)),
        (None, Form::Hours) => {
            let time =
                sixtieths().map(|(min, rounded)| (format!("{} h {} min", min / 60, min % 60), rounded));
            (shown(signs, comma), time.unwrap_or((number, is_rounded)))
        }
        (None, Form::Pace(one)) => {
            let time =
                sixtieths().map(|(s, rounded)| (format!("{}:{:02} min/{one}", s / 60, s % 60), rounded));
            (shown(signs, comma), time.unwrap_or((number, is_rounded)))
        }
        (None, Form::Base(from, to)) => (bases::shown(result, from), (bases::shown(result, to), false)),
        (None, Form::Plain) => {
            let count = |any: &[char]| {
                signs.iter().filter(|sign| matches!(sign, Sign::Of(c) if any.contains(c))).count()
            };
            // Who writes fractions wants one.
            let is_of_fractions =
                count(&['/']) > 1 && (is_rounded || count(&['+', '-']) > 0 && count(&['*']) == 0);
            match result.fraction().filter(|_| is_of_fractions && number.contains(['.', ','])) {
                Some(fraction) => {
                    let sign = if is_rounded { '≈' } else { '=' };
                    (shown(signs, comma), (format!("{fraction} {sign} {number}"), false))
                }
                None => (shown(signs, comma), (number, is_rounded)),
            }
        }
    };
    Sum::Result { sum, result, rounded }
}

/// A line that does what is wished for already.
pub fn able(wish: &str) -> Option<String> {
    crate::intent::able(wish).or_else(|| measures::example(wish))
}

/// What a line comes to; `None` where it is neither a sum, nor an amount to convert, nor a sum in prose.
fn worked(line: &str, earlier: &[&str]) -> Option<Worked> {
    let before = || before(earlier);
    let last = || before()?.outcome.ok();
    // Another number takes the place of the one before.
    let plain = if of_another(line, earlier) { None } else { plainly(line, &last) };
    plain
        .or_else(|| measures::converted(line, earlier))
        .or_else(|| measures::converted(&in_feet(line)?, earlier))
        .or_else(|| bases::converted(line, earlier))
        .or_else(|| prose::told(line, earlier, &before))
        .or_else(|| within(line))
        .or_else(|| worked(&in_cents(line)?, earlier))
        .or_else(|| measures::beside(line))
        .or_else(|| reckon::named(line))
}

/// Whether a line asks for the same share of another number: `and of 360` behind `17.5% of 240`.
fn of_another(line: &str, earlier: &[&str]) -> bool {
    let words: Vec<String> = line.split_whitespace().map(crate::fold::word).collect();
    let [and, of, _] = &words[..] else { return false };
    let is_of = languages::in_sum(of) == Some("*") && languages::in_measure(of) == Some("");
    let is_percent =
        |word: &str| word.contains('%') || languages::in_sum(&crate::fold::word(word)) == Some("%");
    let has_percent = || earlier.first().is_some_and(|line| line.split_whitespace().any(is_percent));
    languages::is_and(and) && is_of && has_percent()
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

/// A sum beside words that ask for it or talk around it: one clause of the line, what a question begins or ends with, or what a
/// remark of the person stands behind.
fn within(line: &str) -> Option<Worked> {
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let one = |text: &str| plainly(text, &|| None).or_else(|| measures::converted(text, &[]));
    let clauses = crate::intent::clauses(line);
    let mut sums = clauses.iter().filter_map(|clause| Some((*clause, one(clause)?)));
    if let (Some((sum, worked)), None) = (sums.next(), sums.next()) {
        let others = clauses.iter().filter(|clause| **clause != sum);
        return others.into_iter().all(|clause| !has_digit(clause)).then_some(worked);
    }
    let gaps = line.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at);
    let (starts, ends): (Vec<usize>, Vec<usize>) = gaps
        .filter(|at| !has_digit(&line[..*at]) || !has_digit(&line[*at..]))
        .partition(|at| has_digit(&line[*at..]));
    let asked = starts.into_iter().map(|at| &line[at..]).filter(|text| languages::asks_for_sum(text));
    if let Some(worked) = asked.into_iter().find_map(one) {
        return Some(worked);
    }
    let asks = clauses.len() == 1 && languages::asks_for_sum(line);
    ends.into_iter().rev().find_map(|at| {
        let (sum, rest) = line.split_at(at);
        // A unit that is asked for and not worked out is not answered.
        let worked = plainly(sum, &|| None).filter(|_| !measures::wants_unit(rest))?;
        let is_sure = || worked.signs.contains(&Sign::Of('*')) && languages::begins_remark(rest);
        (asks || is_sure()).then_some(worked)
    })
}

/// What the line before came to, where it came to anything.
fn before(earlier: &[&str]) -> Option<Worked> {
    let (before, rest) = earlier.split_first()?;
    worked(before, rest)
}

#[cfg(test)]
mod tests;
