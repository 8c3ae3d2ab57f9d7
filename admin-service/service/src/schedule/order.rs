//! What the service asks a runner for.

use std::path::PathBuf;
use std::time::Duration;

use base::config::{Schedule, What};
use base::home::Home;
use serde::{Deserialize, Serialize};
use shared_types::id::{Digest, WorkflowName};

/// One run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The home whose service asks.
    pub home: PathBuf,
    /// What runs.
    pub what: Run,
    /// How long it may take.
    limit_seconds: u64,
}

/// What runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Run {
    /// A workflow of the profile.
    Workflow {
        /// Its name.
        name: WorkflowName,
        /// The digest of the text that a person saw.
        sha256: Option<Digest>,
    },
    /// A message to the assistant.
    Message {
        /// The text.
        text: String,
    },
}

impl Order {
    /// The run of a schedule.
    pub fn of(home: &Home, schedule: &Schedule, sha256: Option<&Digest>) -> Order {
        let what = match &schedule.what {
            What::Workflow(name, _) => Run::Workflow { name: name.clone(), sha256: sha256.cloned() },
            What::Message(text) => Run::Message { text: text.clone() },
        };
        Order { home: home.root().to_owned(), what, limit_seconds: schedule.limit.as_secs() }
    }

    /// How long it may take.
    pub fn limit(&self) -> Duration {
        Duration::from_secs(self.limit_seconds)
    }
}
