//! Words that stand for many: numbers, dates, dice and units, each as rules of the grammar and as the text that its words come to.

use std::fmt::Write as _;

use super::language::{self, ORDINALS};

/// A slot of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    /// From 0 to 100, in figures.
    Number,
    /// A day: `tomorrow`, `next friday`, `march third`, which comes out as `3 march`.
    Date,
    /// `three d six`, which comes out as `3d6`, or `two dice`.
    Dice,
    /// A unit of measure.
    Unit,
}

/// The grammar is English.
const SMALL: [&str; 20] = language::SMALL[0];
const TENS: [&str; 8] = language::TENS[0];
const MONTHS: [&str; 12] = language::MONTHS[0];
const WEEKDAYS: &[&str] = language::WEEKDAYS[0];
const NAMED: &[&str] = language::NAMED[0];
/// The sides of a die.
const SIDES: [&str; 7] = ["four", "six", "eight", "ten", "twelve", "twenty", "one hundred"];
/// Units that skills convert.
const UNITS: [&str; 40] = [
    "celsius",
    "fahrenheit",
    "kelvin",
    "millimeters",
    "centimeters",
    "centimeter",
    "meters",
    "meter",
    "kilometers",
    "kilometer",
    "inches",
    "inch",
    "feet",
    "foot",
    "yards",
    "yard",
    "miles",
    "mile",
    "grams",
    "gram",
    "kilograms",
    "kilogram",
    "kilos",
    "pounds",
    "pound",
    "ounces",
    "ounce",
    "milliliters",
    "liters",
    "liter",
    "gallons",
    "gallon",
    "pints",
    "cups",
    "cup",
    "seconds",
    "minutes",
    "hours",
    "days",
    "weeks",
];

impl Slot {
    pub(super) const ALL: [Slot; 4] = [Slot::Number, Slot::Date, Slot::Dice, Slot::Unit];

    /// Its name in a list, and in the grammar.
    pub(super) fn name(self) -> &'static str {
        match self {
            Slot::Number => "<number>",
            Slot::Date => "<date>",
            Slot::Dice => "<dice>",
            Slot::Unit => "<unit>",
        }
    }

    pub(super) fn named(name: &str) -> Option<Slot> {
        Slot::ALL.into_iter().find(|slot| slot.name() == name)
    }

    /// How many words it comes to in the grammar.
    pub(super) fn words(self) -> usize {
        match self {
            Slot::Number | Slot::Unit => 40,
            Slot::Date => 120,
            Slot::Dice => 60,
        }
    }

    /// The most words that it takes.
    pub(super) fn longest(self) -> usize {
        match self {
            Slot::Number => 2,
            // `the twenty first of march`.
            Slot::Date => 5,
            // `twenty five d one hundred`.
            Slot::Dice => 5,
            Slot::Unit => 1,
        }
    }

    /// Its rules in JSGF.
    pub(super) fn rules(self) -> String {
        let any = |words: &[&str]| words.join(" | ");
        let name = self.name();
        match self {
            Slot::Number => format!(
                "<digit> = {};\n<teen> = {};\n<ty> = {};\n{name} = zero | <digit> | <teen> | <ty> [ <digit> ] | one hundred;\n",
                any(&SMALL[1..10]),
                any(&SMALL[10..]),
                any(&TENS)
            ),
            Slot::Date => format!(
                "<month> = {};\n<nth> = {} | twenty ( {} ) | thirtieth | thirty first;\n\
                 {name} = {} | [ next | on ] ( {} ) | <month> [ the ] <nth> | [ the ] <nth> [ of ] <month>;\n",
                any(&MONTHS),
                any(&ORDINALS),
                any(&ORDINALS[..9]),
                any(NAMED),
                any(WEEKDAYS)
            ),
            Slot::Dice => {
                let mut rule = format!("{name} = [ <digit> | <teen> ] d ( {} )", any(&SIDES));
                let _ = writeln!(rule, " | ( {} ) dice;", any(&SMALL[2..10]));
                rule
            }
            Slot::Unit => format!("{name} = {};\n", any(&UNITS)),
        }
    }

    /// The text that these words come to, where they are what the rules say.
    pub(super) fn read(self, words: &[&str]) -> Option<String> {
        match self {
            Slot::Number => figure(words).map(|figure| figure.to_string()),
            Slot::Date => date(words),
            Slot::Dice => dice(words),
            Slot::Unit => words
                .iter()
                .find(|word| words.len() == 1 && UNITS.contains(word))
                .map(|word| (*word).to_owned()),
        }
    }
}

fn at(names: &[&str], word: &str) -> Option<usize> {
    names.iter().position(|name| *name == word)
}

/// The number that these words are.
fn figure(words: &[&str]) -> Option<usize> {
    match words {
        ["one", "hundred"] => Some(100),
        [word] => at(&SMALL, word).or_else(|| Some((at(&TENS, word)? + 2) * 10)),
        [tens, digit] => {
            let digit = at(&SMALL, digit).filter(|digit| (1..10).contains(digit))?;
            Some((at(&TENS, tens)? + 2) * 10 + digit)
        }
        _ => None,
    }
}

/// The day of a month that these words are.
fn nth(words: &[&str]) -> Option<usize> {
    match words {
        ["thirtieth"] => Some(30),
        ["thirty", "first"] => Some(31),
        [word] => Some(at(&ORDINALS, word)? + 1),
        ["twenty", digit] => at(&ORDINALS[..9], digit).map(|digit| digit + 21),
        _ => None,
    }
}

fn date(words: &[&str]) -> Option<String> {
    let whole = words.join(" ");
    if NAMED.contains(&whole.as_str()) {
        return Some(whole);
    }
    match words {
        [day] | ["next" | "on", day] if WEEKDAYS.contains(day) => return Some(whole),
        _ => {}
    }
    let (month, day) = match words {
        [month, "the", day @ ..] | [month, day @ ..] if MONTHS.contains(month) => (month, day),
        ["the", day @ .., "of", month]
        | [day @ .., "of", month]
        | ["the", day @ .., month]
        | [day @ .., month]
            if MONTHS.contains(month) =>
        {
            (month, day)
        }
        _ => return None,
    };
    nth(day).map(|day| format!("{day} {month}"))
}

fn dice(words: &[&str]) -> Option<String> {
    let (count, sides) = match words {
        [count, "dice"] => {
            return at(&SMALL[..10], count).filter(|count| *count > 1).map(|count| format!("{count} dice"));
        }
        ["d", sides @ ..] => (None, sides),
        [count, "d", sides @ ..] => (Some(at(&SMALL, count).filter(|count| *count > 0)?), sides),
        _ => return None,
    };
    SIDES.contains(&sides.join(" ").as_str()).then_some(())?;
    let count = count.map(|count| count.to_string()).unwrap_or_default();
    Some(format!("{count}d{}", figure(sides)?))
}
