//! How a verb gets something done: by the running service, or by itself when none runs.

use shared_types::home::Home;

use super::requests::{Reply, Request, handle};
use super::{Shared, socket};
use crate::error::Error;

/// Has a request done; answers in words.
///
/// # Errors
/// Why it could not be done, with the exit code that the service named.
pub fn submit(home: &Home, request: Request) -> Result<String, Error> {
    match Shared::open(home, true) {
        Ok(shared) => handle(&shared, request),
        Err(Error::Busy { .. }) => match socket::ask(home, &request)? {
            Reply::Done(words) => Ok(words),
            Reply::Failed { why, exit } => Err(match exit {
                shared_types::exit::REFUSED => Error::Refused(why.trim_start_matches("refused: ").to_owned()),
                shared_types::exit::INTEGRITY => {
                    Error::Integrity(why.trim_start_matches("integrity: ").to_owned())
                }
                shared_types::exit::USAGE => Error::Usage(why),
                _ => Error::Failed(why),
            }),
        },
        Err(error) => Err(error),
    }
}
