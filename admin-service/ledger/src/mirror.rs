//! The mirror of a proposal, and of what schedules came to, in `status/`, for readers; written, never read back.

use base::error::Error;
use base::home::Home;
use documents::yaml::{self, YamlError};
use shared_types::id::{ProfileId, ProposalId};
use shared_types::proposal::Document;
use shared_types::scheduled::{FILE, Over};

use crate::schedules::Schedules;
use crate::ticket::Ticket;

/// A mirror that is not written.
#[derive(Debug, thiserror::Error)]
#[error("the mirror of {id}: {why}")]
struct Unwritten {
    id: ProposalId,
    why: YamlError,
}

/// Writes the mirror of one proposal, if it differs from the file on the disk.
///
/// # Errors
/// A folder or file that cannot be written.
pub fn write(home: &Home, ticket: &Ticket) -> Result<(), Error> {
    let document = document(ticket);
    let folder = home.status(&ticket.taken().profile);
    base::folders::make_folder(&folder, base::folders::READABLE)?;
    let path = folder.join(document.file_name());
    let text = yaml::to_string(&document)
        .map_err(|why| Error::failed(Unwritten { id: ticket.id().clone(), why }))?;
    if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    durable::replace(&path, text.as_bytes(), base::folders::READABLE_FILE).map_err(Error::io(&path))
}

/// Writes what the last runs of a profile's schedules and its last `weeks` came to, if it differs from the file on the disk. A
/// profile without a folder has been removed.
///
/// # Errors
/// A file that cannot be written.
pub fn write_over(
    home: &Home,
    schedules: &Schedules,
    weeks: &[Over],
    profile: &ProfileId,
) -> Result<(), Error> {
    let folder = home.status(profile);
    let line = |over| serde_json::to_string(over).map(|line| line + "\n");
    let text = schedules.over(profile).chain(weeks).map(line).collect::<Result<String, _>>()?;
    let path = folder.join(FILE);
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    if old == text || !folder.is_dir() {
        return Ok(());
    }
    durable::replace(&path, text.as_bytes(), base::folders::READABLE_FILE).map_err(Error::io(&path))
}

/// Whether the mirror of one proposal says what the journal says.
pub fn stands(home: &Home, ticket: &Ticket) -> bool {
    let document = document(ticket);
    let path = home.status(&ticket.taken().profile).join(document.file_name());
    yaml::to_string(&document).is_ok_and(|text| std::fs::read_to_string(path).is_ok_and(|old| old == text))
}

fn document(ticket: &Ticket) -> Document {
    Document {
        proposal: ticket.proposal().clone(),
        status: ticket.status(),
        waits_for: ticket.waits_for(),
        history: ticket.history().to_vec(),
        result: None,
    }
}
