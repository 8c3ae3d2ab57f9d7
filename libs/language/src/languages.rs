//! The languages, and what is asked of all of them: which one a line is in, which words stand for what.

use std::sync::OnceLock;

use crate::data::{self, Says, Statements};
use crate::fold;
use crate::packed::List;
use crate::start;
use crate::words::Words;

/// A language that there is a folder for.
#[derive(Clone, Copy)]
pub struct Language(&'static data::Data);

impl Language {
    /// The language that is taken when a line does not tell.
    pub const DEFAULT: Language = Language(&data::ALL[0]);

    /// Every language, the default first.
    pub fn all() -> impl DoubleEndedIterator<Item = Language> {
        data::all().iter().map(Language)
    }

    /// The code, as in `en`.
    pub fn code(self) -> &'static str {
        self.0.code
    }

    /// The language of that code.
    pub fn of_code(code: &str) -> Option<Language> {
        Language::all().find(|l| l.code() == code)
    }

    /// What the program says in it.
    pub fn says(self) -> &'static Says {
        &self.0.says
    }

    /// The days of the week, Monday first, and the months.
    pub fn calendar(self) -> (&'static [&'static str], &'static [&'static str]) {
        (self.0.weekdays, self.0.months)
    }

    /// What statements about the person who types look like in it.
    pub fn statements(self) -> &'static Statements {
        &self.0.statements
    }

    /// Whether numbers are written `2,5` and `1.000`.
    pub fn decimal_comma(self) -> bool {
        self.0.decimal_comma
    }

    pub(crate) fn of(data: &'static data::Data) -> Language {
        Language(data)
    }

    pub(crate) fn data(self) -> &'static data::Data {
        self.0
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.code() == other.code()
    }
}

impl Eq for Language {}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

/// Puts values in the places of `{name}`, once each; braces in a value stay what they are.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, from)) = rest.split_once('{') {
        filled.push_str(before);
        let value = from
            .split_once('}')
            .and_then(|(name, after)| Some((values.iter().find(|(known, _)| *known == name)?.1, after)));
        match value {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = from;
            }
        }
    }
    filled.push_str(rest);
    filled
}

/// The language of a line, recognised by its small words and its letters; when it does not tell, that of [`speak_as`] or else
/// [`Language::DEFAULT`].
pub fn detect(line: &str) -> Language {
    told(line).or_else(|| hinted(line)).unwrap_or_else(untold)
}

/// The language of the locale, if [`speak_as`] got one.
static SPOKEN: OnceLock<Language> = OnceLock::new();

/// Answers lines that do not tell their language in that of a locale, such as `de_DE.UTF-8`, if there is a file for it. The first call
/// of a process counts.
pub fn speak_as(locale: &str) {
    let code = locale.split(['_', '.', '@']).next().unwrap_or_default();
    if let Some(language) = Language::of_code(code) {
        SPOKEN.get_or_init(|| language);
    }
}

fn untold() -> Language {
    SPOKEN.get().copied().unwrap_or(Language::DEFAULT)
}

/// The language of the first line that tells one clearly: a line, and those before it.
pub fn detect_among<'a>(lines: impl IntoIterator<Item = &'a str>) -> Language {
    let lines: Vec<&str> = lines.into_iter().collect();
    let mut all = lines.iter().map(|line| told(line));
    // `a`, `no` and `do` are words of dialects as well: where the talk is in another language, the line is too.
    let own = all.next().flatten().filter(|own| has_long_marker(lines[0], *own));
    let clear = own.or_else(|| all.flatten().next()).or_else(|| told(lines.first()?));
    clear.or_else(|| lines.iter().find_map(|line| hinted(line))).unwrap_or_else(untold)
}

/// The language that has more words and letters of a line's beginning than any other.
pub fn told(line: &str) -> Option<Language> {
    let pieces: Vec<&str> = line.split_whitespace().take(TELLING).collect();
    let norms: Vec<String> = pieces.iter().map(|piece| fold::word(piece)).collect();
    most(|l| {
        let words = norms.iter().filter(|n| l.0.markers.contains(n)).count();
        let letters = pieces.iter().any(|piece| piece.to_lowercase().contains(|c| l.0.letters.contains(c)));
        words + LETTER * usize::from(letters)
    })
}

/// Whether a line has a word of three letters or more, or a letter, that tells this language.
fn has_long_marker(line: &str, language: Language) -> bool {
    let mut words = line.split_whitespace().take(TELLING).map(fold::word);
    words.any(|word| word.len() > 2 && language.0.markers.contains(&word))
        || line.to_lowercase().contains(|c| language.0.letters.contains(c))
}

