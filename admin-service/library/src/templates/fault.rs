//! Files of a library that are not used, each with the reason and what helps.

use std::fmt;
use std::path::PathBuf;

use beneath::NotOpened;
use documents::yaml::YamlError;

use super::check::Unfit;

/// The most folders of a household.
pub(super) const MOST_OWN: usize = 200;
/// Where code is that several skills include.
pub(super) const SHARED: &str = "shared/";

/// A file of the library that is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file or folder.
    pub file: PathBuf,
    pub(super) why: Why,
    pub(super) is_shipped: bool,
}

/// Why it is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Why {
    #[error("{0}")]
    NotOpened(#[from] NotOpened),
    #[error("is not the file that this program was built with: its SHA-256 differs")]
    Changed,
    #[error(
        "may be written by another user than the one of the service: `chmod -R go-w` and the right owner help"
    )]
    Open,
    #[error("is not UTF-8 text")]
    NotText,
    #[error("is not valid: {0}")]
    Yaml(#[from] YamlError),
    #[error("{0}")]
    Unfit(#[from] Unfit),
    #[error("includes `{0}`, which is not in {SHARED}")]
    Include(String),
    #[error("lists the wish `{0}` on the wrong side: `takes` and `leaves` are compared with wish.yaml")]
    Mistaken(String),
    #[error("has more than {MOST_OWN} folders; the others are not read")]
    TooMany,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.file.display(), self.why)
    }
}

impl Fault {
    /// What helps.
    pub fn next(&self) -> &'static str {
        if self.is_shipped {
            "install the package or the programs again; until then wishes of this family wait for a model"
        } else {
            "put the file right, or remove its folder; docs/guides/add-a-template.md explains each key"
        }
    }
}
