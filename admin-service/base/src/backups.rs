//! What is known of the home's backups: `admin/last_backup.json`, and what of it a person should know.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use shared_types::id::{Digest, ProposalId};
use shared_types::text;

use crate::clock::now;
use crate::config::times::Times;
use crate::error::Error;
use crate::home::Home;

/// The last backup, and the failure that came after it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcomes {
    /// The last one that was whole.
    #[serde(flatten)]
    pub last: Option<Last>,
    /// The last attempt, where it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<Failure>,
}

/// A backup that was whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// When it was begun, in RFC 3339.
    pub at: String,
    pub file: PathBuf,
    /// How many bytes it has.
    pub bytes: u64,
    /// SHA-256 of its index.
    pub index: Digest,
}

/// An attempt that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The same for every failure since the last backup that was whole: a notifier tells of them once.
    #[serde(default = "ProposalId::generate")]
    pub id: ProposalId,
    /// When, in RFC 3339.
    pub at: String,
    /// Why, in one line.
    pub why: String,
    /// The newest backup that lacks something, where there is one: of this attempt, or of one since the last that was whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
}

impl Outcomes {
    /// Reads them; nothing where there was no attempt yet.
    pub fn read(home: &Home) -> Outcomes {
        let read = fs::read(path(home)).ok();
        read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Notes a backup that is whole; an earlier failure is over.
    ///
    /// # Errors
    /// A failing disk.
    pub fn note(home: &Home, last: Last) -> Result<(), Error> {
        Outcomes { last: Some(last), failed: None }.write(home)
    }

    /// Notes why one failed, and its file where there is one all the same. An earlier such file is not forgotten.
    ///
    /// # Errors
    /// A failing disk.
    pub fn note_failure(home: &Home, why: &str, file: Option<&Path>) -> Result<(), Error> {
        let Outcomes { last, failed } = Outcomes::read(home);
        let (id, known) = match (failed, &last) {
            (Some(failed), _) => (failed.id, failed.file),
            (None, Some(last)) => (last.since(), None),
            (None, None) => (ProposalId::generate(), None),
        };
        let file = file.map(Path::to_owned).or(known);
        let failed = Failure { id, at: now(), why: text::cut(&text::line(why), 400), file };
        Outcomes { last, failed: Some(failed) }.write(home)
    }

    fn write(&self, home: &Home) -> Result<(), Error> {
        let path = path(home);
        durable::replace(&path, &serde_json::to_vec(self)?, 0o600).map_err(Error::io(&path))
    }

    /// What is wrong with the backups: the last attempt failed, or two times of the schedule passed without a backup. The one
    /// rule for the status, the doctor and the notifiers.
    pub fn trouble(&self, times: Option<&Times>, now: Timestamp) -> Option<Trouble> {
        if let Some(Failure { id, at, why, .. }) = &self.failed {
            let words = format!("the backup of {at} failed: {why}");
            return Some(Trouble { id: id.clone(), kind: Kind::Failed, words });
        }
        let last = self.last.as_ref()?;
        let second = times?.after(times?.after(last.at.parse().ok()?)?)?;
        (second < now).then(|| Trouble {
            id: last.since(),
            kind: Kind::Stopped,
            words: format!(
                "the last backup is of {}, and two times of the schedule have passed since",
                last.at
            ),
        })
    }
}

impl Last {
    /// Names the time without a whole backup since this one.
    fn since(&self) -> ProposalId {
        ProposalId::of(&self.index)
    }
}

/// What is wrong with the backups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The same until a backup is whole again.
    pub id: ProposalId,
    /// Whether they fail, or are not made.
    pub kind: Kind,
    /// All of it, in one line.
    pub words: String,
}

/// A kind of trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The last attempt failed.
    Failed,
    /// There was no attempt.
    Stopped,
}

fn path(home: &Home) -> PathBuf {
    home.admin().join("last_backup.json")
}

#[cfg(test)]
mod tests;
