//! Schedules: at their times the service runs a profile's workflow or message, as that profile's user, with nobody to ask.
//!
//! - [`pinned`]: the text of a workflow as a person saw it
//! - [`fire`]: one time of a schedule; [`run`]: one run of the chat program
//! - [`order`], [`runner`]: a run by the bot's own user, where the service may not become it
//! - [`clock`]: waits for the next time

pub mod clock;
pub mod fire;
pub mod order;
pub mod pinned;
mod run;
pub mod runner;
