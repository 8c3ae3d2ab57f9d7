//! One stage of one proposal, regardless of the thread that does it.

use std::sync::atomic::{AtomicBool, Ordering};

use base::config::Config;
use base::error::Error;
use base::failpoints::{Point, at};
use base::log::in_stage;
use base::stop::{self, may_start};
use ledger::Store;
use shared_types::id::ProposalId;
use shared_types::status::Status;

use super::advance::advance;
use super::agent_review::agent_review;
use super::discover::discover;
use super::implement::{Models, Turn, implement};

/// Where a proposal stands: its status, and the number of its newest attempt.
pub type Standing = (Status, Option<u32>);

/// How a stage ended.
#[derive(Debug)]
pub enum Ended {
    /// As far as it goes now; the journal holds what came of it.
    Done,
    /// A model is to be asked, in a thread of its own.
    Asks,
    /// By a stop or the end of the service; it is done again later.
    Stopped,
    /// With a fault; the proposal is where it was.
    Failed(Error),
}

/// Where a proposal stands now, if it is known.
pub fn standing(store: &Store, id: &ProposalId) -> Option<Standing> {
    store.ledger().ticket(id).map(|t| (t.status(), t.attempt().map(|a| a.number)))
}

/// Whether the program has something to do in this status.
pub fn has_stage(status: Status) -> bool {
    !status.is_settled() && status != Status::HumanReview
}

/// Does what is due for a proposal in this status; a stop of the home or of its profile ends it.
pub fn stage(
    store: &Store,
    config: &Config,
    id: &ProposalId,
    status: Status,
    models: Models,
    cancel: &AtomicBool,
) -> Ended {
    let profile = store.ledger().ticket(id).map(|ticket| ticket.taken().profile.clone());
    if cancel.load(Ordering::Relaxed) || may_start(&store.home, profile.as_ref()).is_err() {
        return Ended::Stopped;
    }
    let _span = in_stage(id, status);
    let work = |cancel: &AtomicBool| match status {
        Status::New => discover(store, id).map(|()| Turn::Over),
        Status::Discovered => assign(store, id).map(|()| Turn::Over),
        Status::Implementation => implement(store, config, id, models, cancel),
        Status::AgentReview => agent_review(store, config, id, cancel).map(|()| Turn::Over),
        Status::HumanReview | Status::Accepted | Status::Rejected | Status::Removed => Ok(Turn::Over),
    };
    // A stop of the profile ends a stage as the home's does.
    let (result, stopped) = stop::during(&store.home, profile.as_ref(), cancel, |cancel| {
        (work(cancel), cancel.load(Ordering::Relaxed))
    });
    match result {
        _ if stopped => Ended::Stopped,
        Ok(Turn::Over) => Ended::Done,
        Ok(Turn::OfModels) => Ended::Asks,
        Err(error) => Ended::Failed(error),
    }
}

fn assign(store: &Store, id: &ProposalId) -> Result<(), Error> {
    advance(&mut store.ledger(), id, Status::Implementation, "driver", None)?;
    at(Point::DriveAssigned);
    Ok(())
}
