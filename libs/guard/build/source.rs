//! What a file of rules holds.

use std::collections::BTreeMap;

use serde::Deserialize;
use shared_types::audience::Audience;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleFile {
    /// Names for sets of words and phrases, each a list with commas.
    #[serde(default)]
    pub(crate) classes: BTreeMap<String, String>,
    /// Classes of which misspelt words count too.
    #[serde(default)]
    pub(crate) typos: Vec<String>,
    /// Classes whose words betray that a text is written backwards or in rot13.
    #[serde(default)]
    pub(crate) hints: Vec<String>,
    /// Names for exact signs.
    #[serde(default)]
    pub(crate) marks: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(crate) rules: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    pub(crate) id: String,
    /// What it notices, for people.
    pub(crate) says: String,
    pub(crate) family: Family,
    /// How sure it is alone, up to 1; below 0 it takes away.
    pub(crate) score: f64,
    /// The same for text that no person typed.
    pub(crate) outside: Option<f64>,
    /// For whom it counts; everybody when absent.
    pub(crate) audiences: Option<Vec<Audience>>,
    #[serde(default)]
    pub(crate) patterns: Vec<String>,
}

/// What a rule's score adds up with.
#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Family {
    Steering,
    Harm,
    Blocked,
}

/// Where each verdict begins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Thresholds {
    pub(crate) audiences: BTreeMap<Audience, Limits>,
}

/// The scores from which a text is a caution, or blocked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    pub(crate) caution: f32,
    pub(crate) block: f32,
}
