//! What `cl-mouth`, `cl-ear` and `cl-pins` have in common: a socket file of this user, a thread for each client, and the walls.
//!
//! - [`open`]: the socket, handed over by systemd or made
//! - [`accept`]: a thread for each connection, and no more of them than there is room for
//! - [`confined`]: from there on the process opens nothing, connects to nobody and starts nothing
#![forbid(unsafe_code)]

use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use confine::{ConfineError, FileRules, Limits, Manner, Role, Wall};

/// Connections at a time; a further one is closed.
pub const MOST_CONNECTIONS: u64 = 16;
/// Memory that a process may have, in bytes.
pub const ADDRESS_SPACE: u64 = 1 << 30;
/// What a process has open beside its connections.
const OWN_FILES: u64 = 16;

/// Why there is no service.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The socket file cannot be opened.
    #[error("{}: {why}", path.display())]
    Socket {
        /// The file.
        path: PathBuf,
        why: io::Error,
    },
    /// Another program answers at the socket file.
    #[error("another program answers at {}", .0.display())]
    Taken(PathBuf),
    /// The process cannot be confined.
    #[error(transparent)]
    Confine(#[from] ConfineError),
    /// The kernel has no table of calls.
    #[error("this kernel has no seccomp, so the process cannot be confined")]
    NoSeccomp,
}

impl Fault {
    /// What to do, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Fault::Taken(_) => Some("end that program, or name another socket file"),
            Fault::NoSeccomp => Some("use a kernel with seccomp"),
            Fault::Socket { .. } | Fault::Confine(_) => None,
        }
    }

    /// Whether the walls are missing.
    pub fn is_confinement(&self) -> bool {
        matches!(self, Fault::Confine(_) | Fault::NoSeccomp)
    }
}

/// The socket that a service manager handed over, or else one at this path. A socket file that a program left behind when it was
/// killed is replaced. Call it before any thread; the file's mode follows the process's mask.
///
/// # Errors
/// The path cannot be bound, or another program answers there.
pub fn open(path: &Path) -> Result<UnixListener, Fault> {
    if let Some(given) = confine::handed_over() {
        return Ok(UnixListener::from(given));
    }
    let failed = |why| Fault::Socket { path: path.to_owned(), why };
    match UnixListener::bind(path) {
        Err(why) if why.kind() == io::ErrorKind::AddrInUse && is_socket(path) => {
            if UnixStream::connect(path).is_ok() {
                return Err(Fault::Taken(path.to_owned()));
            }
            fs::remove_file(path).and_then(|()| UnixListener::bind(path)).map_err(failed)
        }
        listener => listener.map_err(failed),
    }
}

/// Whether a socket file is there; anything else there is somebody's own.
fn is_socket(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_socket())
}

/// Answers each client in a thread of its own, as long as the process runs. A client for whom there is no room is closed.
pub fn accept(listener: &UnixListener, talk: impl Fn(&UnixStream) + Send + Sync + 'static) {
    let (open, talk) = (Arc::new(AtomicU64::new(0)), Arc::new(talk));
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Too many descriptors, or a client that left: neither is over at once.
            thread::sleep(Duration::from_millis(100));
            continue;
        };
        let (place, talk) = (Place::of(&open), talk.clone());
        if let Some(place) = place {
            // Where no thread can be had, the connection is closed.
            let _ = thread::Builder::new().spawn(move || {
                let _place = place;
                talk(&stream);
            });
        }
    }
}

/// One of the connections that are open at a time.
struct Place(Arc<AtomicU64>);

impl Place {
    fn of(open: &Arc<AtomicU64>) -> Option<Place> {
        let free = |count: u64| (count < MOST_CONNECTIONS).then_some(count + 1);
        open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, free).ok()?;
        Some(Place(open.clone()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// From here on the process opens nothing, connects to nobody and starts nothing.
///
/// # Errors
/// The kernel refuses, or has no table of calls.
pub fn confined() -> Result<(), Fault> {
    confined_in(ADDRESS_SPACE)
}

/// The same, with so many bytes of address space.
///
/// # Errors
/// As [`confined`].
pub fn confined_in(address_space: u64) -> Result<(), Fault> {
    confine_to(Role::Door, 0, address_space)
}

/// The same, with the calls of a role that has so many further files open.
///
/// # Errors
/// The kernel refuses, or has no table of calls.
pub fn confined_as(role: Role, further: u64) -> Result<(), Fault> {
    confine_to(role, further, ADDRESS_SPACE)
}

fn confine_to(role: Role, further: u64, address_space: u64) -> Result<(), Fault> {
    let limits = Limits {
        address_space: Some(address_space),
        open_files: Some(MOST_CONNECTIONS + OWN_FILES + further),
        ..Limits::default()
    };
    let manner = Manner { wall: Wall::Either, ..Manner::default() };
    let held = confine::confine_as(role, &FileRules::default(), &limits, &manner)?;
    if held.seccomp { Ok(()) } else { Err(Fault::NoSeccomp) }
}
