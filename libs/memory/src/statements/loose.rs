//! Sentences that no form fits and that tell how something is all the same: `the toner for the second floor is a TN-2420`.

use language::terms::is_small;
use language::{Language, List, Statements, Words};

/// The fewest words of such a sentence.
const FEWEST: usize = 4;
/// From this number of words on a sentence tells more than a remark does.
const LONG: usize = 6;
/// What a sentence needs to count.
const ENOUGH: usize = 3;
/// What a figure, a day, or a name is worth; all else is worth one.
const CLEAR: usize = 2;

/// Whether a sentence tells how something is: it has a verb for that behind its first word, speaks neither to the program nor of a
/// guess or a feeling, and names enough by which it could be found again: figures, days, names, the person's own things.
pub(super) fn tells(words: &Words<'_>) -> bool {
    if words.len() < FEWEST {
        return false;
    }
    let first = words.norm(0);
    let is_article = is_one(first, |l| l.articles) && !is_one(words.norm(1), |l| l.tells);
    if is_one(first, |l| l.vague) && !is_article && !is_self(first) {
        return false;
    }
    let has = |at: usize, list: fn(&Statements) -> List<&'static str>| is_one(words.norm(at), list);
    let places = 0..words.len();
    let is_other = |at: usize| has(at, |l| l.addressed) || has(at, |l| l.remarks);
    // In a title or an order the verb stands first; `im` and the like are the person and the verb at once.
    let is_verb = |at: usize| has(at, |l| l.tells) && (at > 0 || is_self(first));
    if places.clone().any(is_other) || !places.clone().any(is_verb) {
        return false;
    }
    let is_clear = |at: usize| has_figure(words.norm(at)) || is_day(words.norm(at)) || is_name(words, at);
    let clear = places.clone().filter(|at| is_clear(*at)).count().min(CLEAR);
    let own = places.filter(|at| has(*at, |l| l.person) && !is_self(words.norm(*at))).count().min(1);
    let is_whose = words.raw(0).ends_with("'s") || words.raw(0).ends_with("’s");
    let begins = is_self(first) || has(0, |l| l.articles) || has(0, |l| l.person) || is_whose;
    let is_long = words.len() >= LONG;
    let said_twice = if says_who(words) { CLEAR } else { 0 };
    // Where something is, is what is looked for later.
    let is_placed = (1..words.len()).any(|at| language::restate::names_place(words.norm(at)));
    let more = [begins, is_long, is_placed].into_iter().filter(|is_so| *is_so).count();
    clear * CLEAR + own + said_twice + more >= ENOUGH
}

/// Whether a sentence has a verb that tells how something is, and is neither a feeling nor a guess nor said to the program.
pub(super) fn is_plain(words: &Words<'_>) -> bool {
    let has = |at: usize, list: fn(&Statements) -> List<&'static str>| is_one(words.norm(at), list);
    words.len() >= FEWEST
        && !(0..words.len()).any(|at| has(at, |l| l.addressed) || has(at, |l| l.remarks))
        && (1..words.len()).any(|at| has(at, |l| l.tells))
}

/// The most words that say who somebody is, between commas.
const MOST_OF_WHO: usize = 5;

/// Whether somebody is named twice, between commas, before the verb: `Marcus, that's my brother, is vegetarian`.
fn says_who(words: &Words<'_>) -> bool {
    let mut ends = (0..words.len() - 1).filter(|at| words.raw(*at).ends_with(','));
    let (Some(first), Some(second)) = (ends.next(), ends.next()) else { return false };
    first < 3 && second - first <= MOST_OF_WHO && is_one(words.norm(second + 1), |l| l.tells)
}

/// The fewest and the most words of an entry of a calendar.
const ENTRY: std::ops::RangeInclusive<usize> = 3..=8;

/// Whether some words are an entry of a calendar: a thing with a day of the week or of a month, and no verb, as in
/// `dentist for leo thursday 3pm`. A fact about tomorrow would be wrong the day after.
pub(super) fn is_entry(words: &Words<'_>) -> bool {
    let has = |word: &str, list: fn(&Statements) -> List<&'static str>| is_one(word, list);
    let is_thing = |word: &&str| {
        word.len() > 1
            && word.chars().all(char::is_alphabetic)
            && !is_day(word)
            && !is_small(word)
            && !language::names_time(word)
    };
    let is_other = |word: &str| {
        has(word, |l| l.addressed)
            || has(word, |l| l.remarks)
            || has(word, |l| l.vague)
            || has(word, |l| l.tells)
            || language::day(word).is_some()
    };
    ENTRY.contains(&words.len())
        && words.norms().any(is_day)
        && !words.norms().any(is_other)
        && (words.norms().next().as_ref().is_some_and(is_thing) || is_at_once(words, is_thing))
}

/// Whether a sentence lists entries of a calendar, each with its day: `gym on monday, library books friday`.
pub(super) fn are_entries(sentence: &str) -> bool {
    let parts: Vec<Words<'_>> =
        sentence.split(", ").map(|part| Words::spaced(part, language::terms::fold)).collect();
    parts.len() > 1
        && parts.iter().any(is_entry)
        && parts.iter().all(|part| ENTRY.contains(&part.len()) && part.norms().any(is_day))
}

/// Whether the day stands first, with its time: `friday 3pm dentist`.
fn is_at_once(words: &Words<'_>, is_thing: impl Fn(&&str) -> bool) -> bool {
    let mut norms = words.norms();
    norms.next().is_some_and(is_day)
        && norms.next().is_some_and(has_figure)
        && norms.last().as_ref().is_some_and(is_thing)
}

/// Whether a word is the person who does something.
fn is_self(word: &str) -> bool {
    is_one(word, |l| l.selves) && is_one(word, |l| l.person)
}

fn has_figure(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

fn is_day(word: &str) -> bool {
    let is_month = |word: &str| word.len() > 3 && language::month(word).is_some();
    // On Tuesdays as well.
    let each = || word.strip_suffix('s').is_some_and(|day| language::weekday(day).is_some());
    language::weekday(word).is_some() || each() || is_month(word)
}

/// Whether a word within a sentence begins with a capital letter where the language keeps those for names.
fn is_name(words: &Words<'_>, at: usize) -> bool {
    let raw = words.raw(at);
    let mut letters = raw.chars().filter(|c| c.is_alphabetic());
    let begins =
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase);
    let is_within = at > 0 && !words.raw(at - 1).ends_with(['.', '!', ':', '"']);
    let are_nouns = |language: Language| language.statements().noun_capitals;
    begins && is_within && !language::told(words.span(0..words.len())).is_some_and(are_nouns)
}

/// Whether a word is one of a list, in any language.
pub(super) fn is_one(word: &str, list: impl Fn(&Statements) -> List<&'static str>) -> bool {
    Language::all().any(|language| list(language.statements()).contains(word))
}
