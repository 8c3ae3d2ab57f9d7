//! Applies every restriction to the calling process, in the required order.

use std::path::PathBuf;

use nix::{sys::prctl, unistd::geteuid};

use crate::{
    Access, ConfineError, Confinement, FileRules, Handle, Limits, Role, User, View, capabilities, landlock,
    limits, namespace, process, seccomp, user,
};

/// The user and the confinement of files, in addition to what every role has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// The user that a process of root becomes.
    pub user: Option<User>,
    /// What governs files.
    pub wall: Wall,
    /// What must be out of sight for a view of the file system that was given to count as one.
    pub hidden: Vec<PathBuf>,
    /// A process of root that becomes a user keeps the power to read, regardless of the modes of files: where the file
    /// rules hold, they alone govern reading then. It does nothing without `user`.
    pub reads_all: bool,
    /// One of two processes that called [`crate::scope_signals`] while they were one.
    pub paired: bool,
}

/// What governs files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wall {
    /// Landlock, or nothing where the kernel lacks it.
    #[default]
    Landlock,
    /// Landlock; where the kernel lacks it, a view of the file system that holds nothing else.
    Either,
    /// Such a view, even where there is Landlock.
    Namespace,
}

/// Confines the calling process for the rest of its life.
///
/// It must have one thread. What the kernel does not offer is left out and missing in [`Confinement`]; what it
/// offers and refuses is an error. Descriptors that are already open stay usable.
///
/// # Errors
/// The first restriction that was refused; the process is then half confined and must end.
pub fn confine(role: Role, files: &FileRules, limits: &Limits) -> Result<Confinement, ConfineError> {
    confine_as(role, files, limits, &Manner::default())
}

/// The same, for a process that may be root's, or whose kernel may lack Landlock.
///
/// Where [`Confinement::view`] is [`View::Own`], folders that were opened before lead out of that view: close them.
///
/// # Errors
/// As [`confine`], and a user that the process cannot become.
pub fn confine_as(
    role: Role,
    files: &FileRules,
    limits: &Limits,
    manner: &Manner,
) -> Result<Confinement, ConfineError> {
    confine_with(role, files, &[], limits, manner)
}

/// As [`confine_as`], with rules for folders that are already open.
///
/// # Errors
/// As [`confine_as`], and where a view is needed, a handle whose path leads to another folder by now.
pub fn confine_with(
    role: Role,
    files: &FileRules,
    handles: &[Handle<'_>],
    limits: &Limits,
    manner: &Manner,
) -> Result<Confinement, ConfineError> {
    if let Some(count) = process::threads().filter(|count| *count != 1) {
        return Err(ConfineError::Threads { count });
    }
    limits::lay(role, limits)?;
    let was_root = geteuid().is_root();
    let (landlock_abi, view) = walled(role, files, handles, manner)?;
    // Who could not mount as root may within a user namespace; but first it becomes the user whose that is.
    if let (Some(user), View::Refused { .. }) = (&manner.user, view) {
        become_user(user, manner.reads_all && landlock_abi.is_some())?;
    }
    let view = match view {
        View::Refused { .. } => entered(namespace::enter_unprivileged(files, handles)?),
        other => other,
    };
    let governed = landlock_abi.is_some();
    let laid = settle(role, manner.user.as_ref(), manner.reads_all && governed)?;
    let user = manner.user.clone().filter(|_| was_root);
    Ok(Confinement {
        landlock_abi,
        view,
        seccomp: laid.seccomp,
        no_new_privs: true,
        mdwe: laid.mdwe,
        no_capabilities: laid.no_capabilities,
        user,
        ..Confinement::default()
    })
}

/// The restrictions that were applied last.
pub(crate) struct Laid {
    pub(crate) mdwe: bool,
    pub(crate) seccomp: bool,
    pub(crate) no_capabilities: bool,
    pub(crate) user: Option<User>,
}

/// Applies the restrictions that follow those of files: the user, no capability, no new privilege, the table of calls. The
/// capability to read all files may be kept across the change of user only if file access is confined.
pub(crate) fn settle(role: Role, user: Option<&User>, reads_all: bool) -> Result<Laid, ConfineError> {
    let was_root = geteuid().is_root();
    let reads_all = reads_all && was_root && user.is_some();
    if let Some(user) = user {
        become_user(user, reads_all)?;
    }
    if reads_all {
        capabilities::keep_reading()?
    } else {
        capabilities::drop_all()?
    }
    // After the change of user, which resets it.
    prctl::set_dumpable(false)
        .map_err(|source| ConfineError::Switch { switch: "PR_SET_DUMPABLE", source })?;
    prctl::set_no_new_privs()
        .map_err(|source| ConfineError::Switch { switch: "PR_SET_NO_NEW_PRIVS", source })?;
    // Not for programs of others: rustc would run with it, an interpreter that generates code would not.
    let mdwe = !role.runs_others() && limits::refuse_exec_gain()?;
    // Last: after it the calls above are refused too.
    let seccomp = seccomp::available() && seccomp::lay(role)?;
    Ok(Laid { mdwe, seccomp, no_capabilities: !reads_all, user: user.cloned().filter(|_| was_root) })
}

fn become_user(user: &User, reads_all: bool) -> Result<(), ConfineError> {
    if reads_all {
        capabilities::outlast_change_of_user()?;
    }
    user::become_for_good(user, &[])
}

/// Lays on what governs files, while paths that only root can reach can still be opened.
fn walled(
    role: Role,
    files: &FileRules,
    handles: &[Handle<'_>],
    manner: &Manner,
) -> Result<(Option<u32>, View), ConfineError> {
    let landlock = match manner.wall {
        Wall::Landlock => true,
        // An old version that governs only some accesses would stand in the way of the mounts.
        Wall::Either => landlock::kernel_abi().and_then(landlock::governs_files).is_some(),
        Wall::Namespace => false,
    };
    if landlock {
        let version = landlock::lay_on(role, files, handles, manner.paired)?;
        return Ok((version.and_then(landlock::governs_files), View::Shared));
    }
    let open = handles.iter().filter(|open| open.access == Access::Write).map(|open| open.at.clone());
    let writable: Vec<PathBuf> = files.write.iter().cloned().chain(open).collect();
    if namespace::is_given(&writable, &manner.hidden) {
        return Ok((None, View::Given));
    }
    Ok((None, entered(namespace::enter_privileged(files, handles)?)))
}

fn entered(answer: Result<(), View>) -> View {
    match answer {
        Ok(()) => View::Own,
        Err(refused) => refused,
    }
}

/// What this kernel offers, found out without laying anything on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// The kernel's Landlock version, if it is built in and enabled.
    pub landlock_abi: Option<u32>,
    /// Filters of system calls can be installed.
    pub seccomp: bool,
    /// `PR_SET_MDWE` is known.
    pub mdwe: bool,
}

impl Support {
    /// What [`confine`] would reach here for a role that executes nothing.
    #[must_use]
    pub fn reachable(&self) -> Confinement {
        Confinement {
            landlock_abi: self.landlock_abi.and_then(landlock::governs_files),
            seccomp: self.seccomp,
            no_new_privs: true,
            mdwe: self.mdwe,
            no_capabilities: true,
            ..Confinement::default()
        }
    }
}

/// Asks the kernel what it offers.
#[must_use]
pub fn support() -> Support {
    Support {
        landlock_abi: landlock::kernel_abi(),
        seccomp: seccomp::available(),
        mdwe: limits::knows_exec_gain(),
    }
}

#[cfg(test)]
mod tests;
