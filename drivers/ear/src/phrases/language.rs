//! The languages whose transcripts are read: how their numbers, days and units are said.

/// A language that is understood.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// English.
    #[default]
    #[value(name = "en")]
    English,
    /// German.
    #[value(name = "de")]
    German,
}

/// Words that a transcript has or lacks without another meaning.
const FILLERS: [&[&str]; 2] = [
    &["a", "an", "the", "please", "so", "well", "oh", "uh", "um", "okay", "ok", "and", "now"],
    &[
        "ein", "eine", "einen", "einem", "einer", "der", "die", "das", "den", "dem", "bitte", "mal", "äh",
        "ähm", "so", "na", "und", "also", "okay",
    ],
];
/// Contractions, and what they are in full.
pub(super) const SHORT: [&[(&str, &str)]; 2] = [
    &[
        ("i'm", "i am"),
        ("it's", "it is"),
        ("let's", "let us"),
        ("what's", "what is"),
        ("who's", "who is"),
        ("how's", "how is"),
        ("where's", "where is"),
        ("when's", "when is"),
        ("that's", "that is"),
        ("there's", "there is"),
        ("he's", "he is"),
        ("she's", "she is"),
        ("you're", "you are"),
        ("we're", "we are"),
        ("they're", "they are"),
        ("i'd", "i would"),
        ("i'll", "i will"),
        ("i've", "i have"),
        ("don't", "do not"),
        ("doesn't", "does not"),
        ("isn't", "is not"),
        ("can't", "can not"),
        ("cannot", "can not"),
    ],
    &[
        ("gibt's", "gibt es"),
        ("gibts", "gibt es"),
        ("geht's", "geht es"),
        ("gehts", "geht es"),
        ("wie's", "wie es"),
        ("hab", "habe"),
        ("wieviel", "wie viel"),
        ("wieviele", "wie viele"),
        ("uhrzeit", "uhrzeit"),
    ],
];
/// Signs, and the words that they stand for.
pub(super) const SIGNS: [&[(char, &str)]; 2] = [
    &[
        ('%', "percent"),
        ('+', "plus"),
        ('×', "times"),
        ('*', "times"),
        ('÷', "divided by"),
        ('&', "and"),
        ('=', "is"),
    ],
    &[
        ('%', "prozent"),
        ('+', "plus"),
        ('×', "mal"),
        ('*', "mal"),
        ('÷', "geteilt durch"),
        ('&', "und"),
        ('=', "ist"),
    ],
];
const MINUS: [&str; 2] = ["minus", "minus"];
const TIMES: [&str; 2] = ["times", "mal"];

/// Numbers below twenty, and the tens from twenty on.
pub(super) const SMALL: [[&str; 20]; 2] = [
    [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ],
    [
        "null",
        "eins",
        "zwei",
        "drei",
        "vier",
        "fünf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
        "elf",
        "zwölf",
        "dreizehn",
        "vierzehn",
        "fünfzehn",
        "sechzehn",
        "siebzehn",
        "achtzehn",
        "neunzehn",
    ],
];
pub(super) const TENS: [[&str; 8]; 2] = [
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
    ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"],
];
/// The ends of ordinals in figures.
const ENDS: [&str; 4] = ["st", "nd", "rd", "th"];
/// The days of a month.
pub(super) const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];
pub(super) const MONTHS: [[&str; 12]; 2] = [
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ],
    [
        "januar",
        "februar",
        "märz",
        "april",
        "mai",
        "juni",
        "juli",
        "august",
        "september",
        "oktober",
        "november",
        "dezember",
    ],
];
pub(super) const WEEKDAYS: [&[&str]; 2] = [
    &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    &["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag"],
];
/// Days that have a name.
pub(super) const NAMED: [&[&str]; 2] = [
    &["today", "tomorrow", "yesterday", "christmas", "christmas eve", "halloween"],
    &[
        "heute",
        "morgen",
        "übermorgen",
        "gestern",
        "weihnachten",
        "heiligabend",
        "silvester",
        "neujahr",
        "ostern",
    ],
];
/// Words before a weekday.
pub(super) const BEFORE_DAYS: [&[&str]; 2] = [&["next", "on"], &["nächsten", "nächster", "am", "kommenden"]];
/// Units that skills convert; the first word of a line is what comes out of the others.
pub(super) const UNITS: [&str; 2] = [
    "celsius,c\nfahrenheit,f\nkelvin\nmillimeters,mm,millimeter,millimetres\ncentimeters,cm,centimetres\n\
     centimeter,centimetre\nmeters,metres\nmeter,metre,m\nkilometers,km,kilometres\nkilometer,kilometre\ninches\ninch\n\
     feet,ft\nfoot\nyards\nyard\nmiles\nmile\ngrams\ngram,g\nkilograms,kg\nkilogram\nkilos\npounds,lb,lbs\npound\nounces,oz\n\
     ounce\nmilliliters,ml,millilitres\nliters,litres\nliter,litre,l\ngallons\ngallon\npints\npint\ncups\ncup\nseconds\nminutes\nhours\n\
     days\nweeks",
    "celsius,c\nfahrenheit,f\nkelvin\nmillimeter,mm\nzentimeter,cm\nmeter,metern,m\nkilometer,kilometern,km\nzoll\nfuß,fuss\n\
     yards,yard\nmeilen,meile\ngramm,g\nkilogramm,kg\nkilo\npfund\nunzen,unze\nmilliliter,ml\nliter,litern,l\ngallonen,gallone\n\
     tassen,tasse\nsekunden\nminuten\nstunden\ntage,tagen\nwochen",
];

