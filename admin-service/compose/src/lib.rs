//! What a skill adds up to beside the others. This layer uses `base` alone.
//!
//! - [`graph`]: who reaches whom by which event
//! - [`rules`]: the rules file, and what it says about a graph
//! - [`events`]: events that a skill takes over, or that belong to the bot itself
//! - [`offers`]: tools and sentences that another skill has too
//! - [`grid`]: who holds and who reaches which token, as text
//! - [`picture`]: who reaches whom, as SVG or DOT
#![forbid(unsafe_code)]

pub mod events;
pub mod graph;
pub mod grid;
pub mod offers;
pub mod picture;
pub mod rules;

#[cfg(test)]
mod tests;