/// How many words of a line tell its language: a line is asked for it dozens of times, and may have a megabyte.
const TELLING: usize = 200;

/// A letter that only one language writes tells as much as this number of small words.
const LETTER: usize = 2;

/// How many words of a line are held against those of all patterns.
const HINTS: usize = 40;

/// The language whose sentence patterns hold more words of a line's beginning than those of any other.
fn hinted(line: &str) -> Option<Language> {
    let words = line.split_whitespace().map(fold::word).filter(|word| word.len() > 2);
    let hashes: Vec<u32> = words.take(HINTS).map(|word| start::hash(&word)).collect();
    most(|l| {
        let is_known = |hash: &&u32| l.0.literals().binary_search(hash).is_ok();
        hashes.iter().filter(is_known).count()
            + LETTER * usize::from(l.decimal_comma() && has_decimal_comma(line))
    })
}

/// Whether a number stands in a line that is written `2,5`; `1,000` is not one.
fn has_decimal_comma(line: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    line.match_indices(',').any(|(at, _)| {
        let behind = line[at + 1..].chars().take_while(|c| is_digit(*c)).count();
        line[..at].ends_with(is_digit) && (1..=2).contains(&behind)
    })
}

/// The language for which something counts most; nothing where two are equal.
fn most(count: impl Fn(Language) -> usize) -> Option<Language> {
    let counts: Vec<(usize, Language)> = Language::all().map(|l| (count(l), l)).collect();
    let best = counts.iter().map(|(count, _)| *count).max().filter(|most| *most > 0)?;
    let mut found = counts.iter().filter(|(count, _)| *count == best).map(|(_, l)| *l);
    found.next().filter(|_| found.next().is_none())
}

/// The sentence with which the companion offers to ask for an ability.
pub fn gap(language: Language) -> &'static str {
    language.says().gap
}

/// Whether a text of the assistant offers to learn: a yes to it is a wish.
pub fn offers_to_learn(text: &str) -> Option<Language> {
    let exact = Language::all().find(|l| text.contains(gap(*l)));
    let in_words = || {
        let lower = text.to_lowercase();
        let asks = text.trim_end().ends_with('?');
        Language::all().find(|l| asks && l.0.offers.iter().any(|words| lower.contains(words)))
    };
    exact.or_else(in_words)
}

/// Whether a text of the assistant says that it has no answer or cannot do it, or offers to ask for the ability.
pub fn is_no_answer(text: &str) -> bool {
    let says = |l: Language| {
        let says = l.says();
        [
            says.unknown,
            says.unknown_again,
            says.unknown_still,
            says.heard,
            says.heard_again,
            says.unknown_question,
            says.unknown_question_again,
            says.nothing_known,
            says.nothing_at_all,
            says.no_sound,
            says.no_mail,
            says.no_timer,
            says.no_translate,
            says.no_web,
            says.no_order,
            says.no_devices,
            says.no_delete,
            says.advice,
        ]
    };
    // What could be learned begins as the offer does.
    let lacks = |l: Language| l.says().gap.split_once(". ").is_some_and(|(lacks, _)| text.starts_with(lacks));
    let asks = |l: Language| {
        let around = l.says().do_you_mean.split_once("{line}");
        around.is_some_and(|(before, behind)| text.starts_with(before) && text.ends_with(behind))
    };
    Language::all().any(|l| says(l).contains(&text) || lacks(l) || asks(l)) || offers_to_learn(text).is_some()
}

/// The line as it is, and without the politeness around it; empty for a line without words or with too many.
pub fn readings(line: &str) -> Vec<Words<'_>> {
    let Some(words) = Words::of(line, expansion(line)).filter(|words| !words.is_empty()) else {
        return Vec::new();
    };
    let stripped = without(&words, |d| d.lead, |d| d.trail);
    std::iter::once(words).chain(stripped).collect()
}

/// The line without all that may stand around a request, for one that nothing takes as it is.
pub fn loose_reading(line: &str) -> Option<Words<'_>> {
    let words = Words::of(line, expansion(line)).filter(|words| !words.is_empty())?;
    let polite = without(&words, |d| d.lead, |d| d.trail).unwrap_or(words.clone());
    let bare = without(&polite, |d| d.loose, |d| d.loose);
    // What was hidden behind it: `sag mal, kannst du bitte ...`.
    let bare = bare.map(|bare| without(&bare, |d| d.lead, |d| d.trail).unwrap_or(bare));
    bare.map(|bare| without(&bare, |d| d.loose, |d| d.loose).unwrap_or(bare))
}

