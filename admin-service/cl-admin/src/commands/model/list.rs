//! The models that are known by name, each pinned by its digest.

use std::fmt;
use std::str::FromStr;

use base::error::Error;
use documents::yaml;
use models::Endpoint;
use serde::{Deserialize, Serialize};
use shared_types::id::Digest;

const LIST: &str = include_str!("../../../data/models.yaml");
/// Where the repositories of the list are.
const HUB: &str = "https://huggingface.co";
/// Added to the estimate of memory: a context of 4096 tokens, the program, and what it computes with.
const BESIDE: u64 = 512 << 20;

/// A model's name, which is also the name of its files.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(in crate::commands) struct ModelName(String);

/// A text that is not such a name.
#[derive(Debug, thiserror::Error)]
#[error(
    "the name of a model has 1 to 60 lower-case letters, digits, `.`, `-` and `_`, and begins with a letter or digit"
)]
pub(in crate::commands) struct NotAName;

impl FromStr for ModelName {
    type Err = NotAName;

    fn from_str(text: &str) -> Result<Self, NotAName> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let begins = text.bytes().next().is_some_and(plain);
        let fits = text.len() <= 60 && text.bytes().all(|byte| plain(byte) || b".-_".contains(&byte));
        if begins && fits { Ok(ModelName(text.to_owned())) } else { Err(NotAName) }
    }
}

impl TryFrom<String> for ModelName {
    type Error = NotAName;

    fn try_from(text: String) -> Result<Self, NotAName> {
        text.parse()
    }
}

impl From<ModelName> for String {
    fn from(name: ModelName) -> String {
        name.0
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A model of the list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::commands) struct Model {
    pub(in crate::commands) name: ModelName,
    pub(in crate::commands) repository: String,
    pub(in crate::commands) revision: String,
    pub(in crate::commands) file: String,
    pub(in crate::commands) bytes: u64,
    pub(in crate::commands) sha256: Digest,
    pub(in crate::commands) licence: String,
}

impl Model {
    /// Every model of the list, the smallest first.
    pub(in crate::commands) fn all() -> Result<Vec<Model>, Error> {
        yaml::from_own(LIST).map_err(Error::step("the list of models"))
    }

    /// The model of that name, where the list has it.
    pub(in crate::commands) fn find(name: &ModelName) -> Result<Option<Model>, Error> {
        Ok(Model::all()?.into_iter().find(|model| model.name == *name))
    }

    /// Where it is fetched.
    pub(in crate::commands) fn address(&self) -> Result<Endpoint, Error> {
        let Model { repository, revision, file, .. } = self;
        let address = format!("{HUB}/{repository}/resolve/{revision}/{file}");
        address.parse().map_err(Error::step("the list of models"))
    }
}

/// The memory that a model of this file size needs, in bytes: an estimate, not a measurement. The weights, a fifth more, and 512 MiB.
pub(in crate::commands) fn memory(bytes: u64) -> u64 {
    bytes + bytes / 5 + BESIDE
}

#[cfg(test)]
mod tests;
