//! What a notifier has told already, and since when it fails: one small file each, replaced whole.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use base::clock::now;
use base::error::Error;
use base::folders::{PRIVATE, make_folder};
use base::home::Home;
use serde::{Deserialize, Serialize};
use shared_types::id::ProposalId;

/// The memory of one notifier.
#[derive(Debug, Default)]
pub(super) struct SentLog {
    path: PathBuf,
    held: Held,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Held {
    told: BTreeSet<ProposalId>,
    told_at: Option<String>,
    fault: Option<Failing>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Failing {
    since: String,
    words: String,
}

impl SentLog {
    /// Reads the file. An absent or unreadable file counts as empty: at worst a notice is sent twice.
    pub(super) fn read(home: &Home, name: &str) -> SentLog {
        let path = home.admin().join("notified").join(format!("{name}.json"));
        let held = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        SentLog { path, held: held.unwrap_or_default() }
    }

    /// Whether a proposal was reported.
    pub(super) fn has(&self, id: &ProposalId) -> bool {
        self.held.told.contains(id)
    }

    /// When something was last told, in RFC 3339.
    pub(super) fn told_at(&self) -> Option<&str> {
        self.held.told_at.as_deref()
    }

    /// Since when it fails, and why.
    pub(super) fn fault(&self) -> Option<(String, String)> {
        self.held.fault.as_ref().map(|f| (f.since.clone(), f.words.clone()))
    }

    /// Records these as reported, and forgets all that are not in `open`.
    pub(super) fn told(
        &mut self,
        ids: impl IntoIterator<Item = ProposalId>,
        open: &BTreeSet<ProposalId>,
    ) -> Result<(), Error> {
        self.held.told.extend(ids);
        self.held.told.retain(|id| open.contains(id));
        self.held.told_at = Some(now());
        self.held.fault = None;
        self.save()
    }

    /// Notes a failure; answers whether it is the first of a row.
    pub(super) fn failed(&mut self, words: &str) -> Result<bool, Error> {
        let first = self.held.fault.is_none();
        let since = self.held.fault.take().map_or_else(now, |f| f.since);
        self.held.fault = Some(Failing { since, words: words.to_owned() });
        self.save().map(|()| first)
    }

    fn save(&self) -> Result<(), Error> {
        if let Some(folder) = self.path.parent() {
            make_folder(folder, PRIVATE)?;
        }
        let bytes = serde_json::to_vec(&self.held).map_err(Error::failed)?;
        durable::replace(&self.path, &bytes, 0o600).map_err(Error::io(&self.path))
    }
}
