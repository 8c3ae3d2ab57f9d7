//! An installed skill after its installation.
//!
//! - [`upgrade`]: what a next version would change
//! - [`export`]: a skill as one file
//! - [`tally`]: how often its tools were called, in the bot's own words
//! - [`verify`]: everything that is kept of it, compared with the journal

pub mod export;
pub mod tally;
pub mod upgrade;
pub mod verify;

#[cfg(test)]
mod tests;
