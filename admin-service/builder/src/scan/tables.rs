//! What the scan allows, and what it says: tables that `build.rs` makes of the files in `data/`, each list and row with its
//! reason there.

/// One rule of the scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The stable identifier, in kebab case.
    pub id: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What to do instead.
    pub next: &'static str,
}

/// A module of `std` of which these members alone are pure.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) members: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The rules, in the order of the table.
pub fn rules() -> &'static [Rule] {
    RULES
}

impl Ban {
    pub(super) fn rule(self) -> &'static Rule {
        // Both the enum and the table come from one list.
        &RULES[self as usize]
    }
}

/// Whether a name stands in a list.
pub(super) fn has(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}
