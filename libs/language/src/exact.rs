//! Times that are named vaguely, as exact ones; what is made of them is said in the answer.

use crate::languages::{self, Language};

/// A line with its vague times as exact ones: `at 8` for `8ish`, `um 5 vor zehn` for `kurz vor zehn`. Nothing where it has none.
pub(crate) fn exactly(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let norms: Vec<String> = words.iter().map(|word| crate::fold::word(word)).collect();
    let is_time = |at: usize| {
        norms.get(at).is_some_and(|word| {
            let of_day = |meant: &str| {
                meant.starts_with("past ")
                    || meant.starts_with("to ")
                    || meant.ends_with(" h")
                    || meant == "am"
                    || meant == "pm"
            };
            word.starts_with(|c: char| c.is_ascii_digit())
                || languages::number(word).is_some()
                || languages::moment(word) == Some("clock")
                || languages::span(word).is_some_and(of_day)
        })
    };
    let vague = |at: usize| {
        let all = Language::all().flat_map(|language| language.data().vague_times);
        let fits = all.filter(|(phrase, plain)| {
            let is_here =
                phrase.iter().enumerate().all(|(n, word)| norms.get(at + n).is_some_and(|norm| norm == word));
            is_here
                && match plain.chars().last() {
                    // `after school` is a time of its own.
                    Some('0'..='9') => true,
                    Some(_) => is_time(at + phrase.len()),
                    None => at > 0 && is_time(at - 1),
                }
        });
        fits.max_by_key(|(phrase, _)| phrase.len())
    };
    let (mut said, mut at, mut is_vague) = (Vec::new(), 0, false);
    while at < words.len() {
        let number = norms[at]
            .strip_suffix(ISH)
            .filter(|number| languages::number(&number.replace([':', '.'], "")).is_some());
        let found = vague(at);
        is_vague |= number.is_some() || found.is_some();
        match (number, found) {
            (Some(number), _) => said.push(format!("at {number}")),
            (None, Some((_, plain))) => said.push(plain.to_owned()),
            (None, None) => said.push(words[at].to_owned()),
        }
        at += found.filter(|_| number.is_none()).map_or(1, |(phrase, _)| phrase.len());
    }
    said.retain(|word| !word.is_empty());
    is_vague.then(|| said.join(" "))
}

/// Ends a number that is a vague time: `8ish`.
const ISH: &str = "ish";
