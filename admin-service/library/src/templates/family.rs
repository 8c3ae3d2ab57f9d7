//! What each family of wishes tells of itself.

use std::collections::{BTreeMap, BTreeSet};

use language::Language;
use serde_json::Value;
use shared_types::capability::Token;

use super::offer::ToolShape;
use super::wish::Wish;

/// One kind of wish that a template serves.
pub(super) struct Family {
    pub(super) name: &'static str,
    /// The template.
    pub(super) source: &'static str,
    /// Words that such a wish may well contain; a wish with many others means something else.
    pub(super) words: &'static [&'static str],
    /// How many others it may contain: none where one of them makes it another wish (to count vowels is not to count letters).
    pub(super) most_strangers: usize,
    /// Whether the wish is of this kind, and the parameters that it gives.
    pub(super) fit: fn(&Wish) -> Fit,
}

/// What a family says about a wish.
pub(super) enum Fit {
    /// Something else is meant.
    No,
    /// It is of this kind, but beyond the template; why.
    Beyond(String),
    /// It is of this kind.
    Yes(Plan),
}

/// How a template is to be filled.
#[derive(Default)]
pub(super) struct Plan {
    /// The parameters in words, as in `subject=birds`.
    pub(super) parameters: String,
    pub(super) tools: Vec<ToolShape>,
    /// Parts of the template to keep.
    pub(super) switches: BTreeSet<&'static str>,
    /// Texts for literals that hold nothing else.
    pub(super) texts: BTreeMap<&'static str, String>,
    /// Plain words, also within a literal.
    pub(super) words: BTreeMap<&'static str, String>,
    pub(super) needs: Vec<Token>,
    pub(super) trials: Vec<Example>,
}

/// A trial in the family's own names.
pub(super) struct Example {
    pub(super) tool: &'static str,
    pub(super) args: Vec<(&'static str, Value)>,
    pub(super) expect: String,
    /// The same in German, where it is more than a number.
    german: Option<String>,
}

impl Example {
    /// Says what a German answer holds.
    pub(super) fn german(self, expect: impl Into<String>) -> Example {
        Example { german: Some(expect.into()), ..self }
    }

    /// What an answer in that language holds; numbers are written as it writes them.
    pub(super) fn expected(&self, language: Language) -> String {
        let own = self.german.clone().filter(|_| language.code() == "de");
        let is_number = self.expect.bytes().all(|b| b.is_ascii_digit() || b == b'.') && self.expect.len() > 1;
        own.unwrap_or_else(|| match is_number && language.decimal_comma() {
            true => self.expect.replace('.', ","),
            false => self.expect.clone(),
        })
    }
}

pub(super) fn example(
    tool: &'static str,
    args: &[(&'static str, Value)],
    expect: impl Into<String>,
) -> Example {
    Example { tool, args: args.to_vec(), expect: expect.into(), german: None }
}
