//! A told fact with another value: `no, it's 14` behind `the wine fridge should be at 12 degrees`.

use crate::fold;
use crate::intent::correction;
use crate::languages::{self, Language};
use crate::packed::List;
use crate::restate::names_place;

/// The most words of a line that puts something right.
const MOST_WORDS: usize = 14;
/// The most words of a bare value behind a `no`.
const MOST_BARE: usize = 4;
/// The most things that are said before it, as in `no, sorry, ...`.
const MOST_DENIALS: usize = 4;

/// What a fact becomes by a line that puts it right; nothing where the line does not, or leaves open what it changes.
pub fn corrected(line: &str, fact: &str) -> Option<String> {
    if line.split_whitespace().count() > MOST_WORDS || line.trim_end().ends_with('?') {
        return None;
    }
    let (rest, denied) = without_denials(line);
    // `hang on, make the alarm 10:45` orders something.
    if crate::intent::looks_like_request(rest) {
        return None;
    }
    let (value, needs_no) = match correction(rest) {
        Some(found) => found,
        None if denied && is_bare_value(rest) => (rest.to_owned(), true),
        None => return None,
    };
    let (of, value) = value.split_once(OF).map_or((None, value.as_str()), |(of, value)| (Some(of), value));
    // `Friday, not Thursday` and `not Thursday but Friday` name the old value.
    let (value, old) = value.split_once(OLD).map_or((value, None), |(new, old)| (new, Some(old)));
    let value = value.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '!' | ',' | ';' | '"'));
    let value = until_now(value).unwrap_or(value);
    let value = without_sorry(value);
    let words: Vec<&str> = fact.split_whitespace().collect();
    if value.is_empty() {
        return None;
    }
    if let Some(old) = old {
        return in_place_of(&words, old, value);
    }
    let by_kind = by_kind(&words, value);
    // `the cat is 3` says nothing of a dog, and `the party is at 5` nothing of a dentist; behind a `no`, `the appointment is at 3`
    // puts right when something is.
    let is_named = of.is_none_or(|of| {
        let head = fold::word(of.split_whitespace().next_back().unwrap_or_default());
        words.iter().any(|word| fold::word(word) == head)
    });
    let is_placed = || names_place(&fold::word(value.split_whitespace().next().unwrap_or_default()));
    if !(is_named || denied && is_placed()) {
        return None;
    }
    let may_be_any = is_named && (denied || !needs_no);
    by_kind.or_else(|| may_be_any.then(|| behind_link(&words, value)).flatten()).filter(|new| new != fact)
}

/// Whether some words are a value by their form: with a figure or a day, with a preposition before them, or with a capital.
fn is_bare_value(words: &str) -> bool {
    let first = fold::word(words.split_whitespace().next().unwrap_or_default());
    words.split_whitespace().count() <= MOST_BARE
        // A sentence is about something of its own.
        && !words.split_whitespace().any(|word| is_link(&fold::word(word)) && !names_place(&fold::word(word)))
        && (words.starts_with(char::is_uppercase)
            || names_place(&first)
            || words.split_whitespace().any(|word| kind_of(word).is_some()))
}

/// Stands between the new value and the old one where a pattern takes both.
const OLD: &str = " <- ";

/// What stands before `now` at the end of a text.
fn until_now(text: &str) -> Option<&str> {
    let (before, last) = text.trim_end_matches(['.', '!', ',']).rsplit_once(' ')?;
    let last = fold::word(last);
    Language::all().any(|l| l.statements().idle.contains(&last)).then_some(before)
}

/// A value without the `sorry` behind it.
fn without_sorry(value: &str) -> &str {
    let last = |value: &str| value.rsplit_once(' ').map(|(_, last)| fold::word(last));
    let is_denial = |last: String| {
        let all = Language::all().flat_map(|language| language.statements().denials);
        all.into_iter().any(|denial| denial.len() == 1 && denial.iter().next() == Some(&*last))
    };
    if last(value).is_some_and(is_denial) {
        value.rsplit_once(' ').map_or(value, |(value, _)| value)
    } else {
        value
    }
}

