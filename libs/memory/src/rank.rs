//! How well a text fits a query: the words that they share, rarer ones for more, a little for the newer text.
//!
//! One arithmetic for every way to search, in one order of additions, so that each way finds the same.

/// What a word counts that is only alike.
const ALIKE: f32 = 0.75;
/// What the newest of all texts gets more than the oldest; one shared word that stands in every text gets 1.
const RECENCY: f32 = 0.5;
/// Longer words may differ by this many characters at their ends.
const MAX_ENDING: usize = 3;
/// The shortest beginning by which two words are alike, in characters.
const MIN_STEM: usize = 4;

/// What a word of the query counts, of which `seen` texts among `total` hold something alike.
pub(crate) fn weight(seen: u64, total: u64) -> f32 {
    let (seen, total) = (seen.max(1) as f32, total.max(1) as f32);
    1.0 + (total / seen).ln().max(0.0)
}

/// How much of that a word of the text counts.
pub(crate) fn factor(exact: bool) -> f32 {
    if exact { 1.0 } else { ALIKE }
}

/// The score of a text, from the sum of its shared words; `words` is how many it has, from 1 to 255.
pub(crate) fn score(sum: f32, words: u8, place: u64, total: u64) -> f32 {
    sum / (0.85 + 0.15 * f32::from(words) / 16.0) + RECENCY * (place + 1) as f32 / total.max(1) as f32
}

/// Whether two words are the same, or one begins with the other and differs by a short ending: plurals and cases.
pub(crate) fn alike(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    long.starts_with(short) && {
        let stem = short.chars().count();
        stem >= MIN_STEM && long[short.len()..].chars().count() <= MAX_ENDING
    }
}

/// The shorter words that are alike, longest first.
pub(crate) fn stems(term: &str) -> impl Iterator<Item = &str> {
    let count = term.chars().count();
    let shortest = MIN_STEM.max(count.saturating_sub(MAX_ENDING));
    let ends: Vec<usize> = term.char_indices().map(|(at, _)| at).collect();
    (shortest..count).rev().map(move |chars| &term[..ends[chars]])
}

/// Whether longer words can be alike.
pub(crate) fn is_stem(term: &str) -> bool {
    term.chars().count() >= MIN_STEM
}

#[cfg(test)]
mod tests;
