//! The user that a process started by root becomes.

use nix::{
    errno::Errno,
    sys::prctl,
    unistd::{
        self, Gid, Uid, getegid, geteuid, getgroups, getppid, setfsgid, setfsuid, setgid, setgroups, setuid,
    },
};

use crate::{ConfineError, capabilities};

/// A user that is not root, with one group and no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    name: String,
    uid: Uid,
    gid: Gid,
}

/// Why nobody can be switched to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UserError {
    /// The system knows nobody of that name.
    #[error("there is no user `{0}` on this system")]
    Unknown(String),
    /// The user is root.
    #[error("`{0}` is root, which is what the switch is to leave")]
    Root(String),
    /// The system knows no group of that name.
    #[error("there is no group `{0}` on this system")]
    UnknownGroup(String),
    /// The group is root's.
    #[error("the group `{0}` is root's, which is what the switch is to leave")]
    RootGroup(String),
    /// The system's list of users cannot be read.
    #[error("the system's users cannot be looked up ({0})")]
    Lookup(Errno),
}

impl User {
    /// Looks a user up, by name or number. A number need not be in the system's list, and has the group of the same
    /// number then; without `group`, a listed user has the one of the list.
    ///
    /// # Errors
    /// A name that nobody has, or root.
    pub fn find(user: &str, group: Option<&str>) -> Result<User, UserError> {
        let listed = match number(user) {
            Some(uid) => unistd::User::from_uid(Uid::from_raw(uid)),
            None => unistd::User::from_name(user),
        };
        let listed = known(listed)?;
        let uid = match (&listed, number(user)) {
            (Some(listed), _) => listed.uid,
            (None, Some(uid)) => Uid::from_raw(uid),
            (None, None) => return Err(UserError::Unknown(user.to_owned())),
        };
        if uid.is_root() {
            return Err(UserError::Root(user.to_owned()));
        }
        let gid = match (group, listed) {
            (Some(group), _) => find_group(group)?,
            (None, Some(listed)) => listed.gid,
            (None, None) => Gid::from_raw(uid.as_raw()),
        };
        if gid.as_raw() == 0 {
            return Err(UserError::RootGroup(group.unwrap_or("0").to_owned()));
        }
        Ok(User { name: user.to_owned(), uid, gid })
    }

    /// As it was asked for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its number.
    #[must_use]
    pub fn uid(&self) -> u32 {
        self.uid.as_raw()
    }

    /// The number of its one group.
    #[must_use]
    pub fn gid(&self) -> u32 {
        self.gid.as_raw()
    }
}

fn find_group(group: &str) -> Result<Gid, UserError> {
    if let Some(gid) = number(group) {
        return Ok(Gid::from_raw(gid));
    }
    let listed = known(unistd::Group::from_name(group))?;
    listed.map(|listed| listed.gid).ok_or_else(|| UserError::UnknownGroup(group.to_owned()))
}

/// A system without a list, as an image that holds one program, lists nobody.
fn known<T>(listed: nix::Result<Option<T>>) -> Result<Option<T>, UserError> {
    match listed {
        Err(Errno::ENOENT) => Ok(None),
        listed => listed.map_err(UserError::Lookup),
    }
}

/// The largest number of all means "leave it as it is" to the kernel.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number| *number != u32::MAX)
}

/// Becomes the user for good, with these further groups, and leaves the keys of root's session behind; the process must be root's,
/// or that user's already.
///
/// # Errors
/// The system refuses; the process may be neither then, and must end.
pub fn become_for_good(user: &User, groups: &[u32]) -> Result<(), ConfineError> {
    let refused = |source| ConfineError::User { name: user.name.clone(), source };
    if geteuid() == user.uid {
        return Ok(());
    }
    capabilities::drop_bounding()?;
    leave_session_keys()?;
    let (parent, signal) = (getppid(), prctl::get_pdeathsig().map_err(refused)?);
    let groups: Vec<Gid> = groups.iter().copied().map(Gid::from_raw).collect();
    setgroups(&groups).map_err(refused)?;
    setgid(user.gid).map_err(refused)?;
    setuid(user.uid).map_err(refused)?;
    // From root this sets the real, the effective and the saved user: there is no way back.
    if setuid(Uid::from_raw(0)).is_ok() {
        return Err(refused(Errno::EBUSY));
    }
    // Another user forgets that the process is to end with its parent.
    prctl::set_pdeathsig(signal).map_err(refused)?;
    if signal.is_some() && getppid() != parent {
        return Err(refused(Errno::ESRCH));
    }
    Ok(())
}

/// Does something that opens files, by the right of the user alone, and is root again. The process must be root's and have one
/// thread.
///
/// # Errors
/// The system refuses; the process may be neither then, and must end.
pub fn as_user<T>(user: &User, work: impl FnOnce() -> T) -> Result<T, ConfineError> {
    let refused = |source| ConfineError::User { name: user.name.clone(), source };
    let (own, group, groups) = (geteuid(), getegid(), getgroups().map_err(refused)?);
    setgroups(&[]).map_err(refused)?;
    // Another user for files alone: the kernel takes the powers over files away with it, and gives them back.
    setfsgid(user.gid);
    setfsuid(user.uid);
    let done = (setfsuid(user.uid) == user.uid && setfsgid(user.gid) == user.gid).then(work);
    setfsuid(own);
    setfsgid(group);
    setgroups(&groups).map_err(refused)?;
    done.ok_or_else(|| refused(Errno::EPERM))
}

/// Joins a new session of keys, with none in it.
fn leave_session_keys() -> Result<(), ConfineError> {
    const JOIN_SESSION_KEYRING: libc::c_long = 1;
    // SAFETY: the one pointer is null, which asks for a keyring without a name.
    let answer =
        unsafe { libc::syscall(libc::SYS_keyctl, JOIN_SESSION_KEYRING, std::ptr::null::<libc::c_char>()) };
    match Errno::result(answer) {
        // A kernel without keys; or a container, which refuses the other calls for keys too.
        Ok(_) | Err(Errno::ENOSYS | Errno::EPERM) => Ok(()),
        Err(source) => Err(ConfineError::Switch { switch: "KEYCTL_JOIN_SESSION_KEYRING", source }),
    }
}

#[cfg(test)]
mod tests;
