//! The chain of attempted tool calls.
//!
//! - [`attempt`]: what is recorded of one attempt
#![forbid(unsafe_code)]

pub mod attempt;

pub use attempt::{Attempt, Status};
