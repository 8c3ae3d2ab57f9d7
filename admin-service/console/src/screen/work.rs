//! What takes a while runs beside the screen, which continues drawing.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use api::TrialRun;
use base::error::Error;

/// What a piece of work gives.
#[derive(Debug)]
pub enum Outcome {
    /// Done; in words.
    Words(String),
    /// A tool was called.
    Tried(Box<TrialRun>),
}

/// A piece of work that runs.
#[derive(Debug)]
pub struct Work {
    /// What is done, in words.
    pub what: &'static str,
    /// Whether leaving in the middle would leave a decision unanswered.
    pub decides: bool,
    started: Instant,
    answer: Receiver<Result<Outcome, Error>>,
}

/// Work whose thread ended without a word.
#[derive(Debug, thiserror::Error)]
#[error("{0}: it broke off without an answer")]
struct BrokeOff(&'static str);

impl Work {
    /// Starts it on a thread of its own.
    pub fn start(
        what: &'static str,
        decides: bool,
        work: impl FnOnce() -> Result<Outcome, Error> + Send + 'static,
    ) -> Work {
        let (sender, answer) = channel();
        std::thread::spawn(move || {
            // A person who left does not want the answer any more.
            let _ = sender.send(work());
        });
        Work { what, decides, started: Instant::now(), answer }
    }

    /// Its answer, if it comes within a time.
    pub fn answer(&self, within: Duration) -> Option<Result<Outcome, Error>> {
        match self.answer.recv_timeout(within) {
            Ok(answer) => Some(answer),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err(Error::failed(BrokeOff(self.what)))),
        }
    }

    /// A sign of life and how long it has run.
    pub fn sign(&self) -> String {
        let time = self.started.elapsed();
        let wheel = ['|', '/', '-', '\\'][usize::try_from(time.as_millis() / 200 % 4).unwrap_or(0)];
        format!("{wheel} {} ... {} s", self.what, time.as_secs())
    }
}

#[cfg(test)]
mod tests;
