//! The models that are known by name, each pinned by its digest.

use base::error::Error;
use documents::yaml;
use models::Endpoint;
use serde::Deserialize;
use shared_types::id::Digest;
pub(in crate::commands) use shared_types::id::ModelName;

const LIST: &str = include_str!("../../../data/models.yaml");
/// Where the repositories of the list are.
const HUB: &str = "https://huggingface.co";
/// Added to the estimate of memory: a context of 4096 tokens, the program, and what it computes with.
const BESIDE: u64 = 512 << 20;

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
