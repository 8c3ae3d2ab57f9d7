//! A home as one file, and back. This layer uses the ledger and the layers below it.
//!
//! - [`name`]: the names of files in a backup, and to which part of a home each belongs
//! - [`index`]: what a backup says of itself: its header, and the list of its files with their digests, signed
//! - [`writer`], [`reader`]: the container, a tar file of regular files alone, within limits
//! - [`seal`]: encryption by age, with a passphrase or for public keys
//! - [`place`]: the file that is written, and the older ones that are kept
//! - [`data`]: what the bot owns, read and written by a child that is the bot's user
//! - [`timer`]: the running service's own backups, at the times of the configuration
//! - [`make`]: makes a backup; [`verify`]: reads one whole
//! - [`restore`]: a home, or one profile, from a backup
//! - [`migrate`]: homes of older versions
//!
//! # How it works
//!
//! `config/home.yaml` holds the version of the home; both programs read it before anything else of it, and refuse a
//! newer home or half a restore. `admin-service/backup` makes a home one file and back: the bot's files are read,
//! written and removed by a child that sees `data/` alone. Run by root, the child is the bot's user; run by a service's
//! own user, it stays that user, reads no `memory/` and writes nothing there
//! (`docs/adr/0011-a-restore-brings-nothing-back.md`). In a home of the service's user, root starts the children first
//! (`data/hands.rs`), becomes the owner of the home (`base/src/layout/owner.rs`), and leaves a small process behind
//! that names the file (`place/keeper.rs`); see `docs/adr/0012-root-becomes-the-homes-owner.md`. `backup/src/timer.rs`
//! is the service's own schedule of backups: a thread that `cl-admin run` starts once requests are answered;
//! `base/src/backups.rs` is what is known of the last one.
#![forbid(unsafe_code)]

pub mod data;
mod fault;
pub mod index;
pub mod make;
pub mod migrate;
pub mod name;
pub mod place;
pub mod reader;
pub mod restore;
pub mod seal;
pub mod timer;
pub mod verify;
pub mod writer;

pub use fault::Fault;

/// How often a backup is begun anew when skills come and go meanwhile.
const TRIES: usize = 4;
/// The most files that one backup holds.
pub const MOST_FILES: u64 = 200_000;
/// The largest file in a backup, in bytes.
pub const MOST_FILE: u64 = 8 << 30;
/// The most bytes that all files of a backup have together.
pub const MOST_TOTAL: u64 = 64 << 30;
