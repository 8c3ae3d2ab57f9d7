//! Runs learned skills: WebAssembly modules that can do nothing but compute, plus what they are granted.
//!
//! - [`Engine`], [`Module`]: the exchangeable interpreter behind two traits; [`Wasmi`] is ours
//! - [`imports`]: one host function per need, and what a module's imports say about it
//! - [`Host`]: who answers the host functions
//! - [`limits`]: fuel, memory, message size, time
//! - [`strip`], [`Bounds`]: a module's sections, without those that never run
//! - [`describe`], [`tools`]: a skill's messages as Rust types
//! - [`json`]: between the skill's values and JSON
//!
//! A module is data: it is checked when loaded, every call is a fresh instance, and anything that goes wrong inside is
//! one failed call.
//!
//! # How it works
//!
//! One Rust file against `skill-sdk`, printed canonically (no comments, no attributes, no layout tricks), compiled by
//! plain `rustc` as a module of our wrapper crate, where `unsafe_code` is forbidden (so `--cap-lints`, which would
//! silence that, is not given), and stripped of custom sections before its digest is taken. Macros of the file's own
//! are judged by their tokens (`builder/src/scan/definitions.rs`); `crate::` is written as `self::` or `super::`, since
//! the wrapper is above it. The result is a WebAssembly module that imports functions of one module, `tameclaw`; each
//! belongs to a token. What a skill may do is derived from its imports. Both sides check the module's shape; the
//! interpreter links only what was granted. What a skill says about itself (tools, parameters, phrases) stands in the
//! manifest, and the approver's decision signs its digest: the bot reads and hashes each module at the start, and
//! reads, compares and loads it at its first call. Every call is a fresh instance with limits on fuel, memory, output
//! and time.
#![forbid(unsafe_code)]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub mod describe;
pub mod error;
pub mod imports;
mod interpreter;
pub mod json;
pub mod limits;
mod outline;
pub mod tools;

pub use describe::describe;
pub use error::{BadMessage, CallError, DescribeError, LoadError, Panicked};
pub use imports::{Facts, HostFn, Need};
pub use interpreter::Wasmi;
pub use limits::{Grants, Limits, Rest, Usage};
pub use outline::{Bounds, MAX_MODULE_BYTES, strip};
pub use shared_types::described::{Described, DescribedTool};
pub use skill_sdk::Value;
pub use tools::{ToolOutcome, call_tool, handle};

/// An interpreter of WebAssembly modules.
pub trait Engine: Send + Sync {
    /// Checks a module's shape and makes it ready to be called.
    ///
    /// # Errors
    /// If the module is anything else than a skill built against the SDK could be.
    fn load(&self, bytes: &[u8]) -> Result<Box<dyn Module>, LoadError>;
}

/// One loaded module.
pub trait Module: Send + Sync {
    /// What the module's shape says about it.
    fn facts(&self) -> &Facts;

    /// Sends one message to a fresh instance, into which only the granted functions are linked.
    ///
    /// # Errors
    /// If the module imports more than is granted, breaks a limit or the protocol, or traps.
    fn call(
        &self,
        grants: &Grants,
        host: &mut dyn Host,
        message: &Value,
        limits: &Limits,
        cancel: &AtomicBool,
    ) -> Result<Reply, CallError>;
}

/// Why a host did not do what was asked, in words that the skill may repeat.
pub type HostError = Box<dyn std::error::Error + Send + Sync>;

/// Answers a skill's host functions.
pub trait Host {
    /// Answers one call, at the latest by the deadline; an error goes back to the skill as text.
    ///
    /// # Errors
    /// What keeps the host from doing what was asked.
    fn call(&mut self, function: HostFn, request: Value, deadline: Instant) -> Result<Value, HostError>;

    /// As [`Host::call`], with what is left of the calling skill's limits; a host that calls another skill on its
    /// behalf overrides this and takes what that one spends from `rest`.
    ///
    /// # Errors
    /// As [`Host::call`].
    fn call_within(&mut self, function: HostFn, request: Value, rest: &mut Rest) -> Result<Value, HostError> {
        self.call(function, request, rest.deadline)
    }
}

/// What a module answered, and what that cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The answer.
    pub value: Value,
    /// What the call spent.
    pub usage: Usage,
}
