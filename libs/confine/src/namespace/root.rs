//! The root of a view: a file system in memory that holds the paths of the rules.

use std::{
    ffi::{CStr, CString},
    fs::File,
    io::{self, Write},
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd},
        unix::{ffi::OsStrExt, fs::symlink},
    },
    path::{Path, PathBuf},
};

use nix::{
    errno::Errno,
    fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, openat, openat2},
    mount::{MntFlags, MsFlags, mount, umount2},
    sys::stat::{FchmodatFlags, FileStat, Mode, SFlag, fchmodat, fstat, major, minor, mkdirat, umask},
    unistd::{chdir, pivot_root},
};

use crate::{Access, ConfineError, FileRules};

/// One path of a view.
pub(crate) struct Part<'a> {
    /// Where it is in the view.
    pub(crate) at: PathBuf,
    pub(crate) source: Source<'a>,
    pub(crate) access: Access,
}

/// What is shown at a path of a view.
pub(crate) enum Source<'a> {
    /// What is there outside; a link is followed.
    Same,
    /// What was opened, wherever it is.
    Handle(BorrowedFd<'a>),
    /// An empty folder or file that nobody may open.
    Nothing { folder: bool },
    /// A file of this text, to be read.
    Text(&'a str),
}

/// The paths of rules, and the one device that every process has.
pub(crate) fn of_paths(files: &FileRules) -> Vec<Part<'static>> {
    let part = |access| move |at: &PathBuf| Part { at: at.clone(), source: Source::Same, access };
    let read = files.read.iter().map(part(Access::Read));
    let execute = files.execute.iter().map(part(Access::Execute));
    let write = files.write.iter().map(part(Access::Write));
    let mut parts: Vec<_> = read.chain(execute).chain(write).collect();
    let null = PathBuf::from("/dev/null");
    if null.exists() && !parts.iter().any(|part| part.at == null) {
        parts.push(Part { at: null, source: Source::Same, access: Access::Write });
    }
    parts
}

