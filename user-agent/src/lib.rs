//! cl-bot, the unprivileged half: it talks, remembers and proposes, and can do nothing else.
//!
//! - [`commands`]: the command line, one verb per file
//! - [`start`]: from a command line to a confined mind, and the fork of the process that has the network
//! - [`kernel`]: a crate of its own: boot and dispatch, the registry, what tokens grant, the gate
//! - [`ports`]: what this program is to the kernel: the path sandbox, the way to the admin service, receipts, the guard
//! - [`skills`]: the built-in skills, each a module that knows no other
//! - [`learned`]: a learned skill behind the same trait
//! - [`workflows`]: a few steps in a file, run one after the other through the same gate
//! - [`net`]: the other process: the keys, the hosts, the sockets
//! - [`config`]: the configuration, parsed once
//! - [`log`]: what the program tells about its own work
//! - [`error`]: what went wrong, by culprit, with its exit code
#![forbid(unsafe_code)]

pub mod commands;
pub mod config;
pub mod error;
pub mod learned;
pub mod log;
pub mod net;
pub mod ports;
pub mod skills;
pub mod start;
pub mod workflows;

#[cfg(test)]
mod testing;
