//! Whether a home can be trusted: no component of it may be written by a stranger.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use shared_types::home::Home;

use crate::error::Error;

/// Refuses a home of which a component is writable by a third, non-root user.
///
/// A component that others may write to passes where it is sticky (as /tmp is) and the next one belongs to us or root.
///
/// # Errors
/// The component, and who may write there.
pub fn check(home: &Home) -> Result<(), Error> {
    let us = nix::unistd::geteuid().as_raw();
    let mut parts: Vec<&Path> = home.root().ancestors().collect();
    parts.reverse();
    for path in parts {
        let Ok(facts) = fs::metadata(path) else { return Ok(()) };
        let stranger = facts.uid() != us && facts.uid() != 0;
        if stranger {
            return Err(Error::OpenHome { path: path.to_owned(), who: format!("user {}", facts.uid()) });
        }
        let others_write = facts.mode() & 0o002 != 0 && facts.mode() & 0o1000 == 0;
        if others_write {
            return Err(Error::OpenHome { path: path.to_owned(), who: "everybody".to_owned() });
        }
    }
    Ok(())
}
