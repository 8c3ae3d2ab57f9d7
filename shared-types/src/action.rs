//! One effect outside the bot's sandbox, as a proposal of `kind: action` asks for it, and what came of it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::{HostName, SkillName, ToolName};
use crate::risk::Risk;

/// The longest line of a shell, in bytes.
pub const MAX_LINE: usize = 4096;
/// The longest standard input, in bytes.
pub const MAX_STDIN: usize = 32 * 1024;
/// The longest arguments of a call, as JSON, in bytes.
pub const MAX_ARGS: usize = 32 * 1024;
/// How long a command may take when nothing is said, in seconds.
pub const DEFAULT_SECONDS: u32 = 15;
/// The longest time that can be asked for, in seconds.
pub const MAX_SECONDS: u32 = 600;
/// How much of each output is kept, in bytes.
pub const MAX_OUTPUT: usize = 50 * 1024;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Action {
    /// A line for the shell's parser; what runs are the programs that it names, and no shell.
    Shell {
        /// The line.
        line: String,
        /// What the first program reads.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        stdin: String,
        /// How long it may take, in seconds.
        #[serde(default = "default_seconds")]
        timeout_s: u32,
        /// Whether it needs the network; that is a person's to give, each time.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        network: bool,
    },
    /// A tool of an installed plugin.
    Plugin {
        /// The plugin.
        plugin: SkillName,
        /// Its tool.
        tool: ToolName,
        /// The arguments.
        args: Value,
        /// How long it may take, in seconds.
        #[serde(default = "default_seconds")]
        timeout_s: u32,
    },
    /// A person's yes to a call that the bot makes itself, where no person can be asked in the chat.
    Permit {
        /// The tool, by its full name.
        tool: String,
        /// The arguments.
        args: Value,
        /// How the bot judges it.
        risk: Risk,
        /// Why it asks.
        reason: String,
    },
}

/// What a plugin exchanged with one host, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reached {
    /// The host, with its port.
    pub host: HostName,
    /// Bytes that went there.
    pub sent: u64,
    /// Bytes that came from there.
    pub received: u64,
    /// Why a connection was refused or cut, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} bytes sent, {} received", self.host, self.sent, self.received)
    }
}

/// What came of an action.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionResult {
    /// The exit code; absent where a signal or the time limit ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// Why there is no exit code, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// What it wrote to its standard output, bytes that are not UTF-8 replaced.
    #[serde(default)]
    pub stdout: String,
    /// What it wrote to its standard error.
    #[serde(default)]
    pub stderr: String,
    /// Whether one of the two was longer than what is kept.
    #[serde(default)]
    pub cut: bool,
    /// How long it took, in milliseconds.
    #[serde(default)]
    pub ms: u64,
    /// The hosts that it asked for, each with what was exchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub network: Vec<Reached>,
}

fn default_seconds() -> u32 {
    DEFAULT_SECONDS
}

impl Action {
    /// The word of its type.
    pub fn word(&self) -> &'static str {
        match self {
            Action::Shell { .. } => "shell",
            Action::Plugin { .. } => "plugin",
            Action::Permit { .. } => "permit",
        }
    }

    /// What is wrong with its fields, each with its key and what is allowed.
    pub fn faults(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        let mut seconds = |s: u32| {
            if !(1..=MAX_SECONDS).contains(&s) {
                faults.push(("timeout_s", format!("1 to {MAX_SECONDS} seconds")));
            }
        };
        match self {
            Action::Shell { line, stdin, timeout_s, .. } => {
                seconds(*timeout_s);
                if line.trim().is_empty() || line.len() > MAX_LINE || line.chars().any(crate::text::is_unsafe)
                {
                    faults.push((
                        "line",
                        format!("one line of 1 to {MAX_LINE} bytes, without control characters"),
                    ));
                }
                if stdin.len() > MAX_STDIN {
                    faults.push(("stdin", format!("at most {MAX_STDIN} bytes")));
                }
            }
            Action::Plugin { args, timeout_s, .. } => {
                seconds(*timeout_s);
                faults.extend(args_fault(args));
            }
            Action::Permit { tool, args, reason, .. } => {
                if tool.is_empty() || tool.len() > 130 || tool.chars().any(crate::text::is_unsafe) {
                    faults.push(("tool", "the full name of a tool".to_owned()));
                }
                if reason.chars().count() > 500 || reason.chars().any(crate::text::is_unsafe) {
                    faults.push(("reason", "one line of at most 500 characters".to_owned()));
                }
                faults.extend(args_fault(args));
            }
        }
        faults
    }
}

fn args_fault(args: &Value) -> Option<(&'static str, String)> {
    let fits = args.is_object() && args.to_string().len() <= MAX_ARGS;
    (!fits).then(|| ("args", format!("a mapping of at most {MAX_ARGS} bytes")))
}

#[cfg(test)]
mod tests;
