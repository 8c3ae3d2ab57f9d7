//! Lines about the reminders that are more than one order: a clause of a longer line, and what goes back to a reminder that was set
//! just now.

use crate::correct::without_denials;
use crate::exact::exactly;
use crate::intent::{
    Intent, MORE, OTHER, REDO, clauses, intent, is_question, looks_like_request, remind, reminders,
};
use crate::languages::{self, Language};
use crate::packed::List;
use crate::terms;

/// Behind [`REDO`], where the line says it behind a `no` alone.
const AFTER_NO: &str = "-no";
/// The most places at which a line is cut in two.
const MOST_CUTS: usize = 6;
/// The most words of a moment that puts one right.
const MOST_WORDS: usize = 8;
/// The words at the beginning of a text among which a verb says that it tells something and orders nothing.
const NEAR: usize = 4;

/// What a clause of a line orders of the reminders, and what else stands in the line: `remind me on Thursday to study` behind
/// `I have a test on Friday`. The first one that is an order counts.
pub fn in_clauses(line: &str) -> Vec<(String, Language, String)> {
    let place = |part: &str| part.as_ptr().addr() - line.as_ptr().addr();
    let parts = clauses(line);
    let mut cuts: Vec<(usize, usize)> = parts.iter().skip(1).map(|part| (place(part), place(part))).collect();
    // `..., so remind me` and `... and remind me`
    let joins = line.split_whitespace().filter(|word| {
        let word = crate::fold::word(word);
        languages::is_and(&word)
            || Language::all().any(|l| l.data().lead.iter().any(|lead| is_word(lead, &word)))
    });
    cuts.extend(joins.map(|word| (place(word), place(word) + word.len())));
    let sets = cuts.iter().take(MOST_CUTS).filter_map(|(end, at)| {
        let (before, order) = (line[..*end].trim(), line[*at..].trim());
        let (command, language) = remind(order)?;
        let mut fields = command.split('|').map(str::trim);
        let sets = sets(fields.next()?) && fields.next().is_none_or(str::is_empty);
        (sets && before.contains(char::is_alphanumeric)).then(|| (command, language, before.to_owned()))
    });
    let others = parts.iter().enumerate().filter(|_| parts.len() > 1).filter_map(|(at, part)| {
        let (command, language) = remind(part)?;
        let changes = ["cancel", "drop", "move", "shift", "later", "left"];
        let others = parts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, part)| *part);
        changes
            .contains(&command.split('|').next()?.trim())
            .then(|| (command, language, others.collect::<Vec<_>>().join(", ")))
    });
    sets.chain(others).collect()
}

fn is_word(phrase: List<&'static str>, word: &str) -> bool {
    phrase.len() == 1 && phrase.iter().next() == Some(word)
}

/// What a line that continues a reminder sets as another one: `at 3.15 pick him up` in `and at 3.15 pick him up`.
pub fn another(line: &str) -> Option<(String, Language)> {
    let (command, language) = reminders(line)?;
    let text = command.strip_prefix(MORE)?.rsplit('|').next()?.trim();
    (!text.is_empty() && !is_question(line) && !is_question(text))
        .then(|| (format!("more || {text}"), language))
}

/// Whether the text of a reminder that no word announces is an order or a name, and does not tell something: `pick him up`, and not
/// `my dad comes`. `behind` says that a moment stands before it.
pub fn may_be_reminded(text: &str, behind: bool) -> bool {
    let words: Vec<String> = text.split_whitespace().map(crate::fold::word).collect();
    let is = |word: &String, list: fn(Language) -> List<&'static str>| {
        Language::all().any(|language| list(language).contains(word))
    };
    let is_person = |word: &String| {
        is(word, |l| l.statements().person)
            || is(word, |l| l.data().subjects)
            || is(word, |l| l.data().pronouns)
    };
    let Some(first) = words.first() else { return true };
    let tells = words.iter().take(NEAR).any(|word| is(word, |l| l.data().verbs))
        || is_person(first)
        || words.get(1).is_some_and(|word| is(word, |l| l.data().pronouns));
    if tells {
        return false;
    }
    let german_verb =
        || languages::detect(text).decimal_comma() && first.ends_with('t') && first.len() > SHORT;
    if behind {
        return !german_verb() || text.starts_with(char::is_uppercase);
    }
    // An infinitive ends a German order: `oma anrufen`.
    let is_order = || intent(text).is_some_and(|meant| meant.intent == Intent::Order);
    looks_like_request(text)
        || is_order()
        || words.last().is_some_and(|last| last.ends_with("en") && words.len() > 1)
        || !is(first, |l| l.data().ignore) && text.starts_with(char::is_lowercase)
}

