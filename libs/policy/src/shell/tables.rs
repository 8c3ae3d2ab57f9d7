//! What is known of programs: tables that `build.rs` makes of the files in `data/`, each list and row with its reason there.

/// How the options of a wrapper are read. What is not in here is not understood, and raises.
pub(super) struct Wrapper {
    pub(super) names: &'static str,
    /// Options of one letter without a value.
    pub(super) flags: &'static str,
    /// Options of one letter with a value, in the same word or the next.
    pub(super) valued: &'static str,
    /// Long options, without a value or with it behind `=`.
    pub(super) long: &'static str,
    /// Long options whose value may be the next word.
    pub(super) long_valued: &'static str,
    /// How many words stand between the options and the command.
    pub(super) operands: usize,
    /// Whether variables may be set before the command; a `-` of its own is an option there.
    pub(super) assigns: bool,
    /// Whether it adds arguments to those of the command.
    pub(super) adds: bool,
}

/// Options of one program, or of several of a kind.
pub(super) struct Flags {
    pub(super) names: &'static str,
    /// Options of one letter, found in any cluster.
    pub(super) short: &'static str,
    /// Long options, found in any abbreviation.
    pub(super) long: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// Whether a name stands in a list.
pub(super) fn has(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}
