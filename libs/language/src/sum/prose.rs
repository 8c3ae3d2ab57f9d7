//! Sums in prose, by the sentence patterns of the languages: `if 4 tickets cost 58 euros, how much is one?`.

use super::ratio::Ratio;
use super::reckon::{reckoned, signs_of_piece};
use super::worked::{Form, MAX_DIGITS, Sign, Worked};
use super::{measures, rates};
use crate::compiled::Take;
use crate::data::Kind;
use crate::fold;
use crate::languages::{self, Language};
use crate::words::is_sign;

/// Stands in a pattern's sum for what the line before came to.
const LAST: &str = "last";
/// Begins a pattern's sum that rounds a number, else what the line before came to; the digits that are left come first.
const ROUND: &str = "round";
/// Begins a pattern's sum that takes up the sum before with the number of the line in the place of the one that is meant.
const SWAP: &str = "swap";
/// Begins a pattern's sum that counts one more number into the average before.
const MORE: &str = "more";
/// Begins a pattern's sum of what is left of an amount for a number of people.
const ENOUGH: &str = "enough";
/// Begins a pattern's sum of what is left of the largest of some numbers without the others, where that is not less than nothing.
const LEFT: &str = "left";
/// Is a pattern's sum that adds the percentage that the sum before took.
const GROSS: &str = "gross";
/// Begins a pattern's sum of what is missing from what the line before came to.
const MISSING: &str = "missing";
/// Begins a pattern's sum that is said as a fraction: that of the line, else the one before.
const FRACTION: &str = "fraction";
/// Ends a pattern's sum of a part of a whole in percent.
const IN_PERCENT: &str = "* 100";
/// Longer lines are stories.
const MOST_WORDS: usize = 48;

/// What a line comes to that a pattern reads as a sum: every number in it has its place there. What the lines before it came to
/// may count in it.
pub(super) fn told(line: &str, earlier: &[&str], before: &dyn Fn() -> Option<Worked>) -> Option<Worked> {
    let last = || before()?.outcome.ok();
    let line = in_figures(line);
    let readings = languages::readings(&line);
    if readings.first().is_some_and(measures::names_hour) {
        return None;
    }
    let mut best: Option<(i32, String, Language)> = None;
    for words in readings.iter().filter(|words| words.len() <= MOST_WORDS) {
        let figures = words.norms().filter(|norm| is_figure(norm)).count();
        for language in Language::all() {
            for compiled in language.data().patterns(&readings, |kind| kind == Kind::Sums) {
                let Take::Text(template) = compiled.take else { continue };
                let names = compiled.pattern.slots();
                let used: Vec<bool> =
                    names.iter().map(|name| template.contains(&format!("{{{name}}}"))).collect();
                if used.iter().filter(|used| **used).count() > figures {
                    continue;
                }
                let Some(found) = compiled.pattern.matches(words, &[]) else { continue };
                let taken = found.slots.iter().zip(&used).filter(|(slot, used)| **used && slot.is_some());
                let is_better = best.as_ref().is_none_or(|(score, ..)| found.score > *score);
                if taken.count() != figures || !is_better {
                    continue;
                }
                let values = names.iter().zip(&found.slots);
                let values: Vec<(&str, &str)> = values
                    .filter_map(|(name, slot)| Some((name.as_str(), words.raw(slot.clone()?.start))))
                    .collect();
                best = Some((found.score, languages::fill(template, &values), language));
            }
        }
    }
    let Some((_, sum, language)) = best else {
        let ways = [rates::mean, rates::total, rates::travel, rates::product];
        return ways.into_iter().find_map(|way| way(&line));
    };
    let comma = language.decimal_comma();
    let of_before = || before().filter(|worked| worked.measured.is_none()).map(|worked| worked.signs);
    let numbers = || Some(rates::amounts(&line)?.all);
    let signs = match sum.split_whitespace().next() {
        Some(MISSING) => return rates::missing(numbers()?.first()?, &before()?),
        Some(FRACTION) => {
            let signs = match sum.split_whitespace().nth(1) {
                Some(figure) => fraction(figure, comma)?,
                None => of_before()?,
            };
            let outcome = match signs[..] {
                [Sign::Number(number)] => number,
                _ => reckoned(signs.clone())?.outcome.ok()?,
            };
            return Some(Worked { form: Form::Fraction, ..Worked::of(signs, Ok(outcome)) });
        }
        Some(SWAP) => {
            let (before, numbers) = (before().filter(|worked| worked.measured.is_none())?, numbers()?);
            let signs = rates::exchanged(&before.signs, numbers.first()?, earlier)?;
            let (form, digits) = (rates::form_with(before.form, numbers.first()?), before.digits);
            return Some(Worked { form, digits, ..reckoned(signs)? });
        }
        Some(GROSS) => Some(with_share(&of_before()?)?),
        Some(MORE) => Some(rates::with_one_more(of_before()?, numbers()?.first()?)?),
        Some(ENOUGH) => Some(rates::left_of(&numbers()?)?),
        _ => None,
    };
    if let Some(signs) = signs {
        return reckoned(signs);
    }
    if let Some(numbers) = sum.strip_prefix(LEFT) {
        return left(numbers, comma);
    }
    if let Some(rounded) = sum.strip_prefix(ROUND) {
        let mut pieces = rounded.split_whitespace();
        let digits = pieces.next().and_then(|digits| digits.parse().ok()).unwrap_or(0).min(MAX_DIGITS);
        let number = match pieces.next() {
            Some(figure) => match signs_of_piece(figure, comma)?[..] {
                [Sign::Number(number)] => number,
                _ => return None,
            },
            None => last()?,
        };
        return Some(Worked { digits, ..Worked::of(vec![Sign::Number(number)], Ok(number)) });
    }
    let mut signs = Vec::new();
    for piece in sum.split_whitespace() {
        match piece {
            LAST => signs.push(Sign::Number(last()?)),
            piece => signs.extend(signs_of_piece(piece, comma)?),
        }
    }
    let is_share =
        || sum.ends_with(IN_PERCENT) && matches!(signs[..], [.., Sign::Of('/'), Sign::Number(_), _, _]);
    let form = if is_share() { Some(Form::Percent) } else { rates::form_of_first(&line, &signs) };
    Some(Worked { form: form.unwrap_or(Form::Plain), ..reckoned(signs)? })
}

