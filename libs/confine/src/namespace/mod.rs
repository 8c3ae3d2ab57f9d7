//! Files, by a view of the file system in which there is nothing else: for kernels without Landlock.
//!
//! The new root is a file system in memory that holds only the paths of the rules, each mounted where it was, read-only
//! unless a rule says otherwise. It cannot be left or changed again: the capabilities go, and the table of calls knows no
//! mount. A descriptor of a *folder* that was opened before still leads into the old view, so the caller closes those and
//! opens them anew.

use std::{
    ffi::{CStr, CString},
    fs::{DirBuilder, OpenOptions},
    os::{
        fd::{AsRawFd, FromRawFd, OwnedFd},
        unix::{ffi::OsStrExt, fs::DirBuilderExt},
    },
    path::{Path, PathBuf},
};

use nix::{
    errno::Errno,
    mount::{MntFlags, MsFlags, mount, umount2},
    sched::{CloneFlags, unshare},
    sys::prctl,
    unistd::{chdir, getegid, geteuid, pivot_root},
};

use crate::{ConfineError, FileRules, capabilities};

mod given;
pub(crate) use given::is_given;

/// How the file system looks to a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// As it does to everybody.
    #[default]
    Shared,
    /// As it does to everybody, because a view of its own was refused.
    Refused {
        /// What was refused.
        step: &'static str,
        /// The kernel's answer.
        errno: Errno,
    },
    /// Read-only but for the rules' folders: whoever started the process has seen to it.
    Given,
    /// Only what the rules name is there.
    Own,
}

/// Enters a view of its own, as root. `Err` if this process may not mount.
pub(crate) fn enter_privileged(files: &FileRules) -> Result<Result<(), View>, ConfineError> {
    if !capabilities::has(capabilities::SYS_ADMIN) {
        return Ok(Err(View::Refused { step: "mount", errno: Errno::EPERM }));
    }
    if let Err(errno) = unshare(CloneFlags::CLONE_NEWNS) {
        return Ok(Err(View::Refused { step: "a mount namespace", errno }));
    }
    private_view(files)
}

/// Enters a view of its own as an ordinary user, who may mount within a user namespace. `Err` if it may not.
pub(crate) fn enter_unprivileged(files: &FileRules) -> Result<Result<(), View>, ConfineError> {
    let (uid, gid) = (geteuid(), getegid());
    if let Err(errno) = unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS) {
        return Ok(Err(View::Refused { step: "a user namespace", errno }));
    }
    // The files below belong to root if the process is not dumpable, as it is not after a change of user.
    let _ = prctl::set_dumpable(true);
    for (file, text) in [
        ("/proc/self/setgroups", "deny".to_owned()),
        ("/proc/self/uid_map", format!("{uid} {uid} 1")),
        ("/proc/self/gid_map", format!("{gid} {gid} 1")),
    ] {
        if let Err(error) = std::fs::write(file, text) {
            let errno = Errno::from_raw(error.raw_os_error().unwrap_or(libc::EIO));
            return Ok(Err(View::Refused { step: "the user of a user namespace", errno }));
        }
    }
    private_view(files)
}

fn private_view(files: &FileRules) -> Result<Result<(), View>, ConfineError> {
    // What is mounted elsewhere from now on does not show here, nor the other way round.
    if let Err(errno) = mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE) {
        return Ok(Err(View::Refused { step: "mount", errno }));
    }
    only(files).map(Ok)
}

/// Makes the rules' paths all that there is.
fn only(files: &FileRules) -> Result<(), ConfineError> {
    // Before the new root is mounted, which may cover some of them.
    let trees: Vec<(PathBuf, bool, OwnedFd)> = parts(files)
        .map(|(path, attributes)| tree(&path, attributes).map(|(folder, tree)| (path, folder, tree)))
        .collect::<Result<_, _>>()?;
    let spot = SPOTS.iter().map(Path::new).find(|path| path.is_dir()).unwrap_or(Path::new("/"));
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    let step = |step| move |errno| ConfineError::Namespace { step, source: errno };
    mount(Some("tmpfs"), spot, Some("tmpfs"), flags, Some("size=256k,mode=755"))
        .map_err(step("mounting a new root"))?;
    chdir(spot).map_err(step("entering the new root"))?;
    for (path, folder, tree) in trees {
        let here = path.strip_prefix("/").expect("a rule's path is absolute");
        place(here, folder).map_err(|source| ConfineError::Path { path: path.clone(), source })?;
        attach(&tree, here).map_err(step("mounting a path of the rules"))?;
    }
    set(libc::AT_FDCWD, c".", 0, MOUNT_ATTR_RDONLY).map_err(step("making the new root read-only"))?;
    pivot_root(".", ".").map_err(step("changing to the new root"))?;
    umount2(".", MntFlags::MNT_DETACH).map_err(step("leaving the old root"))?;
    chdir("/").map_err(step("leaving the old root"))
}

