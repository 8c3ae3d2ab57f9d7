//! The map of the admin service: from a wish in a file to a skill that a person approved. Its parts lie in layers, each of
//! which uses only those below it; `tests/architecture/layers.rs` holds their order.
//!
//! - [`console`]: the desk of a person at the gate, on the whole screen or line by line
//! - [`service`]: the loop and its socket
//! - [`notify`]: tells people that something waits for them
//! - [`redteam`]: the self-test
//! - [`schedule`]: at configured times a profile's workflow or message runs
//! - [`commands`]: one verb per file
#![forbid(unsafe_code)]

pub mod commands;
pub mod console;
pub mod notify;
pub mod redteam;
pub mod schedule;
pub mod service;
