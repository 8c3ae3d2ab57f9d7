//! The words of a proposal, English or German, in a form in which they are compared.

use shared_types::capability::TokenSet;
use shared_types::proposal::Proposal;

/// A proposal's words.
pub(super) struct Wish {
    /// The line that the person typed, or the description where it says nothing.
    line: Vec<String>,
    /// The same words as they were typed, in lower case.
    typed: Vec<String>,
    /// The words of the description as they were written, in lower case.
    described: Vec<String>,
    /// Line, name, description and tools.
    all: String,
    /// The tokens asked for.
    pub(super) capabilities: TokenSet,
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
            line: words(said).map(|word| folded(&word)).collect(),
            typed: words(said).collect(),
            described: words(&proposal.description).collect(),
            all: format!(" {} ", words(&all).map(|word| folded(&word)).collect::<Vec<_>>().join(" ")),
            capabilities: proposal.capabilities.clone(),
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
        let strange = |word: &&String| {
            let plain = COMMON.contains(&word.as_str()) || word.chars().any(|c| c.is_ascii_digit());
            !plain && !known.iter().any(|pattern| fits(pattern, word))
        };
        self.line.iter().filter(strange).count()
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

/// Whether a word says nothing of its own about a wish.
pub(super) fn is_common(word: &str) -> bool {
    COMMON.contains(&folded(word).as_str())
}

/// A word with its umlauts written out.
pub(super) fn folded(word: &str) -> String {
    word.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss")
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
    words(line).any(|word| !COMMON.contains(&folded(&word).as_str()))
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
        .map(|word| word.to_lowercase().replace(['\'', '’'], ""))
        .filter(|word| !word.is_empty())
}

/// Words that any wish may contain.
const COMMON: &[&str] = &[
    "a",
    "able",
    "about",
    "again",
    "ah",
    "all",
    "also",
    "an",
    "and",
    "any",
    "anything",
    "are",
    "as",
    "ask",
    "at",
    "be",
    "because",
    "been",
    "both",
    "but",
    "by",
    "can",
    "cant",
    "could",
    "create",
    "do",
    "does",
    "each",
    "every",
    "for",
    "from",
    "get",
    "give",
    "given",
    "go",
    "good",
    "handle",
    "has",
    "have",
    "hello",
    "help",
    "here",
    "hey",
    "hi",
    "how",
    "i",
    "id",
    "if",
    "im",
    "in",
    "into",
    "is",
    "it",
    "its",
    "just",
    "know",
    "learn",
    "learning",
    "let",
    "like",
    "line",
    "make",
    "many",
    "may",
    "me",
    "more",
    "much",
    "must",
    "my",
    "need",
    "new",
    "no",
    "now",
    "of",
    "off",
    "offer",
    "ok",
    "okay",
    "on",
    "one",
    "or",
    "other",
    "others",
    "our",
    "out",
    "people",
    "persons",
    "please",
    "really",
    "say",
    "says",
    "see",
    "shall",
    "should",
    "simple",
    "skill",
    "skills",
    "so",
    "some",
    "someone",
    "something",
    "such",
    "sure",
    "take",
    "teach",
    "tell",
    "tells",
    "than",
    "thank",
    "thanks",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "this",
    "those",
    "to",
    "tool",
    "two",
    "up",
    "us",
    "use",
    "using",
    "very",
    "want",
    "wants",
    "was",
    "way",
    "we",
    "well",
    "what",
    "whats",
    "when",
    "where",
    "which",
    "who",
    "will",
    "wish",
    "with",
    "work",
    "would",
    "yeah",
    "yes",
    "you",
    "your",
    "yourself",
    "able",
    "ability",
    "between",
    "user",
    "quickly",
    "learns",
    "answer",
    "answers",
    // German
    "aber",
    "alle",
    "als",
    "am",
    "an",
    "auch",
    "auf",
    "aus",
    "bei",
    "beibringen",
    "bitte",
    "bring",
    "da",
    "damit",
    "das",
    "dass",
    "dein",
    "dem",
    "den",
    "der",
    "des",
    "die",
    "dir",
    "du",
    "ein",
    "eine",
    "einem",
    "einen",
    "einer",
    "eines",
    "er",
    "es",
    "faehigkeit",
    "fuer",
    "gib",
    "gut",
    "hab",
    "habe",
    "haben",
    "hallo",
    "hat",
    "hilf",
    "ich",
    "ihr",
    "im",
    "in",
    "ins",
    "ist",
    "ja",
    "kann",
    "kannst",
    "koenntest",
    "koennen",
    "lern",
    "lerne",
    "lernen",
    "mach",
    "machen",
    "man",
    "mein",
    "meine",
    "meinem",
    "meinen",
    "meiner",
    "mich",
    "mir",
    "mit",
    "moechte",
    "nach",
    "neu",
    "neue",
    "nicht",
    "noch",
    "nun",
    "ob",
    "oder",
    "ohne",
    "sag",
    "sage",
    "sagen",
    "sein",
    "sich",
    "sie",
    "sind",
    "so",
    "soll",
    "sollst",
    "ueber",
    "um",
    "und",
    "uns",
    "unser",
    "vom",
    "von",
    "vor",
    "was",
    "wenn",
    "wer",
    "wie",
    "will",
    "wir",
    "wo",
    "wuerde",
    "zu",
    "zum",
    "zur",
    "zwischen",
];
