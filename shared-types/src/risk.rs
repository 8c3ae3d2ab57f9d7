//! How much a call could do, and how much a profile lets happen without asking.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What one call could do at worst, decided by tool, arguments and policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// Nothing that outlasts the answer.
    Low,
    /// Something that a person may want to know first.
    Medium,
    /// Something that is refused unless the profile's rules say otherwise.
    High,
    /// Never done.
    Blocked,
}

/// How much happens without asking.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Autonomy {
    /// Low runs; everything else is refused.
    Readonly,
    /// Low runs, medium asks a person, high is refused.
    #[default]
    Supervised,
    /// Low and medium run; high is refused.
    Full,
}

impl Risk {
    /// Every risk, the smallest first.
    pub const ALL: [Risk; 4] = [Risk::Low, Risk::Medium, Risk::High, Risk::Blocked];

    /// The spelling in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Risk::Low => "low",
            Risk::Medium => "medium",
            Risk::High => "high",
            Risk::Blocked => "blocked",
        }
    }

    /// One level higher; nothing is higher than blocked.
    #[must_use]
    pub fn raised(self) -> Risk {
        match self {
            Risk::Low => Risk::Medium,
            Risk::Medium => Risk::High,
            Risk::High | Risk::Blocked => Risk::Blocked,
        }
    }
}

impl Autonomy {
    /// Every level, the strictest first.
    pub const ALL: [Autonomy; 3] = [Autonomy::Readonly, Autonomy::Supervised, Autonomy::Full];

    /// The spelling in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Autonomy::Readonly => "readonly",
            Autonomy::Supervised => "supervised",
            Autonomy::Full => "full",
        }
    }

    /// The level of that spelling.
    pub fn of(word: &str) -> Option<Autonomy> {
        Autonomy::ALL.into_iter().find(|level| level.as_str() == word)
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for Autonomy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
