//! Room on the disk for a person's decision: given up when the disk is full, taken again when there is room.
//!
//! The journal has its own room behind its end; a decision also writes a module, its records, manifest and mirror.

use base::error::Error;
use base::home::Home;
use durable::Ballast;

/// How much is kept, in bytes.
const SIZE: u64 = 4 << 20;
/// How much is given up at a time, in bytes: more than a decision usually writes.
const STEP: u64 = 512 << 10;

/// Takes the room, or what is missing of it; a disk that is full gives what it has.
///
/// # Errors
/// A folder that cannot be written.
pub fn renew(home: &Home) -> Result<(), Error> {
    let path = home.reserve();
    ballast(home).renew().map_err(Error::io(&path))
}

/// Does what a person decided; for as long as the disk is full, some of the room is given up and it is done again.
///
/// `work` must be something that can be done again after it failed half-way.
///
/// # Errors
/// Those of `work`; among them a full disk when nothing is left to give.
pub fn spend<T>(home: &Home, mut work: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
    let ballast = ballast(home);
    let mut spent = false;
    loop {
        match work() {
            Err(error) if error.wants_room() => match ballast.give() {
                Ok(true) => spent = true,
                Ok(false) | Err(_) => return Err(error),
            },
            done => {
                if spent {
                    // What the work left of it; the rest comes back when there is room.
                    let _ = ballast.renew();
                }
                return done;
            }
        }
    }
}

fn ballast(home: &Home) -> Ballast {
    Ballast::new(home.reserve(), SIZE, STEP)
}

#[cfg(test)]
mod tests;
