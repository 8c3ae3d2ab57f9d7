//! The names of a package's files, in the folder of its proposal and beside each installed version.

/// The proposal as it was taken in.
pub const SPEC: &str = "proposal.yaml";
/// The source in its canonical form.
pub const SOURCE: &str = "skill.rs";
/// What the compiler made of it.
pub const MODULE: &str = "skill.wasm";
/// All that a decision rests on.
pub const REPORT: &str = "report.yaml";
