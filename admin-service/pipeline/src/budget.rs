//! Daily budgets of what a proposal costs: what is beyond them waits for the next day.

use base::config::Config;
use base::error::Error;
use ledger::{ProposalEvent, Store};
use shared_types::id::ProposalId;
use shared_types::status::Wait;

use super::advance::wait;

/// When a day's budget is there again.
pub const FREES: &str = "at 00:00 UTC";

/// Lets a proposal wait when the models' budget of today is spent; answers whether it waits.
///
/// # Errors
/// A journal that cannot be written.
pub fn lacks_tokens(store: &Store, config: &Config, id: &ProposalId) -> Result<bool, Error> {
    let (spent, most) = (store.ledger().spent_today(), config.budgets.model_tokens);
    let what = format!("today's budget of model tokens is spent ({} of {most})", spent.tokens);
    lacks(store, id, spent.tokens >= most, &what, "budgets.model_tokens")
}

/// The same for the compiler's time.
///
/// # Errors
/// A journal that cannot be written.
pub fn lacks_compiler(store: &Store, config: &Config, id: &ProposalId) -> Result<bool, Error> {
    let (spent, most) = (store.ledger().spent_today(), config.budgets.compile.as_secs());
    let seconds = spent.compile_ms / 1000;
    let what = format!("today's budget of the compiler's time is spent ({seconds} of {most} s)");
    lacks(store, id, seconds >= most, &what, "budgets.compile_seconds")
}

fn lacks(store: &Store, id: &ProposalId, lacks: bool, what: &str, key: &str) -> Result<bool, Error> {
    if lacks {
        let why = format!("{what}; it is there again {FREES}, or raise `{key}` in admin.yaml");
        wait(&mut store.ledger(), id, Wait::Room, &why)?;
    }
    Ok(lacks)
}

/// Records the compiler's time that a proposal cost, in milliseconds.
///
/// # Errors
/// A journal that cannot be written.
pub fn record_compile(store: &Store, id: &ProposalId, millis: u64) -> Result<(), Error> {
    store.ledger().append(ProposalEvent::Compiled { millis }.of(id))
}
