//! What a skill says about itself: its tools, and the sentences that lead to them; and how it is listed.

use serde::{Deserialize, Serialize};

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

impl Described {
    /// SHA-256 of the description's canonical JSON (RFC 8785); the approver signs it.
    pub fn digest(&self) -> Digest {
        let text = serde_json_canonicalizer::to_string(self)
            .expect("a description has text keys and finite numbers");
        Digest::of(text.as_bytes())
    }
}