/// The words of a line without those that add nothing, wherever they stand; `None` where there are none, or no others.
pub fn without_fillers(line: &str) -> Option<String> {
    let words = Words::of(line, expansion(line))?;
    let is_filler = |norm: &&str| data::all().iter().any(|d| d.fillers.contains(norm));
    let kept: Vec<&str> = words.norms().filter(|norm| !is_filler(norm)).collect();
    let mark = if line.trim_end().ends_with('?') { "?" } else { "" };
    (!kept.is_empty() && kept.len() < words.len()).then(|| kept.join(" ") + mark)
}

/// A line without some phrases at its beginning and its end; `None` where there are none.
fn without<'a>(
    words: &Words<'a>,
    leads: impl Fn(&'static data::Data) -> List<List<&'static str>>,
    trails: impl Fn(&'static data::Data) -> List<List<&'static str>>,
) -> Option<Words<'a>> {
    let (mut from, mut to) = (0, words.len());
    // A few rounds: `hey, please can you ...`.
    for _ in 0..6 {
        let lead = longest(data::all().iter().flat_map(&leads), |phrase| {
            from + phrase.len() < to && words.has_at(from, phrase)
        });
        let trail = longest(data::all().iter().flat_map(&trails), |phrase| {
            from + lead + phrase.len() < to && words.has_at(to - phrase.len(), phrase)
        });
        if lead + trail == 0 {
            break;
        }
        from += lead;
        to -= trail;
    }
    (from > 0 || to < words.len()).then(|| words.slice(from..to))
}

fn longest(
    phrases: impl Iterator<Item = List<&'static str>>,
    fits: impl Fn(List<&'static str>) -> bool,
) -> usize {
    phrases.filter(|p| fits(*p)).map(List::len).max().unwrap_or(0)
}

/// What a contraction stands for in a line, in any language; what is a word of another language, such as `im`, only in its own.
pub(crate) fn expansion(line: &str) -> impl Fn(&str) -> Option<List<&'static str>> + '_ {
    move |norm| {
        let (own, parts) = data::all().iter().find_map(|d| Some((d, d.contractions.get(norm)?)))?;
        let is_word = data::all().iter().any(|d| d.code != own.code && d.markers.contains(norm));
        let is_own = || told(line).is_none_or(|told| told.code() == own.code);
        (!is_word || is_own()).then_some(parts)
    }
}

/// The word for which another often stands by a slip of the finger, or as its short form, in any language: `tomorow`.
pub fn spelt(norm: &str) -> Option<&'static str> {
    let parts = data::all().iter().find_map(|d| d.contractions.get(norm))?;
    if parts.len() == 1 { parts.iter().next() } else { None }
}

/// A small number in words, in any language.
pub(crate) fn number_word(norm: &str) -> Option<i64> {
    data::all().iter().find_map(|d| d.numbers.get(norm)?.parse().ok())
}

/// Yes or no as a setting, in any language.
pub(crate) fn boolean(norm: &str) -> Option<bool> {
    data::all().iter().find_map(|d| d.booleans.get(norm)?.parse().ok())
}

/// The zone of a place that is not called after it, in any language: `tokio` is `Asia/Tokyo`.
pub fn place(name: &str) -> Option<&'static str> {
    let name = crate::terms::fold(name);
    data::all().iter().find_map(|d| d.places.get(&name))
}

/// What a word, or a few of them, mean in a sum, in signs.
pub(crate) fn in_sum(words: &str) -> Option<&'static str> {
    data::all().iter().find_map(|d| d.sums.get(words))
}

/// What a word, or a few of them, mean in a question for an amount: the sign of a unit, a fraction, or nothing.
pub(crate) fn in_measure(words: &str) -> Option<&'static str> {
    data::all().iter().find_map(|d| d.measures.get(words))
}

/// Whether a line begins as a question for a sum does: `what is`, `wieviel ist`.
pub(crate) fn asks_for_sum(line: &str) -> bool {
    readings(line).iter().any(|words| {
        words.len() > 2
            && data::all().iter().any(|d| d.questions.contains(words.norm(0)))
            && in_sum(words.norm(0)) == Some("")
    })
}