/// The paths of the rules from the shortest, so that none is covered by another, each with its attributes.
fn parts(files: &FileRules) -> impl Iterator<Item = (PathBuf, u64)> {
    const PLAIN: u64 = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    let of = |paths: &[PathBuf], attributes: u64| -> Vec<(PathBuf, u64)> {
        paths.iter().map(|path| (path.clone(), attributes)).collect()
    };
    let mut parts = of(&files.read, PLAIN | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_RDONLY);
    parts.extend(of(&files.execute, PLAIN | MOUNT_ATTR_RDONLY));
    parts.extend(of(&files.write, PLAIN | MOUNT_ATTR_NOEXEC));
    let null = PathBuf::from("/dev/null");
    if null.exists() {
        parts.push((null, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC));
    }
    parts.sort_by_key(|(path, _)| path.components().count());
    parts.into_iter()
}

/// A mount of one path that hangs nowhere yet, and whether it is a folder.
fn tree(path: &Path, attributes: u64) -> Result<(bool, OwnedFd), ConfineError> {
    const CLONE: libc::c_uint = 1;
    let failed = |source| ConfineError::Path { path: path.to_owned(), source };
    let folder = path.metadata().map_err(failed)?.is_dir();
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|error| failed(error.into()))?;
    let flags = CLONE | libc::AT_RECURSIVE as libc::c_uint | libc::O_CLOEXEC as libc::c_uint;
    // SAFETY: the name is a C string that lives through the call.
    let tree = unsafe { libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, name.as_ptr(), flags) };
    let tree = Errno::result(tree).map_err(|errno| failed(errno.into()))?;
    // SAFETY: the descriptor was just made and belongs to nobody else.
    let tree = unsafe { OwnedFd::from_raw_fd(tree as i32) };
    set(tree.as_raw_fd(), c"", libc::AT_EMPTY_PATH | libc::AT_RECURSIVE, attributes)
        .map_err(|errno| failed(errno.into()))?;
    Ok((folder, tree))
}

/// Makes sure that there is something to mount on. Beneath a path that is mounted already, it is there.
fn place(here: &Path, folder: bool) -> std::io::Result<()> {
    let folders = if folder { Some(here) } else { here.parent() };
    if let Some(folders) = folders.filter(|folders| !folders.as_os_str().is_empty()) {
        DirBuilder::new().recursive(true).mode(0o755).create(folders)?;
    }
    if !folder && !here.exists() {
        OpenOptions::new().write(true).create_new(true).open(here)?;
    }
    Ok(())
}

fn attach(tree: &OwnedFd, here: &Path) -> Result<(), Errno> {
    const FROM_EMPTY_PATH: libc::c_uint = 4;
    let name = CString::new(here.as_os_str().as_bytes()).map_err(|_| Errno::EINVAL)?;
    // SAFETY: both names are C strings that live through the call.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_move_mount,
            tree.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_FDCWD,
            name.as_ptr(),
            FROM_EMPTY_PATH,
        )
    };
    Errno::result(answer).map(drop)
}

/// Adds attributes to a mount.
fn set(at: libc::c_int, name: &CStr, flags: libc::c_int, attributes: u64) -> Result<(), Errno> {
    // The kernel's `mount_attr`: to set, to clear, propagation, user namespace.
    let attr = [attributes, 0, 0, 0];
    // SAFETY: the name is a C string and the attributes have the length that is told; both live through the call.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            at,
            name.as_ptr(),
            flags as libc::c_uint,
            attr.as_ptr(),
            size_of_val(&attr),
        )
    };
    Errno::result(answer).map(drop)
}

/// Where the new root is mounted for the moment until it is the root; any folder will do.
const SPOTS: [&str; 4] = ["/mnt", "/run", "/tmp", "/dev"];
const NONE: Option<&str> = None;
const MOUNT_ATTR_RDONLY: u64 = 1;
const MOUNT_ATTR_NOSUID: u64 = 2;
const MOUNT_ATTR_NODEV: u64 = 4;
const MOUNT_ATTR_NOEXEC: u64 = 8;
