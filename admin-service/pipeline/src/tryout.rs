//! A tool of a package, called by hand: the same confined child and recording host as in the trials; nothing is written.

use ledger::statements::StatementError;
use std::sync::atomic::AtomicBool;

use base::config::Config;
use base::error::Error;
use base::home::Home;
use base::package::{Package, Part};
use base::stop::{self, may_start};
use builder::workers::{Trial, TrialRun};
use ledger::Reviewed;
use ledger::ticket::Ticket;
use serde_json::Value;
use shared_types::id::{Digest, SkillName};

use crate::agent_review::inspect;

/// Why a tool is not called.
#[derive(Debug, thiserror::Error)]
enum NotTried {
    #[error("{0} has no module yet")]
    NoModule(SkillName),
    #[error("the module could not be tried")]
    NoRun,
}

/// Calls a tool once, of exactly the package that was seen.
///
/// # Errors
/// A package without a module or one that has changed, or a child that could not be started.
pub fn call(
    home: &Home,
    ticket: &Ticket,
    seen: Option<&Reviewed>,
    tool: &str,
    args: Value,
) -> Result<TrialRun, Error> {
    let profile = &ticket.taken().profile;
    may_start(home, Some(profile))?;
    let Some(review) = ticket.review() else {
        return Err(Error::refused(NotTried::NoModule(ticket.proposal().name.clone())));
    };
    let module = Package::of(home, ticket.id()).bytes(Part::Module)?;
    if seen.is_some_and(|seen| seen != review) || Digest::of(&module) != review.module_sha256 {
        return Err(StatementError::PackageChanged.into());
    }
    let trial = Trial { tool: tool.to_owned(), args, expect: String::new() };
    let seconds = Config::read(home)?.limits.trial.as_secs();
    let tried = |cancel: &AtomicBool| inspect(ticket.proposal(), vec![trial], &module, seconds, cancel);
    let inspection = stop::during(home, Some(profile), &AtomicBool::new(false), tried)
        .map_err(Error::step("the trial"))?
        .map_err(Error::step("the module"))?;
    inspection.runs.into_iter().next().ok_or_else(|| Error::failed(NotTried::NoRun))
}
