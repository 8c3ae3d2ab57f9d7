//! What each profile may still ask for today: its share of the day's budgets, with actions counted apart.

use std::collections::HashMap;
use std::ffi::OsString;

use base::config::Budgets;
use beneath::Look;
use ledger::Looked;
use shared_types::proposal::Kind;

/// The most files of one profile that are remembered as set aside; beyond that they are looked at again.
const MOST_ASIDE: usize = 10_000;

/// What of a profile's day is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    wishes: bool,
    actions: bool,
}

impl Left {
    /// Compares what was looked at today with the share of one among this many profiles.
    pub fn of(looked: Looked, budgets: &Budgets, profiles: usize) -> Left {
        Left {
            wishes: looked.wishes < share(budgets.proposals, profiles),
            actions: looked.actions < share(budgets.actions, profiles),
        }
    }

    /// Whether anything is left.
    pub fn any(self) -> bool {
        self.wishes || self.actions
    }

    /// Whether something is left for this kind; a file that cannot be read counts as a wish.
    pub fn allows(self, kind: Kind) -> bool {
        match kind {
            Kind::Skill => self.wishes,
            Kind::Action => self.actions,
        }
    }
}

/// The share of one profile: an equal part, so that a profile spends nothing of another's.
pub fn share(budget: u64, profiles: usize) -> u64 {
    let profiles = u64::try_from(profiles).unwrap_or(u64::MAX).max(1);
    (budget / profiles).max(1)
}

/// Files of one profile that were looked at and wait for a day with room for their kind; nothing is on record about them.
#[derive(Debug, Default)]
pub struct Aside {
    files: HashMap<OsString, (Option<Look>, Kind)>,
}

impl Aside {
    /// Sets a file aside as it looks now.
    pub fn put(&mut self, name: OsString, look: Option<Look>, kind: Kind) {
        if self.files.len() >= MOST_ASIDE {
            self.files.clear();
        }
        self.files.insert(name, (look, kind));
    }

    /// Whether a file is still to be left alone: it has not changed, and its kind has no room yet.
    pub fn holds(&self, name: &OsString, look: impl FnOnce() -> Option<Look>, left: Left) -> bool {
        self.files.get(name).is_some_and(|(before, kind)| !left.allows(*kind) && *before == look())
    }
}

#[cfg(test)]
mod tests;
