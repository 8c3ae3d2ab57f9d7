//! Whole numbers in another base: `10101101 binary to decimal`, `0x1F in dezimal`, `and hex`.

use super::measures;
use super::ratio::Ratio;
use super::worked::{Form, Sign, Worked};
use crate::fold;
use crate::languages;

/// Begins the meaning of a word for a base in the tables of the languages.
const BASE: &str = "base ";
/// The base of everyday numbers.
const TEN: u32 = 10;
/// The most digits of a number.
const MOST_DIGITS: usize = 64;
/// The words of the longest line that is looked at.
const MOST_WORDS: usize = 12;

/// The number of a line in the base that it asks for; of the line before, where it names no number.
pub(super) fn converted(line: &str, earlier: &[&str]) -> Option<Worked> {
    let words: Vec<String> = line
        .split_whitespace()
        .map(fold::word)
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS + 1)
        .collect();
    let base =
        |at: usize| -> Option<u32> { languages::in_sum(words.get(at)?)?.strip_prefix(BASE)?.parse().ok() };
    let bases: Vec<usize> = (0..words.len()).filter(|at| base(*at).is_some()).collect();
    if words.len() > MOST_WORDS
        || !(1..=2).contains(&bases.len()) && !words.iter().any(|word| prefixed(word).is_some())
    {
        return None;
    }
    let is_around = |word: &str| {
        let meant = [languages::in_measure(word), languages::in_sum(word)];
        meant.into_iter().flatten().any(str::is_empty)
            || measures::is_article(word)
            || languages::is_and(word)
    };
    let mut others = (0..words.len()).filter(|at| base(*at).is_none() && !is_around(&words[*at]));
    let (number, more) = (others.next(), others.next());
    let Some(at) = number else {
        let ([to], Some((before, rest))) = (&bases[..], earlier.split_first()) else { return None };
        let before = converted(before, rest)?;
        return Some(Worked { form: Form::Base(TEN, base(*to)?), ..before });
    };
    // `in hex 255` asks for it, `hex ff` says what it is.
    let is_asked = |at: usize| at > 0 && languages::moment(&words[at - 1]).is_some();
    let of_number = |place: &usize| *place == at + 1 || place + 1 == at && !is_asked(*place);
    let from = bases.iter().find(|place| of_number(place)).copied();
    let to = bases.iter().rev().find(|place| Some(**place) != from).and_then(|place| base(*place));
    let (digits, written) = prefixed(&words[at]).unwrap_or((&words[at], None));
    let from = written.or(from.and_then(base)).unwrap_or(TEN);
    let to = to.unwrap_or(TEN);
    if more.is_some()
        || from == to
        || digits.len() > MOST_DIGITS
        || !digits.bytes().all(|b| b.is_ascii_alphanumeric())
    {
        return None;
    }
    let value = Ratio::whole(i64::from_str_radix(digits, from).ok()?.into());
    Some(Worked { form: Form::Base(from, to), ..Worked::of(vec![Sign::Number(value)], Ok(value)) })
}

/// The digits of a number whose first two letters say its base, and the base.
fn prefixed(word: &str) -> Option<(&str, Option<u32>)> {
    let of = |sign: &str, base: u32| {
        Some((word.strip_prefix(sign).filter(|digits| !digits.is_empty())?, Some(base)))
    };
    of("0x", 16).or_else(|| of("0b", 2)).or_else(|| of("0o", 8))
}

/// A whole number in a base, with the base below the line where it is not ten.
pub(super) fn shown(number: Ratio, base: u32) -> String {
    let number = number.nearest().unwrap_or_default();
    match base {
        2 => format!("{number:b}₂"),
        8 => format!("{number:o}₈"),
        16 => format!("{number:X}₁₆"),
        _ => number.to_string(),
    }
}
