//! An installed skill after its installation.
//!
//! - [`past`]: its versions, and who depends on it, as the journal tells it
//! - [`upgrade`]: what a next version would change
//! - [`export`]: a skill as one file
//! - [`tally`]: how often its tools were called, in the bot's own words
//! - [`verify`]: everything that is kept of it, compared with the journal

pub mod export;
pub mod past;
pub mod tally;
pub mod upgrade;
pub mod verify;

#[cfg(test)]
mod tests;
