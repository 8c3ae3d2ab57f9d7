//! The folders of a run, and where the streams of its programs lead.

use std::fs::File;
use std::io::PipeWriter;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use builder::workers::NotStarted;
use confine::{Access, Handle};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, openat2};
use nix::sys::stat::Mode;

use super::super::plan::Stream;
use super::Orders;

/// The one device that a stream may lead to.
const NULL: &str = "/dev/null";

/// A stream that cannot be led where its line says.
#[derive(Debug, thiserror::Error)]
pub(super) enum StreamError {
    #[error("{path}: {why}")]
    Read { path: String, why: Errno },
    #[error("{path}: {why} (what a command writes is in the folder of its own run)")]
    Write { path: String, why: Errno },
    #[error(transparent)]
    Copy(#[from] std::io::Error),
}

/// The folders of a run, held open.
pub(super) struct Folders {
    /// What is read; a profile may have none.
    pub(super) workspace: Option<File>,
    /// What is written.
    pub(super) run: File,
}

impl Folders {
    /// Opens the workspace beneath the folder of all data, no link followed, and the run's folder, which is the admin's.
    pub(super) fn open(data: &Path, workspace: &Path, run: &Path) -> Result<Folders, NotStarted> {
        let tell = |path: &Path, source| NotStarted::Open { path: path.to_owned(), source };
        let folder = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let plain = OpenHow::new().flags(folder).resolve(ResolveFlag::RESOLVE_NO_MAGICLINKS);
        let held = openat2(AT_FDCWD, data, plain).map_err(|e| tell(data, e))?;
        let below = workspace.strip_prefix(data).map_err(|_| tell(workspace, Errno::EXDEV))?;
        let workspace = match openat2(&held, below, beneath(folder)) {
            Ok(fd) => Some(File::from(fd)),
            Err(Errno::ENOENT) => None,
            Err(e) => return Err(tell(workspace, e)),
        };
        let run = openat2(AT_FDCWD, run, plain).map(File::from).map_err(|e| tell(run, e))?;
        Ok(Folders { workspace, run })
    }

    /// The rules for both folders, by handle: a later change of the path has no effect.
    pub(super) fn rules(&self, orders: &Orders) -> Vec<Handle<'_>> {
        let rule = |handle, at: &Path, access| Handle { handle, at: at.to_owned(), access };
        let workspace = self.workspace.as_ref().map(|w| rule(w.as_fd(), &orders.workspace, Access::Read));
        workspace.into_iter().chain([rule(self.run.as_fd(), &orders.run, Access::Write)]).collect()
    }

    /// Leads a command's streams where its line says, in order: files that are written are in the run's folder; files
    /// that are read are there or in the workspace.
    pub(super) fn lead(
        &self,
        streams: &[Stream],
        piped: Option<&PipeWriter>,
        command: &mut Command,
    ) -> Result<(), StreamError> {
        let mut out: Option<File> = None;
        for stream in streams {
            match stream {
                Stream::From(path) => {
                    let unread = |why| StreamError::Read { path: path.clone(), why };
                    command.stdin(self.readable(path).map_err(unread)?);
                }
                Stream::Into(fd, path) | Stream::Onto(fd, path) => {
                    let added = matches!(stream, Stream::Onto(..));
                    let unwritten = |why| StreamError::Write { path: path.clone(), why };
                    let file = self.writable(path, added).map_err(unwritten)?;
                    if *fd == 1 {
                        command.stdout(file.try_clone()?);
                        out = Some(file);
                    } else {
                        command.stderr(file);
                    }
                }
                Stream::Joined => {
                    let to = match (&out, piped) {
                        (Some(file), _) => file.try_clone().map(Stdio::from),
                        (None, Some(pipe)) => pipe.try_clone().map(Stdio::from),
                        (None, None) => std::io::stdout().as_fd().try_clone_to_owned().map(Stdio::from),
                    };
                    command.stderr(to?);
                }
            }
        }
        Ok(())
    }

    fn readable(&self, path: &str) -> Result<File, Errno> {
        let flags = OFlag::O_RDONLY | OFlag::O_CLOEXEC | OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
        if path == NULL {
            return openat2(AT_FDCWD, NULL, OpenHow::new().flags(flags)).map(File::from);
        }
        match (openat2(&self.run, path, beneath(flags)), &self.workspace) {
            (Ok(fd), _) => Ok(File::from(fd)),
            (Err(Errno::ENOENT), Some(workspace)) => {
                openat2(workspace.as_fd(), path, beneath(flags)).map(File::from)
            }
            (Err(e), _) => Err(e),
        }
    }

    fn writable(&self, path: &str, added: bool) -> Result<File, Errno> {
        let flags = OFlag::O_WRONLY | OFlag::O_CLOEXEC | OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
        if path == NULL {
            return openat2(AT_FDCWD, NULL, OpenHow::new().flags(flags)).map(File::from);
        }
        let how = if added { OFlag::O_APPEND } else { OFlag::O_TRUNC };
        let how = beneath(flags | OFlag::O_CREAT | how).mode(Mode::from_bits_truncate(0o640));
        openat2(&self.run, path, how).map(File::from)
    }
}

/// Opens only paths beneath a handle, and follows no link on the way.
fn beneath(flags: OFlag) -> OpenHow {
    OpenHow::new().flags(flags).resolve(
        ResolveFlag::RESOLVE_BENEATH | ResolveFlag::RESOLVE_NO_SYMLINKS | ResolveFlag::RESOLVE_NO_MAGICLINKS,
    )
}

/// A handle on a path beneath a folder whose parents only the admin can change; a link on the way is refused. `None` if it
/// does not exist.
pub(crate) fn open_beneath(root: &Path, below: &Path) -> Result<Option<OwnedFd>, Errno> {
    let flags = OFlag::O_PATH | OFlag::O_CLOEXEC;
    let plain = OpenHow::new().flags(flags | OFlag::O_DIRECTORY).resolve(ResolveFlag::RESOLVE_NO_MAGICLINKS);
    let root = openat2(AT_FDCWD, root, plain)?;
    match openat2(&root, below, beneath(flags)) {
        Ok(handle) => Ok(Some(handle)),
        Err(Errno::ENOENT) => Ok(None),
        Err(e) => Err(e),
    }
}

/// A path that leads to exactly what was opened.
pub(super) fn by_handle(handle: &impl AsRawFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", handle.as_raw_fd()))
}