/// Whether a text begins with somebody who does something: `i bet you don't know it`, `my teacher says so`.
pub(crate) fn begins_remark(text: &str) -> bool {
    let first = text.split_whitespace().next().map(fold::word).unwrap_or_default();
    data::all().iter().any(|d| d.subjects.contains(&first) || d.statements.person.contains(&first))
}

/// A number in figures or, where it is small, in words, in any language.
pub fn number(word: &str) -> Option<i64> {
    word.parse().ok().or_else(|| number_word(word))
}

/// What words for a span of time or a time of day mean, as the tables of the languages say it; nothing for words around them.
pub fn span(words: &str) -> Option<&'static str> {
    data::all().iter().find_map(|d| d.spans.get(words))
}

/// The day of the year that a name means, as in `12-25`, in any language.
pub fn feast(name: &str) -> Option<&'static str> {
    data::all().iter().find_map(|d| d.feasts.get(name))
}

/// What a part of a day means, as in `8 h`, or a small word around a moment: `at`, `in`, `for` and `to` as they are in English,
/// `every`, `daily`, `clock` behind an hour, `s` for seconds, and `week` with the days of a week as bits, 1 for Monday.
pub fn moment(word: &str) -> Option<&'static str> {
    data::all().iter().find_map(|d| d.moments.get(word))
}

/// The month that a word names, 1 for January, in any language; its first three letters do.
pub fn month(word: &str) -> Option<i8> {
    let word = crate::terms::fold(word);
    let is = |month: &str| {
        let month = crate::terms::fold(month);
        month == word || word.len() >= 3 && month.starts_with(&word)
    };
    let at = data::all().iter().find_map(|d| d.months.iter().position(|month| is(month)))?;
    i8::try_from(at + 1).ok()
}

/// A line that asks what an amount is and leaves the unit open, with the unit of the system that the person prefers; the
/// first of the preferences that names a system counts.
pub fn with_unit(line: &str, preferences: &[String]) -> Option<String> {
    /// The most words of such a preference.
    const MOST_WORDS: usize = 6;
    let is_short = |text: &&String| text.split_whitespace().count() <= MOST_WORDS;
    let preferred = |text: &String| {
        let words: Vec<String> = text.split_whitespace().map(fold::word).collect();
        let names = |system: &str| words.iter().any(|word| word.starts_with(system));
        data::all().iter().flat_map(|d| d.units).map(|(system, _)| system).find(|system| names(system))
    };
    let system = preferences.iter().filter(is_short).find_map(preferred)?;
    let words: Vec<String> = line.split_whitespace().map(fold::word).collect();
    let has_amount = words.iter().any(|word| word.bytes().any(|byte| byte.is_ascii_digit()));
    let tables = data::all().iter().flat_map(|d| d.units).filter(|(other, _)| *other == system);
    let unit = tables.filter_map(|(_, table)| words.iter().find_map(|word| table.get(word))).next()?;
    let bare = line.trim_end().trim_end_matches(['?', '!', '.']);
    has_amount.then(|| format!("{bare} in {unit}"))
}

/// How many days after today a word such as `tomorrow`, or a phrase such as `in two weeks`, names, in any language.
pub fn day(text: &str) -> Option<i64> {
    let mut times = 1;
    let mut counted = |word: &str| match word.parse().ok().or_else(|| number_word(word)) {
        Some(number) => {
            times = number;
            "#".to_owned()
        }
        None => word.to_owned(),
    };
    let text: Vec<String> = crate::terms::fold(text).split(' ').map(&mut counted).collect();
    let days: i64 = data::all().iter().find_map(|d| d.days.get(&text.join(" "))?.parse().ok())?;
    days.checked_mul(times)
}

/// The day of the week that a word names, 0 for Monday, in any language.
pub fn weekday(word: &str) -> Option<usize> {
    let word = crate::terms::fold(word);
    data::all().iter().find_map(|d| d.weekdays.iter().position(|day| crate::terms::fold(day) == word))
}

/// Whether any wish may contain a word, so that it says nothing of what is wished for, in any language.
pub fn is_common(word: &str) -> bool {
    data::COMMON.binary_search(&fold::word(word).as_str()).is_ok()
}

/// Whether a word joins a line to the one before, such as `and`, in any language.
pub fn joins(word: &str) -> bool {
    is_and(&fold::word(word))
}

/// Whether a word divides the entries of a list, in any language.
pub(crate) fn is_and(norm: &str) -> bool {
    data::all().iter().any(|d| d.and.contains(norm))
}
