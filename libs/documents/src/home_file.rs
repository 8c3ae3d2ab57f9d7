//! `config/home.yaml`: the version of a home, which both programs read before they use anything else of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_types::id::{Digest, ProfileId};

use crate::yaml;

/// The newest version that this release reads and writes. A home without the file has version 1.
pub const VERSION: u32 = 1;

/// The file's name in `config/`.
pub const NAME: &str = "home.yaml";

/// The largest file that is read, in bytes.
pub const MAX_BYTES: u64 = 64 * 1024;

/// What the file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HomeFile {
    /// The version of the home's layout.
    pub version: u32,
    /// What is being restored into this home.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restoring: Option<Restoring>,
}

/// A restore that has begun and not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restoring {
    /// SHA-256 of the index of the backup.
    pub backup: Digest,
    /// Whether `data/` was looked at: before that, the next two say nothing.
    #[serde(default)]
    pub looked: bool,
    /// The highest serial of a manifest that a profile there has seen.
    #[serde(default)]
    pub seen: u64,
    /// The profiles whose data was there before, and stays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<ProfileId>,
}

/// Why a home cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// A later release made or migrated it.
    #[error("this home has version {found}; this program reads homes up to version {VERSION}")]
    Newer {
        /// Its version.
        found: u64,
    },
    /// A restore into it has not ended.
    #[error("a restore into this home was interrupted")]
    Restoring,
    /// The file cannot be understood.
    #[error("config/{NAME} is not valid: {0}")]
    Invalid(String),
}

impl HomeFile {
    /// What a new home has.
    pub fn current() -> HomeFile {
        HomeFile { version: VERSION, restoring: None }
    }

    /// Reads the file's text; no text is version 1. A newer version is refused before its other keys are looked at.
    ///
    /// # Errors
    /// A newer version, or a text that is not a home's file.
    pub fn read(text: Option<&str>) -> Result<HomeFile, Unusable> {
        let Some(text) = text else { return Ok(HomeFile { version: 1, restoring: None }) };
        let invalid = |why: String| Unusable::Invalid(shared_types::text::cut(&why, 200));
        let value: Value = yaml::from_outside(text).map_err(|e| invalid(e.to_string()))?;
        match value.get("version").and_then(Value::as_u64) {
            None | Some(0) => return Err(invalid("`version` must be a number from 1 on".to_owned())),
            Some(found) if found > u64::from(VERSION) => return Err(Unusable::Newer { found }),
            Some(_) => {}
        }
        shared_types::json::read(&value).map_err(|e| invalid(e.to_string()))
    }

    /// Whether the home may be used.
    ///
    /// # Errors
    /// A restore into it has not ended.
    pub fn check(&self) -> Result<(), Unusable> {
        if self.restoring.is_some() { Err(Unusable::Restoring) } else { Ok(()) }
    }
}

impl Unusable {
    /// The next step.
    pub fn hint(&self) -> &'static str {
        match self {
            Unusable::Newer { .. } => {
                "use the release that made it, or a later one: a home is never converted back"
            }
            Unusable::Restoring => {
                "run `cl-admin restore` again with the same backup; or remove the home and start anew"
            }
            Unusable::Invalid(_) => {
                "if a restore was interrupted, run it again; else remove the file, and `cl-admin migrate` writes it again"
            }
        }
    }
}

#[cfg(test)]
mod tests;
