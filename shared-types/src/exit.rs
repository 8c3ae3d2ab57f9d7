//! The exit codes of both programs.

/// Done.
pub const DONE: u8 = 0;
/// Failed.
pub const FAILED: u8 = 1;
/// Wrong use of the command line or a broken configuration.
pub const USAGE: u8 = 2;
/// Refused by policy.
pub const REFUSED: u8 = 3;
/// A chain, signature or digest does not hold.
pub const INTEGRITY: u8 = 4;
/// A newer release exists: the answer of `cl-admin update --check` alone.
pub const NEWER: u8 = 10;
/// A scheduled run of a workflow waits for a person, or did not begin because an earlier one does.
pub const WAITS: u8 = 11;
/// The program wants to be started again.
pub const RESTART: u8 = 75;
