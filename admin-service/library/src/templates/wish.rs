//! The words of a proposal, English or German, in a form in which they are compared.

use language::fold::written_out;
use language::words::lower as words;
use language::{Language, is_common};
use shared_types::capability::TokenSet;
use shared_types::proposal::Proposal;

/// A proposal's words.
pub(super) struct Wish {
    /// The line that the person typed, or the description where it says nothing, with its umlauts written out: the patterns of
    /// the families spell German so, and without its dots `schön` would be taken for `schon`.
    line: Vec<String>,
    /// The same words as they were typed, in lower case.
    typed: Vec<String>,
    /// The words of the description as they were written, in lower case.
    described: Vec<String>,
    /// Line, name, description and tools.
    all: String,
    /// The tokens asked for.
    pub(super) capabilities: TokenSet,
    /// The language of the line, in which the skill answers where a line does not tell its own.
    pub(super) language: Language,
    /// The proposal's name.
    pub(super) name: String,
}

impl Wish {
    pub(super) fn of(proposal: &Proposal) -> Wish {
        let said = if says_something(&proposal.user_context) {
            &proposal.user_context
        } else {
            &proposal.description
        };
        let mut all = format!("{} {} {}", proposal.user_context, proposal.name, proposal.description);
        for tool in &proposal.tools {
            all.push_str(&format!(" {} {}", tool.name, tool.description));
        }
        Wish {
            line: words(said).map(|word| written_out(&word)).collect(),
            typed: words(said).collect(),
            described: words(&proposal.description).collect(),
            all: format!(" {} ", words(&all).map(|word| written_out(&word)).collect::<Vec<_>>().join(" ")),
            capabilities: proposal.capabilities.clone(),
            language: language::detect(said),
            name: proposal.name.to_string(),
        }
    }

    /// Whether one of the patterns stands anywhere: a word, words, or the start of one with `*`.
    pub(super) fn has(&self, patterns: &[&str]) -> bool {
        stands_in(&self.all, patterns)
    }

    /// Whether one of the patterns stands in the line.
    pub(super) fn says(&self, patterns: &[&str]) -> bool {
        stands_in(&format!(" {} ", self.line.join(" ")), patterns)
    }

    /// Whether each group of patterns has one that stands somewhere.
    pub(super) fn has_all(&self, groups: &[&[&str]]) -> bool {
        groups.iter().all(|group| self.has(group))
    }

    /// How many words of the line are neither known to a family, nor common, nor numbers.
    pub(super) fn strangers(&self, known: &[&str]) -> usize {
        let strange = |(typed, word): &(&String, &String)| {
            let plain = is_common(typed) || word.chars().any(|c| c.is_ascii_digit());
            !plain && !known.iter().any(|pattern| fits(pattern, word))
        };
        self.typed.iter().zip(&self.line).filter(strange).count()
    }

    /// The words of the line as they were typed, in lower case.
    pub(super) fn typed(&self) -> &[String] {
        &self.typed
    }

    /// The words of the description as they were written, in lower case.
    pub(super) fn described(&self) -> &[String] {
        &self.described
    }
}

fn stands_in(text: &str, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(start) => text.contains(&format!(" {start}")),
        None => text.contains(&format!(" {pattern} ")),
    })
}

fn fits(pattern: &str, word: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => word == pattern,
    }
}

fn says_something(line: &str) -> bool {
    words(line).any(|word| !is_common(&word))
}
