//! Lines of a GPIO chip, as a learned skill with `gpio:read` or `gpio:write` reaches them.
//!
//! The chip is `cl-pins`'s: a process of its own, which was connected before the confinement, and only for a profile with an approved
//! skill that holds one of the tokens. It may be owned: what it sends is bounded, and a level or a line of text.

use std::collections::VecDeque;
use std::fs::File;
use std::io::BufReader;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pin_protocol::{Ask, Edge, LONGEST_NAME, LONGEST_WAIT, Reply, is_name, read_told, write_ask};
use shared_types::capability::Token;
use shared_types::text::{cut, line};

use crate::voice::count;

/// How often a skill switches lines in a minute.
const MOST_SWITCHED: usize = 60;
/// How often a skill reads lines, or begins to wait, in a minute.
const MOST_READ: usize = 600;
/// How often a skill that waits looks whether its call was ended, in milliseconds.
const LOOK: u64 = 500;

/// Why a line is not read or switched.
#[derive(Debug, thiserror::Error)]
pub enum NoPins {
    /// The token was not granted.
    #[error("{0} was not granted")]
    NotGranted(Token),
    /// The profile has no lines.
    #[error(
        "no pins are connected: start `cl-pins serve`, name its socket as `pins` in the profile's file, and start this program again"
    )]
    NotConnected,
    /// This names no line.
    #[error("a line is named by 1 to {LONGEST_NAME} letters, digits, `-` and `_`, or as `pin 17`")]
    Name,
    /// The time is too long, or the edge is unknown.
    #[error("a skill waits for `rising`, `falling` or `any`, at most {LONGEST_WAIT} milliseconds")]
    Wait,
    /// That was too often.
    #[error(
        "a skill switches pins at most {MOST_SWITCHED} times a minute, and reads them at most {MOST_READ} times"
    )]
    TooOften,
    /// The service refuses.
    #[error("{0}")]
    Refused(String),
    /// The service has ended, or answers something else.
    #[error("the service of the pins has ended; start `cl-pins serve`, and this program again")]
    Failed,
}

/// The connection to the service.
pub struct Wires(Mutex<Option<BufReader<File>>>);

impl Wires {
    /// Over a socket that is connected; a read of it must not last for ever.
    pub fn over(socket: File) -> Wires {
        Wires(Mutex::new(Some(BufReader::new(socket))))
    }

    /// Asks for a level, and hears it. A service that breaks the protocol is asked nothing more.
    ///
    /// # Errors
    /// It refuses, or is given up.
    pub fn ask(&self, ask: &Ask) -> Result<Option<bool>, NoPins> {
        let mut wires = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stream = wires.as_mut().ok_or(NoPins::Failed)?;
        let told = match write_ask(stream.get_mut(), ask) {
            Ok(()) => read_told(stream),
            Err(why) => Err(why.into()),
        };
        match told {
            Ok(Some(Reply::Level(level))) => Ok(level),
            Ok(Some(Reply::Refused(why))) => Err(NoPins::Refused(cut(&line(&why), 300))),
            _ => {
                *wires = None;
                Err(NoPins::Failed)
            }
        }
    }
}

/// The right to read lines, to switch them, or both.
pub struct Pins {
    wires: Option<Arc<Wires>>,
    reads: bool,
    switches: bool,
    read: Mutex<VecDeque<Instant>>,
    switched: Mutex<VecDeque<Instant>>,
}

impl Pins {
    pub(crate) fn new(wires: Option<Arc<Wires>>, reads: bool, switches: bool) -> Pins {
        Pins { wires, reads, switches, read: Mutex::default(), switched: Mutex::default() }
    }

    /// What this handle can do.
    pub fn rights(&self) -> [(&'static str, bool); 2] {
        [("read", self.reads), ("switch", self.switches)]
    }

    /// Whether a line is on, with `gpio:read`.
    ///
    /// # Errors
    /// See [`NoPins`].
    pub fn read(&self, name: &str) -> Result<bool, NoPins> {
        let (wires, name) = self.may(Token::GpioRead, name)?;
        wires.ask(&Ask::Read(name))?.ok_or(NoPins::Failed)
    }

    /// Switches a line, with `gpio:write`.
    ///
    /// # Errors
    /// See [`NoPins`].
    pub fn switch(&self, name: &str, on: bool) -> Result<(), NoPins> {
        let (wires, name) = self.may(Token::GpioWrite, name)?;
        wires.ask(&Ask::Write(name, on)).map(drop)
    }

    /// Waits until a line changes, with `gpio:read`; nothing where it does not in time.
    ///
    /// # Errors
    /// See [`NoPins`].
    pub fn wait(&self, name: &str, edge: &str, ms: i64, cancel: &AtomicBool) -> Result<Option<bool>, NoPins> {
        let (wires, line) = self.may(Token::GpioRead, name)?;
        let edge = Edge::parse(edge).ok_or(NoPins::Wait)?;
        let ms = u64::try_from(ms).ok().filter(|ms| *ms <= LONGEST_WAIT).ok_or(NoPins::Wait)?;
        let until = Instant::now() + Duration::from_millis(ms);
        let mut new = true;
        loop {
            let left = until.saturating_duration_since(Instant::now()).as_millis();
            let ms = u64::try_from(left).unwrap_or(LOOK).min(LOOK);
            let change = wires.ask(&Ask::Wait { line: line.clone(), edge, ms, new })?;
            if change.is_some() || left == 0 || cancel.load(Ordering::Relaxed) {
                return Ok(change);
            }
            new = false;
        }
    }

    /// The connection for one more call with a token, and the line's name.
    fn may(&self, token: Token, name: &str) -> Result<(&Wires, String), NoPins> {
        let (has, times, most) = match token {
            Token::GpioWrite => (self.switches, &self.switched, MOST_SWITCHED),
            _ => (self.reads, &self.read, MOST_READ),
        };
        if !has {
            return Err(NoPins::NotGranted(token));
        }
        let wires = self.wires.as_deref().ok_or(NoPins::NotConnected)?;
        if !is_name(name) {
            return Err(NoPins::Name);
        }
        if !count(times, most) {
            return Err(NoPins::TooOften);
        }
        Ok((wires, name.to_owned()))
    }
}

#[cfg(test)]
mod tests;
