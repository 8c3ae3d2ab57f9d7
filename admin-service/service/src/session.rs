//! How a verb gets something done: by the running service, or by itself when none runs.

use std::mem;

use api::{Doors, Reply, Request};
use base::error::Error;
use base::home::Home;
use base::lock::Lock;
use ledger::Book;

use super::requests::handle;
use super::{Runtime, socket};

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
    submit_on(home, &mut Book::default(), request)
}

/// As [`submit`], for whoever has read the journal. Where no service runs this process takes the book, and under the lock
/// replays what somebody else may have written since.
///
/// # Errors
/// As [`submit`].
pub fn submit_on(home: &Home, book: &mut Book, request: Request) -> Result<String, Error> {
    match Lock::take(home) {
        Ok(lock) => handle(&Runtime::open_on(home, lock, mem::take(book), true)?, request),
        Err(Error::Busy { pid }) => match socket::ask(home, pid, &request)? {
            Reply::Done(words) => Ok(words),
            Reply::Failed { why, exit } => Err(Error::Answered { why, exit }),
        },
        Err(error) => Err(error),
    }
}
