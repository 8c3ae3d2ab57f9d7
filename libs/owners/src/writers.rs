//! Who may change a file or folder, as owner, group and mode say; looked at by handles, no link followed.

use std::ffi::OsStr;
use std::fmt::{self, Display};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use nix::dir::{Dir, Type};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, openat};
use nix::sys::stat::{FileStat, Mode, SFlag, fstatat};
use nix::unistd::{AccessFlags, Gid, Group, User as Account, faccessat};

use crate::quote;

/// The most entries of one tree that are looked at; a home has a few dozen.
const MOST: usize = 10_000;

/// Somebody who may change something and is not trusted with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writer {
    Owner(u32),
    /// Every user of the system.
    Everybody,
    /// A group, by this member.
    Group {
        /// The group.
        gid: u32,
        member: u32,
    },
    /// A group that the system does not list, so that nobody knows who is in it.
    UnlistedGroup(u32),
}

impl Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Writer::Owner(uid) => write!(f, "the user {}, its owner", account(*uid)),
            Writer::Everybody => f.write_str("everybody"),
            Writer::Group { gid, member } => {
                write!(f, "the group {}, and so by the user {}", group(*gid), account(*member))
            }
            Writer::UnlistedGroup(gid) => write!(f, "the group {gid}, which this system does not list"),
        }
    }
}

/// Why a path cannot be trusted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Untrusted {
    /// A user who is not trusted may change it.
    #[error("{} may be changed by {who} (owner {owner}, mode {mode:04o})", quote::shown(path))]
    Writable {
        /// The file or folder.
        path: PathBuf,
        who: Writer,
        owner: u32,
        mode: u32,
        /// Its number on its file system.
        inode: u64,
    },
    /// A link, a device or a pipe within a tree of plain files.
    #[error("{} is {what}; plain files and folders belong there", quote::shown(path))]
    Kind {
        /// Where.
        path: PathBuf,
        /// What it is.
        what: &'static str,
        /// Its number on its file system.
        inode: u64,
    },
    /// A tree with too many entries to look through.
    #[error("{} holds more than {MOST} entries", quote::shown(.0))]
    TooMany(PathBuf),
    /// It cannot be looked at.
    #[error("{}: {errno}", quote::shown(path))]
    Refused {
        /// Where.
        path: PathBuf,
        /// The system's reason.
        errno: Errno,
    },
}

impl Untrusted {
    /// The path that it is about.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Untrusted::Writable { path, .. }
            | Untrusted::Kind { path, .. }
            | Untrusted::Refused { path, .. } => path,
            Untrusted::TooMany(path) => path,
        }
    }

    /// The command that mends it, where `rightful` is the user whose it should be.
    #[must_use]
    pub fn remedy(&self, rightful: u32) -> String {
        match self {
            Untrusted::Writable { path, who: Writer::Owner(_), inode, .. } => {
                format!("look at it, then {}", quote::command(&format!("chown -h {rightful}"), path, *inode))
            }
            Untrusted::Writable { path, who: Writer::Everybody, inode, .. } => {
                quote::command("chmod o-w", path, *inode)
            }
            Untrusted::Writable { path, inode, .. } => quote::command("chmod g-w", path, *inode),
            Untrusted::Kind { path, inode, .. } => {
                format!("look at it, then {}", quote::command("rm", path, *inode))
            }
            Untrusted::TooMany(_) => "move files that do not belong there out of it".to_owned(),
            Untrusted::Refused { .. } => "start it as the home's owner, or as root".to_owned(),
        }
    }
}

/// What counts of a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Its owner.
    pub uid: u32,
    /// Its group.
    pub gid: u32,
    /// Its mode, with the kind of file.
    pub mode: u32,
}

impl From<&FileStat> for Facts {
    fn from(stat: &FileStat) -> Facts {
        Facts { uid: stat.st_uid, gid: stat.st_gid, mode: stat.st_mode }
    }
}

/// Who is in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Members {
    /// These users.
    Listed(Vec<u32>),
    /// The system does not know the group.
    Unlisted,
}

