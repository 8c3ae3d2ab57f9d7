//! Amounts in another unit: `5 feet 11 in cm`, `wie viel Gramm sind 2 1/2 Kilo`.

use super::ratio::Ratio;
use super::worked::{MAX_DIGITS, Measured, Worked};
use crate::languages::{self, Language};
use crate::slot::undivided;
use crate::words::Words;

/// What a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Length,
    Mass,
    Volume,
    Speed,
    Time,
    Warmth,
    Area,
    Pressure,
    Torque,
    Energy,
    Power,
    Data,
}

use Measure::{Area, Data, Energy, Length, Mass, Power, Pressure, Speed, Time, Torque, Volume, Warmth};

/// Each unit with what it measures, and how many of the first unit of that measure it is.
const UNITS: [(&str, Measure, &str); 66] = [
    ("m", Length, "1"),
    ("mm", Length, "0.001"),
    ("cm", Length, "0.01"),
    ("km", Length, "1000"),
    ("in", Length, "0.0254"),
    ("ft", Length, "0.3048"),
    ("yd", Length, "0.9144"),
    ("mi", Length, "1609.344"),
    ("g", Mass, "1"),
    ("mg", Mass, "0.001"),
    ("kg", Mass, "1000"),
    ("dag", Mass, "10"),
    ("t", Mass, "1000000"),
    ("lb", Mass, "453.59237"),
    ("oz", Mass, "28.349523125"),
    ("st", Mass, "6350.29318"),
    ("Pfund", Mass, "500"),
    ("l", Volume, "1"),
    ("ml", Volume, "0.001"),
    ("cl", Volume, "0.01"),
    ("dl", Volume, "0.1"),
    ("US gal", Volume, "3.785411784"),
    ("UK pt", Volume, "0.56826125"),
    ("US cup", Volume, "0.2365882365"),
    ("tbsp", Volume, "0.015"),
    ("tsp", Volume, "0.005"),
    ("km/h", Speed, "1"),
    ("m/s", Speed, "3.6"),
    ("mph", Speed, "1.609344"),
    ("s", Time, "1"),
    ("min", Time, "60"),
    ("h", Time, "3600"),
    ("d", Time, "86400"),
    ("weeks", Time, "604800"),
    ("°C", Warmth, "1"),
    ("°F", Warmth, "1"),
    (DEGREES, Warmth, "1"),
    ("m²", Area, "1"),
    ("cm²", Area, "0.0001"),
    ("km²", Area, "1000000"),
    ("ha", Area, "10000"),
    ("ft²", Area, "0.09290304"),
    ("acres", Area, "4046.8564224"),
    ("bar", Pressure, "1"),
    ("mbar", Pressure, "0.001"),
    ("kPa", Pressure, "0.01"),
    ("psi", Pressure, "0.0689475729"),
    ("atm", Pressure, "1.01325"),
    ("Nm", Torque, "1"),
    ("lbf ft", Torque, "1.3558179483"),
    ("kJ", Energy, "1"),
    ("kcal", Energy, "4.184"),
    ("kWh", Energy, "3600"),
    ("kW", Power, "1"),
    ("PS", Power, "0.73549875"),
    ("hp", Power, "0.7456998716"),
    ("bytes", Data, "1"),
    ("bits", Data, "0.125"),
    ("kB", Data, "1000"),
    ("MB", Data, "1000000"),
    ("GB", Data, "1000000000"),
    ("TB", Data, "1000000000000"),
    ("KiB", Data, "1024"),
    ("MiB", Data, "1048576"),
    ("GiB", Data, "1073741824"),
    ("TiB", Data, "1099511627776"),
];

/// Degrees of the scale that the line does not name.
const DEGREES: &str = "°";
/// Stands in the tables of the languages for an article: the unit behind it counts once.
const ARTICLE: &str = "a";
/// The most words of a unit, such as `miles per hour`.
const MOST_WORDS: usize = 3;

/// What is a part of a unit and may stand behind it without its name, as in `5 feet 11`.
const PARTS: [(&str, &str); 3] = [("ft", "in"), ("st", "lb"), ("m", "cm")];

fn unit(code: &str) -> Option<(&'static str, Measure, Ratio)> {
    let (code, measure, factor) = UNITS.iter().find(|(known, ..)| *known == code)?;
    Some((code, *measure, Ratio::read(factor)?))
}

