//! Numbers and signs, read and reckoned in the order of arithmetic.

use super::measures;
use super::ratio::Ratio;
use super::worked::{Fault, Form, MAX_DIGITS, Outcome, Sign, Worked};
use crate::fold;
use crate::languages;
use crate::slot::undivided;

/// The longest line that is read as a sum, in bytes.
const MAX_LINE: usize = 200;
/// How deep brackets stand within each other.
const MAX_DEPTH: usize = 16;
/// A line of nothing but numbers, signs and the words for them; `None` where it is not a sum.
pub(super) fn plainly(line: &str, last: &dyn Fn() -> Option<Ratio>) -> Option<Worked> {
    let mut signs = texts(line).iter().find_map(|text| signs(text))?;
    let mut form = Form::Plain;
    if signs.contains(&Sign::Of(SHARE)) {
        signs = share(&signs)?;
        form = Form::Percent;
    }
    if signs.contains(&Sign::Of(AS_FRACTION)) {
        signs.retain(|sign| *sign != Sign::Of(AS_FRACTION));
        form = Form::Fraction;
    }
    if let [Sign::Number(part), Sign::Of('%'), sign @ Sign::Of('+' | '-'), Sign::Number(whole)] = signs[..]
        && line.contains(char::is_alphabetic)
    {
        // `add 20% to 50` and `20% off 50` mean 20 percent of the 50.
        signs = vec![Sign::Number(whole), sign, Sign::Number(part), Sign::Of('%')];
    }
    let is_date = !line.contains(' ')
        && matches!(
            signs[..],
            [Sign::Number(_), Sign::Of('-' | '/'), Sign::Number(_), Sign::Of('-' | '/'), Sign::Number(_)]
        );
    if matches!(signs.first(), Some(Sign::Of('+' | '*' | '/' | '^'))) || begins_by_word(line, &signs) {
        signs.insert(0, Sign::Number(last()?));
    }
    if is_date || is_time(line) || signs.len() == 2 && signs[0] == Sign::Of('-') {
        // A mere negative number is not a sum.
        return None;
    }
    Some(Worked { form, ..reckoned(signs)? })
}

/// Signs with what they come to; `None` where they are not a sum.
pub(super) fn reckoned(signs: Vec<Sign>) -> Option<Worked> {
    let is_sum = signs.iter().any(|sign| matches!(sign, Sign::Of('+' | '-' | '*' | '/' | '^' | 'r' | REST)))
        && signs.iter().any(|sign| matches!(sign, Sign::Number(_)));
    let mut reader = Reader { signs: &signs, at: 0, depth: 0 };
    let result =
        reader.terms().and_then(|r| if reader.at == signs.len() { Ok(r) } else { Err(Fault::NoSum) });
    (is_sum && result != Err(Fault::NoSum)).then(|| Worked::of(signs, result))
}

/// Asks how many percent the first number is of the second, as in `15 of 60 in percent`.
const SHARE: char = 'p';

/// Asks for the result as a fraction.
const AS_FRACTION: char = 'q';

/// Stands in the tables of the languages for a word for the sum of all numbers; among signs it says nothing.
pub(super) const TOTAL: &str = "total";

/// Stands in the tables of the languages for a half without `of`: before an hour it is a time of day.
const HALF: &str = "half";
/// The hours of half a day.
const HOURS: i64 = 12;

/// What is left of a number by another; no line holds the sign.
const REST: char = '§';

/// The sum of such a question: `what percent of 60 is 15` names them the other way round.
fn share(signs: &[Sign]) -> Option<Vec<Sign>> {
    use Sign::{Number, Of};
    let rest: Vec<Sign> = signs.iter().copied().filter(|sign| *sign != Of(SHARE)).collect();
    let (part, whole) = match rest[..] {
        [Number(part), Of('*' | '/'), Number(whole)] | [Of('*'), Number(whole), Number(part)] => {
            (part, whole)
        }
        _ => return None,
    };
    Some(vec![Number(part), Of('/'), Number(whole), Of('*'), Number(Ratio::whole(100))])
}

/// The line, and what is left of it without politeness.
fn texts(line: &str) -> Vec<&str> {
    let polite = languages::readings(line).into_iter().nth(1).map(|words| words.typed(0..words.len()));
    std::iter::once(line).chain(polite).collect()
}

/// Whether a line continues with a word for minus: a bare `-5` is a number.
fn begins_by_word(line: &str, signs: &[Sign]) -> bool {
    signs.first() == Some(&Sign::Of('-')) && !line.trim_start().starts_with(['-', '−', '–'])
}

/// A line as signs; `None` with a word that no sum holds.
fn signs(line: &str) -> Option<Vec<Sign>> {
    if line.len() > MAX_LINE {
        return None;
    }
    let pieces = pieces(line)?;
    let comma = languages::detect(line).decimal_comma();
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
                    None if meant == TOTAL => {}
                    None if meant == "and" => signs.push(Sign::Of(joins?)),
                    None if meant == HALF => {
                        let next = pieces.get(at).and_then(|piece| languages::number(piece));
                        if next.is_some_and(|hour| (1..=HOURS).contains(&hour)) {
                            return None;
                        }
                        signs.extend(signs_of("0.5 *")?);
                    }
                    None => signs.extend(signs_of(meant)?),
                }
            }
            None => {
                signs.extend(signs_of_piece(&pieces[at], comma)?);
                at += 1;
            }
        }
    }
    Some(with_fractions(signs))
}