/// Who may change something beside the trusted users.
///
/// A group passes if every user in it is trusted; one that is not listed passes if its number is a trusted user's, as many systems and
/// containers give them out.
pub fn stranger(facts: Facts, trusted: &[u32], members: impl FnOnce(u32) -> Members) -> Option<Writer> {
    if !trusted.contains(&facts.uid) {
        return Some(Writer::Owner(facts.uid));
    }
    if facts.mode & 0o002 != 0 {
        return Some(Writer::Everybody);
    }
    if facts.mode & 0o020 == 0 {
        return None;
    }
    let gid = facts.gid;
    match members(gid) {
        Members::Listed(users) => {
            let member = users.into_iter().find(|user| !trusted.contains(user))?;
            Some(Writer::Group { gid, member })
        }
        Members::Unlisted => (!trusted.contains(&gid)).then_some(Writer::UnlistedGroup(gid)),
    }
}

/// Who is in a group: those whom the list of groups names, and those whose first group it is by `/etc/passwd`. A group of which
/// that cannot be determined counts as unlisted.
pub fn members(gid: u32) -> Members {
    let listed = Group::from_gid(Gid::from_raw(gid)).ok().flatten();
    let (Some(listed), Some(firsts)) = (listed, by_first_group(gid)) else { return Members::Unlisted };
    let named = listed.mem.iter().filter_map(|name| Account::from_name(name).ok().flatten());
    Members::Listed(named.map(|account| account.uid.as_raw()).chain(firsts).collect())
}

/// The users whose first group this is. Of a group that the system does not list, that is the user of the same number.
pub fn of_first_group(gid: u32) -> Vec<u32> {
    match Group::from_gid(Gid::from_raw(gid)) {
        Ok(None) | Err(Errno::ENOENT) => vec![gid],
        _ => by_first_group(gid).unwrap_or_default(),
    }
}

/// Those whose first group it is by `/etc/passwd`, where that can be read.
fn by_first_group(gid: u32) -> Option<Vec<u32>> {
    let accounts = std::fs::read("/etc/passwd").ok()?;
    let accounts = String::from_utf8_lossy(&accounts);
    let users = accounts.lines().filter_map(|line| {
        let mut fields = line.split(':').skip(2);
        let (uid, first) = (fields.next()?.parse::<u32>().ok()?, fields.next()?.parse::<u32>().ok()?);
        (first == gid).then_some(uid)
    });
    Some(users.collect())
}

/// Refuses a path that a user other than the trusted ones may change; links are followed, as any use of the path does.
/// A missing path passes.
///
/// # Errors
/// Who may change it.
pub fn check(path: &Path, trusted: &[u32]) -> Result<(), Untrusted> {
    match fstatat(AT_FDCWD, path, AtFlags::empty()) {
        Ok(stat) => judge(path, &stat, trusted),
        Err(Errno::ENOENT) => Ok(()),
        Err(errno) => Err(Untrusted::Refused { path: path.to_owned(), errno }),
    }
}

/// As [`check`], for every folder on the way to a path, and those on the way to where its links lead. A folder with the sticky
/// bit, such as /tmp, passes: there only the owner of an entry can replace it. A link must be a trusted user's.
///
/// # Errors
/// The first of them that somebody else may change.
pub fn check_way(path: &Path, trusted: &[u32]) -> Result<(), Untrusted> {
    let real = path.canonicalize().ok().filter(|real| real != path);
    for path in [Some(path), real.as_deref()].into_iter().flatten() {
        let mut way: Vec<&Path> = path.ancestors().filter(|part| !part.as_os_str().is_empty()).collect();
        way.reverse();
        for part in way {
            let refused = |errno| Untrusted::Refused { path: part.to_owned(), errno };
            let own = match fstatat(AT_FDCWD, part, AtFlags::AT_SYMLINK_NOFOLLOW) {
                Ok(own) => own,
                Err(Errno::ENOENT) => continue,
                Err(errno) => return Err(refused(errno)),
            };
            let is_link = SFlag::from_bits_truncate(own.st_mode) & SFlag::S_IFMT == SFlag::S_IFLNK;
            if is_link && !trusted.contains(&own.st_uid) {
                return Err(writable(part, &own, Writer::Owner(own.st_uid)));
            }
            let sticky = is_folder(own.st_mode) && own.st_mode & 0o1000 != 0;
            if !(sticky && trusted.contains(&own.st_uid)) {
                check(part, trusted)?;
            }
        }
    }
    Ok(())
}

