//! How a verb gets something done: by the running service, or by itself when none runs.

use api::{Doors, Reply, Request};
use base::error::Error;
use base::home::Home;

use super::requests::handle;
use super::{Runtime, socket};

/// What a console has done by the service, or by this process.
pub const DOORS: Doors = Doors { submit, try_tool: pipeline::tryout::call };

/// Has a request done; answers in words.
///
/// # Errors
/// Why it could not be done, with the exit code that the service named.
pub fn submit(home: &Home, request: Request) -> Result<String, Error> {
    match Runtime::open(home, true) {
        Ok(runtime) => handle(&runtime, request),
        Err(Error::Busy { .. }) => match socket::ask(home, &request)? {
            Reply::Done(words) => Ok(words),
            Reply::Failed { why, exit } => Err(Error::Answered { why, exit }),
        },
        Err(error) => Err(error),
    }
}
