//! Why a name beneath a folder was not opened.

use nix::errno::Errno;

use crate::Kind;

/// Why a name was not opened. The text follows the name: "`a.yaml` is a link".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotOpened {
    /// Nothing has this name now.
    #[error("is missing")]
    Gone,
    /// A lease of its owner, or a shortage of this machine: a later attempt may succeed.
    #[error("cannot be opened yet: {}", passing(*.0))]
    NotYet(Errno),
    /// It is a symbolic link, or one stands on the way.
    #[error("is a link")]
    Link,
    /// A link on the way to it, or at its end, that a user made who is not trusted.
    #[error("leads over a link of user {maker}")]
    StrangersLink {
        /// The owner of the link.
        maker: u32,
    },
    /// The path leads out of its folder.
    #[error("is outside its folder")]
    Outside,
    /// A folder, pipe, socket or device where a file is expected.
    #[error("is not a regular file ({0})")]
    NotAFile(Kind),
    /// Anything else where a folder is expected.
    #[error("is not a folder")]
    NotAFolder,
    /// The file has a second name, which may be anywhere.
    #[error("has more than one name (a hard link)")]
    SecondName,
    /// It belongs to another user than its folder.
    #[error("belongs to user {found}, not to user {expected}")]
    Owner {
        /// The owner of the file.
        found: u32,
        /// The owner of the folder.
        expected: u32,
    },
    /// More bytes than the caller accepts.
    #[error("has more than {most} bytes")]
    TooLarge {
        /// The caller's limit.
        most: u64,
    },
    #[error("is not UTF-8 text without NUL and byte order mark")]
    NotText,
    /// The user of this process may not open it.
    #[error("cannot be read: user {} may not open it", nix::unistd::geteuid())]
    Denied,
    /// A pinned file cannot be opened without `/proc`.
    #[error("cannot be opened: /proc is not mounted")]
    NoProc,
    /// Another answer of the system.
    #[error("cannot be opened: {}", .0.desc())]
    System(Errno),
}

impl NotOpened {
    /// Whether something of another kind has the name: a link, a pipe, a folder for a file or a file for a folder.
    pub fn is_another_kind(&self) -> bool {
        matches!(self, NotOpened::Link | NotOpened::Outside | NotOpened::NotAFile(_) | NotOpened::NotAFolder)
    }
}

/// What an answer of the system means: a fault of the file, or something that passes.
impl From<Errno> for NotOpened {
    fn from(errno: Errno) -> NotOpened {
        match errno {
            Errno::ENOENT => NotOpened::Gone,
            Errno::ELOOP => NotOpened::Link,
            Errno::EXDEV => NotOpened::Outside,
            Errno::ENOTDIR => NotOpened::NotAFolder,
            Errno::EACCES | Errno::EPERM => NotOpened::Denied,
            // A lease: the kernel takes it from its holder within a minute (fcntl(2)).
            Errno::EAGAIN
            | Errno::EINTR
            | Errno::EMFILE
            | Errno::ENFILE
            | Errno::ENOMEM
            | Errno::EIO
            | Errno::ESTALE => NotOpened::NotYet(errno),
            other => NotOpened::System(other),
        }
    }
}

impl From<NotOpened> for std::io::Error {
    fn from(why: NotOpened) -> std::io::Error {
        use std::io::ErrorKind;
        let kind = match why {
            NotOpened::Gone => ErrorKind::NotFound,
            NotOpened::NotYet(_) => ErrorKind::WouldBlock,
            NotOpened::Denied | NotOpened::NoProc | NotOpened::System(_) => ErrorKind::PermissionDenied,
            _ => ErrorKind::InvalidData,
        };
        std::io::Error::new(kind, why)
    }
}

fn passing(errno: Errno) -> &'static str {
    match errno {
        Errno::EAGAIN => "its owner has a lease on it",
        other => other.desc(),
    }
}