/// Makes these paths all that there is; whether `/proc` is there too, which shows the processes of this namespace alone.
/// Without it, `/proc/self/exe` leads to `program`.
pub(crate) fn build(
    parts: &[Part<'_>],
    processes: bool,
    program: Option<&Path>,
) -> Result<bool, ConfineError> {
    // What is made here must be passable by other users, regardless of the caller's own mask.
    let mask = umask(Mode::from_bits_truncate(0o022));
    let built = built(parts, processes, program);
    umask(mask);
    built
}

fn built(parts: &[Part<'_>], processes: bool, program: Option<&Path>) -> Result<bool, ConfineError> {
    // From the shortest, so that none is covered by another.
    let mut parts: Vec<_> = parts.iter().collect();
    parts.sort_by_key(|part| part.at.components().count());
    // Before the new root is mounted, which may cover some of them.
    let trees: Vec<(&Part<'_>, bool, Option<OwnedFd>)> = parts
        .into_iter()
        .map(|part| tree(part).map(|(folder, tree)| (part, folder, tree)))
        .collect::<Result<_, _>>()?;
    let spot = SPOTS.iter().map(Path::new).find(|path| path.is_dir()).unwrap_or(Path::new("/"));
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    let step = |step| move |errno| ConfineError::Namespace { step, source: errno };
    mount(Some("tmpfs"), spot, Some("tmpfs"), flags, Some("size=256k,mode=755"))
        .map_err(step("mounting a new root"))?;
    chdir(spot).map_err(step("entering the new root"))?;
    for (part, folder, tree) in trees {
        let failed = |source| ConfineError::Path { path: part.at.clone(), source };
        let here = (part.at)
            .strip_prefix("/")
            .map_err(|_| failed(io::Error::new(io::ErrorKind::InvalidInput, "the path is not absolute")))?;
        if let Source::Text(text) = part.source {
            write(here, text).map_err(failed)?;
            continue;
        }
        let on = place(here, folder).map_err(failed)?;
        let tree = tree.map_or_else(|| nothing(folder), Ok).map_err(failed)?;
        attach(&tree, &on).map_err(step("mounting a path of the rules"))?;
    }
    let processes = processes && show_processes()?;
    if let (false, Some(program)) = (processes, program) {
        name_program(program)?;
    }
    set(libc::AT_FDCWD, c".", 0, MOUNT_ATTR_RDONLY).map_err(step("making the new root read-only"))?;
    pivot_root(".", ".").map_err(step("changing to the new root"))?;
    umount2(".", MntFlags::MNT_DETACH).map_err(step("leaving the old root"))?;
    chdir("/").map_err(step("leaving the old root"))?;
    Ok(processes)
}

/// Mounts a `/proc` of the own namespace: programs that were opened are started by it, and scripts are read by it.
///
/// It shows the jail's own processes and nothing of the machine. Where a container covers parts of its own `/proc`, the
/// kernel refuses a new one: see [`name_program`].
fn show_processes() -> Result<bool, ConfineError> {
    let here = Path::new("proc");
    let failed = |source| ConfineError::Path { path: Path::new("/proc").to_owned(), source };
    place(here, true).map_err(failed)?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC | MsFlags::MS_RDONLY;
    if mount(Some("proc"), here, Some("proc"), flags, Some("subset=pid,hidepid=invisible")).is_err() {
        return Ok(false);
    }
    place(Path::new("dev"), true).map_err(failed)?;
    for (link, to) in STREAMS {
        symlink(to, link).map_err(failed)?;
    }
    Ok(true)
}

/// Makes the one link of `/proc` that a compiler and the dynamic linker cannot do without.
fn name_program(program: &Path) -> Result<(), ConfineError> {
    let failed = |source| ConfineError::Path { path: Path::new("/proc/self/exe").to_owned(), source };
    place(Path::new("proc/self"), true).map_err(failed)?;
    symlink(program, "proc/self/exe").map_err(failed)
}

/// Writes a file of the new root, which is read-only afterwards; nothing may be there yet.
fn write(here: &Path, text: &str) -> io::Result<()> {
    let folder = place(here.parent().unwrap_or(Path::new(".")), true)?;
    let name = here.file_name().unwrap_or_default();
    let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_CLOEXEC;
    let mut file = File::from(openat(&folder, name, flags, Mode::from_bits_truncate(0o444))?);
    file.write_all(text.as_bytes())
}

/// A mount of an empty folder or file of the new root, which is made where it is missing.
fn nothing(folder: bool) -> io::Result<OwnedFd> {
    let here = Path::new(if folder { "hidden/folder" } else { "hidden/file" });
    place(here, folder)?;
    fchmodat(AT_FDCWD, here, Mode::empty(), FchmodatFlags::FollowSymlink)?;
    let tree = clone(here, 0)?;
    set(tree.as_raw_fd(), c"", libc::AT_EMPTY_PATH as libc::c_int, attributes(Access::Read))?;
    Ok(tree)
}

/// Whether a path is a folder, and a mount of it that is attached nowhere yet; none for what is hidden.
fn tree(part: &Part<'_>) -> Result<(bool, Option<OwnedFd>), ConfineError> {
    let failed = |source| ConfineError::Path { path: part.at.clone(), source };
    let tree = match part.source {
        Source::Same => clone(&part.at, 0).map_err(failed)?,
        Source::Handle(handle) => by_handle(handle).map_err(failed)?,
        Source::Nothing { folder } => return Ok((folder, None)),
        Source::Text(_) => return Ok((false, None)),
    };
    let facts = fstat(tree.as_fd()).map_err(|errno| failed(errno.into()))?;
    let attributes = if is_device(&facts) { DEVICE } else { attributes(part.access) };
    set(tree.as_raw_fd(), c"", libc::AT_EMPTY_PATH | libc::AT_RECURSIVE, attributes)
        .map_err(|errno| failed(errno.into()))?;
    Ok((facts.st_mode & libc::S_IFMT == libc::S_IFDIR, Some(tree)))
}

fn attributes(access: Access) -> u64 {
    let plain = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    match access {
        Access::Read => plain | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_RDONLY,
        Access::Execute => plain | MOUNT_ATTR_RDONLY,
        Access::Write => plain | MOUNT_ATTR_NOEXEC,
    }
}

/// The devices that keep nothing: null, zero, random, urandom. A rule for any other shows a file that cannot be opened.
fn is_device(facts: &FileStat) -> bool {
    facts.st_mode & libc::S_IFMT == SFlag::S_IFCHR.bits()
        && major(facts.st_rdev) == 1
        && matches!(minor(facts.st_rdev), 3 | 5 | 8 | 9)
}

/// What a handle leads to, as a mount of this namespace: found by its path, and taken only if it is the very same.
fn by_handle(handle: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let path = std::fs::read_link(format!("/proc/self/fd/{}", handle.as_raw_fd()))?;
    let tree = clone(&path, libc::AT_SYMLINK_NOFOLLOW)?;
    let (wanted, found) = (fstat(handle)?, fstat(tree.as_fd())?);
    if (wanted.st_dev, wanted.st_ino) != (found.st_dev, found.st_ino) {
        let moved = format!("{} was replaced after it was opened", path.display());
        return Err(io::Error::other(moved));
    }
    Ok(tree)
}

fn clone(path: &Path, flags: libc::c_int) -> io::Result<OwnedFd> {
    const CLONE: libc::c_int = 1;
    let name = CString::new(path.as_os_str().as_bytes())?;
    let flags = (CLONE | libc::AT_RECURSIVE | libc::O_CLOEXEC | flags) as libc::c_uint;
    // SAFETY: the name is a C string that lives through the call.
    let tree = unsafe { libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, name.as_ptr(), flags) };
    let tree = Errno::result(tree)?;
    // SAFETY: the descriptor was just made and belongs to nobody else.
    Ok(unsafe { OwnedFd::from_raw_fd(tree as i32) })
}

/// Opens what a path of the new root is to be mounted on, and makes what is missing. No link is followed: beneath a path that is
/// mounted already, somebody else may replace a folder by one at any moment.
fn place(here: &Path, folder: bool) -> io::Result<OwnedFd> {
    let pin = OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let beneath =
        ResolveFlag::RESOLVE_BENEATH | ResolveFlag::RESOLVE_NO_SYMLINKS | ResolveFlag::RESOLVE_NO_MAGICLINKS;
    let mut at = openat(AT_FDCWD, ".", pin | OFlag::O_DIRECTORY, Mode::empty())?;
    let mut names = here.components().peekable();
    while let Some(name) = names.next() {
        let is_folder = folder || names.peek().is_some();
        let flags = if is_folder { pin | OFlag::O_DIRECTORY } else { pin };
        let open = || openat2(&at, name.as_os_str(), OpenHow::new().flags(flags).resolve(beneath));
        let opened = match open() {
            Err(Errno::ENOENT) if is_folder => {
                mkdirat(&at, name.as_os_str(), Mode::from_bits_truncate(0o755))?;
                open()?
            }
            Err(Errno::ENOENT) => {
                let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_CLOEXEC;
                drop(openat(&at, name.as_os_str(), flags, Mode::from_bits_truncate(0o444))?);
                open()?
            }
            other => other?,
        };
        at = opened;
    }
    Ok(at)
}

fn attach(tree: &OwnedFd, on: &OwnedFd) -> Result<(), Errno> {
    const FROM_EMPTY_PATH: libc::c_uint = 0x04;
    const TO_EMPTY_PATH: libc::c_uint = 0x40;
    // SAFETY: both names are C strings that live through the call.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_move_mount,
            tree.as_raw_fd(),
            c"".as_ptr(),
            on.as_raw_fd(),
            c"".as_ptr(),
            FROM_EMPTY_PATH | TO_EMPTY_PATH,
        )
    };
    Errno::result(answer).map(drop)
}

/// Adds attributes to a mount.
fn set(at: libc::c_int, name: &CStr, flags: libc::c_int, attributes: u64) -> Result<(), Errno> {
    // The kernel's `mount_attr`: to set, to clear, propagation, user namespace.
    let attr = [attributes, 0, 0, 0];
    // SAFETY: the name is a C string and the attributes have the length that is passed; both live through the call.
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
/// Where programs look for what is open.
const STREAMS: [(&str, &str); 4] = [
    ("dev/fd", "/proc/self/fd"),
    ("dev/stdin", "/proc/self/fd/0"),
    ("dev/stdout", "/proc/self/fd/1"),
    ("dev/stderr", "/proc/self/fd/2"),
];
const MOUNT_ATTR_RDONLY: u64 = 1;
const MOUNT_ATTR_NOSUID: u64 = 2;
const MOUNT_ATTR_NODEV: u64 = 4;
const MOUNT_ATTR_NOEXEC: u64 = 8;
const DEVICE: u64 = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
