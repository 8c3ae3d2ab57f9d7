//! The map of the admin service: from a wish in a file to a skill that a person approved. Its parts lie in layers, each of
//! which uses only those below it; `tests/architecture/layers.rs` holds their order.
//!
//! - [`intake`]: opens what the bot wrote, as a stranger's file
//! - [`pipeline`]: moves a proposal from stage to stage; the one mint of a person's yes
//! - [`console`]: the desk of a person at the gate, on the whole screen or line by line
//! - [`life`]: an installed skill: taken along, verified, counted, looked at beside its next version
//! - [`api`]: what may be asked of the service
//! - [`service`]: the loop and its socket
//! - [`notify`]: tells people that something waits for them
//! - [`profiles`]: adds and removes people's profiles
//! - [`redteam`]: the self-test
//! - [`schedule`]: at configured times a profile's workflow or message runs
//! - [`commands`]: one verb per file
#![forbid(unsafe_code)]

pub mod api;
pub mod commands;
pub mod console;
pub mod intake;
pub mod life;
pub mod notify;
pub mod pipeline;
pub mod profiles;
pub mod redteam;
pub mod schedule;
pub mod service;
