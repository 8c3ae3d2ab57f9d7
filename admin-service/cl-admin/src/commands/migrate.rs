//! `cl-admin migrate`

use backup::migrate::{needed, run as step};
use base::error::Error;
use base::home::Home;
use base::layout::HomeOwner;
use base::lock::Lock;

use crate::commands::out::outln;

/// Bring a home of an older version up to this one; older homes are read without it
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Say what would be done, and change nothing
    #[arg(long)]
    dry_run: bool,
}

/// Migrates.
///
/// # Errors
/// A newer home, a service that runs, or a failing disk; it can be run again.
pub fn run(named: &Home, existing: &dyn Fn() -> Result<Home, Error>, args: &Args) -> Result<u8, Error> {
    if let Some(owner) = HomeOwner::of(named)? {
        owner.become_for_good()?;
    }
    let home = &existing()?;
    let steps = needed(home)?;
    if steps.is_empty() {
        outln!("the home at {} has the present version", home.root().display());
        return Ok(shared_types::exit::DONE);
    }
    if args.dry_run {
        for step in steps {
            outln!("would do: {}", step.what);
        }
        return Ok(shared_types::exit::DONE);
    }
    let _lock = Lock::take(home)?;
    for one in steps {
        step(home, one)?;
        outln!("done: {}", one.what);
    }
    Ok(shared_types::exit::DONE)
}
