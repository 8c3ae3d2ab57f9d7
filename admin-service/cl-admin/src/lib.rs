//! The map of the admin service: from a wish in a file to a skill that a person approved. Its parts lie in layers, each of
//! which uses only those below it; `tests/architecture/layers.rs` holds their order.
//!
//! - [`commands`]: one verb per file
#![forbid(unsafe_code)]

pub mod commands;
