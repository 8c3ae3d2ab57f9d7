//! A server on the pipes of a child: one message a line.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use confine::{Live, LiveError};
use serde_json::Value;
use shared_types::text::cut;

use super::message::{Heard, sort};
use super::{Ending, Fault, ProtocolFault, Wire};

/// The most messages that a server may send before the one that is waited for.
const MOST_BESIDE: usize = 1000;

/// The child with its pipes.
#[derive(Debug)]
pub struct Pipes {
    live: Live,
    changed: bool,
}

impl Pipes {
    /// Talks to a running child.
    pub fn new(live: Live) -> Pipes {
        Pipes { live, changed: false }
    }

    fn say(&mut self, message: &Value, until: Instant, cancel: &AtomicBool) -> Result<(), Fault> {
        let said = self.live.say(message.to_string().as_bytes(), until, cancel);
        said.map_err(|e| self.fault(e))
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

impl Wire for Pipes {
    fn ask(&mut self, id: u64, request: &Value, until: Instant, cancel: &AtomicBool) -> Result<Value, Fault> {
        self.say(request, until, cancel)?;
        for _ in 0..MOST_BESIDE {
            let line = self.live.hear(until, cancel).map_err(|e| self.fault(e))?;
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match sort(&line, id)? {
                Heard::Answer(answer) => return answer,
                Heard::Reply(reply) => self.say(&reply, until, cancel)?,
                Heard::Changed => self.changed = true,
                Heard::Nothing => {}
            }
        }
        Err(ProtocolFault::Beside(MOST_BESIDE).into())
    }

    fn tell(&mut self, notification: &Value, until: Instant, cancel: &AtomicBool) -> Result<(), Fault> {
        self.say(notification, until, cancel)
    }

    fn changed(&mut self, wait: Duration, cancel: &AtomicBool) -> Result<bool, Fault> {
        let until = Instant::now() + wait;
        for _ in 0..MOST_BESIDE {
            let line = match self.live.hear(until, cancel) {
                Ok(line) => line,
                Err(LiveError::Late) => return Ok(std::mem::take(&mut self.changed)),
                Err(other) => return Err(self.fault(other)),
            };
            // Nothing is asked now, so no answer has this number.
            match sort(&line, u64::MAX)? {
                Heard::Changed => self.changed = true,
                Heard::Reply(reply) => self.say(&reply, until + wait, cancel)?,
                Heard::Answer(_) | Heard::Nothing => {}
            }
        }
        Err(ProtocolFault::Flood(MOST_BESIDE).into())
    }
}
