//! The lowest layer of the bot beside its kernel: the configuration, files below open folders, what can go wrong and what is
//! logged. It uses no other layer.
//!
//! - [`config`]: the configuration, parsed once
//! - [`error`]: what went wrong, by culprit, with its exit code
//! - [`log`]: what the program tells about its own work
//! - [`output`]: standard output, and what it did not take
//! - [`paths`]: opens beneath the allowed roots only
//! - [`owned`]: folders that are made, and handed over
#![forbid(unsafe_code)]

pub mod config;
pub mod error;
pub mod log;
pub mod output;
pub mod owned;
pub mod paths;
