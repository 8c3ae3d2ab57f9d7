//! What stands in the files of a family: `wish.yaml` and `examples.yaml`, and `refused.yaml` of the whole library.
//!
//! docs/guides/add-a-template.md explains each key.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use shared_types::capability::Token;

use super::condition::Condition;
use super::patterns::{BadText, Patterns, Text};
use super::slots::Slot;

/// `wish.yaml`: which wishes a family takes, and how its skill is filled.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WishFile {
    /// The name that the author line of a source shows.
    pub(super) name: String,
    /// Of two families that fit equally well the one with the lower number is taken.
    #[serde(default)]
    pub(super) order: u32,
    /// Words that such a wish may well contain; a wish with many others means something else.
    pub(super) words: Patterns,
    /// How many others it may contain: none where one of them makes it another wish (to count vowels is not to count letters).
    pub(super) most_strangers: usize,
    /// Groups of patterns that are looked for in the line, the name, the description and the tools.
    #[serde(default)]
    pub(super) anywhere: BTreeMap<String, Patterns>,
    /// Groups of patterns that are looked for in the line alone.
    #[serde(default)]
    pub(super) in_line: BTreeMap<String, Patterns>,
    #[serde(default)]
    pub(super) slots: BTreeMap<String, Slot>,
    /// Conditions with a name.
    #[serde(default)]
    pub(super) is: BTreeMap<String, Condition>,
    pub(super) takes: Condition,
    #[serde(default)]
    pub(super) beyond: Vec<Refusal>,
    #[serde(default)]
    pub(super) choices: Vec<Choice>,
    /// Names that hold are switches, and joined by `+` the value of the list.
    #[serde(default)]
    pub(super) lists: BTreeMap<String, Vec<Part>>,
    /// The parameters in words, as in `subject=birds`; `{tools}` are the tools.
    #[serde(default)]
    pub(super) parameters: Text,
    pub(super) tools: Vec<ToolShape>,
    /// Parts of the skill to keep.
    #[serde(default)]
    pub(super) switches: BTreeMap<String, Condition>,
    /// Texts for literals that hold nothing else.
    #[serde(default)]
    pub(super) texts: BTreeMap<String, Text>,
    /// Plain words, also within a literal.
    #[serde(default)]
    pub(super) plain: BTreeMap<String, Text>,
    /// Capabilities without which the skill does not work.
    #[serde(default)]
    pub(super) needs: Vec<Token>,
}

/// A reason, and when it holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Refusal {
    pub(super) when: Condition,
    pub(super) because: Text,
}

/// Values by the first case that holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Choice {
    /// The text that `is` is compared with.
    #[serde(default)]
    pub(super) of: Text,
    pub(super) cases: Vec<Case>,
}

/// One case of a choice; without `when` and `is` it always holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) when: Option<Condition>,
    pub(super) is: Option<Patterns>,
    #[serde(default)]
    pub(super) set: BTreeMap<String, Text>,
    /// Switches.
    #[serde(default)]
    pub(super) keep: Vec<String>,
}

/// A part of a list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    pub(super) part: String,
    pub(super) when: Condition,
}

/// A tool that a template can offer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolShape {
    /// The name in the template, and the name offered when the proposal names none.
    #[serde(rename = "tool")]
    pub(super) key: String,
    /// Whether it is offered when the proposal names none.
    #[serde(default = "yes")]
    pub(super) standard: bool,
    /// When it is one of the tools; always, where nothing is said.
    pub(super) when: Option<Condition>,
    /// Words that the name or the description of such a tool may contain.
    pub(super) words: Patterns,
    /// The ways to give its parameters; the first is the usual one.
    #[serde(default = "no_parameters")]
    pub(super) ways: Vec<Vec<ParamShape>>,
}

/// A parameter that a template can take.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParamShape {
    #[serde(rename = "param")]
    pub(super) key: String,
    #[serde(default)]
    pub(super) optional: bool,
    #[serde(default)]
    pub(super) words: Patterns,
}

/// `examples.yaml`: what the review tries, and what the tests ask for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExamplesFile {
    pub(super) wishes: Wishes,
    #[serde(default)]
    pub(super) trials: Vec<Trial>,
}

/// Wishes that the family takes, and some that look alike and are for others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wishes {
    pub(super) takes: Vec<String>,
    #[serde(default)]
    pub(super) leaves: Vec<String>,
    /// What the proposals ask for.
    #[serde(default)]
    pub(super) capabilities: Vec<Token>,
    #[serde(default)]
    pub(super) hosts: Vec<shared_types::id::HostName>,
    /// The address of a configured service.
    #[serde(default)]
    pub(super) service: Option<String>,
}

/// A trial in the family's own names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trial {
    pub(super) tool: String,
    pub(super) when: Option<Condition>,
    #[serde(default)]
    pub(super) args: BTreeMap<String, Arg>,
    /// What the answer holds.
    pub(super) expect: Text,
    /// The same in German, where it is more than a number.
    pub(super) german: Option<Text>,
}

/// An argument of a trial; a text may hold values.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Value")]
pub(super) enum Arg {
    Text(Text),
    Other(Value),
}

impl TryFrom<Value> for Arg {
    type Error = BadText;

    fn try_from(value: Value) -> Result<Arg, BadText> {
        match value {
            Value::String(text) => Text::try_from(text).map(Arg::Text),
            other => Ok(Arg::Other(other)),
        }
    }
}

/// `refused.yaml`: wishes that no template can serve.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RefusedFile {
    #[serde(default)]
    pub(super) anywhere: BTreeMap<String, Patterns>,
    #[serde(default)]
    pub(super) in_line: BTreeMap<String, Patterns>,
    #[serde(default)]
    pub(super) slots: BTreeMap<String, Slot>,
    #[serde(default)]
    pub(super) is: BTreeMap<String, Condition>,
    pub(super) refused: Vec<Refusal>,
}

fn yes() -> bool {
    true
}

fn no_parameters() -> Vec<Vec<ParamShape>> {
    vec![Vec::new()]
}
