//! Sums in prose, by the sentence patterns of the languages: `if 4 tickets cost 58 euros, how much is one?`.

use super::ratio::Ratio;
use super::reckon::{MAX_DIGITS, Sign, Worked, reckoned, signs_of_piece};
use crate::compiled::Take;
use crate::data::Kind;
use crate::fold;
use crate::languages::{self, Language};
use crate::words::is_sign;

/// Stands in a pattern's sum for what the line before came to.
const LAST: &str = "last";
/// Begins a pattern's sum that rounds a number, else what the line before came to; the digits that are left come first.
const ROUND: &str = "round";
/// Longer lines are stories.
const MOST_WORDS: usize = 48;

/// What a line comes to that a pattern reads as a sum: every number in it has its place there.
pub(super) fn told(line: &str, last: &dyn Fn() -> Option<Ratio>) -> Option<Worked> {
    let line = in_figures(line);
    let readings = languages::readings(&line);
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
    let (_, sum, language) = best?;
    let comma = language.decimal_comma();
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
    reckoned(signs)
}

/// Whether a word is a number in figures.
fn is_figure(norm: &str) -> bool {
    norm.bytes().any(|byte| byte.is_ascii_digit())
}

/// A line with its small numbers in figures, but for one, which is an article as well; without signs of currencies.
fn in_figures(line: &str) -> String {
    let plain: String = line.chars().map(|c| if c != '%' && is_sign(c) { ' ' } else { c }).collect();
    let figure = |word: &str| {
        let number = languages::number_word(&fold::word(word)).filter(|number| *number > 1);
        number.map_or_else(|| word.to_owned(), |number| number.to_string())
    };
    plain.split_whitespace().map(figure).collect::<Vec<_>>().join(" ")
}
