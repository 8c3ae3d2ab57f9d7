//! What a child asks of its jail.

use std::io;
use std::path::PathBuf;

use beneath::NotOpened;
use confine::{ConfineError, Confinement, Lack, UserError};
use nix::errno::Errno;
use shared_types::grants::PatternError;

/// Why a child has no jail.
#[derive(Debug, thiserror::Error)]
pub enum Unconfined {
    /// The system refused a restriction.
    #[error("{}", with_sources(.0))]
    Refused(ConfineError),
    /// The system lacks what a jail is made of.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Lacks(Vec<Lack>),
}

/// Why a child starts no program; only the child itself reports it.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// Its orders cannot be read.
    #[error(transparent)]
    Orders(#[from] serde_json::Error),
    /// It cannot become the user of its own.
    #[error(transparent)]
    User(#[from] UserError),
    /// It has no jail.
    #[error(transparent)]
    Unconfined(#[from] Unconfined),
    /// A folder or file that it is given cannot be opened.
    #[error("{}: {source}", path.display())]
    Open {
        /// The folder or file.
        path: PathBuf,
        /// The kernel's answer.
        source: Errno,
    },
    /// A folder cannot be searched for what the profile forbids.
    #[error("{} cannot be searched for what grants.forbidden_paths hides: {why}", path.display())]
    Unsearched {
        /// The folder.
        path: PathBuf,
        why: NotOpened,
    },
    /// There is more in it than is searched.
    #[error(
        "the workspace holds more than {0} files, which are too many to hide what grants.forbidden_paths names"
    )]
    TooMany(usize),
    /// A pattern of the forbidden paths is not valid.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// It cannot go to the folder in which the program starts.
    #[error("the folder in which it starts: {0}")]
    Place(Errno),
    /// The program cannot be executed.
    #[error("{}: {source}", path.display())]
    Exec {
        /// The program.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// No jail, no work: one of the walls must govern files, and the table of calls must hold.
///
/// # Errors
/// See [`Unconfined`].
pub fn laid_on(held: Result<Confinement, ConfineError>) -> Result<(), Unconfined> {
    match held.map_err(Unconfined::Refused)?.lacks() {
        lacks if lacks.is_empty() => Ok(()),
        lacks => Err(Unconfined::Lacks(lacks)),
    }
}

fn with_sources(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        words += &format!(": {error}");
        source = error.source();
    }
    words
}
