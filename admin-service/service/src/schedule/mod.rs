//! Schedules: at their times the service runs a profile's workflow or message, as that profile's user, with nobody to ask.
//!
//! - [`pinned`]: the text of a workflow as a person saw it
//! - [`fire`]: one run
//! - [`clock`]: waits for the next time

pub mod clock;
pub mod fire;
pub mod pinned;
