//! cl-bot, the unprivileged half: it talks, remembers and proposes, and can do nothing else. This is the highest layer: what a
//! person types at a shell, and the start.
//!
//! - [`commands`]: the command line, one verb per file
//! - [`start`]: from a command line to a confined mind, and the fork of the process that has the network
//! - [`learned`]: a learned skill behind the trait of every skill
#![forbid(unsafe_code)]

pub mod commands;
pub mod learned;
pub mod start;

#[cfg(test)]
mod tests;
