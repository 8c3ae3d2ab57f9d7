//! A path as a person gives it to a privileged program: links on its way count only where trusted users made them.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Component, Path};

use nix::errno::Errno;
use nix::fcntl::{OFlag, open, openat, readlinkat};
use nix::sys::stat::{Mode, fstat};

use crate::{Facts, Kind, NotOpened};

/// What a path names, held open without reading.
pub(crate) struct Pinned {
    pub(crate) handle: OwnedFd,
    pub(crate) facts: Facts,
    /// The folder that holds its name.
    pub(crate) above: Facts,
}

const PIN: OFlag = OFlag::O_PATH.union(OFlag::O_NOFOLLOW).union(OFlag::O_CLOEXEC);
/// As many links as the kernel follows.
const MOST_LINKS: usize = 40;

/// Pins what a path names. Each name is opened beneath the handle of the one before, and a link is read from its own handle: what was
/// judged is what is followed.
pub(crate) fn pin(path: &Path, makers: &[u32]) -> Result<Pinned, NotOpened> {
    let whole = std::path::absolute(path)
        .map_err(|e| NotOpened::System(e.raw_os_error().map_or(Errno::EINVAL, Errno::from_raw)))?;
    let root = || open("/", PIN | OFlag::O_DIRECTORY, Mode::empty());
    let facts = |handle: &OwnedFd| fstat(handle).map(|stat| Facts::of(&stat));
    let mut at = root()?;
    let mut above = facts(&at)?;
    let mut left: Vec<OsString> = names(&whole);
    let mut links = 0;
    while let Some(name) = left.pop() {
        let next = if name == "/" { root()? } else { openat(&at, name.as_os_str(), PIN, Mode::empty())? };
        let found = facts(&next)?;
        if found.kind != Kind::Link {
            above = facts(&at)?;
            at = next;
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(NotOpened::Link);
        }
        if !makers.contains(&found.user) {
            return Err(NotOpened::StrangersLink { maker: found.user });
        }
        left.extend(names(Path::new(&readlinkat(&next, "")?)));
    }
    Ok(Pinned { facts: facts(&at)?, handle: at, above })
}

/// The names of a path, the first one last.
fn names(path: &Path) -> Vec<OsString> {
    let named = path.components().filter(|part| *part != Component::CurDir);
    let mut names: Vec<OsString> = named.map(|part| part.as_os_str().to_owned()).collect();
    names.reverse();
    names
}
