//! MCP servers of others: their tools, and nothing else of them.
//!
//! What a server says is read in a confined child, one for each conversation (`reader/`). The service moves bytes between the
//! two as they are (`stdio.rs`, `http.rs`), and learns the outcome in frames of its own (`frames.rs`).

pub mod client;
mod fault;
pub mod frames;
pub mod http;
pub mod reader;
pub mod stdio;

pub use self::client::Client;
pub use self::fault::{Ending, Fault, Hindrance, ProtocolFault, ReaderFault};

#[cfg(test)]
mod tests;
