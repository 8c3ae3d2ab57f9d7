//! Questions about a day, a place or an age that the person told, in the words of a tool: what the person said in the same line, in the
//! lines before it, or as a fact.

use crate::data::Kind;
use crate::intent::{best, clauses, is_question};
use crate::languages::{self, Language};
use crate::{fold, restate};

/// The day that the line or those before it name.
const IT: &str = "it";
/// The same with its year.
const SINCE: &str = "since";
/// The place that they name.
const PLACE: &str = "place";
/// How many lines a question may go back that does not name what it is about.
const MOST_BEFORE: usize = 4;
/// The most words of a place.
const MOST_OF_A_PLACE: usize = 3;
/// Stands for an age in the words of a tool.
const AGE: &str = "AGE";
/// The oldest that somebody is.
const MOST_YEARS: i64 = 120;

/// A question for the time until something, or for the time somewhere, in the words of a tool. The day or the place is that of the
/// same line, of the lines before it, the newest first, or of a fact.
pub fn dated(line: &str, facts: &[String], earlier: &[&str]) -> Option<String> {
    let (asked, beside) = asked(line, Kind::Dated)?;
    let (said, of) = asked.split_once(" <- ")?;
    let near = || beside.iter().chain(earlier.iter().take(MOST_BEFORE)).copied();
    let told = match of {
        // Where a line names two days, it is not clear which is meant.
        IT => day(near().find(|text| !restate::days(text).is_empty())?)?,
        SINCE => day(near().find(|text| !restate::days(text).is_empty())?)
            .filter(|day| restate::year(day).is_some())?,
        PLACE => near().find_map(place)?,
        what => {
            let of_fact = || what.split(" / ").find_map(|what| told_of(what, facts, earlier));
            beside.iter().find_map(|text| day(text)).or_else(of_fact)?
        }
    };
    Some(said.replace("DAY", &told))
}

/// A question for an age, or for the year of a birth, in the words of a tool or as a sum, with what a fact tells.
pub fn aged(line: &str, facts: &[String]) -> Option<String> {
    let (asked, beside) = asked(line, Kind::Aged)?;
    let (said, whose) = asked.split_once(" <- ")?;
    let born = || {
        let fact = restate::find(whose, facts)?;
        restate::day(fact).filter(|day| restate::year(day).is_some()).or_else(|| restate::year(fact))
    };
    if !said.contains(AGE) {
        return Some(said.replace("DAY", &born()?));
    }
    if born().is_some() {
        return None;
    }
    let said = said.replace(AGE, &age(facts)?.to_string());
    let (said, of) = said.split_once(" | ").unwrap_or((&said, ""));
    let day = beside.iter().find_map(|text| day(text)).or_else(|| told_of(of, facts, &[]));
    Some(day.map_or_else(|| said.to_owned(), |day| format!("{said} and whose birthday is {day}")))
}

/// What a line asks by the patterns of a kind, as a whole or in one of its clauses, and what stands beside that.
fn asked(line: &str, kind: Kind) -> Option<(String, Vec<&str>)> {
    let said = |part: &str| best(part, |of| of == kind).map(|(_, _, _, said)| said);
    let parts = clauses(line);
    let part = || parts.iter().rev().filter(|_| parts.len() > 1).find_map(|part| Some((said(part)?, *part)));
    let (said, part) = part().or_else(|| Some((said(line)?, line)))?;
    // A clause is a part of the line, so its place is known.
    let start = part.as_ptr().addr() - line.as_ptr().addr();
    let beside = [&line[..start], &line[start + part.len()..]];
    let has_words = |text: &&str| text.contains(char::is_alphanumeric);
    Some((said, beside.into_iter().filter(has_words).collect()))
}

/// The one day that a text names.
fn day(text: &str) -> Option<String> {
    let mut parts = parts(text);
    parts.retain(|part| !restate::days(part).is_empty());
    let [part] = &parts[..] else { return None };
    let [day] = &restate::days(part)[..] else { return None };
    Some(day.clone())
}

/// The parts of a text between words for `and`.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for word in text.split_whitespace() {
        match parts.last_mut() {
            Some(last) if !languages::is_and(&fold::word(word)) => last.extend([word, " "]),
            _ => parts.push(String::new()),
        }
    }
    parts
}

/// The day of what the lines before it or a fact tell about something.
fn told_of(what: &str, facts: &[String], earlier: &[&str]) -> Option<String> {
    let whole = |at: usize| {
        let line = earlier[at];
        match earlier.get(at + 1).filter(|before| is_question(before) && goes_back(line)) {
            // `when is the recital?`, `it is on the 12th`
            Some(before) => format!("{before} {line}"),
            None => line.to_owned(),
        }
    };
    let lines = (0..earlier.len()).filter(|at| !is_question(earlier[*at])).map(whole);
    let told: Vec<String> =
        lines.chain(facts.iter().cloned()).filter(|text| !restate::days(text).is_empty()).collect();
    let text = restate::find(what, &told)?;
    day(text).or_else(|| {
        // Of `football on wednesday and the recital on the 12th` the part that is about it.
        let mut parts = parts(text);
        parts.retain(|part| !restate::days(part).is_empty());
        day(restate::find(what, &parts)?)
    })
}

/// Whether a line tells something of what the line before it names: `it is ...`, `mine is ...`.
fn goes_back(line: &str) -> bool {
    let mut words = line.split_whitespace().map(fold::word);
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    Language::all().any(|l| {
        let (told, data) = (l.statements(), l.data());
        let is_back = told.backs.iter().any(|(back, _)| back == first);
        let is_own = told.person.contains(&first) && !data.pronouns.contains(&first);
        is_back || is_own && told.links.contains(&second)
    })
}

/// The place that a text names behind `in`.
fn place(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_in = |at: &usize| languages::moment(&fold::word(words[*at])) == Some("in");
    (0..words.len()).filter(is_in).rev().find_map(|at| {
        let named = &words[at + 1..];
        let last = named.iter().position(|word| word.ends_with([',', '.', '?', '!', ';']));
        let most = last.map_or(named.len(), |last| last + 1).min(MOST_OF_A_PLACE);
        let first = fold::word(named.first()?);
        let is_place = !languages::is_common(&first)
            && languages::number(&first).is_none()
            && languages::moment(&first).is_none()
            && !first.starts_with(|c: char| c.is_ascii_digit());
        let named = named[..most].join(" ");
        is_place.then(|| named.trim_end_matches([',', '.', '?', '!', ';']).to_owned())
    })
}

/// The age that the person told of themselves: the one number of the newest such fact.
fn age(facts: &[String]) -> Option<i64> {
    facts.iter().find_map(|fact| {
        let words: Vec<String> = fact.split_whitespace().map(fold::word).collect();
        let is_self = |at: usize| {
            Language::all().any(|l| {
                l.data().pronouns.contains(&words[at]) && l.statements().links.contains(&words[at + 1])
            })
        };
        let ends = |at: usize| {
            words.get(at).is_none_or(|word| languages::span(word) == Some("1 y") || languages::is_and(word))
        };
        let at = (0..words.len().saturating_sub(2)).find(|at| is_self(*at))?;
        let age = languages::number(&words[at + 2]).filter(|age| (1..=MOST_YEARS).contains(age))?;
        ends(at + 3).then_some(age)
    })
}
