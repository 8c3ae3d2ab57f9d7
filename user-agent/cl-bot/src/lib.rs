//! cl-bot, the unprivileged half: it talks, remembers and proposes, and can do nothing else. This is the highest layer: what a
//! person types at a shell, and the start.
//!
//! - [`commands`]: the command line, one verb per file
//! - [`start`]: from a command line to a confined mind, and the fork of the process that has the network
//! - [`learned`]: a learned skill behind the trait of every skill
//!
//! # How it works
//!
//! `cl-bot` forks before any thread when a network is configured. `net` keeps the environment (and so the keys) and may
//! open outgoing IP connections; `mind` wipes its copy of the environment, may open no socket, and talks to `net` over
//! one socket pair with length-prefixed JSON frames. Both lay Landlock, seccomp, resource limits and W^X on themselves
//! before they do anything else; `libs/confine` holds one table of system calls per role, each row with its reason.
//! Without a configured network there is no `net`.
//!
//! Before confinement `cl-bot/src/start/entry.rs` decides whether the user who started the program may open the
//! profile: by `open.users` of the profile's file, or by a PIN. A minor's profile goes no further while
//! `config/approvers.yaml` names a key without a passphrase.
//!
//! The manifest's own signature and the chain of approvers are verified before the fork, and so is the decision about
//! every learned skill that may use the network, since `net` gets its hosts. `mind` verifies the decisions of all
//! learned skills and plugins and hashes their modules once it is confined (those that were approved for other profiles
//! are left out before), on as many processors as there are; nobody gets at an entry of the manifest without that
//! (`Signed`, `Verified`). A chat that waits gives back free memory and the pages of its program that only the start
//! used.
#![forbid(unsafe_code)]

pub mod commands;
pub mod learned;
pub mod start;

#[cfg(test)]
mod tests;
