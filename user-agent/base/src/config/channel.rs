//! What may be done through a channel: the way on which a person and the assistant talk.

use std::fmt;
use std::str::FromStr;

use shared_types::settings::Section;
use shared_types::text::cut;

/// The channels that there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Through {
    /// The terminal, a pipe, a single message, an editor, a client of MCP.
    #[default]
    Cli,
    /// HTTP: the pages and the interface of `cl-bot serve`.
    Door,
    /// A room of a Matrix server: `cl-bot matrix`.
    Matrix,
    /// A private chat of Telegram: `cl-bot telegram`.
    Telegram,
    /// Speech, by services of this machine: `cl-bot voice`.
    Voice,
}

impl Through {
    /// Its name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Through::Cli => "cli",
            Through::Door => "door",
            Through::Matrix => "matrix",
            Through::Telegram => "telegram",
            Through::Voice => "voice",
        }
    }

    /// Whether a line that comes through it may excuse a call. One that another account could send, or that was heard, may not.
    pub fn excuses(self) -> bool {
        match self {
            Through::Cli | Through::Door => true,
            Through::Matrix | Through::Telegram | Through::Voice => false,
        }
    }

    /// The key of the configuration that says which tools may be called through it.
    pub fn tools_key(self) -> &'static str {
        match self {
            Through::Cli => "channels.cli.tools_allow",
            Through::Door => "channels.door.tools_allow",
            Through::Matrix => "channels.matrix.tools_allow",
            Through::Telegram => "channels.telegram.tools_allow",
            Through::Voice => "channels.voice.tools_allow",
        }
    }
}

/// The tools of the built-in skills, by their full names; a misspelled name is reported when the configuration is read.
pub const BUILT_IN: [&str; 18] = [
    "age",
    "ask_user",
    "date",
    "earlier",
    "file_append",
    "file_attach",
    "file_list",
    "file_read",
    "file_search",
    "file_write",
    "http_get",
    "later",
    "memory_search",
    "shell",
    "time",
    "until",
    "web_search",
    "week",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Whether anybody may talk through it.
    pub enabled: bool,
    /// The tools that are offered and called through it.
    pub tools_allow: Vec<ToolPattern>,
}

impl Default for Channel {
    fn default() -> Self {
        Channel { enabled: true, tools_allow: vec![ToolPattern("*".to_owned())] }
    }
}

impl Channel {
    /// Reads one channel; where the file says nothing, another one holds.
    pub(super) fn read(section: &mut Section, other: &Channel) -> Channel {
        let enabled = if section.has("enabled") { section.flag("enabled") } else { other.enabled };
        if !section.has("tools_allow") {
            return Channel { enabled, tools_allow: other.tools_allow.clone() };
        }
        let mut tools_allow = Vec::new();
        for pattern in section.texts("tools_allow") {
            match pattern.parse() {
                Ok(pattern) => tools_allow.push(pattern),
                Err(fault) => section.fault("tools_allow", format!("{fault}")),
            }
        }
        Channel { enabled, tools_allow }
    }

    /// Whether a tool, by its full name, may be used through this channel.
    pub fn allows(&self, tool: &str) -> bool {
        self.tools_allow.iter().any(|pattern| pattern.matches(tool))
    }

    /// The same for a tool whose full name does not carry the name of its skill, as `file_read` of `files`.
    pub fn allows_of(&self, skill: &str, tool: &str) -> bool {
        let with_skill = format!("{skill}.{tool}");
        self.allows(tool) || self.tools_allow.iter().any(|p| p.covers(skill) || p.matches(&with_skill))
    }
}

/// `*` for every tool, `SKILL.*` for those of one skill, or one tool's name: `file_read` of a built-in skill, `dice.roll`
/// of a learned one. `clock.time` means the built-in `time` too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolPattern(String);

impl ToolPattern {
    /// Whether it is for every tool of a skill.
    fn covers(&self, skill: &str) -> bool {
        self.0.strip_suffix(".*") == Some(skill)
    }

    fn matches(&self, tool: &str) -> bool {
        match self.0.strip_suffix('*') {
            Some("") => true,
            Some(start) => tool.starts_with(start),
            None => self.0 == tool,
        }
    }
}

/// A text that is not a pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a pattern of tools; allowed: `*`, `SKILL.*`, `SKILL.TOOL`, or a built-in tool such as `file_read`"
)]
pub struct PatternError(String);

impl FromStr for ToolPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let is_name = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_lowercase())
                && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b))
        };
        let fits = text == "*"
            || is_name(text) && BUILT_IN.contains(&text)
            || text
                .split_once('.')
                .is_some_and(|(skill, tool)| is_name(skill) && (tool == "*" || is_name(tool)));
        if fits { Ok(ToolPattern(text.to_owned())) } else { Err(PatternError(cut(text, 80))) }
    }
}

impl fmt::Display for ToolPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests;
