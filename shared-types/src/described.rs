//! What a skill says about itself: its tools, and the sentences that lead to them; and how it is listed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::capability::TokenSet;
use crate::id::{Digest, EventType, SkillName, ToolName};
use crate::schema::Parameters;

/// A skill's description, as its module gave it when it was reviewed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Described {
    /// One sentence.
    pub description: String,
    /// Its tools; no two have the same name.
    pub tools: Vec<DescribedTool>,
    /// The event types that it handles.
    pub handles: Vec<EventType>,
    /// The event types that it sends.
    pub emits: Vec<EventType>,
}

/// One tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescribedTool {
    /// Its name within the skill.
    pub name: ToolName,
    /// One sentence.
    pub description: String,
    /// Its parameters.
    pub parameters: Parameters,
    /// Sentence patterns: language and pattern.
    pub phrases: Vec<(String, String)>,
    /// Sentences that it should answer.
    pub examples: Vec<String>,
}

/// A typed function that a skill offers.
#[derive(Debug, Clone)]
pub struct Tool {
    /// The name within the skill.
    pub name: ToolName,
    /// One line.
    pub description: String,
    /// The parameters.
    pub parameters: Parameters,
    /// Sentence patterns that mean this tool: language and pattern.
    pub phrases: Vec<(String, String)>,
    /// Sentences that it answers, in any language.
    pub examples: Vec<String>,
}

/// A skill as `skill list` and the banner show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The name.
    pub name: SkillName,
    /// The version.
    pub version: String,
    /// One line.
    pub description: String,
    /// The tokens that hold.
    pub tokens: TokenSet,
    /// Whether it was learned.
    pub learned: bool,
    /// Whether it is a plugin.
    pub plugin: bool,
    /// Its tools.
    pub tools: Vec<ToolName>,
}

impl Shown {
    /// Where it comes from, in a word.
    pub fn origin(&self) -> &'static str {
        match (self.plugin, self.learned) {
            (true, _) => "plugin",
            (false, true) => "learned",
            (false, false) => "built-in",
        }
    }
}

/// A description with its keys in their order of canonical JSON.
#[derive(Serialize)]
struct Sorted<'a> {
    description: &'a str,
    emits: &'a [EventType],
    handles: &'a [EventType],
    tools: Vec<SortedTool<'a>>,
}

#[derive(Serialize)]
struct SortedTool<'a> {
    description: &'a str,
    examples: &'a [String],
    name: &'a ToolName,
    parameters: &'a Value,
    phrases: &'a [(String, String)],
}

impl SortedTool<'_> {
    fn of(tool: &DescribedTool) -> SortedTool<'_> {
        SortedTool {
            description: &tool.description,
            examples: &tool.examples,
            name: &tool.name,
            parameters: tool.parameters.as_json(),
            phrases: &tool.phrases,
        }
    }
}

impl Described {
    /// SHA-256 of the description's canonical JSON (RFC 8785); the approver signs it.
    pub fn digest(&self) -> Digest {
        let text = self.canonical().expect("a description has text keys and finite numbers");
        Digest::of(text.as_bytes())
    }

    /// Most descriptions need nothing of canonical JSON but the order of keys: those are written as they are, which takes a
    /// tenth of the time. Every start does so with every skill.
    fn canonical(&self) -> serde_json::Result<String> {
        if !self.tools.iter().all(|tool| is_canonical(tool.parameters.as_json())) {
            return serde_json_canonicalizer::to_string(self);
        }
        serde_json::to_string(&Sorted {
            description: &self.description,
            emits: &self.emits,
            handles: &self.handles,
            tools: self.tools.iter().map(SortedTool::of).collect(),
        })
    }
}

/// Whether a value as it is written is canonical: whole numbers that a double holds exactly, and keys in an order that is the
/// same by bytes and by units of UTF-16.
fn is_canonical(value: &Value) -> bool {
    const EXACT: u64 = 1 << 53;
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => true,
        Value::Number(number) => number.as_i64().is_some_and(|n| n.unsigned_abs() < EXACT),
        Value::Array(values) => values.iter().all(is_canonical),
        Value::Object(map) => {
            map.keys().is_sorted()
                && map.iter().all(|(key, value)| key.chars().all(|c| c <= '\u{d7ff}') && is_canonical(value))
        }
    }
}

#[cfg(test)]
mod tests;
