//! The rules for files: by path, and by what is open.

use std::{os::fd::BorrowedFd, path::PathBuf};

/// Which paths may be used, each with everything beneath it. All must exist.
///
/// A link is followed when the rule is made, and the rule binds the target. `/dev/null` is always
/// readable and writable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRules {
    /// May be read and listed.
    pub read: Vec<PathBuf>,
    /// May be read, listed and executed.
    pub execute: Vec<PathBuf>,
    /// May be read and listed, written, created and removed. Files and folders only: no link, no device.
    pub write: Vec<PathBuf>,
}

/// A rule for a file or folder that is already open: it applies to that inode, even if its path was replaced.
///
/// A folder that was opened before leads out of the new view, so its descriptor is made to lead to the same folder within.
#[derive(Clone, Debug)]
pub struct Handle<'a> {
    /// The file or folder, opened in any manner.
    pub handle: BorrowedFd<'a>,
    /// Its path in the view; where there is no view, the rule binds the handle's file all the same.
    pub at: PathBuf,
    /// What may be done beneath it.
    pub access: Access,
}

/// A path of a jail's view at which there is nothing, regardless of what the rules show there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Its path in the view; it exists, and no part of it is a link.
    pub at: PathBuf,
    /// Whether it is a folder.
    pub folder: bool,
}

/// What a rule allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reading and listing.
    Read,
    /// Reading, listing and executing.
    Execute,
    /// Reading, listing, writing, making and removing.
    Write,
}