/// A fraction as its division, or another number alone.
fn fraction(figure: &str, comma: bool) -> Option<Vec<Sign>> {
    let Some((above, below)) = figure.split_once('/') else { return signs_of_piece(figure, comma) };
    let (above, below) = (signs_of_piece(above, comma)?, signs_of_piece(below, comma)?);
    Some([above, vec![Sign::Of('/')], below].concat())
}

/// What is left of the largest of some numbers without the others.
fn left(numbers: &str, comma: bool) -> Option<Worked> {
    let mut signs: Vec<Sign> = Vec::new();
    for piece in numbers.split_whitespace() {
        signs.extend(signs_of_piece(piece, comma)?);
    }
    let value = |sign: &Sign| match sign {
        Sign::Number(number) => Some(*number),
        Sign::Of(_) => None,
    };
    let is_largest = |sign: &Sign| {
        let one = value(sign);
        signs.iter().all(|other| one.zip(value(other)).is_some_and(|(one, other)| one.is_least(other)))
    };
    let at = signs.iter().position(is_largest)?;
    let largest = signs.remove(at);
    let minus = signs.into_iter().flat_map(|sign| [Sign::Of('-'), sign]);
    let worked = reckoned(std::iter::once(largest).chain(minus).collect())?;
    worked.outcome.is_ok_and(|left| left.is_least(Ratio::whole(0))).then_some(worked)
}

/// The sum that adds a percentage, of one that takes it: `1284.5 + 20%` of `1284.5 * 20%`.
fn with_share(signs: &[Sign]) -> Option<Vec<Sign>> {
    use Sign::{Number, Of};
    let (share, whole) = match *signs {
        [Number(whole), Of('*'), Number(share), Of('%')]
        | [Number(share), Of('%'), Of('*'), Number(whole)] => (share, whole),
        _ => return None,
    };
    Some(vec![Number(whole), Of('+'), Number(share), Of('%')])
}

/// Whether a word is a number in figures.
fn is_figure(norm: &str) -> bool {
    norm.bytes().any(|byte| byte.is_ascii_digit())
}

/// A line with its small numbers in figures, but for one, which is an article as well; without signs of currencies.
pub(super) fn in_figures(line: &str) -> String {
    let plain: String = line.chars().map(|c| if c != '%' && is_sign(c) { ' ' } else { c }).collect();
    let figure = |word: &str| {
        let number = languages::number_word(&fold::word(word)).filter(|number| *number > 1);
        number.map_or_else(|| word.to_owned(), |number| number.to_string())
    };
    plain.split_whitespace().map(figure).collect::<Vec<_>>().join(" ")
}
