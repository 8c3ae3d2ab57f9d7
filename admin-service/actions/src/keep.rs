//! Results: a short one in the journal, a long one in a file of the admin's with its digest there; and the mirror of both.

use std::path::PathBuf;

use base::error::Error;
use base::folders::{PRIVATE, READABLE, READABLE_FILE, make_folder};
use base::home::Home;
use documents::yaml::{self, YamlError};
use ledger::Store;
use ledger::action_ticket::ActionTicket;
use ledger::judgement::Kept;
use shared_types::action::ActionResult;
use shared_types::id::{Digest, ProposalId};

use base::log::Event;
/// The most output that the journal itself takes, in bytes; it is replayed at every start.
const SHORT: usize = 4_096;

/// Why a result cannot be shown or kept.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{} is not the result that was kept", .0.display())]
    Differs(PathBuf),
    #[error("{}: {why}", .path.display())]
    Unread { path: PathBuf, why: serde_json::Error },
    #[error("the mirror of {id}: {why}")]
    Mirror { id: ProposalId, why: YamlError },
}

/// Keeps a result.
///
/// # Errors
/// A disk that cannot be written.
pub fn put(home: &Home, id: &ProposalId, result: ActionResult) -> Result<Kept, Error> {
    if result.stdout.len() + result.stderr.len() <= SHORT {
        return Ok(Kept::Here(result));
    }
    let bytes = serde_json::to_vec(&result)?;
    let path = path(home, id);
    if let Some(folder) = path.parent() {
        make_folder(folder, PRIVATE)?;
    }
    durable::replace(&path, &bytes, 0o600).map_err(Error::io(&path))?;
    Ok(Kept::Beside(Digest::of(&bytes)))
}

/// The result as it was kept.
///
/// # Errors
/// A file that is gone, or that is not what was kept.
pub fn get(home: &Home, id: &ProposalId, kept: &Kept) -> Result<ActionResult, Error> {
    let digest = match kept {
        Kept::Here(result) => return Ok(result.clone()),
        Kept::Beside(digest) => digest,
    };
    let path = path(home, id);
    let bytes = std::fs::read(&path).map_err(Error::io(&path))?;
    if Digest::of(&bytes) != *digest {
        return Err(Error::integrity(Fault::Differs(path)));
    }
    serde_json::from_slice(&bytes).map_err(|why| Error::integrity(Fault::Unread { path, why }))
}

fn path(home: &Home, id: &ProposalId) -> PathBuf {
    home.admin().join("results").join(format!("{id}.json"))
}

/// Writes the mirror of one action, if it differs from the file on the disk. It is not waited for until it is on the
/// disk: the journal is, and each start writes what is missing.
///
/// # Errors
/// A folder or file that cannot be written, or a result that is gone.
pub fn mirror(home: &Home, case: &ActionTicket) -> Result<(), Error> {
    let result = case.result().map(|kept| get(home, case.id(), kept)).transpose()?;
    let document = case.document(result);
    let folder = home.status(&case.taken().profile);
    make_folder(&folder, READABLE)?;
    let path = folder.join(document.file_name());
    let text = yaml::to_string(&document)
        .map_err(|why| Error::failed(Fault::Mirror { id: case.id().clone(), why }))?;
    if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    durable::replace_unsynced(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))
}

/// The record counts; a mirror for which there is no room now is written at the next step.
pub fn mirrored(store: &Store, case: &ActionTicket) -> Result<(), Error> {
    match mirror(&store.home, case) {
        Err(error) if error.wants_room() => {
            store.tell(&Event::ActionFailed { proposal: case.id() }, &format!("{}: {error}", case.id()));
            Ok(())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests;
