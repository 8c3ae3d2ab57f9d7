//! A throw-away home in which a wish goes the way of a proposal.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use base::config::Config;
use base::error::Error;
use base::home::Home;
use base::package::{Package, Part};
use builder::compile::share_sdk;
use builder::toolchain::Toolchain;
use builder::workers::TrialRun;
use ledger::ticket::Ticket;
use models::Usage;
use pipeline::agent_review::inspect;
use pipeline::implement::Models;
use pipeline::stage::{self, has_stage, stage, standing};
use pipeline::upkeep;
use service::Runtime;
use service::init::{self, Region};
use shared_types::id::ProposalId;
use shared_types::status::Status;

use super::results::Row;
use super::wishes::Wish;

/// The home; gone when it is dropped.
pub(super) struct Place {
    // Before the folder: the journal is closed first.
    runtime: Runtime,
    config: Config,
    _folder: Folder,
}

/// How a wish ended.
pub(super) enum Ended {
    /// The model had its attempts.
    Row(Box<Row>),
    /// Something else ended it, such as a signal, or a server that does not answer.
    Before(String),
}

impl Place {
    /// Makes a home whose skills are written and built by this configuration.
    ///
    /// # Errors
    /// A home that cannot be made.
    pub(super) fn make(real: &Home, config: Config) -> Result<Place, Error> {
        let folder = Folder(std::env::temp_dir().join(format!("tameclaw-bench-{}", ProposalId::generate())));
        // The compiler may have a user of its own, which must get to its own folder.
        base::folders::make_folder(&folder.0, 0o755)?;
        let home = Home::new(folder.0.join("home"), None);
        init::make(&home, None, &Region::of_locale())?;
        if let Ok(toolchain) = Toolchain::find(&config.compiler) {
            share_sdk(real, &home, &toolchain)?;
        }
        Ok(Place { runtime: Runtime::open(&home, true)?, config, _folder: folder })
    }

    /// Puts a wish to the model, and what comes to the review to its other inputs.
    ///
    /// # Errors
    /// A disk that cannot be written.
    pub(super) fn put(&self, wish: &Wish, cancel: &AtomicBool) -> Result<Ended, Error> {
        let start = Instant::now();
        let id = self.take_in(wish)?;
        self.drive(&id, cancel)?;
        let ticket = self.runtime.ledger().ticket(&id).cloned();
        let Some(ticket) = ticket else { return Ok(Ended::Before("it was not taken in".to_owned())) };
        if cancel.load(Ordering::Relaxed) {
            return Ok(Ended::Before("interrupted".to_owned()));
        }
        let runs = match ticket.status() {
            Status::HumanReview => self.unseen(wish, &ticket, cancel)?,
            Status::Rejected => vec![],
            _ => {
                return Ok(Ended::Before(
                    ticket.waits_because().unwrap_or("it does not continue").to_owned(),
                ));
            }
        };
        let told = (1..=ticket.attempts().len()).map(|number| self.told(&id, number)).collect();
        Ok(Ended::Row(Box::new(Row::of(wish, &ticket, &runs, told, start.elapsed()))))
    }

    fn take_in(&self, wish: &Wish) -> Result<ProposalId, Error> {
        upkeep::learn(&self.runtime, wish.proposal.clone())?;
        let ledger = self.runtime.ledger();
        let found = ledger.tickets().find(|ticket| ticket.proposal().name == wish.name);
        found.map(|ticket| ticket.id().clone()).ok_or_else(|| Error::NotFound(wish.name.to_string()))
    }

    /// Drives a proposal as the service does, until nothing moves.
    fn drive(&self, id: &ProposalId, cancel: &AtomicBool) -> Result<(), Error> {
        while let Some(before) = standing(&self.runtime, id).filter(|(status, _)| has_stage(*status)) {
            match stage(&self.runtime, &self.config, id, before.0, Models::Here, cancel) {
                stage::Ended::Failed(error) => return Err(error),
                _ if standing(&self.runtime, id) == Some(before) => break,
                _ => {}
            }
        }
        Ok(())
    }

    /// The answers of the module to the other inputs.
    fn unseen(&self, wish: &Wish, ticket: &Ticket, cancel: &AtomicBool) -> Result<Vec<TrialRun>, Error> {
        let module = Package::of(&self.runtime.home, ticket.id()).bytes(Part::Module)?;
        let seconds = self.config.limits.trial.as_secs();
        let tried = inspect(ticket.proposal(), wish.unseen.clone(), &module, seconds, cancel);
        let tried = tried.map_err(Error::step("the trial"))?;
        Ok(tried.map(|inspection| inspection.runs).unwrap_or_default())
    }

    /// What the server said that an attempt cost.
    fn told(&self, id: &ProposalId, attempt: usize) -> Option<Usage> {
        let part = Part::Transcript(u32::try_from(attempt).ok()?);
        library::tokens_told(&Package::of(&self.runtime.home, id).text(part).ok()?)
    }
}

/// A folder that is gone with the value.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
