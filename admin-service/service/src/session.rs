//! How a verb gets something done: by the running service, or by the verb alone when none runs.

use std::mem;

use api::{Doors, Reply, Request};
use base::error::Error;
use base::home::Home;
use base::lock::{self, Lock};
use jiff::Timestamp;
use ledger::Ledger;

use super::requests::handle;
use super::{Runtime, metrics, socket};

/// What a console has done by the service, or by this process.
pub const DOORS: Doors = Doors {
    submit: submit_on,
    try_tool: pipeline::tryout::call,
    action_pages: actions::pages::pages,
    sign_action: actions::decision::sign,
};

/// Has a request done; answers in words.
///
/// # Errors
/// Why it could not be done, with the exit code that the service named.
pub fn submit(home: &Home, request: Request) -> Result<String, Error> {
    submit_on(home, &mut Ledger::default(), request)
}

/// As [`submit`], for a caller that has read the journal. Where no service runs this process takes the ledger, and under
/// the lock replays what somebody else may have written since.
///
/// # Errors
/// As [`submit`].
pub fn submit_on(home: &Home, ledger: &mut Ledger, request: Request) -> Result<String, Error> {
    match Lock::take(home) {
        Ok(lock) => handle(&Runtime::open_on(home, lock, mem::take(ledger), true)?, request),
        Err(Error::Busy { pid }) => match socket::ask(home, pid, &request)? {
            Reply::Done(words) => Ok(words),
            Reply::Failed { why, exit } => Err(Error::Answered { why, exit }),
        },
        Err(error) => Err(error),
    }
}

/// The figures for a program that watches, as text: from the running service, and read from the home where none answers. Nothing is
/// changed.
///
/// # Errors
/// A service that fails, or without one a journal that cannot be read.
pub fn metrics(home: &Home, open_metrics: bool) -> Result<String, Error> {
    for is_last in [false, true] {
        let Some(pid) = lock::holder(home) else { break };
        match socket::ask(home, pid, &Request::Metrics { open_metrics }) {
            Ok(Reply::Done(text)) => return Ok(text),
            Ok(Reply::Failed { why, exit }) => return Err(Error::Answered { why, exit }),
            // It has ended meanwhile, or is `run --once`, which takes no requests: the journal can be read beside it.
            Err(Error::Deaf { .. }) => break,
            Err(error) if is_last => return Err(error),
            // One that ends while it is asked gives no answer, and has ended when it is asked again.
            Err(_) => {}
        }
    }
    metrics::text(home, metrics::of_journal(&Ledger::read(home)?, Timestamp::now()), false, open_metrics)
}
