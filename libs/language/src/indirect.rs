//! An indirect question as a direct one: `could you tell me what day it is today` asks `what day is it today`.

use crate::data::Data;
use crate::languages::{self, Language};
use crate::polite;
use crate::words::Words;

/// The most words of a thing before its verb: `what the name of my doctor is`.
const MOST_OF_A_THING: usize = 5;

/// The question that a line asks indirectly, in the order of words of a direct one; nothing for another line.
pub fn directly(line: &str) -> Option<String> {
    let words = Words::of(line, languages::expansion(line))?;
    let before = (0..words.len()).take_while(|at| *at == 0 || polite::leads(&words, at - 1));
    let begin = before.into_iter().find(|at| said_before(&words, *at) > 0)?;
    let from = begin + said_before(&words, begin);
    let language = Language::all().find(|language| asks(language.data(), &words, from))?;
    let data = language.data();
    let asked = asked(data, &words, from);
    let is_verb = |at: &usize| data.verbs.contains(words.norm(*at));
    let last = words.len() - 1;
    let moved = |subject: usize, verb: usize| {
        let parts = [
            words.span(from..subject),
            words.norm(verb),
            words.span(subject..verb),
            words.span(verb + 1..words.len()),
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    };
    // The verb stands where a direct question has it.
    if (from + 1..=asked.min(last)).any(|at| is_verb(&at)) {
        return Some(format!("{}?", words.span(from..words.len())));
    }
    let is_subject = |at: &usize| data.subjects.contains(words.norm(*at)) && is_verb(&(at + 1));
    let begins = |at: &usize| data.statements.idle.contains(words.norm(*at));
    let by_word = (from + 1..last).find(is_subject).map(|subject| moved(subject, subject + 1));
    let by_end = || (is_verb(&last) && last > asked).then(|| moved(asked, last));
    let by_thing = || {
        let subject = (from + 1..last).find(begins)?;
        let verb = (subject + 2..=last.min(subject + MOST_OF_A_THING)).find(is_verb)?;
        Some(moved(subject, verb))
    };
    by_word.or_else(by_end).or_else(by_thing).map(|said| format!("{said}?"))
}

/// How many words from a place on are said before an indirect question.
fn said_before(words: &Words<'_>, at: usize) -> usize {
    let all = Language::all().flat_map(|language| language.data().indirect);
    let fits = all.filter(|phrase| at + phrase.len() < words.len() && words.has_at(at, *phrase));
    fits.map(|phrase| phrase.len()).max().unwrap_or(0)
}

/// Whether a question of a language begins at a place, and holds more than its first word.
fn asks(data: &Data, words: &Words<'_>, from: usize) -> bool {
    let is = |at: usize| {
        at + 1 < words.len()
            && data.questions.contains(words.norm(at))
            && !data.verbs.contains(words.norm(at))
    };
    is(from) || data.fronted.contains(words.norm(from)) && is(from + 1)
}

/// Where the words end that say what is asked for: `what`, `how many`, `in which town`.
fn asked(data: &Data, words: &Words<'_>, from: usize) -> usize {
    let first = from + usize::from(!data.questions.contains(words.norm(from)));
    let ways = data.asked.iter().flat_map(|(_, ways)| ways);
    let longest = ways.filter(|way| words.has_at(from, *way)).map(|way| from + way.len()).max().unwrap_or(0);
    let which = first
        + 1
        + usize::from(
            data.which.contains(words.norm(first))
                && !data.subjects.contains(words.norm(first + 1))
                // What belongs to somebody or to a day is not a kind of thing: `what today's date is`.
                && !words.raw(first + 1).ends_with("'s"),
        );
    longest.max(which).min(words.len() - 1)
}

#[cfg(test)]
mod tests;