/// The sign of a unit, as the tables of the languages name it.
pub(super) fn code(meant: &str) -> Option<&'static str> {
    unit(meant).map(|(code, ..)| code).filter(|code| *code != DEGREES)
}

/// How many of one unit another is. How many hours of a day count is not known.
pub(super) fn factor(of: &str, one: &str) -> Option<Ratio> {
    let (of, one) = (unit(of)?, unit(one)?);
    let is_long = |code: &str| matches!(code, "d" | "weeks");
    let is_fit = of.1 == one.1 && of.1 != Warmth && (of.1 != Time || is_long(of.0) == is_long(one.0));
    is_fit.then(|| of.2.over(one.2)).flatten()
}

/// Whether an amount in one unit may stand in the place of one in another: 180 ml of milk for 350 g of flour.
pub(super) fn are_alike(one: &str, other: &str) -> bool {
    let kind = |code: &str| unit(code).map(|(_, measure, _)| if measure == Volume { Mass } else { measure });
    kind(one).is_some() && kind(one) == kind(other)
}

/// The lines before it that a line may continue.
const MOST_EARLIER: usize = 20;

/// What a line of nothing but amounts, units and the words around them says.
struct Said {
    amounts: Vec<(Ratio, &'static str)>,
    /// The units that are asked for, each with the word for it.
    asked: Vec<(&'static str, String)>,
    /// A number to which the line names no unit.
    bare: Option<Ratio>,
}

/// The amount of a line in the unit that it asks for; `None` with a word that is neither number nor unit nor stands around
/// them. What the line leaves open is that of the one before: `and in feet?`, `and 6 foot 2?`.
pub(super) fn converted(line: &str, earlier: &[&str]) -> Option<Worked> {
    // The oldest first, so that each line is looked at once.
    let before = || {
        let lines = earlier.iter().take(MOST_EARLIER).rev();
        lines.fold(None, |last: Option<Measured>, line| {
            let worked = gone_on(line, || last.clone());
            worked.and_then(|worked| worked.measured).or(last)
        })
    };
    gone_on(line, before)
}

/// The same with what the line before measured.
fn gone_on(line: &str, before: impl FnOnce() -> Option<Measured>) -> Option<Worked> {
    let Said { mut amounts, asked, bare } = said(line)?;
    let target = match &asked[..] {
        [(target, _)] if amounts.is_empty() && bare.is_none() => {
            amounts = before()?.0;
            target
        }
        [(target, _)] if bare.is_none() => target,
        [] => {
            let (known, target) = before()?;
            if let Some(number) = bare {
                let [(_, code)] = known[..] else { return None };
                amounts = vec![(number, code)];
            }
            target
        }
        _ => return None,
    };
    reckoned(amounts, target)
}

/// A question of the kind that is worked out here, where a wish is for nothing else: `turn inches into mm`.
pub(super) fn example(wish: &str) -> Option<String> {
    let Said { amounts, asked, bare } = said(wish)?;
    let [(from, of), (to, into)] = &asked[..] else { return None };
    let is_free = amounts.is_empty() && bare.is_none() && *from != DEGREES && *to != DEGREES;
    (is_free && unit(from)?.1 == unit(to)?.1).then(|| format!("5 {of} in {into}"))
}

/// The same where the amount and the unit stand among other words: `i weigh 172 lbs in kg`.
pub(super) fn beside(line: &str) -> Option<Worked> {
    let words = languages::readings(line).into_iter().last()?;
    let norms: Vec<&str> = words.norms().collect();
    let is_unit = |norm: &&str| languages::in_measure(norm).is_some_and(|meant| unit(meant).is_some());
    let has_digit = |norm: &&str| norm.contains(|c: char| c.is_ascii_digit());
    let (target, before) = norms.split_last().filter(|(last, before)| is_unit(last) && asks(before))?;
    let before = &before[..before.len() - 1];
    let from = before.iter().position(&has_digit)?;
    let to = from + before[from..].iter().take_while(|norm| has_digit(norm) || is_unit(norm)).count();
    let amount = [&before[from..to], &["in", *target]].concat();
    let said = said_in(&amount, languages::detect(line).decimal_comma())?;
    let [(target, _)] = said.asked[..] else { return None };
    let fits = !before[to..].iter().any(has_digit) && said.bare.is_none() && !said.amounts.is_empty();
    fits.then(|| reckoned(said.amounts, target)).flatten()
}

fn said(line: &str) -> Option<Said> {
    let words = languages::readings(line).into_iter().next()?;
    let norms: Vec<&str> = words.norms().collect();
    said_in(&norms, languages::detect(line).decimal_comma())
}

fn said_in(norms: &[&str], comma: bool) -> Option<Said> {
    let mut amounts: Vec<(Ratio, &'static str)> = Vec::new();
    let (mut asked, mut pending, mut article) = (Vec::new(), None::<Ratio>, false);
    let mut at = 0;
    while at < norms.len() {
        let known = (1..=MOST_WORDS.min(norms.len() - at))
            .rev()
            .find_map(|n| Some((n, languages::in_measure(&norms[at..at + n].join(" "))?)));
        // `ein halbes` is half of one, and no number before another.
        let is_phrase = known.is_some_and(|(n, _)| n > 1);
        if let Some(number) = number(norms[at], comma).filter(|_| !is_phrase) {
            pending = Some(match pending {
                Some(whole) if norms[at].contains(['/', '\u{2044}']) => whole.plus(number)?,
                Some(_) => return None,
                None => number,
            });
            at += 1;
            continue;
        }
        let (n, meant) = known?;
        let is_fraction = at > 0 && norms[at - 1].contains(['/', '\u{2044}']);
        at += n;
        if meant == ARTICLE {
            article = pending.is_none();
        } else if let Some(part) = Ratio::read(meant) {
            // `half a kilo`, `two and a half kilos`.
            pending = Some(pending.map_or(Some(part), |whole| whole.plus(part))?);
        } else if meant == "and" {
            flushed_unless(&mut amounts, &mut pending, norms.get(at).copied())?;
        } else if let Some((code, ..)) = unit(meant) {
            match pending.take() {
                Some(number) => amounts.push((number, code)),
                None if article => amounts.push((Ratio::whole(1), code)),
                // `180 degrees celsius`.
                None if code != DEGREES
                    && amounts.last().is_some_and(|last| last.1 == DEGREES)
                    && !asks(&norms[..at - n]) =>
                {
                    amounts.last_mut()?.1 = code;
                }
                None => asked.push((code, norms[at - n..at].join(" "))),
            }
            article = false;
        } else if is_fraction && norms.get(at).is_some_and(|next| is_one(next)) {
            // `3/4 of a cup`
        } else {
            flushed(&mut amounts, &mut pending)?;
            article = false;
        }
    }
    let bare = pending.take_if(|_| amounts.is_empty());
    flushed(&mut amounts, &mut pending)?;
    asked.dedup_by_key(|(code, _)| *code);
    if asked.len() > 1 {
        asked.retain(|(code, _)| *code != DEGREES);
    }
    Some(Said { amounts, asked, bare })
}

/// Whether a number of a line is an hour: `8 Uhr`, `6 pm`.
pub(super) fn names_hour(words: &Words<'_>) -> bool {
    let is_clock =
        |norm: &str| languages::moment(norm) == Some("clock") || matches!(languages::span(norm), Some("pm"));
    (1..words.len())
        .any(|at| words.norm(at - 1).bytes().any(|byte| byte.is_ascii_digit()) && is_clock(words.norm(at)))
}

/// Whether a word parts a number from what it would be of: `180 und ...`, `17 is ...`.
pub(super) fn parts(norm: &str) -> bool {
    let is_small = |l: Language| {
        let data = l.data();
        data.questions.contains(norm) || data.statements.links.contains(norm)
    };
    languages::is_and(norm)
        || languages::moment(norm).is_some()
        || languages::in_sum(norm).is_some_and(|meant| !meant.is_empty())
        || Language::all().any(is_small)
}

/// Whether a word is an article.
pub(super) fn is_article(norm: &str) -> bool {
    languages::in_measure(norm) == Some(ARTICLE)
}

/// Whether a word is a unit, or the article before one.
fn is_one(norm: &str) -> bool {
    languages::in_measure(norm).is_some_and(|meant| meant == ARTICLE || unit(meant).is_some())
}

/// Whether words ask for another unit: `in ml`.
pub(super) fn wants_unit(text: &str) -> bool {
    let Some(words) = languages::readings(text).into_iter().next() else { return false };
    let norms: Vec<&str> = words.norms().collect();
    let leads =
        |at: usize| asks(&norms[..at]) && languages::in_measure(norms[at]).is_some_and(|m| unit(m).is_some());
    (1..norms.len()).any(leads)
}

/// Whether the last word leads to the unit that is asked for.
fn asks(before: &[&str]) -> bool {
    before.last().is_some_and(|word| languages::in_measure(word) == Some(""))
}

/// A number that is left without a unit belongs to the unit before it, or to none.
fn flushed(amounts: &mut Vec<(Ratio, &'static str)>, pending: &mut Option<Ratio>) -> Option<()> {
    let Some(number) = pending.take() else { return Some(()) };
    let (_, before) = amounts.last()?;
    let (_, part) = PARTS.iter().find(|(whole, _)| whole == before)?;
    amounts.push((number, part));
    Some(())
}

/// The same at a word for `and`, unless a fraction comes behind it.
fn flushed_unless(
    amounts: &mut Vec<(Ratio, &'static str)>,
    pending: &mut Option<Ratio>,
    next: Option<&str>,
) -> Option<()> {
    let is_fraction = next
        .and_then(languages::in_measure)
        .is_some_and(|meant| meant == ARTICLE || Ratio::read(meant).is_some());
    if is_fraction { Some(()) } else { flushed(amounts, pending) }
}

fn reckoned(mut amounts: Vec<(Ratio, &'static str)>, target: &'static str) -> Option<Worked> {
    // The scale that is not named is the other one.
    let other = |code: &str| if code == "°C" { "°F" } else { "°C" };
    let target = if target == DEGREES { other(amounts[0].1) } else { target };
    amounts.iter_mut().filter(|(_, code)| *code == DEGREES).for_each(|(_, code)| *code = other(target));
    let (_, measure, factor) = unit(target)?;
    if target == DEGREES || amounts.iter().all(|(_, code)| *code == target) {
        return None;
    }
    let result = match (measure, &amounts[..]) {
        (Warmth, [(number, "°F")]) => {
            number.plus(Ratio::whole(-32))?.times(Ratio::whole(5))?.over(Ratio::whole(9))
        }
        (Warmth, [(number, "°C")]) => {
            number.times(Ratio::whole(9))?.over(Ratio::whole(5))?.plus(Ratio::whole(32))
        }
        (Warmth, _) => None,
        _ => {
            let mut whole = Ratio::whole(0);
            for (number, code) in &amounts {
                let (_, kind, factor) = unit(code)?;
                if kind != measure {
                    return None;
                }
                whole = whole.plus(number.times(factor)?)?;
            }
            whole.over(factor)
        }
    }?;
    let digits = match measure {
        Warmth => 1,
        _ if result.is_over(1000) => 1,
        _ if result.is_over(10) => 2,
        _ if result.is_over(1) => 3,
        _ => MAX_DIGITS,
    };
    Some(Worked { digits, measured: Some((amounts, target)), ..Worked::of(vec![], Ok(result)) })
}

/// A number in figures or words, or a fraction.
pub(super) fn number(norm: &str, comma: bool) -> Option<Ratio> {
    if let Some((above, below)) = norm.split_once(['/', '\u{2044}']) {
        let below = Ratio::read(below).filter(|below| !below.is_zero())?;
        return Ratio::read(above)?.over(below);
    }
    let (digits, minus) = norm.strip_prefix('-').map_or((norm, false), |digits| (digits, true));
    let read = if digits.starts_with(|c: char| c.is_ascii_digit()) {
        undivided(digits, comma).and_then(|plain| Ratio::read(&plain))
    } else {
        languages::number_word(digits).map(|number| Ratio::whole(number.into()))
    }?;
    Some(if minus { read.negative() } else { read })
}

/// The amounts as they were understood.
pub(super) fn shown(amounts: &[(Ratio, &'static str)], comma: bool) -> String {
    let amounts =
        amounts.iter().map(|(number, unit)| match (number.written(MAX_DIGITS, comma).0.as_str(), *unit) {
            ("1", "weeks") => "7 d".to_owned(),
            (number, unit) => format!("{number} {unit}"),
        });
    amounts.collect::<Vec<_>>().join(" ")
}
