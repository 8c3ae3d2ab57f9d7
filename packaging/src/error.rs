//! What can go wrong.

use std::io;
use std::path::{Path, PathBuf};

/// Why something was not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{0} is not installed: {1}")]
    NoTool(&'static str, &'static str),
    #[error("{program} failed: {line}")]
    Failed { program: String, line: String },
    #[error("rustc has no library for {0}: rustup target add {0}")]
    NoTarget(&'static str),
    #[error("the tree has changes that no commit holds: commit them, or use a clean clone\n{0}")]
    Dirty(String),
    #[error(
        "`cargo xtask check --all` did not hold for the commit {0} in this clone: run it, or release `--without check`"
    )]
    NotChecked(String),
    #[error("{}: {why}", path.display())]
    Content { path: PathBuf, why: String },
    #[error("no key was given: --key FILE")]
    NoKey,
    #[error("no serial was given: --serial N, higher than that of every index before")]
    NoSerial,
    #[error("the key: {0}")]
    Key(#[from] base::error::Error),
    #[error("these parts of the release were not made: {0}")]
    Missing(String),
    #[error("{} is not empty: remove it, or name another folder by --out", .0.display())]
    NotEmpty(PathBuf),
    #[error("lintian found errors; see above")]
    Lintian,
    #[error("a root of its own needs the user root: mmdebstrap, unshare and pivot_root")]
    NotRoot,
    #[error("the system names no package sources in /etc/apt")]
    NoSources,
}

impl Fault {
    /// Ties a system error to its path.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Fault + '_ {
        move |source| Fault::Io { path: path.to_owned(), source }
    }

    /// A file with wrong content.
    pub(crate) fn content(path: &Path, why: impl ToString) -> Fault {
        Fault::Content { path: path.to_owned(), why: why.to_string() }
    }
}
