//! What a proposal waits for, as the bot may know it.

use serde::{Deserialize, Serialize};

/// What a proposal waits for; waiting is not a rejection and never expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wait {
    /// A person's decision.
    Person,
    /// A model that does not answer, or that is not configured.
    Model,
    /// A compiler, its target, or the jail that it runs in.
    Compiler,
    /// Room: a budget, or space on the disk.
    Room,
}

impl Wait {
    /// All of them.
    pub const ALL: [Wait; 4] = [Wait::Person, Wait::Model, Wait::Compiler, Wait::Room];

    /// The word that the bot sees.
    pub fn as_str(self) -> &'static str {
        match self {
            Wait::Person => "person",
            Wait::Model => "model",
            Wait::Compiler => "compiler",
            Wait::Room => "room",
        }
    }
}
