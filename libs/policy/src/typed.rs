//! Which words a person typed, and whether a call says nothing else.

use std::collections::BTreeMap;

/// The words that a person typed in one conversation, each as often as it was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Typed {
    /// Words of letters and digits, case-folded.
    words: BTreeMap<String, usize>,
    /// What has other signs in it (addresses, paths, figures with a point): it counts as a whole or not at all.
    whole: BTreeMap<String, usize>,
}

/// Signs around a word that belong to the sentence.
const AROUND: &[char] = &[
    '"', '\'', '(', ')', '<', '>', '[', ']', '{', '}', ',', ';', ':', '!', '?', '.', '`', '\u{2018}',
    '\u{2019}', '\u{201C}', '\u{201D}', '\u{201E}',
];
/// The most signs around one word, in bytes: more could carry something.
const MOST_AROUND: usize = 6;

impl Typed {
    /// Takes in a line that the person typed.
    pub fn line(&mut self, line: &str) {
        for token in line.split_whitespace().map(bare) {
            if is_composed(token) {
                *self.whole.entry(token.to_owned()).or_default() += 1;
            }
            for word in words(token) {
                *self.words.entry(word).or_default() += 1;
            }
        }
    }

    /// Whether all these texts together are made of typed words only, none more often than it was typed: the words may be
    /// put in another order, and no more can be said by them.
    pub fn covers<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> bool {
        let mut left = self.clone();
        texts.into_iter().all(|text| left.take(text))
    }

    /// Whether a word or an address was typed as it stands.
    pub fn has_whole(&self, token: &str) -> bool {
        self.whole.contains_key(bare(token))
    }

    fn take(&mut self, text: &str) -> bool {
        // Blanks could be counted as well.
        let even = text.chars().filter(|c| c.is_whitespace()).all(|c| matches!(c, ' ' | '\n'));
        even && !["   ", "\n\n\n", " \n", "\n "].iter().any(|run| text.contains(run))
            && text.split_whitespace().all(|token| {
                let inner = bare(token);
                if token.len() - inner.len() > MOST_AROUND {
                    return false;
                }
                match is_composed(inner) {
                    true => spend(&mut self.whole, inner),
                    false => words(inner).all(|word| spend(&mut self.words, &word)),
                }
            })
    }
}

/// What of these texts looks like an address (of a page, a mailbox, an account) and was not typed by the person: where
/// data would go beside the destination that the tool itself has.
pub fn addresses<'a>(typed: &Typed, texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let tokens = texts.into_iter().flat_map(str::split_whitespace).map(bare);
    let strange = tokens.filter(|token| is_address(token) && !typed.has_whole(token));
    strange.map(str::to_owned).collect()
}

fn is_address(token: &str) -> bool {
    let digits = token.chars().filter(char::is_ascii_digit).count();
    let signs = token.chars().filter(|c| c.is_alphanumeric()).count();
    // A name with a point in it, an `@`, a scheme; or a number as long as that of an account or a telephone.
    let named = token.contains("://") || token.contains('@') || token.trim_matches('.').contains('.');
    named || (digits >= 6 && signs >= 10)
}

fn spend(left: &mut BTreeMap<String, usize>, word: &str) -> bool {
    match left.get_mut(word) {
        Some(times) if *times > 0 => {
            *times -= 1;
            true
        }
        _ => false,
    }
}

fn bare(token: &str) -> &str {
    token.trim_matches(AROUND)
}

/// Whether something stands between letters and digits that is more than a hyphen or an apostrophe.
fn is_composed(token: &str) -> bool {
    token.chars().any(|c| !c.is_alphanumeric() && !matches!(c, '-' | '\'' | '\u{2019}'))
}

fn words(token: &str) -> impl Iterator<Item = String> {
    token.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests;
