//! Sets owners, groups and modes as the table says: on the things themselves, which no link can take elsewhere.

use std::fs::{self, Permissions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use nix::errno::Errno;
use nix::fcntl::AtFlags;
use nix::unistd::{Gid, Uid, fchownat};
use owners::tree::{Seen, visit};
use shared_types::id::ProfileId;

use super::{Owner, Row, Users, base, folders, folders_of};
use crate::home::Home;

/// The most things that are set in one folder of the table.
const MOST: usize = 1_000_000;

/// Sets every folder of the home, and answers how many files and folders were changed. What is as it should be is left alone, so
/// that it can be done again; what the system refuses stays as it is, and [`super::verify`] names it.
pub fn apply(home: &Home, users: &Users) -> usize {
    set_all(home, users, folders(home))
}

/// Sets the folders of one profile.
pub fn apply_to(home: &Home, users: &Users, profile: &ProfileId) {
    set_all(home, users, folders_of(home, profile));
}

fn set_all(home: &Home, users: &Users, folders: Vec<(PathBuf, Row)>) -> usize {
    let mut changed = 0;
    for (folder, row) in folders {
        let mut left = MOST;
        visit(&base(home, &folder), &folder, row.depth, &mut left, &mut |seen| {
            changed += usize::from(set(row, users, seen).unwrap_or(false));
        });
    }
    changed
}

/// Sets one thing; answers whether something changed. Links, devices and files with a second name are left alone, and so
/// is what belongs to somebody else than the two users and root: `doctor` names them.
fn set(row: Row, users: &Users, seen: &Seen<'_>) -> Result<bool, Errno> {
    let stat = &seen.stat;
    let wanted = row.wants(users, seen.is_folder());
    let givers = [0, users.admin, wanted.uid];
    if seen.oddity().is_some() || !givers.contains(&stat.st_uid) {
        return Ok(false);
    }
    // What the bot owns in a folder of the service was not put there by the service.
    if row.owner == Owner::Admin && ![0, users.admin].contains(&stat.st_uid) {
        return Ok(false);
    }
    let uid = (stat.st_uid != wanted.uid).then_some(Uid::from_raw(wanted.uid));
    let gid = wanted.gid.filter(|gid| *gid != stat.st_gid).map(Gid::from_raw);
    let given = uid.is_some() || gid.is_some();
    if given {
        fchownat(seen.handle, "", uid, gid, AtFlags::AT_EMPTY_PATH)?;
    }
    let old = stat.st_mode & 0o7777;
    let mode = old & !wanted.lacks | wanted.needs;
    // A change of owner or group takes the set-group bit away.
    if mode != old || given && mode & 0o6000 != 0 {
        // An entry that is open without being read is changed by its number alone.
        let handle = format!("/proc/self/fd/{}", seen.handle.as_raw_fd());
        fs::set_permissions(handle, Permissions::from_mode(mode))
            .map_err(|e| Errno::from_raw(e.raw_os_error().unwrap_or_default()))?;
    }
    Ok(given || mode != old)
}
