//! The word for what holds.

use std::{fmt, str::FromStr};

use crate::Confinement;

/// How well a process is confined, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Less than any of the others.
    Degraded,
    /// File rules or a mount namespace, and the table of calls, under a user that others share.
    Process,
    /// Own user and a read-only mount namespace instead of file rules, and the table of calls.
    Namespace,
    /// Own user, file rules and the table of calls.
    Full,
}

/// Judges what was reached.
#[must_use]
pub fn tier(held: &Confinement, own_user: bool) -> Tier {
    let confined = held.governs_files() && held.seccomp && held.no_new_privs && held.no_capabilities;
    match (confined, own_user, held.landlock_abi) {
        (false, _, _) => Tier::Degraded,
        (true, false, _) => Tier::Process,
        (true, true, None) => Tier::Namespace,
        (true, true, Some(_)) => Tier::Full,
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Degraded => "degraded",
            Self::Process => "process",
            Self::Namespace => "namespace",
            Self::Full => "full",
        })
    }
}

/// A word that names no tier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a tier: one of degraded, process, namespace, full")]
pub struct UnknownTier(pub String);

impl FromStr for Tier {
    type Err = UnknownTier;

    fn from_str(word: &str) -> Result<Self, UnknownTier> {
        [Self::Degraded, Self::Process, Self::Namespace, Self::Full]
            .into_iter()
            .find(|tier| tier.to_string() == word)
            .ok_or_else(|| UnknownTier(word.to_owned()))
    }
}

#[cfg(test)]
mod tests;