impl Language {
    /// Its code, as in `en`.
    pub fn code(self) -> &'static str {
        ["en", "de"][self as usize]
    }

    /// How a service names it.
    pub fn tag(self) -> &'static str {
        ["en-US", "de-DE"][self as usize]
    }

    /// How many words of a sentence are wrong in a transcript, and how many it has.
    pub fn errors(self, sentence: &str, transcript: &str) -> (usize, usize) {
        let (said, heard) = (self.words(sentence), self.words(transcript));
        (super::nearest::distance(&said, &heard), said.len())
    }

    /// Whether a word says nothing.
    pub(super) fn is_filler(self, word: &str) -> bool {
        FILLERS[self as usize].contains(&word)
    }

    /// The words of a text, as they are compared: without case and marks, in full, and numbers in figures. What stands in brackets was
    /// not said.
    pub(super) fn words(self, text: &str) -> Vec<String> {
        let mut plain = String::with_capacity(text.len() + 16);
        let mut depth = 0_usize;
        let signs = SIGNS[self as usize];
        let chars: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
        for (at, sign) in chars.iter().enumerate() {
            let (before, after) = (at.checked_sub(1).and_then(|at| chars.get(at)), chars.get(at + 1));
            match *sign {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                '\'' | '’' => plain.push('\''),
                '-' | '–' | '−'
                    if before.is_some_and(|c| c.is_whitespace())
                        && after.is_some_and(|c| c.is_whitespace() || c.is_ascii_digit()) =>
                {
                    plain.push_str(&format!(" {} ", MINUS[self as usize]));
                }
                // 7-3 is a difference; three-d-six is not.
                '-' | '–' | '−'
                    if before.is_some_and(char::is_ascii_digit)
                        && after.is_some_and(char::is_ascii_digit) =>
                {
                    plain.push_str(&format!(" {} ", MINUS[self as usize]));
                }
                'x' if is_between_figures(&chars, at) => {
                    plain.push_str(&format!(" {} ", TIMES[self as usize]))
                }
                '.' | ','
                    if before.is_some_and(char::is_ascii_digit)
                        && after.is_some_and(char::is_ascii_digit) =>
                {
                    // A point in a number stays; a comma of thousands goes.
                    let is_point = (*sign == '.') == (self == Language::English);
                    plain.extend(is_point.then_some(*sign));
                }
                sign if sign.is_alphanumeric() => plain.push(sign),
                sign => match signs.iter().find(|(one, _)| *one == sign) {
                    Some((_, word)) => plain.push_str(&format!(" {word} ")),
                    None => plain.push(' '),
                },
            }
        }
        let mut words = Vec::new();
        for word in plain.split_whitespace() {
            let word = word.trim_matches('\'');
            let full =
                SHORT[self as usize].iter().find(|(short, _)| *short == word).map_or(word, |(_, full)| full);
            words.extend(full.split(' ').filter(|word| !word.is_empty()).map(|word| self.figure(word)));
        }
        words
    }

    /// A word as it is compared: a number in figures, where it is one.
    fn figure(self, word: &str) -> String {
        self.number(word).map_or_else(|| word.to_owned(), |number| number.to_string())
    }

    /// The number below a hundred that one word is.
    fn number(self, word: &str) -> Option<usize> {
        let (small, tens) = (&SMALL[self as usize], &TENS[self as usize]);
        let at = |list: &[&str], word: &str| list.iter().position(|one| *one == word);
        if let Some(number) = at(small, word) {
            return Some(number);
        }
        if let Some(tens) = at(tens, word) {
            return Some((tens + 2) * 10);
        }
        if self != Language::German {
            return None;
        }
        if matches!(word, "hundert" | "einhundert") {
            return Some(100);
        }
        // `fünfundzwanzig`.
        let (one, ten) = word.split_once("und")?;
        let one = if one == "ein" { 1 } else { at(&small[..10], one)? };
        Some((at(tens, ten)? + 2) * 10 + one)
    }

    /// The number that these words are, in figures.
    pub(super) fn figures(self, words: &[&str]) -> Option<String> {
        let plain = |word: &str| word.parse::<u32>().ok().filter(|_| word.len() <= 6);
        match words {
            // `1.5` and `1,5`.
            [word] if word.contains(['.', ',']) => {
                let (whole, part) = word.split_once(['.', ','])?;
                (plain(whole).is_some() && plain(part).is_some()).then(|| (*word).to_owned())
            }
            [word] if plain(word).is_some() => plain(word).map(|number| number.to_string()),
            ["hundred"] => Some("100".to_owned()),
            ["1" | "a", "hundred"] => Some("100".to_owned()),
            ["ein" | "eine" | "einen" | "einer" | "einem"] if self == Language::German => {
                Some("1".to_owned())
            }
            // What sounds like a number.
            ["to" | "too"] if self == Language::English => Some("2".to_owned()),
            ["for"] if self == Language::English => Some("4".to_owned()),
            ["won"] if self == Language::English => Some("1".to_owned()),
            ["ate"] if self == Language::English => Some("8".to_owned()),
            [tens, ones] => {
                let (tens, ones) = (plain(tens)?, plain(ones)?);
                let is_one = (20..100).contains(&tens) && tens % 10 == 0 && (1..10).contains(&ones);
                (is_one && self == Language::English).then(|| (tens + ones).to_string())
            }
            _ => None,
        }
    }

    /// The day of a month that these words are.
    fn nth(self, words: &[&str]) -> Option<usize> {
        let day = |word: &str| -> Option<usize> {
            let word = match self {
                Language::English => ENDS.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word),
                Language::German => word,
            };
            word.parse().ok()
        };
        let named = |word: &str| match self {
            Language::English => ORDINALS.iter().position(|one| *one == word).map(|at| at + 1),
            // `dritten`, `einundzwanzigsten`.
            Language::German => {
                let stem = ["sten", "ste", "ten", "te"].iter().find_map(|end| word.strip_suffix(end))?;
                match stem {
                    "ers" => Some(1),
                    "drit" => Some(3),
                    "sieb" => Some(7),
                    "ach" => Some(8),
                    stem => self.number(stem),
                }
            }
        };
        let found = match words {
            ["thirtieth"] => Some(30),
            [word] => day(word).or_else(|| named(word)),
            [tens @ ("20" | "30"), ones] => {
                Some(day(tens)? + day(ones).or_else(|| named(ones)).filter(|day| *day < 10)?)
            }
            _ => None,
        };
        found.filter(|day| (1..=31).contains(day))
    }

    /// The day that these words are.
    pub(super) fn date(self, words: &[&str]) -> Option<String> {
        let whole = words.join(" ");
        if NAMED[self as usize].contains(&whole.as_str()) {
            return Some(whole);
        }
        let weekdays = WEEKDAYS[self as usize];
        match words {
            [day] if weekdays.contains(day) => return Some(whole),
            [before, day] if weekdays.contains(day) && BEFORE_DAYS[self as usize].contains(before) => {
                return Some(whole);
            }
            _ => {}
        }
        let months = &MONTHS[self as usize];
        let is_small = |word: &&&str| !matches!(**word, "the" | "of" | "der" | "dem" | "den" | "am" | "zum");
        let words: Vec<&str> = words.iter().filter(is_small).copied().collect();
        let (month, day) = match words.as_slice() {
            [month, day @ ..] if months.contains(month) => (month, day),
            [day @ .., month] if months.contains(month) => (month, day),
            _ => return None,
        };
        self.nth(day).map(|day| format!("{day} {month}"))
    }

    /// The dice that these words are.
    pub(super) fn dice(self, words: &[&str]) -> Option<String> {
        let (sign, named): (&[&str], &[&str]) = match self {
            Language::English => (&["d", "dee"], &["dice"]),
            Language::German => (&["w", "d", "we"], &["würfel", "würfeln"]),
        };
        match words {
            [count, name] if named.contains(name) => {
                let count =
                    self.figures(&[count])?.parse::<u32>().ok().filter(|count| (2..10).contains(count))?;
                return Some(format!("{count} {name}"));
            }
            _ => {}
        }
        // `3d6`, `d20`, `3 d 6`, `3 d6`, `3d 6`.
        let joined = words.concat();
        let letter = joined.find(|c: char| !c.is_ascii_digit())?;
        let (count, rest) = joined.split_at(letter);
        let sides = sign.iter().find_map(|sign| rest.strip_prefix(sign))?;
        let count = if count.is_empty() { String::new() } else { count.parse::<u32>().ok()?.to_string() };
        let sides = match sides {
            "1hundred" => 100,
            sides => sides.parse::<u32>().ok()?,
        };
        let letter = if self == Language::German { "w" } else { "d" };
        (matches!(sides, 4 | 6 | 8 | 10 | 12 | 20 | 100) && count != "0" && count.len() < 3)
            .then(|| format!("{count}{letter}{sides}"))
    }

    /// The unit that a word is.
    pub(super) fn unit(self, word: &str) -> Option<String> {
        UNITS[self as usize].lines().find_map(|line| {
            let mut names = line.split(',');
            let first = names.next()?;
            (word == first || names.any(|name| name == word)).then(|| first.to_owned())
        })
    }
}

/// Whether a letter stands between figures, as in `6 x 7` and `6x7`.
fn is_between_figures(chars: &[char], at: usize) -> bool {
    let is_figure = |c: Option<&char>| c.is_some_and(char::is_ascii_digit);
    let before = chars[..at].iter().rev().find(|c| !c.is_whitespace());
    let after = chars[at + 1..].iter().find(|c| !c.is_whitespace());
    is_figure(before) && is_figure(after)
}
