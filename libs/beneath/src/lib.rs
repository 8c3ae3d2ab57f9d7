//! Opens files and folders that another user may change while they are opened.
//!
//! The rules, and where they come from:
//!
//! 1. A path is resolved beneath the handle of a folder, in one call, without a symbolic link on the way: `RESOLVE_BENEATH`,
//!    `RESOLVE_NO_SYMLINKS` and `RESOLVE_NO_MAGICLINKS` of openat2(2).
//! 2. A name is first *pinned*: opened with `O_PATH`, which opens no content, wakes no device and waits for no writer
//!    (open(2)). What is judged afterwards is the pinned inode, by fstat(2).
//! 3. Only a pinned regular file is opened for reading, through `/proc/self/fd`. That opens the pinned inode itself, so a
//!    name that changes meanwhile has no effect. It never blocks: `O_NONBLOCK`, `O_NOCTTY`.
//! 4. A file counts only if it belongs to the owner of its folder, has one name and stays within the caller's limit. The
//!    limit is compared with its size before a byte is read, and holds while it is read.
//!
//! 5. A path that a person gives to root is opened name by name, and a link counts only where a trusted user made it:
//!    [`Folder::open_by`], [`Opened::open_by`].
//!
//! No function here looks at a path and opens it later. Nothing is written but a folder that [`Folder::make`] makes, by handle.
//!
//! - [`Folder`]: a folder that is held open, and everything beneath it
//! - [`Opened`]: a file that passed the rules
//! - [`Facts`], [`Look`]: what fstat says of one inode
//! - [`NotOpened`]: why there is none
//!
//! # How it works
//!
//! Below `data/` the admin uses places that are opened beneath its handle: `admin-service/base/src/home.rs` answers a
//! `DataPath`, which `libs/beneath` opens without links, without blocking, as a regular file or folder of its folder's
//! owner, with one name and within the reader's limit. A name is pinned and judged before its content is opened. The
//! files that turn a place into a path are listed with their reasons in `tests/architecture/beneath.rs`. Folders are
//! watched by `libs/watch` alone, by their handles and not below them: what it tells is only that it is time to look,
//! and where the kernel tells nothing the clock does.
#![forbid(unsafe_code)]

mod facts;
mod folder;
mod opened;
mod refusal;
mod way;

pub use facts::{Facts, Kind, Look};
pub use folder::{Folder, Names};
pub use opened::Opened;
pub use refusal::NotOpened;

#[cfg(test)]
mod tests;
