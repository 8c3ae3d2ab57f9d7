//! Which folder on the way to a path is closed to this user, and to whom it is open.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags};
use nix::sys::stat::fstatat;
use nix::unistd::{AccessFlags, Group, User, faccessat, geteuid};

use crate::quote;

/// A folder that this user may not open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// The folder.
    pub path: PathBuf,
    /// The name of its owner, or the number.
    pub owner: String,
    /// The group that may open it.
    pub group: Option<String>,
    /// Who this is.
    pub user: String,
}

impl Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = self.group.as_ref().map(|group| format!(" and the group `{group}`")).unwrap_or_default();
        let path = quote::shown(&self.path);
        write!(
            f,
            "no permission: {path} is open to the user `{}`{group}; you are `{}`",
            self.owner, self.user
        )
    }
}

/// The first folder on the way to `folder`, itself included, that this user may not enter or list; `None` where all are
/// open, or missing.
pub fn on_the_way(folder: &Path) -> Option<Closed> {
    let mut way: Vec<&Path> = folder.ancestors().filter(|part| !part.as_os_str().is_empty()).collect();
    way.reverse();
    way.into_iter().find_map(|part| {
        let needed = if part == folder { AccessFlags::X_OK | AccessFlags::R_OK } else { AccessFlags::X_OK };
        match faccessat(AT_FDCWD, part, needed, AtFlags::AT_EACCESS) {
            Err(Errno::EACCES) => Some(closed(part)),
            _ => None,
        }
    })
}

fn closed(path: &Path) -> Closed {
    let user = |uid: u32| {
        User::from_uid(uid.into()).ok().flatten().map_or_else(|| uid.to_string(), |user| user.name)
    };
    let group = |gid: u32| {
        Group::from_gid(gid.into()).ok().flatten().map_or_else(|| gid.to_string(), |group| group.name)
    };
    let facts = fstatat(AT_FDCWD, path, AtFlags::empty()).ok();
    Closed {
        path: path.to_owned(),
        owner: facts.map_or_else(|| "?".to_owned(), |facts| user(facts.st_uid)),
        group: facts
            .filter(|facts| facts.st_mode & 0o010 != 0 && facts.st_gid != 0)
            .map(|facts| group(facts.st_gid)),
        user: user(geteuid().as_raw()),
    }
}
