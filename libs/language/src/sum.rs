//! Sums as people type them: `12+7`, `15% of 80`, `half of 90`, `was ist 7 mal 8`. Fractions are kept whole, so that
//! `0.1+0.2` is `0.3`.

use crate::fold;
use crate::languages::{self, Language};
use crate::slot::undivided;

mod ratio;

use ratio::Ratio;

/// What a sum came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sum {
    /// The sum in signs and its result; whether the result is rounded.
    Result {
        /// The sum.
        sum: String,
        /// The result.
        result: String,
        /// Whether the result is rounded.
        rounded: bool,
    },
    /// Something is divided by zero.
    ByZero,
    /// A number on the way is too large, or a root is none.
    TooLarge,
}

/// Why a sum has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// These signs are no sum.
    NoSum,
    ByZero,
    TooLarge,
}

type Outcome = Result<Ratio, Fault>;

/// A number or a sign of a sum.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Sign {
    Number(Ratio),
    Of(char),
}

/// The longest line that is read as a sum, in bytes.
const MAX_LINE: usize = 200;
/// How deep brackets stand within each other.
const MAX_DEPTH: usize = 16;
/// How many lines back a sum goes on (`times 2`).
const MAX_LINES: usize = 6;
/// Digits behind the point of a result.
const MAX_DIGITS: usize = 6;

/// The sum in a line, if the line is nothing else; `earlier` are the lines before it, the newest first.
pub fn sum(line: &str, earlier: &[&str], language: Language) -> Option<Sum> {
    let (signs, result) = worked(line, &earlier[..earlier.len().min(MAX_LINES)])?;
    let comma = language.decimal_comma();
    Some(match result {
        Ok(result) => {
            let (result, rounded) = result.written(MAX_DIGITS, comma);
            Sum::Result { sum: shown(&signs, comma), result, rounded }
        }
        Err(Fault::ByZero) => Sum::ByZero,
        Err(_) => Sum::TooLarge,
    })
}

/// The signs of a line and what they come to; `None` where the line is no sum.
fn worked(line: &str, earlier: &[&str]) -> Option<(Vec<Sign>, Outcome)> {
    let mut signs = texts(line).iter().find_map(|text| signs(text))?;
    let is_date = !line.contains(' ')
        && matches!(
            signs[..],
            [Sign::Number(_), Sign::Of('-' | '/'), Sign::Number(_), Sign::Of('-' | '/'), Sign::Number(_)]
        );
    if matches!(signs.first(), Some(Sign::Of('+' | '*' | '/' | '^'))) || begins_by_word(line, &signs) {
        let (before, rest) = earlier.split_first()?;
        let (_, Ok(result)) = worked(before, rest)? else { return None };
        signs.insert(0, Sign::Number(result));
    }
    let is_sum = signs.iter().any(|sign| matches!(sign, Sign::Of('+' | '-' | '*' | '/' | '^' | 'r')))
        && signs.iter().any(|sign| matches!(sign, Sign::Number(_)))
        // A mere negative number is none.
        && !is_date
        && !(signs.len() == 2 && signs[0] == Sign::Of('-'));
    let mut reader = Reader { signs: &signs, at: 0, depth: 0 };
    let result =
        reader.terms().and_then(|r| if reader.at == signs.len() { Ok(r) } else { Err(Fault::NoSum) });
    (is_sum && result != Err(Fault::NoSum)).then_some((signs, result))
}

/// The line, and what is left of it without politeness.
fn texts(line: &str) -> Vec<&str> {
    let polite = languages::readings(line).into_iter().nth(1).map(|words| words.typed(0..words.len()));
    std::iter::once(line).chain(polite).collect()
}

/// Whether a line goes on with a word for minus: a bare `-5` is a number.
fn begins_by_word(line: &str, signs: &[Sign]) -> bool {
    signs.first() == Some(&Sign::Of('-')) && !line.trim_start().starts_with(['-', '−', '–'])
}

/// A line as signs; `None` with a word that no sum holds.
fn signs(line: &str) -> Option<Vec<Sign>> {
    if line.len() > MAX_LINE {
        return None;
    }
    let pieces = pieces(line)?;
    let comma = Language::all().any(|l| l.decimal_comma() && languages::detect(line) == l);
    let mut signs = Vec::new();
    // The sign that stands for `and` behind a word such as `add`.
    let mut joins = None;
    let mut at = 0;
    while at < pieces.len() {
        let known = (1..=5.min(pieces.len() - at))
            .rev()
            .find_map(|n| Some((n, languages::in_sum(&pieces[at..at + n].join(" "))?)));
        match known {
            Some((n, meant)) => {
                at += n;
                match meant.strip_prefix("and ") {
                    Some(sign) => joins = sign.chars().next(),
                    None if meant == "and" => signs.push(Sign::Of(joins?)),
                    None => signs.extend(signs_of(meant)?),
                }
            }
            None => {
                signs.extend(signs_of_piece(&pieces[at], comma)?);
                at += 1;
            }
        }
    }
    Some(signs)
}

/// The numbers, words and signs of a line.
fn pieces(line: &str) -> Option<Vec<String>> {
    let mut pieces: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in
        line.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | '.' | '=' | '…')).chars()
    {
        let kind = kind(c)?;
        let goes_on = kind == self::kind(before)? && matches!(kind, Piece::Number | Piece::Word);
        match pieces.last_mut() {
            Some(last) if goes_on => last.push(c),
            _ if kind == Piece::Nothing => {}
            _ => pieces.push(c.to_string()),
        }
        before = c;
    }
    let folded = |piece: String| match piece.chars().next() {
        Some(c) if c.is_alphabetic() => {
            let word = fold::word(&piece);
            languages::expansion(&word)
                .map_or(vec![word.clone()], |words| words.iter().map(|word| (*word).to_owned()).collect())
        }
        _ => vec![piece],
    };
    // A comma at a word divides the sentence.
    Some(
        pieces
            .into_iter()
            .flat_map(folded)
            .filter(|piece| !matches!(piece.as_str(), "," | "." | ""))
            .collect(),
    )
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Number,
    Word,
    Sign,
    Nothing,
}