/// What a line orders of the reminders behind `I mean` and the like, and whether nothing stands before that but a `no`.
pub fn on_second_thought(line: &str) -> Option<(String, Language, bool)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let norms: Vec<String> = words.iter().map(|word| crate::fold::word(word)).collect();
    let all = || Language::all().flat_map(|language| language.data().afterthoughts);
    let behind = (0..words.len()).rev().find_map(|at| {
        let is_here = |phrase: &List<&'static str>| {
            phrase.iter().enumerate().all(|(n, word)| norms.get(at + n).is_some_and(|norm| norm == word))
        };
        all().filter(is_here).map(|phrase| phrase.len()).max().map(|len| (at, at + len))
    });
    let (at, behind) = behind.filter(|(_, behind)| *behind < words.len())?;
    let (command, language) = remind(&words[behind..].join(" "))?;
    let says_little = |word: &String| {
        Language::all().any(|language| {
            let (denials, loose) = (language.statements().denials, language.data().loose);
            denials.iter().chain(loose).any(|phrase| is_word(phrase, word))
        })
    };
    sets(&command).then(|| (command, language, norms[..at].iter().all(says_little)))
}

/// Whether a command sets a reminder.
fn sets(command: &str) -> bool {
    matches!(command.split('|').next().map(str::trim), Some("set" | "timer" | "wake" | "maybe" | "it"))
}

/// The commands that a line may be which says when something is that it denies to be at another time, where a reminder is about that:
/// `no, the cake is at 4`.
pub fn of_other(line: &str) -> Vec<(String, Language)> {
    if line.trim_end().ends_with('?') {
        return Vec::new();
    }
    let parts = clauses(line);
    // `änder das bitte` says no more than that.
    let denies =
        |part: &&str| without_denials(part).1 || Language::all().any(|language| is_denial(part, language));
    let is_denied = parts.iter().any(denies);
    let of_part = |part: &str| {
        let (command, language) = reminders(without_denials(part).0)?;
        let of = command.strip_prefix(OTHER)?;
        Some((format!("shift {of}"), language))
    };
    std::iter::once(line).chain(parts.iter().copied()).filter(|_| is_denied).filter_map(of_part).collect()
}

/// Whether a clause is a denial and no more.
fn is_denial(part: &str, language: Language) -> bool {
    let words: Vec<String> = part.split_whitespace().map(crate::fold::word).collect();
    let is_all = |denial: List<&'static str>| {
        let rest = words
            .iter()
            .skip(denial.len())
            .all(|word| language.data().trail.iter().any(|trail| is_word(trail, word)));
        words.len() >= denial.len() && denial.iter().zip(&words).all(|(one, other)| one == other) && rest
    };
    language.statements().denials.iter().any(is_all)
}

/// The longest word that is not taken for a verb.
const SHORT: usize = 3;

/// The moments that a line may put in the place of the one of a reminder, the likeliest first: `half seven` in `no, make it half
/// seven`. What else the line says stands behind them.
pub fn instead(line: &str) -> Option<(Vec<String>, Language, String)> {
    if line.trim_end().ends_with('?') {
        return None;
    }
    let mut found: Vec<String> = Vec::new();
    let mut add = |text: &str| {
        let exact = exactly(text);
        let text = exact.as_deref().unwrap_or(text);
        let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | '!' | ';'));
        let few = (1..=MOST_WORDS).contains(&text.split_whitespace().count());
        if few && !found.iter().any(|known| known == text) {
            found.push(text.to_owned());
        }
    };
    let parts = clauses(line);
    let place = |part: &str| part.as_ptr().addr() - line.as_ptr().addr();
    let mut spoken = None;
    // The whole line, the line from a clause on, and each clause: `no, friday, half eleven`.
    let tails = parts.iter().skip(1).map(|part| &line[place(part)..]);
    for text in std::iter::once(line).chain(tails).chain(parts.iter().copied()) {
        let (rest, denied) = without_denials(text);
        for text in [text, rest] {
            if let Some((command, language)) = reminders(text)
                && let Some(moment) = command.strip_prefix(REDO)
                // `it is 6:30` puts right behind a `no` alone.
                && (denied || !moment.starts_with(AFTER_NO))
            {
                spoken = spoken.or(Some(language));
                let moment = moment.rsplit('|').next().unwrap_or_default();
                add(moment);
            }
        }
        if denied && !is_question(rest) {
            add(rest);
            add(clauses(rest).first().copied().unwrap_or_default());
        }
    }
    let moments = found.iter().map(|text| terms::fold(text)).collect::<Vec<_>>();
    // What names none of them is what the line is about.
    let about = |part: &&&str| !moments.iter().any(|moment| terms::fold(part).contains(moment.as_str()));
    let beside: Vec<&str> = parts.iter().filter(about).copied().collect();
    let language = spoken.unwrap_or_else(|| languages::detect(line));
    (!found.is_empty()).then(|| (found, language, beside.join(", ")))
}

#[cfg(test)]
mod tests;