/// The signs with `1 1/2` as one number.
fn with_fractions(signs: Vec<Sign>) -> Vec<Sign> {
    use Sign::{Number, Of};
    let mut whole: Vec<Sign> = Vec::new();
    let mut at = 0;
    while at < signs.len() {
        let mixed = match signs[at..] {
            [Number(one), Number(above), Of('/'), Number(below), ..]
                if !below.is_zero() && !above.is_over(10) =>
            {
                above.over(below).filter(|part| !part.is_over(1)).and_then(|part| one.plus(part))
            }
            _ => None,
        };
        whole.push(mixed.map_or(signs[at], Number));
        at += if mixed.is_some() { 4 } else { 1 };
    }
    whole
}

/// The most words that name what a sum is of, before it or behind one of its numbers.
const MOST_NAMED: usize = 2;

/// A sum whose numbers have names: `48 boxes a 12 pcs`, `rent 780 plus 120`.
pub(super) fn named(line: &str) -> Option<Worked> {
    use Sign::{Number, Of};
    let pieces =
        pieces(line).filter(|_| !languages::readings(line).first().is_some_and(measures::names_hour))?;
    let comma = languages::detect(line).decimal_comma();
    let is_number = |at: usize| {
        pieces.get(at).is_some_and(|piece: &String| piece.starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut signs: Vec<Sign> = Vec::new();
    // How many words stand before the first number, and the units and other words behind the numbers.
    let (mut label, mut behind) = (0, 0);
    let (mut units, mut is_named) = (Vec::new(), false);
    let mut at = 0;
    while at < pieces.len() {
        let piece = pieces[at].as_str();
        let is_behind = matches!(signs.last(), Some(Number(_)));
        let in_words = languages::number_word(piece).is_some_and(|number| number > 1);
        let known = (1..=5.min(pieces.len() - at))
            .rev()
            .find_map(|n| Some((n, languages::in_sum(&pieces[at..at + n].join(" "))?)));
        if is_number(at) || in_words {
            let [number] = signs_of_piece(piece, comma)?[..] else { return None };
            if is_behind {
                return None;
            }
            signs.push(number);
            behind = 0;
            at += 1;
        } else if is_behind && at > 0 && is_number(at + 1) && measures::is_article(piece) {
            signs.push(Of('*'));
            at += 1;
        } else if let Some((n, meant)) = known {
            match meant {
                // `the table is 80 by 120` tells something.
                "" | TOTAL if signs.is_empty() && label > 0 && measures::parts(piece) => return None,
                "" | TOTAL => is_named |= is_behind,
                "*" | "+" | "-" | "/" if is_behind => signs.extend(signs_of(meant)?),
                _ => return None,
            }
            at += n;
        } else if !piece.starts_with(char::is_alphabetic) {
            let is_sign = matches!(piece, "*" | "×" | "·") || piece == "+" && line.contains(" + ");
            signs.extend(signs_of(piece).filter(|_| is_behind && is_sign)?);
            at += 1;
        } else {
            let is_beside = signs.is_empty() || is_behind;
            let count = if signs.is_empty() { &mut label } else { &mut behind };
            *count += 1;
            if !is_beside || *count > MOST_NAMED || measures::parts(piece) {
                return None;
            }
            match languages::in_measure(piece).and_then(measures::code).filter(|_| is_behind) {
                Some(code) => units.push(code),
                None => is_named |= is_behind,
            }
            at += 1;
        }
    }
    let before = line.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
    let is_told =
        label > 0 && (crate::intent::looks_like_request(before) || languages::begins_remark(before));
    if is_told || !matches!(signs.last(), Some(Number(_))) {
        return None;
    }
    let is_total = signs.iter().all(|sign| matches!(sign, Number(_) | Of('+' | '-')));
    let is_of = |code: &&&'static str| match is_total {
        true => units.iter().all(|unit| unit == *code),
        // Two lengths make an area.
        false => units.len() == 1 && !is_named && measures::factor(code, "m").is_none(),
    };
    let form = units.first().filter(is_of).map_or(Form::Plain, |code| Form::Unit(code));
    Some(Worked { form, ..reckoned(signs)? })
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
    let expand = languages::expansion(line);
    let folded = |piece: String| match piece.chars().next() {
        Some(c) if c.is_alphabetic() => {
            let word = fold::word(&piece);
            expand(&word)
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

/// Whether a line is a time of day, such as `12:30`.
fn is_time(line: &str) -> bool {
    let below = |text: &str, end: u8| text.parse::<u8>().is_ok_and(|number| number < end);
    let parts = line.trim().split_once(':');
    parts.is_some_and(|(hour, minute)| minute.len() == 2 && below(hour, 24) && below(minute, 60))
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

pub(super) fn signs_of_piece(piece: &str, comma: bool) -> Option<Vec<Sign>> {
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
                '+' | '*' | '/' | '^' | '(' | ')' | '%' | '-' | 'r' | SHARE | AS_FRACTION | REST => c,
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

pub(super) fn shown(signs: &[Sign], comma: bool) -> String {
    let mut text = String::new();
    for sign in signs {
        match sign {
            Sign::Number(number) => text.push_str(&number.written(MAX_DIGITS, comma).0),
            Sign::Of('*') => text.push_str(" × "),
            Sign::Of('/') => text.push_str(" ÷ "),
            Sign::Of('r') => text.push('√'),
            Sign::Of(REST) => text.push_str(" mod "),
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
        while let Some(sign) = self.next_of(&['*', '/', REST]) {
            let factor = self.power()?;
            product = match sign {
                '*' => product.times(factor),
                _ if factor.is_zero() => return Err(Fault::ByZero),
                REST => product.rest(factor),
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
