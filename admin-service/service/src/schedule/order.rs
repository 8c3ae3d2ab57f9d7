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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Run {
    /// A workflow of the profile.
    Workflow {
        name: WorkflowName,
        /// The digest of the text that a person saw.
        sha256: Option<Digest>,
        /// Whether nothing begins: the question is only whether an earlier run waits for a person.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        check: bool,
    },
    /// A message to the assistant.
    Message { text: String },
}

impl Order {
    /// The run of a schedule.
    pub fn of(home: &Home, schedule: &Schedule, sha256: Option<&Digest>) -> Order {
        let what = match &schedule.what {
            What::Workflow(name, _) => {
                Run::Workflow { name: name.clone(), sha256: sha256.cloned(), check: false }
            }
            What::Message(text) => Run::Message { text: text.clone() },
        };
        Order { home: home.root().to_owned(), what, limit_seconds: schedule.limit.as_secs() }
    }

    /// The question whether an earlier run of a schedule's workflow waits for a person; none where it is a message.
    pub fn check(home: &Home, schedule: &Schedule) -> Option<Order> {
        let What::Workflow(name, _) = &schedule.what else { return None };
        let what = Run::Workflow { name: name.clone(), sha256: None, check: true };
        Some(Order { what, ..Order::of(home, schedule, None) })
    }

    /// How long it may take.
    pub fn limit(&self) -> Duration {
        Duration::from_secs(self.limit_seconds)
    }
}