/// Refuses a tree of which somebody beside the trusted users may change a part, or which holds links, devices or pipes.
/// `depth` levels of folders are looked at; 0 is the folder itself. A tree that is missing passes.
///
/// # Errors
/// The first part, and who.
pub fn check_tree(folder: &Path, depth: usize, trusted: &[u32]) -> Result<(), Untrusted> {
    let mut left = MOST;
    match fstatat(AT_FDCWD, folder, AtFlags::AT_SYMLINK_NOFOLLOW) {
        Err(Errno::ENOENT) => return Ok(()),
        Err(errno) => return Err(Untrusted::Refused { path: folder.to_owned(), errno }),
        Ok(stat) => plain(folder, &stat, trusted)?,
    }
    if depth == 0 {
        return Ok(());
    }
    below(AT_FDCWD, folder.as_os_str(), folder, depth, trusted, &mut left)
}

fn below(
    parent: impl std::os::fd::AsFd,
    name: &OsStr,
    path: &Path,
    depth: usize,
    trusted: &[u32],
    left: &mut usize,
) -> Result<(), Untrusted> {
    let refused = |errno| Untrusted::Refused { path: path.to_owned(), errno };
    let flags =
        OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC | OFlag::O_NONBLOCK;
    let handle = match openat(&parent, name, flags, Mode::empty()) {
        Ok(handle) => handle,
        // A folder that this user can neither list nor search cannot be used by it.
        Err(Errno::EACCES) if is_closed(&parent, name) => return Ok(()),
        Err(errno) => return Err(refused(errno)),
    };
    let mut dir = Dir::from_fd(handle).map_err(refused)?;
    let mut folders = vec![];
    let mut facts = vec![];
    for entry in dir.iter() {
        let entry = entry.map_err(refused)?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes()).to_owned();
        if name == "." || name == ".." {
            continue;
        }
        *left = left.checked_sub(1).ok_or_else(|| Untrusted::TooMany(path.to_owned()))?;
        facts.push((name, entry.file_type()));
    }
    for (name, kind) in facts {
        let path = path.join(&name);
        let stat = match fstatat(&dir, name.as_os_str(), AtFlags::AT_SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            // A file that is being replaced has a name of its own for a moment.
            Err(Errno::ENOENT) => continue,
            Err(errno) => return Err(Untrusted::Refused { path, errno }),
        };
        plain(&path, &stat, trusted)?;
        if kind.is_none_or(|kind| kind == Type::Directory) && is_folder(stat.st_mode) {
            folders.push((name, path));
        }
    }
    if depth > 1 {
        for (name, path) in folders {
            below(&dir, &name, &path, depth - 1, trusted, left)?;
        }
    }
    Ok(())
}

/// Whether this user cannot search a folder.
fn is_closed(parent: impl std::os::fd::AsFd, name: &OsStr) -> bool {
    faccessat(parent, name, AccessFlags::X_OK, AtFlags::AT_EACCESS | AtFlags::AT_SYMLINK_NOFOLLOW)
        == Err(Errno::EACCES)
}

fn plain(path: &Path, stat: &FileStat, trusted: &[u32]) -> Result<(), Untrusted> {
    let kind = |what| Err(Untrusted::Kind { path: path.to_owned(), what, inode: stat.st_ino });
    match SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT {
        SFlag::S_IFREG | SFlag::S_IFDIR | SFlag::S_IFSOCK => judge(path, stat, trusted),
        SFlag::S_IFLNK => kind("a link"),
        SFlag::S_IFIFO => kind("a pipe"),
        _ => kind("a device"),
    }
}

fn judge(path: &Path, stat: &FileStat, trusted: &[u32]) -> Result<(), Untrusted> {
    match stranger(Facts::from(stat), trusted, members) {
        None => Ok(()),
        Some(who) => Err(writable(path, stat, who)),
    }
}

fn writable(path: &Path, stat: &FileStat, who: Writer) -> Untrusted {
    Untrusted::Writable {
        path: path.to_owned(),
        who,
        owner: stat.st_uid,
        mode: stat.st_mode & 0o7777,
        inode: stat.st_ino,
    }
}

fn is_folder(mode: u32) -> bool {
    SFlag::from_bits_truncate(mode) & SFlag::S_IFMT == SFlag::S_IFDIR
}

fn account(uid: u32) -> String {
    let listed = Account::from_uid(uid.into()).ok().flatten();
    listed.map_or_else(|| uid.to_string(), |listed| format!("{uid} ({})", listed.name))
}

fn group(gid: u32) -> String {
    let listed = Group::from_gid(gid.into()).ok().flatten();
    listed.map_or_else(|| gid.to_string(), |listed| format!("{gid} ({})", listed.name))
}

#[cfg(test)]
mod tests;
