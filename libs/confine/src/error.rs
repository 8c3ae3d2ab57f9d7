//! Why a process could not be confined.

use std::{io, path::PathBuf};

use nix::errno::Errno;

/// Why a process could not be confined. It is then half confined, and must end.
#[derive(Debug, thiserror::Error)]
pub enum ConfineError {
    /// Threads other than the calling one would stay free.
    #[error("confinement binds only the calling thread, but {count} are running")]
    Threads {
        /// How many threads there are.
        count: usize,
    },
    /// A resource limit was refused.
    #[error("cannot limit {resource}")]
    Limit {
        resource: &'static str,
        /// The kernel's answer.
        source: Errno,
    },
    /// A switch of the process was refused.
    #[error("cannot set {switch}")]
    Switch {
        /// The switch, as prctl(2) or keyctl(2) names it.
        switch: &'static str,
        /// The kernel's answer.
        source: Errno,
    },
    /// A file rule names a path that cannot be opened.
    #[error("file rule for {}", path.display())]
    Path {
        path: PathBuf,
        /// Why it cannot be opened.
        source: io::Error,
    },
    /// The process cannot become the user.
    #[error("cannot become the user {name}")]
    User {
        /// The user.
        name: String,
        /// The kernel's answer.
        source: Errno,
    },
    /// The process may mount, but its view of the file system could not be made.
    #[error("a view of the file system: {step}")]
    Namespace {
        /// What failed.
        step: &'static str,
        /// The kernel's answer.
        source: Errno,
    },
    /// A folder is open that leads out of the jail.
    #[error("the folder {} is open and leads out of the jail", path.display())]
    OpenFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The process can have no view of its own, and nothing else hides a part of what a rule shows.
    #[error("{} cannot be hidden, since this system gives no view of the file system", path.display())]
    NotHidden {
        /// The first of the paths.
        path: PathBuf,
    },
    /// The process can have no network of its own, and must not have the machine's.
    #[error(
        "the hosts that it may reach need a network and a view of files of its own, which take user namespaces{}; `cl-admin doctor` says how to allow them",
        .refused.map(|(step, errno)| format!(" ({step}: {})", errno.desc())).unwrap_or_default()
    )]
    NoNetwork {
        /// What was refused, and the kernel's answer.
        refused: Option<(&'static str, Errno)>,
    },
    /// The loopback of a network of its own could not be set up.
    #[error("a network of its own: {step}")]
    Loopback {
        /// What failed.
        step: &'static str,
        /// The kernel's answer.
        source: Errno,
    },
    /// Landlock is there but refused the rules.
    #[error("cannot apply the file rules")]
    Landlock(#[source] Box<landlock::RulesetError>),
}
