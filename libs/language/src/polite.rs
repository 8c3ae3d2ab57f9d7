//! A polite request as a friend says it: `Löschen Sie bitte montag.txt` is `lösch bitte montag.txt`.

use crate::data::Data;
use crate::fold;
use crate::languages::Language;
use crate::words::Words;

/// The line as a friend says it, up to a colon or a quotation: what stands behind that is not said to the assistant. Nothing for a
/// line that is so already.
pub fn plainly(line: &str) -> Option<String> {
    let end = line.find([':', '"', '„', '“', '«']).unwrap_or(line.len());
    let words = Words::spaced(&line[..end], fold::word);
    let (mut said, mut from, mut at) = (String::new(), 0, 0);
    while at < words.len() {
        let Some((count, plain)) = longest(&words, at) else {
            at += 1;
            continue;
        };
        let typed = words.span(at..at + count);
        let begins = typed.as_ptr() as usize - line.as_ptr() as usize;
        said.push_str(&line[from..begins]);
        said.push_str(&plain);
        from = begins + typed.trim_end_matches(fold::is_punctuation).len();
        at += count;
    }
    (from > 0).then(|| said + &line[from..])
}

/// How many words from a place on are a polite phrase, and what a friend says for them.
fn longest(words: &Words<'_>, at: usize) -> Option<(usize, String)> {
    let is_begin = (0..at).all(|before| leads(words, before));
    let all = Language::all().flat_map(|language| language.data().polite);
    let fits = all.filter_map(|(phrase, plain)| {
        let mut rest = phrase.iter();
        let first = rest.next()?;
        if at + phrase.len() > words.len() {
            return None;
        }
        let is_rest = |n: usize, word: &str| words.norm(at + 1 + n) == word;
        let beginning = match first.strip_prefix('*') {
            Some(end) => words.norm(at).strip_suffix(end).filter(|begin| begin.len() > 1)?,
            None => (words.norm(at) == first).then_some("")?,
        };
        // `Sie` within a line is the one who is asked; `sie` may be others, but for the beginning of a line.
        let is_alone = phrase.len() == 1;
        let own = if is_alone { at.max(1) } else { at + 1 };
        let is_capital = (own..at + phrase.len()).any(|n| words.raw(n).starts_with(char::is_uppercase));
        let holds = rest.enumerate().all(|(n, word)| is_rest(n, word));
        let is_meant = holds && (is_begin && !is_alone || is_capital);
        is_meant
            .then(|| (!first.starts_with('*'), phrase.len(), first.len(), plain.replacen('*', beginning, 1)))
    });
    // A word of its own before one that only ends so: `rechnen Sie` is `rechne`.
    fits.max_by_key(|(is_own, count, end, _)| (*is_own, *count, *end))
        .map(|(_, count, _, plain)| (count, plain))
}

/// Whether a word may stand before a request.
pub(crate) fn leads(words: &Words<'_>, at: usize) -> bool {
    let word = words.norm(at);
    let holds = |data: &Data| {
        !data.questions.contains(word)
            && data.lead.iter().chain(data.loose).any(|phrase| phrase.contains(word))
    };
    Language::all().any(|language| holds(language.data()))
}

#[cfg(test)]
mod tests;
