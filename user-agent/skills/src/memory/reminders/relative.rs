//! A moment that is counted from another one, which the line or those before it tell: `the day before at noon`, `zwei Tage vorher`.

use jiff::civil::{Date, Time};
use jiff::{Span, ToSpan};

use super::moment::{self, Moment};
use crate::when;

/// The most words of what is counted, as in `half an hour`.
const MOST_WORDS: usize = 5;
/// The most words of a day.
const MOST_OF_A_DAY: usize = 6;
/// Nouns that hold both: an evening or a day, and that it is the one before.
const BEFORE: &str = "vor";

/// How far a moment is from another one, and what is left of the text.
#[derive(Debug)]
pub(super) struct Relative {
    span: Span,
    /// The time of day, where it is named.
    time: Option<(Time, bool)>,
    /// What it is counted from, where that is named: `the concert`.
    pub of: String,
    /// What to be reminded of.
    pub text: String,
}

/// The sentences of a line; the point behind a number ends none.
pub(super) fn sentences(line: &str) -> Vec<&str> {
    let (mut parts, mut from) = (Vec::new(), 0);
    for (at, _) in line.match_indices(['.', '!', '?', ';', '\n']) {
        let is_end = line[at + 1..].starts_with(|c: char| c.is_whitespace())
            && !line[..at].ends_with(|c: char| c.is_ascii_digit());
        if is_end {
            parts.push(&line[from..at]);
            from = at + 1;
        }
    }
    parts.push(&line[from..]);
    parts.into_iter().map(str::trim).filter(|part| part.contains(char::is_alphanumeric)).collect()
}

/// Reads a text that names a moment by its distance from another one that it does not name.
pub(super) fn read(text: &str, today: Date) -> Option<Relative> {
    let typed: Vec<&str> = text.split_whitespace().collect();
    let norms: Vec<String> = typed.iter().map(|word| moment::norm(word)).collect();
    let (from, until, span, hour) = (0..norms.len()).find_map(|at| counted(&norms, at, today))?;
    // `before the concert at noon to print the tickets`
    let is_next = |word: &String| matches!(language::moment(word), Some("to" | "for" | "by" | "on" | "in"));
    let begins = norms.get(until).and_then(|word| language::moment(word));
    let is_of =
        moment::is_before(&norms[until - 1]).is_some() && !matches!(begins, Some("to" | "for" | "by" | "in"));
    let of = norms[until..].iter().skip(1).position(is_next).filter(|_| is_of).map_or(0, |at| at + 1);
    let rest = [&typed[..from], &typed[until + of..]].concat().join(" ");
    let of = typed[until..until + of].join(" ");
    let named = hour.and_then(|hour| Time::new(hour, 0, 0, 0).ok()).map(|time| (time, true));
    let (time, text) = match moment::find(&rest, today, false) {
        // A day of its own is counted from nothing.
        Some((clock, text)) => (Some(clock.clock()?), text),
        None => (named, moment::bare(&rest).to_owned()),
    };
    Some(Relative { span, time, of, text })
}

/// What is counted before or behind the word at a place: from which word, until which, how far, and the hour of a part of the day.
fn counted(norms: &[String], at: usize, today: Date) -> Option<(usize, usize, Span, Option<i8>)> {
    let part_of = |word: &str| moment::part(word);
    // `am Vorabend`, `am Vortag`
    if let Some(noun) = norms[at].strip_prefix(BEFORE)
        && (part_of(noun).is_some() || language::span(noun) == Some("1 d"))
    {
        let from = if at > 0 && moment::is_at(&norms[at - 1]) { at - 1 } else { at };
        return Some((from, at + 1, (-1).days(), part_of(noun)));
    }
    let sign = moment::is_before(&norms[at])?;
    let behind = &norms[at + 1..];
    let names_day =
        (1..=behind.len().min(MOST_OF_A_DAY)).any(|n| moment::day_of(&behind[..n], today).is_some());
    let is_number =
        |word: &String| word.starts_with(|c: char| c.is_ascii_digit()) || language::number(word).is_some();
    if names_day || behind.first().is_some_and(is_number) {
        return None;
    }
    (1..=at.min(MOST_WORDS)).rev().find_map(|count| {
        let from = at - count;
        let words = &norms[from..at];
        // `in ten minutes before I forget` is counted from now.
        let is_in = |word: &String| language::moment(word) == Some("in");
        if is_in(&words[0]) || from > 0 && is_in(&norms[from - 1]) {
            return None;
        }
        let small =
            words.iter().take_while(|word| moment::is_at(word) || language::span(word) == Some("")).count();
        if let [word] = &words[small..]
            && let Some(hour) = part_of(word)
        {
            // `tomorrow morning before school` names its day.
            return (small > 0).then_some((from, at + 1, sign.days(), Some(hour)));
        }
        let article = if small > 0 { "the " } else { "" };
        let span = when::span(&format!("{article}{}", words[small..].join(" ")))?.checked_mul(sign).ok()?;
        Some((from, at + 1, span, None))
    })
}

impl Relative {
    /// The moment, counted from another one; nothing where that says too little.
    pub(super) fn from(&self, anchor: &Moment) -> Option<Moment> {
        let minutes = self.span.get_minutes();
        if minutes == 0 {
            return anchor.days_on(self.span).map(|day| day.at(self.time));
        }
        anchor.minutes_on(minutes)
    }
}
