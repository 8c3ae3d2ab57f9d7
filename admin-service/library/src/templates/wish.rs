//! The words of a proposal, English or German, in a form in which they are compared.

use language::fold::written_out;
use language::words::lower as words;
use language::{Language, is_common};
use shared_types::capability::TokenSet;
use shared_types::id::HostName;
use shared_types::proposal::Proposal;
use skill_sdk::Date;

use super::patterns::Patterns;

/// Words that say nothing of what is wished for, beside those that are common in every wish.
const PLAIN: &[&str] = &[
    "somebody*",
    "anybody*",
    "everybody*",
    "person*",
    "always",
    "own",
    "little",
    "bit",
    "properly",
    "correctly",
    "right",
    "easily",
    "fast",
    "nice*",
    "me",
    "kindly",
    "maybe",
    "possible",
    "mal",
    "einmal",
    "doch",
    "bisschen",
    "gern*",
    "schnell*",
    "richtig",
    "einfach*",
    "immer",
    "vielleicht",
    "eigene*",
    "jemand*",
    "selbst",
    "etwas",
    "moeglich*",
    "hier",
    "brauch*",
    "ausrechn*",
    "auszurechnen",
    "berechn*",
    "umwandel*",
    "umzuwandeln",
    "erzeug*",
    "zu",
    "erkenn*",
    "bestimm*",
    "ermittel*",
    "comput*",
    "calculat*",
    "figure",
    "work",
    "great",
    "love*",
    "turn*",
    "convert*",
    "son",
    "sons",
    "daughter*",
    "kid",
    "kids",
    "child*",
    "famil*",
    "friend*",
    "class",
    "sohn*",
    "tochter",
    "kind*",
    "freund*",
    "klasse",
    "neu*",
    "umrechn*",
    "umzurechnen",
];
/// What begins the clause that says whom or what a wish is for.
const PURPOSES: &[&str] = &[
    "for my",
    "for our",
    "for me",
    "for us",
    "for school",
    "for work",
    "for home*",
    "for fun",
    "because",
    "so that",
    "so i",
    "so we",
    "when i",
    "when we",
    "fuer mein*",
    "fuer unser*",
    "fuer mich",
    "fuer uns",
    "fuer die schule",
    "fuer die arbeit",
    "fuers",
    "zum spass",
    "weil",
    "damit ich",
    "damit wir",
    "wenn ich",
    "wenn wir",
];
/// A clause of purpose has at least this many words before it.
const LEAST_BEFORE: usize = 2;

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
    /// The line as it was typed, or the description where it says nothing.
    pub(super) said: String,
    /// The hosts that the proposal names.
    pub(super) hosts: Vec<HostName>,
    /// The address of the configured service that the proposal is built around, with its slots such as `{place}`.
    pub(super) service: Option<String>,
    /// The day on which it was written down, in universal time.
    pub(super) day: Option<Date>,
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
            described: words(&proposal.description).collect(),
            all: format!(" {} ", words(&all).map(|word| written_out(&word)).collect::<Vec<_>>().join(" ")),
            capabilities: proposal.capabilities.clone(),
            name: proposal.name.to_string(),
            hosts: proposal.network.clone(),
            service: proposal
                .rationale
                .lines()
                .find_map(|line| line.strip_prefix("service: "))
                .map(str::to_owned),
            day: proposal.generated_at.get(..10).and_then(Date::parse),
            ..Wish::of_line(said)
        }
    }

    /// A line without a proposal.
    pub(super) fn of_line(said: &str) -> Wish {
        let line: Vec<String> = words(said).map(|word| written_out(&word)).collect();
        Wish {
            all: format!(" {} ", line.join(" ")),
            line,
            typed: words(said).collect(),
            described: Vec::new(),
            capabilities: TokenSet::new(),
            language: language::detect(said),
            name: String::new(),
            said: said.to_owned(),
            hosts: Vec::new(),
            service: None,
            day: None,
        }
    }

    /// Whether one of the patterns stands anywhere: a word, words, or the start of one with `*`.
    pub(super) fn has(&self, patterns: &Patterns) -> bool {
        stands_in(&self.all, patterns)
    }

    /// Whether one of the patterns stands in the line.
    pub(super) fn says(&self, patterns: &Patterns) -> bool {
        stands_in(&format!(" {} ", self.line.join(" ")), patterns)
    }

    /// How many words of the line are neither known to a family, nor common, nor numbers, nor part of what the wish is for.
    pub(super) fn strangers(&self, known: &Patterns) -> usize {
        let strange = |(typed, word): &(&String, &String)| {
            let number =
                word.chars().any(|c| c.is_ascii_digit()) || word.chars().all(|c| "ivxlcdm".contains(c));
            let plain = is_common(typed) || number;
            !plain && !PLAIN.iter().copied().chain(known.iter()).any(|pattern| fits(pattern, word))
        };
        self.typed.iter().zip(&self.line).take(self.until_purpose()).filter(strange).count()
    }

    /// How many words stand before a clause that says whom or what a wish is for; all of them if it has no clause of this
    /// kind.
    fn until_purpose(&self) -> usize {
        let begins = |at: usize| {
            PURPOSES.iter().any(|purpose| {
                let mut words = self.line[at..].iter();
                purpose.split(' ').all(|part| words.next().is_some_and(|word| fits(part, word)))
            })
        };
        (LEAST_BEFORE..self.line.len()).find(|at| begins(*at)).unwrap_or(self.line.len())
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

fn stands_in(text: &str, patterns: &Patterns) -> bool {
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