fn kind(c: char) -> Option<Piece> {
    Some(match c {
        '0'..='9' | '.' | ',' => Piece::Number,
        '+' | '-' | '−' | '–' | '*' | '×' | '·' | '/' | '÷' | ':' | '^' | '(' | ')' | '%' | '=' | '√' => {
            Piece::Sign
        }
        '$' | '€' | '£' | '?' | '!' => Piece::Nothing,
        c if c.is_whitespace() => Piece::Nothing,
        c if c.is_alphabetic() || fold::is_apostrophe(c) => Piece::Word,
        _ => return None,
    })
}

fn signs_of_piece(piece: &str, comma: bool) -> Option<Vec<Sign>> {
    if piece.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',')) {
        let digits = piece.trim_end_matches([',', '.']);
        // What begins with a zero is a code or a date.
        let is_code = digits.len() > 1 && digits.starts_with('0') && !digits[1..].starts_with(['.', ',']);
        let plain = undivided(digits, comma).filter(|_| !is_code)?;
        return Some(vec![Sign::Number(Ratio::read(&plain)?)]);
    }
    if let Some(number) = languages::number_word(piece) {
        return Some(vec![Sign::Number(Ratio::whole(number.into()))]);
    }
    signs_of(piece)
}

/// Signs that stand for themselves, as in the tables of the languages.
fn signs_of(text: &str) -> Option<Vec<Sign>> {
    let mut signs = Vec::new();
    for part in text.split_whitespace() {
        if let Some(number) = Ratio::read(part) {
            signs.push(Sign::Number(number));
            continue;
        }
        for c in part.chars() {
            signs.push(Sign::Of(match c {
                '+' | '*' | '/' | '^' | '(' | ')' | '%' | '-' | 'r' => c,
                '−' | '–' => '-',
                '×' | '·' => '*',
                '÷' | ':' => '/',
                '√' => 'r',
                _ => return None,
            }));
        }
    }
    Some(signs)
}

fn shown(signs: &[Sign], comma: bool) -> String {
    let mut text = String::new();
    for sign in signs {
        match sign {
            Sign::Number(number) => text.push_str(&number.written(MAX_DIGITS, comma).0),
            Sign::Of('*') => text.push_str(" × "),
            Sign::Of('/') => text.push_str(" ÷ "),
            Sign::Of('r') => text.push('√'),
            Sign::Of(c @ ('+' | '-')) => {
                text.push_str(&format!(" {c} "));
            }
            Sign::Of(c) => text.push(*c),
        }
    }
    text.trim().to_owned()
}

/// Reads signs by the usual order of operations.
struct Reader<'a> {
    signs: &'a [Sign],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn next_of(&mut self, any: &[char]) -> Option<char> {
        match self.signs.get(self.at) {
            Some(Sign::Of(c)) if any.contains(c) => {
                self.at += 1;
                Some(*c)
            }
            _ => None,
        }
    }

    fn terms(&mut self) -> Outcome {
        let mut sum = self.factors()?;
        while let Some(sign) = self.next_of(&['+', '-']) {
            let from = self.at;
            let term = self.factors()?;
            // `80 + 19%` means 19 percent of 80, as on every pocket calculator.
            let percent = self.at == from + 2 && self.signs[self.at - 1] == Sign::Of('%');
            let term = if percent { sum.times(term).ok_or(Fault::TooLarge)? } else { term };
            let term = if sign == '-' { term.negative() } else { term };
            sum = sum.plus(term).ok_or(Fault::TooLarge)?;
        }
        Ok(sum)
    }

    fn factors(&mut self) -> Outcome {
        let mut product = self.power()?;
        while let Some(sign) = self.next_of(&['*', '/']) {
            let factor = self.power()?;
            product = match sign {
                '*' => product.times(factor),
                _ if factor.is_zero() => return Err(Fault::ByZero),
                _ => product.over(factor),
            }
            .ok_or(Fault::TooLarge)?;
        }
        Ok(product)
    }

    fn power(&mut self) -> Outcome {
        let base = self.single()?;
        if self.next_of(&['^']).is_none() {
            return Ok(base);
        }
        let exponent = self.single()?;
        base.power(exponent).ok_or(Fault::TooLarge)
    }

    fn single(&mut self) -> Outcome {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::NoSum);
        }
        let value = match self.signs.get(self.at) {
            Some(Sign::Number(number)) => {
                self.at += 1;
                *number
            }
            Some(Sign::Of('(')) => {
                self.at += 1;
                let inner = self.terms()?;
                self.next_of(&[')']).ok_or(Fault::NoSum)?;
                inner
            }
            Some(Sign::Of('-')) => {
                self.at += 1;
                self.single()?.negative()
            }
            Some(Sign::Of('r')) => {
                self.at += 1;
                self.single()?.root().ok_or(Fault::TooLarge)?
            }
            _ => return Err(Fault::NoSum),
        };
        self.depth -= 1;
        match self.next_of(&['%']) {
            Some(_) => value.over(Ratio::whole(100)).ok_or(Fault::TooLarge),
            None => Ok(value),
        }
    }
}

#[cfg(test)]
mod tests;
