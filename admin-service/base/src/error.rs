//! What can go wrong, by culprit, with the exit code and the next step.

pub mod journal;

use std::io;
use std::path::{Path, PathBuf};

use beneath::NotOpened;
use documents::home_file::Unusable;
use documents::yaml::YamlError;
use shared_types::exit;
use shared_types::proposal::Fault as KeyFault;

use journal::{Fault, Illegal};

/// An error of the admin service.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no home to work in.
    #[error("there is no home at {0}")]
    NoHome(PathBuf),
    /// Nothing names a home.
    #[error("no home is named: neither --home nor TAMECLAW_HOME nor HOME is set")]
    NoHomeNamed,
    /// A home that is newer than this program, or not whole.
    #[error(transparent)]
    Unusable(#[from] Unusable),
    /// A home that somebody else could change.
    #[error("{0}, so this home cannot be trusted")]
    Untrusted(owners::writers::Untrusted),
    /// A home of another user, in which root does not work.
    #[error("the home at {} belongs to `{owner}`, and root works in it by `backup`, `restore`, `profile erase` and `migrate` only", home.display())]
    Others {
        home: PathBuf,
        owner: String,
        /// The same command, as that user.
        command: String,
    },
    /// A home that is closed to this user.
    #[error("{0}")]
    Closed(owners::closed::Closed),
    /// The operating system refused something.
    #[error("{path}: {why}", why = durable::words(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A place below `data/` that holds something else than it should, or cannot be opened.
    #[error("{path} {why}")]
    NotOpened {
        /// The file or folder.
        path: PathBuf,
        /// What it is, or why not.
        why: NotOpened,
    },
    /// A configuration with faults.
    #[error("{file} has {} fault(s):{}", faults.len(), listed(faults))]
    Config { file: PathBuf, faults: Vec<KeyFault> },
    /// Another service runs on this home.
    #[error("a service runs on this home already: process {pid}")]
    Busy {
        /// Its process.
        pid: u32,
    },
    /// The process that holds the home takes no requests.
    #[error(
        "process {pid} holds this home and takes no requests: `cl-admin run --once`, or a service that has not started"
    )]
    Deaf {
        /// Its process.
        pid: u32,
    },
    /// The proposal does not exist.
    #[error("no proposal has the id or name `{0}`")]
    NotFound(String),
    /// More than one proposal fits.
    #[error("`{name}` fits more than one proposal: {ids}")]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// The ids that fit.
        ids: String,
    },
    /// A rule says no.
    #[error("refused: {0}")]
    Refused(Cause),
    /// A chain, signature or digest does not hold.
    #[error("integrity: {0}")]
    Integrity(Cause),
    /// The journal does not hold.
    #[error("integrity: {0}")]
    Journal(#[from] Fault),
    /// A move that the table does not list.
    #[error("proposal {0}")]
    IllegalMove(#[from] Illegal),
    /// The command line is used wrongly.
    #[error("{0}")]
    Usage(Cause),
    /// The value of an option is invalid.
    #[error("{option}: {why}")]
    Option {
        option: &'static str,
        /// What is wrong with its value.
        why: Cause,
    },
    /// A step of the work failed, in the system or in a library.
    #[error("{step}: {why}")]
    Step {
        /// What was being done, or with what.
        step: &'static str,
        /// Why it failed.
        why: Cause,
    },
    /// A value cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A value cannot be written as YAML.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// The person was asked and typed nothing.
    #[error("nothing was typed; everything is as it was")]
    NothingTyped,
    /// What the running service answered, in its words.
    #[error("{why}")]
    Answered {
        /// Why it was not done.
        why: String,
        /// The exit code that the service named.
        exit: u8,
    },
    /// Anything else, in words.
    #[error("{0}")]
    Failed(Cause),
}

/// An error of another kind, kept for its words.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

fn listed(faults: &[KeyFault]) -> String {
    faults.iter().map(|f| format!("\n  {f}")).collect()
}

impl Error {
    /// A rule says no.
    pub fn refused(why: impl Into<Cause>) -> Error {
        Error::Refused(why.into())
    }

    /// A chain, signature or digest does not hold.
    pub fn integrity(why: impl Into<Cause>) -> Error {
        Error::Integrity(why.into())
    }

    /// The command line is used wrongly.
    pub fn usage(why: impl Into<Cause>) -> Error {
        Error::Usage(why.into())
    }

    /// Anything else.
    pub fn failed(why: impl Into<Cause>) -> Error {
        Error::Failed(why.into())
    }

    /// The typed error beneath the class, where it is of this type.
    pub fn cause<E: std::error::Error + 'static>(&self) -> Option<&E> {
        match self {
            Error::Refused(why) | Error::Integrity(why) | Error::Usage(why) | Error::Failed(why) => {
                why.downcast_ref()
            }
            _ => None,
        }
    }

    /// Ties a system error to the path that it was about.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        move |source| Error::Io { path: path.to_owned(), source }
    }

    /// Ties an error to the step in which it came up.
    pub fn step<E: Into<Cause>>(step: &'static str) -> impl FnOnce(E) -> Error {
        move |why| Error::Step { step, why: why.into() }
    }

    /// Ties an error to the option whose value it is about.
    pub fn option<E: Into<Cause>>(option: &'static str) -> impl FnOnce(E) -> Error {
        move |why| Error::Option { option, why: why.into() }
    }

    /// The exit code.
    pub fn exit(&self) -> u8 {
        match self {
            Error::Usage(_) | Error::Option { .. } | Error::Config { .. } | Error::NoHomeNamed => exit::USAGE,
            Error::Refused(_)
            | Error::Unusable(_)
            | Error::Untrusted(_)
            | Error::Others { .. }
            | Error::Closed(_)
            | Error::IllegalMove(_) => exit::REFUSED,
            Error::Integrity(_) | Error::Journal(_) => exit::INTEGRITY,
            Error::Answered { exit, .. } => *exit,
            _ => exit::FAILED,
        }
    }

    /// The next step, where one is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::NoHome(path) => Some(format!(
                "`cl-admin --home {} init` makes one; `cl-admin up` makes one and starts",
                path.display()
            )),
            Error::NoHomeNamed => Some("set HOME or TAMECLAW_HOME, or give --home FOLDER".into()),
            Error::Unusable(why) => Some(why.hint().into()),
            Error::Untrusted(what) => Some(what.remedy(nix::unistd::geteuid().as_raw())),
            Error::Others { owner, command, .. } => Some(format!("run it as `{owner}`: {command}")),
            Error::Closed(closed) => {
                let or_root = if closed.owner == "root" { "" } else { ", or as root" };
                Some(format!("cl-admin is for the home's owner: run it as `{}`{or_root}", closed.owner))
            }
            Error::Config { file, .. } => Some(format!(
                "edit {}; a key that is left out has its default, and in an empty folder `cl-admin --home FOLDER init` \
                 writes a new home with every key and its meaning",
                file.display()
            )),
            Error::Journal(_) => Some(
                "put `admin/journal` and `admin/heads` back from one and the same copy of this home; nothing was changed"
                    .into(),
            ),
            Error::Busy { .. } => {
                Some("the verbs list, show, approve, reject and review work beside it".into())
            }
            Error::Deaf { .. } => Some("nothing was done: wait until it has ended, and try again".into()),
            Error::NotFound(_) | Error::Ambiguous { .. } => {
                Some("`cl-admin list` shows every proposal with its id".into())
            }
            Error::Io { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                Some("the disk is full: make room and try again; nothing was lost".into())
            }
            Error::Io { source, .. } if source.kind() == io::ErrorKind::ReadOnlyFilesystem => {
                Some("mount it for writing, or choose a home elsewhere by --home".into())
            }
            Error::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                Some("run this as the user who owns the home".into())
            }
            Error::NotOpened { why: NotOpened::Denied, .. } => {
                Some("run this as the user who owns the home".into())
            }
            _ => None,
        }
    }

    /// Whether room on the disk is what is missing.
    pub fn wants_room(&self) -> bool {
        matches!(self, Error::Io { source, .. }
            if matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded))
    }
}

/// Prints an error with its hint on stderr and tells the exit code.
pub fn report(error: &Error) -> u8 {
    eprintln!("error: {error}");
    if let Some(hint) = error.hint() {
        eprintln!("hint: {hint}");
    }
    error.exit()
}
