//! The data files, read once.
//!
//! What people edit is `CODE.yaml`. What the program carries is `languages.json`, the same content in a form that is read
//! ten times as fast, since every start pays for it; a test holds the two together and renews the second:
//! `TAMECLAW_BLESS=1 cargo test -p models language`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use shared_types::capability::TokenSet;
use shared_types::profile::SystemCapability;

use crate::phrases::Pattern;

/// One file per language; the first is the default.
#[cfg(test)]
const CODES: [&str; 2] = ["en", "de"];

/// All files in the order of the codes.
const LANGUAGES: &str = include_str!("languages.json");

/// A language's file. Words stand in it in the form in which they are compared.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Data {
    pub(crate) code: String,
    pub(crate) decimal_comma: bool,
    pub(crate) markers: Vec<String>,
    #[serde(deserialize_with = "phrases")]
    pub(crate) lead: Vec<Vec<String>>,
    #[serde(deserialize_with = "phrases")]
    pub(crate) trail: Vec<Vec<String>>,
    #[serde(deserialize_with = "expansions")]
    pub(crate) contractions: BTreeMap<String, Vec<String>>,
    pub(crate) numbers: BTreeMap<String, i64>,
    pub(crate) booleans: BTreeMap<String, bool>,
    pub(crate) and: Vec<String>,
    intents: BTreeMap<Kind, Vec<String>>,
    #[serde(deserialize_with = "phrases")]
    pub(crate) requests: Vec<Vec<String>>,
    pub(crate) swap: BTreeMap<String, String>,
    pub(crate) quote: Vec<String>,
    pub(crate) ignore: Vec<String>,
    pub(crate) says: Says,
    pub(crate) draft: DraftRules,
    #[serde(skip)]
    compiled: OnceLock<Vec<Compiled>>,
}

/// The kinds of intent that patterns are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    Learn,
    /// Looks like a wish and is none.
    None,
    Confirm,
    Decline,
    Remember,
    Forget,
    Recall,
    Greeting,
    Thanks,
    Goodbye,
    Capabilities,
    Limits,
    WhoAreYou,
    HowAreYou,
}

/// What the companion says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Says {
    pub(crate) gap: String,
    pub(crate) unknown: String,
    pub(crate) greeting: String,
    pub(crate) thanks: String,
    pub(crate) goodbye: String,
    pub(crate) how_are_you: String,
    pub(crate) who_are_you: String,
    pub(crate) capabilities_none: String,
    pub(crate) capabilities: String,
    pub(crate) capabilities_end: String,
    pub(crate) for_example: String,
    pub(crate) limits: String,
    pub(crate) limits_open: String,
    pub(crate) nothing_known: String,
    pub(crate) nothing_at_all: String,
    pub(crate) all_known: String,
    pub(crate) quoted: String,
    pub(crate) remembered: String,
    pub(crate) forgotten: String,
    pub(crate) confirm: String,
    pub(crate) decline: String,
    pub(crate) ask_to_learn: String,
    pub(crate) cannot_write: String,
}

/// How a wish becomes a proposal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftRules {
    pub(crate) stop: Vec<String>,
    pub(crate) rules: Vec<Rule>,
}

/// Words of a wish, and what they ask for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    #[serde(deserialize_with = "phrases")]
    pub(crate) words: Vec<Vec<String>>,
    pub(crate) tokens: TokenSet,
    #[serde(default)]
    pub(crate) requires: Vec<SystemCapability>,
    #[serde(default)]
    pub(crate) topic: Option<String>,
}

/// A pattern with what is taken from its match.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) kind: Kind,
    pub(crate) pattern: Pattern,
    pub(crate) take: Take,
}

/// What is taken from a match.
#[derive(Debug)]
pub(crate) enum Take {
    /// The text of the only slot, or nothing.
    Slot,
    /// The whole line.
    Line,
    /// A text in which `{slot}` is replaced.
    Text(String),
}

impl Data {
    /// The patterns of every kind.
    pub(crate) fn patterns(&self) -> &[Compiled] {
        self.compiled.get_or_init(|| {
            let all = self.intents.iter().flat_map(|(kind, texts)| texts.iter().map(|text| (*kind, text)));
            all.map(|(kind, text)| compile(kind, text)).collect()
        })
    }
}

/// Every language's file.
pub(crate) fn all() -> &'static [Data] {
    static ALL: OnceLock<Vec<Data>> = OnceLock::new();
    ALL.get_or_init(|| read(LANGUAGES))
}

fn read(languages: &str) -> Vec<Data> {
    serde_json::from_str(languages).expect("the language files are part of the program and tested")
}

fn compile(kind: Kind, text: &str) -> Compiled {
    let (pattern, take) = match text.split_once("=>") {
        Some((pattern, take)) if take.trim() == "*" => (pattern, Take::Line),
        Some((pattern, take)) => (pattern, Take::Text(take.trim().to_owned())),
        None => (text, Take::Slot),
    };
    let pattern = Pattern::parse(pattern).expect("the language files are part of the program and tested");
    Compiled { kind, pattern, take }
}

fn split(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn phrases<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<String>>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    Ok(texts.iter().map(|t| split(t)).collect())
}

fn expansions<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Vec<String>>, D::Error> {
    let texts = BTreeMap::<String, String>::deserialize(deserializer)?;
    Ok(texts.into_iter().map(|(k, v)| (k, split(&v))).collect())
}

#[cfg(test)]
mod tests;