/// A statement that takes the place of another about the same, in the words of the other: `max is 10 now` makes `my son Max is 10`
/// of `my son Max is 9`. Nothing where it neither denies the other nor says that it is so now.
pub fn in_its_words(line: &str, new: &str, fact: &str) -> Option<String> {
    let (_, denied) = without_denials(line);
    let until = until_now(new);
    if !denied && until.is_none() {
        return None;
    }
    let new = until.unwrap_or(new);
    let words = |text: &'_ str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (new, old) = (words(new), words(fact));
    let link = |words: &[String]| words.iter().position(|word| is_link(&fold::word(word)));
    let (Some(at), Some(behind)) = (link(&old), link(&new)) else { return Some(new.join(" ")) };
    let is_now = |word: &&String| Language::all().any(|l| l.statements().idle.contains(&fold::word(word)));
    let value = new[behind + 1..].iter().skip_while(is_now);
    Some(old[..=at].iter().chain(value).cloned().collect::<Vec<_>>().join(" "))
}

/// A fact as a line tells it anew with one other figure, day or month, where the line denies something or says that it is so now:
/// `sorry i meant mia has recorder on fridays now, they moved it` behind `mia has recorder on thursdays`.
pub fn told_anew(line: &str, fact: &str) -> Option<String> {
    if line.trim_end().ends_with('?') {
        return None;
    }
    let (rest, denied) = without_denials(line);
    let meant = behind_afterthought(rest);
    let first = crate::intent::clauses(meant.unwrap_or(rest)).into_iter().next()?;
    let until = until_now(first);
    if !denied && meant.is_none() && until.is_none() {
        return None;
    }
    let new: Vec<&str> = until.unwrap_or(first).split_whitespace().collect();
    let old: Vec<&str> = fact.split_whitespace().collect();
    let mut others = new.iter().zip(&old).filter(|(new, old)| fold::word(new) != fold::word(old));
    let (value, was) = others.next().filter(|_| new.len() == old.len() && new.len() >= LEAST_TOLD_ANEW)?;
    let is_other = others.next().is_none() && kind_of(value).is_some_and(|kind| kind_of(was) == Some(kind));
    is_other.then(|| new.join(" ").trim_end_matches(['.', '!', ',', ';']).to_owned())
}

/// The fewest words of such a fact.
const LEAST_TOLD_ANEW: usize = 4;

/// What stands behind `i meant` and the like at the beginning of a line.
fn behind_afterthought(line: &str) -> Option<&str> {
    let mut phrases = Language::all().flat_map(|language| language.data().afterthoughts);
    phrases.find_map(|phrase| {
        let mut rest = line;
        for part in phrase.iter() {
            let (word, behind) = rest.split_once(char::is_whitespace)?;
            rest = (fold::word(word) == part).then(|| behind.trim_start())?;
        }
        Some(rest)
    })
}

/// Stands between what a pattern says it is about and the new value.
const OF: &str = " -> ";

/// A line without `no`, `oops`, `sorry` and the like before it, and whether there was any.
pub(crate) fn without_denials(line: &str) -> (&str, bool) {
    let (mut rest, mut denied) = (line.trim(), false);
    for _ in 0..MOST_DENIALS {
        let words: Vec<(usize, String)> = rest
            .split_whitespace()
            .map(|word| {
                (
                    word.as_ptr() as usize - rest.as_ptr() as usize + word.len(),
                    fold::word(word).replace('\'', ""),
                )
            })
            .collect();
        let fits = |denial: &List<&'static str>| {
            denial.len() < words.len() && denial.iter().zip(&words).all(|(part, (_, word))| part == word)
        };
        let all = Language::all().flat_map(|language| language.statements().denials);
        let Some(longest) = all.filter(fits).map(|denial| denial.len()).max() else { break };
        // `and bills 212` says more, and denies nothing.
        let joins = |word: &str| Language::all().any(|language| language.statements().join.contains(word));
        denied |= longest > 1 || !joins(&words[0].1);
        rest = rest[words[longest - 1].0..].trim_start();
    }
    (rest, denied)
}

