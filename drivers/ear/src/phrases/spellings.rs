//! How a transcript may have the words of a phrase: with a capital letter, in figures, as a sign.

use std::collections::BTreeSet;

use super::language::{
    BEFORE_DAYS, Language, MONTHS, NAMED, ORDINALS, SHORT, SIGNS, SMALL, TENS, UNITS, WEEKDAYS,
};
use super::slots::Slot;

/// The largest number of a slot.
const MOST: usize = 100;
/// The most dice.
const MOST_DICE: usize = 20;
const SIDES: [usize; 7] = [4, 6, 8, 10, 12, 20, 100];

impl Language {
    /// How a word may be written, with what stands before it.
    pub(super) fn spellings(self, word: &str) -> BTreeSet<String> {
        let mut all = BTreeSet::from([format!(" {word}"), format!(" {}", capital(word))]);
        for (sign, _) in SIGNS[self as usize].iter().filter(|(_, name)| *name == word) {
            all.extend([sign.to_string(), format!(" {sign}")]);
        }
        all.extend((0..=MOST).find(|number| self.name(*number) == word).map(|number| format!(" {number}")));
        // `what's` is `what is`.
        let ends = SHORT[self as usize].iter().filter_map(|(short, full)| {
            let (before, end) = short.split_once('\'')?;
            (full.split_once(' ')? == (before, word)).then(|| format!("'{end}"))
        });
        all.extend(ends);
        all
    }

    /// The ways to write a slot.
    pub(super) fn all(self, slot: Slot) -> BTreeSet<String> {
        let texts: Vec<String> = match slot {
            Slot::Number => (0..=MOST).flat_map(|number| [number.to_string(), self.name(number)]).collect(),
            Slot::Unit => {
                UNITS[self as usize].lines().flat_map(|line| line.split(',')).map(str::to_owned).collect()
            }
            Slot::Dice => self.all_dice(),
            Slot::Date => self.all_dates(),
        };
        texts.iter().flat_map(|text| [format!(" {text}"), format!(" {}", capital(text))]).collect()
    }

    fn all_dice(self) -> Vec<String> {
        let (letters, named) = [(["d", "D"], "dice"), (["w", "W"], "würfel")][self as usize];
        let many =
            (2..10).flat_map(|count| [format!("{count} {named}"), format!("{} {named}", self.name(count))]);
        let mut all: Vec<String> = many.collect();
        for (count, sides) in (0..MOST_DICE).flat_map(|count| SIDES.map(|sides| (count, sides))) {
            let (figure, word) = match count {
                0 => (String::new(), String::new()),
                count => (count.to_string(), format!("{} ", self.name(count))),
            };
            for letter in letters {
                all.extend([
                    format!("{figure}{letter}{sides}"),
                    format!("{figure} {letter}{sides}").trim_start().to_owned(),
                    format!("{word}{letter} {sides}"),
                    format!("{word}{letter} {}", self.name(sides)),
                ]);
            }
        }
        all
    }

    fn all_dates(self) -> Vec<String> {
        let at = self as usize;
        let mut all: Vec<String> = NAMED[at].iter().map(|day| (*day).to_owned()).collect();
        for day in WEEKDAYS[at].iter().map(|day| capital(day)) {
            all.extend(BEFORE_DAYS[at].iter().map(|before| format!("{before} {day}")));
            all.push(day);
        }
        for (month, day) in MONTHS[at].iter().flat_map(|month| (1..=31).map(|day| (capital(month), day))) {
            if self == Language::German {
                all.push(format!("{day}. {month}"));
                continue;
            }
            all.push(format!("{month} {day}"));
            for day in nth(day) {
                all.extend([
                    format!("{month} {day}"),
                    format!("{month} the {day}"),
                    format!("{day} {month}"),
                    format!("{day} of {month}"),
                    format!("the {day} {month}"),
                    format!("the {day} of {month}"),
                ]);
            }
        }
        all
    }

    /// A number of up to [`MOST`] in words.
    fn name(self, number: usize) -> String {
        let (small, tens) = (&SMALL[self as usize], &TENS[self as usize]);
        let of_tens = |number: usize| tens.get((number / 10).saturating_sub(2)).copied();
        match (number, number % 10, of_tens(number)) {
            (..20, ..) => small[number].to_owned(),
            (_, 0, Some(tens)) => tens.to_owned(),
            (_, one, Some(tens)) if self == Language::English => format!("{tens} {}", small[one]),
            (_, 1, Some(tens)) => format!("einund{tens}"),
            (_, one, Some(tens)) => format!("{}und{tens}", small[one]),
            (_, _, None) => ["one hundred", "hundert"][self as usize].to_owned(),
        }
    }
}

/// A day of a month in figures and in words.
fn nth(day: usize) -> [String; 2] {
    let end = match day {
        1 | 21 | 31 => "st",
        2 | 22 => "nd",
        3 | 23 => "rd",
        _ => "th",
    };
    let word = match day {
        21..30 => format!("twenty {}", ORDINALS[day - 21]),
        30 => "thirtieth".to_owned(),
        31 => "thirty first".to_owned(),
        day => ORDINALS[day - 1].to_owned(),
    };
    [format!("{day}{end}"), word]
}

/// With a capital letter.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
