//! A line on standard error, with a bell where that is a terminal.

use std::io::{IsTerminal, Write};

use super::digest::Digest;
use super::notifier::{Notifier, NotifyFault};

/// Tells the person at the service's terminal.
pub(super) struct Cli {
    name: String,
}

impl Cli {
    pub(super) fn new(name: String) -> Cli {
        Cli { name }
    }
}

impl Notifier for Cli {
    fn name(&self) -> &str {
        &self.name
    }

    fn send(&self, digest: &Digest) -> Result<(), NotifyFault> {
        let mut stderr = std::io::stderr().lock();
        let bell = if stderr.is_terminal() { "\u{7}" } else { "" };
        let next = if digest.test { String::new() } else { format!(": {}", digest.next()) };
        writeln!(stderr, "{bell}cl-admin: {}{next}", digest.title())
            .map_err(|e| NotifyFault(format!("standard error: {e}")))
    }
}
