//! Files that survive a crash: what was accepted stays readable, regardless of when the power goes.
//!
//! - [`append_line`], [`append_lines`], [`open_log`], [`repair`]: logs of one record a line, each synced before it counts
//! - [`replace`], [`create_new`] and their `_at` forms beneath a folder's handle: whole files, never seen half written; [`Draft`]: one that is written piece by piece
//! - [`ChainedLog`]: a log in which each record carries the hash of the one before
//! - [`Ballast`]: room on the disk that is given up for what must be written when it is full
//! - [`RollingChain`]: such a log of bounded size, for several processes, synced when there is time
#![forbid(unsafe_code)]

mod chain;
mod log;
mod rolling;
mod room;
mod whole;

pub use chain::{
    Broken, ChainError, ChainedLog, Flaw, FromJson, Place, Replay, replay, replay_from, verify, verify_file,
};
pub use log::{append_line, append_lines, open_log, repair};
pub use rolling::RollingChain;
pub use room::{Ballast, unwritable, words};
pub use whole::{
    Draft, create_new, create_new_at, remove_drafts_at, replace, replace_at, replace_unsynced, sync_folder,
};
