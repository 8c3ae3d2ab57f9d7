//! Files, by a view of the file system in which there is nothing else; and what else a process can have of its own.
//!
//! The new root is a file system in memory that holds only the paths of the rules, each mounted where it was, read-only
//! unless a rule says otherwise. It cannot be left or changed again: the capabilities go, and the table of calls knows no
//! mount. A descriptor of a *folder* that was opened before still leads into the old view, so the caller closes those and
//! opens them anew.

use nix::{
    errno::Errno,
    mount::{MsFlags, mount},
    sched::{CloneFlags, unshare},
    sys::prctl,
    unistd::{getegid, geteuid},
};

use crate::{ConfineError, FileRules, Handle, capabilities, held::Namespaces};

mod given;
mod knobs;
mod root;
mod trial;
mod view;
pub(crate) use given::is_given;
pub use knobs::{Forbids, forbidding};
pub(crate) use root::{Part, Source, build, of_paths};
pub(crate) use trial::would_be_refused;
pub use view::View;

/// Enters a view of its own, as root. `Err` if this process may not mount.
pub(crate) fn enter_privileged(
    files: &FileRules,
    handles: &[Handle<'_>],
) -> Result<Result<(), View>, ConfineError> {
    match unshare_privileged(&[]).map(drop) {
        Ok(()) => build(&of_rules(files, handles), false, None).map(|_| Ok(())),
        Err(refused) => Ok(Err(refused)),
    }
}

/// Enters a view of its own as an ordinary user, who may mount within a user namespace. `Err` if it may not.
pub(crate) fn enter_unprivileged(
    files: &FileRules,
    handles: &[Handle<'_>],
) -> Result<Result<(), View>, ConfineError> {
    match unshare_unprivileged(&[]).map(drop) {
        Ok(()) => build(&of_rules(files, handles), false, None).map(|_| Ok(())),
        Err(refused) => Ok(Err(refused)),
    }
}

/// The paths of rules, and what is already open.
fn of_rules<'a>(files: &FileRules, handles: &'a [Handle<'_>]) -> Vec<Part<'a>> {
    let open = handles.iter().map(|open| Part {
        at: open.at.clone(),
        source: Source::Handle(open.handle),
        access: open.access,
    });
    of_paths(files).into_iter().chain(open).collect()
}

/// Something of its own that a process can have besides its mounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    Network,
    Ipc,
    Pid,
    Uts,
}

impl Own {
    fn flag(self) -> CloneFlags {
        match self {
            Own::Network => CloneFlags::CLONE_NEWNET,
            Own::Ipc => CloneFlags::CLONE_NEWIPC,
            Own::Pid => CloneFlags::CLONE_NEWPID,
            Own::Uts => CloneFlags::CLONE_NEWUTS,
        }
    }

    fn note(self, namespaces: &mut Namespaces) {
        match self {
            Own::Network => namespaces.network = true,
            Own::Ipc => namespaces.ipc = true,
            Own::Pid => namespaces.pid = true,
            Own::Uts => namespaces.uts = true,
        }
    }
}

/// Makes namespaces as root: that of mounts, and those wanted. Processes of its own are those that it forks from now on.
pub(crate) fn unshare_privileged(wanted: &[Own]) -> Result<Namespaces, View> {
    if !capabilities::has(capabilities::SYS_ADMIN) {
        return Err(View::Refused { step: "mount", errno: Errno::EPERM });
    }
    unshare(CloneFlags::CLONE_NEWNS).map_err(|errno| View::Refused { step: "a mount namespace", errno })?;
    cut_off()?;
    Ok(besides(wanted))
}

/// The same as an ordinary user, within a user namespace in which it is still that user.
///
/// If the last step is the one that is refused, the process can make no file any more: see [`would_be_refused`].
pub(crate) fn unshare_unprivileged(wanted: &[Own]) -> Result<Namespaces, View> {
    let (uid, gid) = (geteuid(), getegid());
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS)
        .map_err(|errno| View::Refused { step: "a user namespace", errno })?;
    // The files below belong to root if the process is not dumpable, as it is not after a change of user.
    let was = prctl::get_dumpable().unwrap_or(false);
    let _ = prctl::set_dumpable(true);
    let mapped = [
        ("/proc/self/setgroups", "deny".to_owned()),
        ("/proc/self/uid_map", format!("{uid} {uid} 1")),
        ("/proc/self/gid_map", format!("{gid} {gid} 1")),
    ]
    .into_iter()
    .try_for_each(|(file, text)| std::fs::write(file, text));
    let _ = prctl::set_dumpable(was);
    if let Err(error) = mapped {
        let errno = Errno::from_raw(error.raw_os_error().unwrap_or(libc::EIO));
        return Err(View::Refused { step: "the user of a user namespace", errno });
    }
    cut_off()?;
    Ok(besides(wanted))
}

/// What is mounted elsewhere from now on does not show here, nor the other way round.
fn cut_off() -> Result<(), View> {
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)
        .map_err(|errno| View::Refused { step: "mount", errno })
}

/// Makes those wanted, once it is sure that this process can have a view of its own: all at once, or, where one is refused on
/// its own, the others all the same.
fn besides(wanted: &[Own]) -> Namespaces {
    let mut namespaces = Namespaces::default();
    let all = wanted.iter().fold(CloneFlags::empty(), |flags, own| flags | own.flag());
    let at_once = unshare(all).is_ok();
    for own in wanted.iter().filter(|own| at_once || unshare(own.flag()).is_ok()) {
        own.note(&mut namespaces);
    }
    namespaces
}

const NONE: Option<&str> = None;
