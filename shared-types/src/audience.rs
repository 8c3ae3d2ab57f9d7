//! For whom a profile is: sets how strict the guard is and which tone the assistant takes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// For whom a profile is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// A child: the strictest guard; what would ask waits for the approver.
    Child,
    /// A teenager: a strict guard; what would ask waits for the approver.
    Teen,
    /// A grown-up.
    #[default]
    Adult,
    /// A place of work.
    Work,
}

impl Audience {
    /// Every audience.
    pub const ALL: [Audience; 4] = [Audience::Child, Audience::Teen, Audience::Adult, Audience::Work];

    /// The spelling in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Audience::Child => "child",
            Audience::Teen => "teen",
            Audience::Adult => "adult",
            Audience::Work => "work",
        }
    }

    /// Whether the person is a minor: an approver answers for them.
    pub fn is_minor(self) -> bool {
        matches!(self, Audience::Child | Audience::Teen)
    }
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that names no audience.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an audience: one of child, teen, adult, work")]
pub struct UnknownAudience(pub String);

impl FromStr for Audience {
    type Err = UnknownAudience;

    fn from_str(word: &str) -> Result<Self, UnknownAudience> {
        Audience::ALL
            .into_iter()
            .find(|audience| audience.as_str() == word)
            .ok_or_else(|| UnknownAudience(crate::text::cut(word, 40)))
    }
}