/// A fact with some of its words replaced.
fn in_place_of(words: &[&str], old: &str, new: &str) -> Option<String> {
    let old: Vec<String> = old.split_whitespace().map(fold::word).collect();
    let at = words
        .windows(old.len().max(1))
        .position(|window| window.iter().zip(&old).all(|(word, old)| fold::word(word) == *old))?;
    // `cabinet B` becomes `cabinet D`, where `D` alone is said.
    let is_mark = |word: &str| word.len() == 1 || has_figure(word);
    let last = old.last().filter(|last| old.len() > 1 && is_mark(last) && is_mark(new));
    let kept = if last.is_some() { old.len() - 1 } else { 0 };
    Some(joined(&words[..at + kept], new, &words[at + old.len()..]))
}

fn joined(before: &[&str], value: &str, after: &[&str]) -> String {
    let parts = before.iter().copied().chain([value]).chain(after.iter().copied());
    parts.collect::<Vec<_>>().join(" ")
}

/// What kind of value a word is, as far as its form tells.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Kind {
    /// With a digit; a time of day has a colon.
    Figure {
        time: bool,
    },
    Weekday,
    Month,
}

fn kind_of(word: &str) -> Option<Kind> {
    let word = fold::word(word);
    if has_figure(&word) || languages::number_word(&word).is_some_and(|n| n > 1) {
        return Some(Kind::Figure { time: word.contains(':') });
    }
    let is_of = |names: &[&str]| names.iter().any(|name| word.starts_with(&fold::word(name)));
    Language::all().find_map(|language| {
        let (weekdays, months) = language.calendar();
        let weekday = is_of(weekdays).then_some(Kind::Weekday);
        weekday.or_else(|| (months.iter().any(|name| fold::word(name) == word)).then_some(Kind::Month))
    })
}

/// A fact whose figure, day or month is replaced by the new one of the same kind; all that is new must find its place.
fn by_kind(words: &[&str], value: &str) -> Option<String> {
    let mut new: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let mut replaced = false;
    for word in value.split_whitespace() {
        let Some(kind) = kind_of(word) else {
            // `at 3` and `14 degrees` say again what stands there.
            let folded = fold::word(word);
            let is_there = words.iter().any(|word| fold::word(word) == folded);
            let is_small = crate::terms::is_small(&folded) || is_link(&folded) || names_place(&folded);
            if is_there || is_small {
                continue;
            }
            return None;
        };
        let alike = |word: &&str| match (kind_of(word), kind) {
            (Some(Kind::Figure { .. }), Kind::Figure { .. }) => true,
            (other, kind) => other == Some(kind),
        };
        let at =
            words.iter().rposition(|word| kind_of(word) == Some(kind)).or(words.iter().rposition(alike))?;
        let end = &words[at][words[at].trim_end_matches([',', ';', '.', '!']).len()..];
        new[at] = format!("{}{end}", word.trim_end_matches([',', ';', '!', '.']));
        replaced = true;
    }
    replaced.then(|| new.join(" "))
}

/// A fact with another value behind its last `is`, `called` or the like, or behind its last preposition. `in Galway` takes the
/// place of `in Cork` with its own `in`.
fn behind_link(words: &[&str], value: &str) -> Option<String> {
    let of = |word: &str| fold::word(word);
    let verb = words.iter().rposition(|word| is_link(&of(word)) || word.ends_with(':') || *word == "=");
    let place = words.iter().rposition(|word| names_place(&of(word)));
    let kept = match value.split_whitespace().next().is_some_and(|first| names_place(&of(first))) {
        true => verb.map(|at| at + 1).or(place)?,
        false => verb.max(place)? + 1,
    };
    // `called Crumpet` takes the place of `called Biscuit` with its own verb.
    let mut new = value.split_whitespace().peekable();
    while kept > 0 && new.next_if(|word| is_link(&of(word)) && of(word) == of(words[kept - 1])).is_some() {}
    let new = new.collect::<Vec<_>>().join(" ");
    (kept < words.len() && !new.is_empty()).then(|| joined(&words[..kept], &new, &[]))
}

fn is_link(word: &str) -> bool {
    Language::all().any(|language| language.statements().links.contains(word))
}

fn has_figure(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}
