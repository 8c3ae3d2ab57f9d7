//! The index of a log: a cache of pieces that never change, each made from one stretch of the log and nothing else.
//!
//! - [`layout`]: where each part of a piece is
//! - [`build`]: lines to a piece
//! - [`segment`]: a piece, read as little as possible; regardless of its bytes, nothing worse than an error comes of it
//! - [`search`]: the best records over all pieces
//! - [`chain`]: which pieces there are, and which are due

pub(crate) mod build;
pub(crate) mod chain;
pub(crate) mod layout;
pub(crate) mod search;
pub(crate) mod segment;

#[cfg(test)]
mod tests;
