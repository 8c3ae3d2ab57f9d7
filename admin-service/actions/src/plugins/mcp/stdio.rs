//! A server on the pipes of a child: its lines are moved unread.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use confine::{Live, LiveError};
use shared_types::text::cut;

use super::fault::{Ending, Fault, ProtocolFault};
use super::frames::ToReader;

/// The child with its pipes.
#[derive(Debug)]
pub struct Lines {
    live: Live,
}

impl Lines {
    /// Talks to a running child.
    pub fn new(live: Live) -> Lines {
        Lines { live }
    }

    /// Writes a line.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn say(&mut self, line: &[u8], until: Instant, cancel: &AtomicBool) -> Result<(), Fault> {
        let said = self.live.say(line, until, cancel);
        said.map_err(|e| self.fault(e))
    }

    /// The next line; or the silence of a wait that is shorter than `until`.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn hear(
        &mut self,
        wait: Option<Duration>,
        until: Instant,
        cancel: &AtomicBool,
    ) -> Result<ToReader, Fault> {
        let waited = wait.map_or(until, |wait| until.min(Instant::now() + wait));
        match self.live.hear(waited, cancel) {
            Ok(line) => Ok(ToReader::Line(line)),
            Err(LiveError::Late) if wait.is_some() && Instant::now() < until => Ok(ToReader::Silence),
            Err(e) => Err(self.fault(e)),
        }
    }

    fn fault(&mut self, error: LiveError) -> Fault {
        match error {
            LiveError::Late => Fault::Late,
            LiveError::Cancelled => Fault::Cancelled,
            LiveError::Long(most) => ProtocolFault::Long(most).into(),
            LiveError::Ended => {
                if let Some(why) = self.live.not_started() {
                    return Fault::NotStarted(cut(&why, 500));
                }
                let words = String::from_utf8_lossy(self.live.complaints()).into_owned();
                let last = words.lines().rfind(|l| !l.trim().is_empty());
                Fault::Ended(last.map_or(Ending::Silent, |l| Ending::Words(cut(l, 300))))
            }
            LiveError::Io(e) => Fault::Ended(Ending::Pipe(e)),
        }
    }
}
