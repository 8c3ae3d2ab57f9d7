//! Who wrote an attempt, and the objections to it. The journal keeps both as texts; they are read once, here, and every decision
//! matches on the values.

#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

/// Who wrote a source. Its text is what the journal keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Author {
    kind: AuthorKind,
    text: String,
}

/// What kind of author that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthorKind {
    /// A template of the offline library: the same wish gives the same source again.
    Template,
    /// A language model.
    Model {
        /// Whether it wrote the tools' functions alone, and this program the rest.
        scaffolded: bool,
    },
    /// None of both: a search by examples, a person, or a place that the source was taken from.
    Other,
}

impl Author {
    /// A template of the offline library, by its name and what it was filled with.
    pub fn template(filled: &str) -> Author {
        Author { kind: AuthorKind::Template, text: format!("{TEMPLATE} {filled}") }
    }

    /// A model, by its name.
    pub fn model(name: &str, scaffolded: bool) -> Author {
        let mark = if scaffolded { SCAFFOLDED } else { "" };
        Author { kind: AuthorKind::Model { scaffolded }, text: format!("{MODEL} {name}{mark}") }
    }

    /// Another author than a template or a model, regardless of the text.
    pub fn other(text: impl Into<String>) -> Author {
        Author { kind: AuthorKind::Other, text: text.into() }
    }

    /// What kind of author it is.
    pub fn kind(&self) -> AuthorKind {
        self.kind
    }

    /// The text, as the journal keeps it and people read it.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl From<String> for Author {
    fn from(text: String) -> Author {
        let kind = if text.starts_with(TEMPLATE) {
            AuthorKind::Template
        } else if text.split_once(' ').is_some_and(|(first, _)| first == MODEL) {
            AuthorKind::Model { scaffolded: text.ends_with(SCAFFOLDED) }
        } else {
            AuthorKind::Other
        };
        Author { kind, text }
    }
}

impl From<Author> for String {
    fn from(author: Author) -> String {
        author.text
    }
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

const TEMPLATE: &str = "template";
const MODEL: &str = "model";

/// What ends the text of a model that wrote the functions alone.
const SCAFFOLDED: &str = " (scaffold)";

/// One reason why an attempt does not pass. Its text is what the journal keeps, and what a model reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Objection {
    check: Check,
    text: String,
}

/// Which check objects, and to which part of the source where it says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// The rules for the text of a source.
    Scan,
    /// The form of what a model wrote for the tools.
    Scaffold,
    Compile {
        /// The line of the source as it is printed, from 1.
        line: Option<usize>,
    },
    /// The comparison of imports and tokens.
    Imports,
    /// The comparison of what is offered with what was asked for.
    Describe,
    /// The look at the module.
    Module,
    /// A call with an example.
    Trial {
        /// The tool that was called.
        tool: Option<String>,
    },
    /// The rules for combinations of skills.
    Composition,
    /// None of these: an answer without a source, for one.
    Other,
}

impl Objection {
    /// An objection of the scan, in these words.
    pub fn scan(words: impl fmt::Display) -> Objection {
        Objection::from(format!("scan: {words}"))
    }

    /// An objection of the comparison of imports.
    pub fn imports(words: impl fmt::Display) -> Objection {
        Objection::from(format!("imports: {words}"))
    }

    /// An objection of the comparison with what was asked for.
    pub fn describe(words: impl fmt::Display) -> Objection {
        Objection::from(format!("describe: {words}"))
    }

    /// An objection of the look at the module.
    pub fn module(words: impl fmt::Display) -> Objection {
        Objection::from(format!("module: {words}"))
    }

    /// An objection of a call of this tool, in the words that follow its name.
    pub fn trial(tool: &str, words: impl fmt::Display) -> Objection {
        Objection::from(format!("trial: {tool} {words}"))
    }

    /// An objection of the rules for combinations.
    pub fn composition(words: impl fmt::Display) -> Objection {
        Objection::from(format!("composition: {words}"))
    }

    /// Which check objects.
    pub fn check(&self) -> &Check {
        &self.check
    }

    /// The text, as the journal keeps it.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl From<String> for Objection {
    fn from(text: String) -> Objection {
        let (label, words) = text.split_once(':').unwrap_or_default();
        let words = words.trim_start();
        let check = match label {
            "scan" => Check::Scan,
            "scaffold" => Check::Scaffold,
            "compile" => Check::Compile { line: line(words) },
            "imports" => Check::Imports,
            "describe" => Check::Describe,
            "module" => Check::Module,
            "trial" => Check::Trial { tool: words.split_whitespace().next().map(str::to_owned) },
            "composition" => Check::Composition,
            _ => Check::Other,
        };
        Objection { check, text }
    }
}

impl From<Objection> for String {
    fn from(objection: Objection) -> String {
        objection.text
    }
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The line of `line 4, column 5: ...`.
fn line(words: &str) -> Option<usize> {
    words.strip_prefix("line ")?.split(',').next()?.parse().ok()
}

/// Several objections as one text.
pub fn joined(objections: &[Objection]) -> String {
    objections.iter().map(Objection::text).collect::<Vec<_>>().join("; ")
}
