//! Who may change a file of the home, and how a person mends it.
//!
//! - [`closed`]: which folder is closed to this user, and to whom it is open
//! - [`writers`]: who may change a path beside the users that are trusted
//! - [`tree`]: looks through a folder by handles
//! - [`further`]: whether a folder elsewhere can be opened to a profile
//! - [`quote`]: paths in command lines that a person copies into a shell
//!
//! # How it works
//!
//! A profile's further folders (`folders` in `config/default.yaml`) are elsewhere. `libs/owners/src/further.rs` judges
//! and opens each, for the bot and for `doctor`. `cl-bot/src/start/further.rs` pins them after the fork, hands the
//! handles to the kernel's rules, and opens each again as the bot's user. Only a built-in skill with the power over the
//! whole workspace gets them (`kernel/src/grants.rs`).
#![forbid(unsafe_code)]

pub mod closed;
pub mod further;
pub mod quote;
pub mod tree;
pub mod writers;
