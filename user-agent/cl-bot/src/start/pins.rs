//! The connection to `cl-pins`, made while this process has sockets.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ports::pins::Wires;
use shared_types::capability::Token;
use shared_types::manifest::Learned;

use super::Prepared;

/// How long the service may take for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connects where the profile's file names the service and an approver decided a skill of the profile with one of the tokens; a
/// service that is not there is a warning.
pub(super) fn connect(prepared: &Prepared, warnings: &mut Vec<String>) -> Option<Arc<Wires>> {
    let path = prepared.settings.pins.as_deref()?;
    let may = |entry: &Learned| {
        [Token::GpioRead, Token::GpioWrite].iter().any(|token| entry.capabilities.contains(*token))
    };
    if prepared.signed.decided(may).is_empty() {
        return None;
    }
    match wires(path) {
        Ok(wires) => Some(Arc::new(wires)),
        Err(why) => {
            let path = path.display();
            warnings.push(format!("no pins are connected: {path}: {why}; start `cl-pins serve --socket {path}`, then this program again"));
            None
        }
    }
}

/// A connection to the service at a socket file.
///
/// # Errors
/// Nobody is there.
pub fn wires(path: &Path) -> io::Result<Wires> {
    let stream = UnixStream::connect(path)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(Wires::over(File::from(OwnedFd::from(stream))))
}
