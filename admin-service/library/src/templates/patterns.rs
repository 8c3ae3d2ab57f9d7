//! Words by which a wish is recognised, and texts with values in them.

use serde::Deserialize;

/// Words, several words, and the start of one with `*`, separated by commas: `age, how old, calculat*`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "String")]
pub(super) struct Patterns(Vec<String>);

impl From<String> for Patterns {
    fn from(text: String) -> Patterns {
        let words = text.split(',').map(|word| word.split_whitespace().collect::<Vec<_>>().join(" "));
        Patterns(words.filter(|word| !word.is_empty()).collect())
    }
}

impl Patterns {
    /// Each of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether one of them is exactly this.
    pub(super) fn names(&self, word: &str) -> bool {
        self.0.iter().any(|own| own == word)
    }

    /// Whether one of them matches the whole text: `*liste` its end, `ein*` its start, `*kauf*` a part of it.
    pub(super) fn match_whole(&self, text: &str) -> bool {
        self.iter().any(|pattern| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
            (Some(end), None) => text.ends_with(end),
            (None, Some(start)) => text.starts_with(start),
            (Some(rest), Some(_)) => text.contains(rest.trim_end_matches('*')),
            (None, None) => text == pattern,
        })
    }
}

/// A text with values in it: `what is {amount} in {unit}?`; `{name^}` writes the value with a capital.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Text(Vec<Piece>);

#[derive(Debug, Clone)]
enum Piece {
    Plain(String),
    Value { name: String, capital: bool },
}

/// A text whose braces do not fit.
#[derive(Debug, thiserror::Error)]
#[error("`{0}`: a value is written as {{NAME}}, as in `subject={{topic}}`")]
pub(super) struct BadText(String);

impl TryFrom<String> for Text {
    type Error = BadText;

    fn try_from(text: String) -> Result<Text, BadText> {
        let wrong = || BadText(text.clone());
        let (mut pieces, mut rest) = (Vec::new(), text.as_str());
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or_else(wrong)?;
            let plain = name.strip_suffix('^').unwrap_or(name);
            if before.contains('}') || plain.is_empty() || plain.contains(['{', ' ']) {
                return Err(wrong());
            }
            pieces.push(Piece::Plain(before.to_owned()));
            pieces.push(Piece::Value { name: plain.to_owned(), capital: plain != name });
            rest = after;
        }
        if rest.contains('}') {
            return Err(wrong());
        }
        pieces.push(Piece::Plain(rest.to_owned()));
        Ok(Text(pieces))
    }
}

impl Text {
    /// The text with its values.
    pub(super) fn with<'a>(&self, value: impl Fn(&str) -> &'a str) -> String {
        let mut out = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Plain(text) => out.push_str(text),
                Piece::Value { name, capital: false } => out.push_str(value(name)),
                Piece::Value { name, capital: true } => {
                    let mut letters = value(name).chars();
                    out.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                    out.push_str(letters.as_str());
                }
            }
        }
        out
    }

    /// The values that it names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Plain(_) => None,
            Piece::Value { name, .. } => Some(name.as_str()),
        })
    }
}

#[cfg(test)]
mod tests;
