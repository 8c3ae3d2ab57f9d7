//! Where lines come from: standard input, read with a deadline and without a buffer that others would miss.

use std::collections::VecDeque;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{LocalFlags, SetArg, SpecialCharacterIndices, tcgetattr, tcsetattr};

use super::ahead::Ahead;

/// The longest line that is kept; the rest of a longer one is thrown away, and the guard refuses what is kept.
pub(super) const MAX_LINE: usize = 2 * 1024 * 1024;
/// How often the wish to cancel is looked at.
const TICK: Duration = Duration::from_millis(100);

/// What came of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LineRead {
    /// A line, without its end.
    Line(String),
    /// There will be no more.
    End,
    /// Nothing came in time.
    TooLate,
    /// The person does not want to answer.
    Cancelled,
}

/// The lines of standard input.
#[derive(Debug, Default)]
pub(super) struct Lines {
    bytes: VecDeque<u8>,
    /// The line that is being read is too long: what comes before its end is thrown away.
    overlong: bool,
    ended: bool,
    /// What was typed before the prompt stood there.
    pub(super) ahead: Ahead,
}

impl Lines {
    /// Waits for the next line.
    pub(super) fn next(&mut self, patience: Option<Duration>, cancel: &AtomicBool) -> LineRead {
        let deadline = patience.map(|p| Instant::now() + p);
        let mut rest = Rest::default();
        loop {
            if let Some(line) = self.take() {
                return LineRead::Line(line);
            }
            if self.ended {
                // At a terminal there may be more after an end; a pipe ends again.
                self.ended = false;
                return LineRead::End;
            }
            if cancel.load(Ordering::Relaxed) {
                return LineRead::Cancelled;
            }
            let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
            if left.is_some_and(|l| l.is_zero()) {
                return LineRead::TooLate;
            }
            let wait = left.map_or(TICK, |l| l.min(TICK));
            match readable(wait) {
                Ok(true) => self.read(),
                Ok(false) => rest.begin(),
                Err(_) => self.ended = true,
            }
        }
    }

    /// Everything up to the end of the input, as one text; of a longer one no more than what is refused anyway.
    pub(super) fn whole(&mut self, cancel: &AtomicBool) -> Option<String> {
        while !self.ended {
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            match readable(TICK) {
                Ok(true) => self.read(),
                Ok(false) => {}
                Err(_) => self.ended = true,
            }
            self.bytes.truncate(MAX_LINE);
        }
        let bytes: Vec<u8> = self.bytes.drain(..).collect();
        let text = String::from_utf8_lossy(&bytes);
        Some(text.trim_end_matches(['\r', '\n']).to_owned())
    }

    /// What was read and nobody took yet.
    pub(super) fn pending(&self) -> String {
        let bytes: Vec<u8> = self.bytes.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Puts what was typed until now aside for the prompt, a line that was begun too, so that no question takes it. Input
    /// that is not typed at a terminal stays where it is.
    pub(super) fn put_aside(&mut self) {
        let stdin = std::io::stdin();
        let Ok(before) = tcgetattr(stdin.as_fd()) else { return };
        let mut by_key = before.clone();
        by_key.local_flags &= !LocalFlags::ICANON;
        by_key.control_chars[SpecialCharacterIndices::VMIN as usize] = 1;
        by_key.control_chars[SpecialCharacterIndices::VTIME as usize] = 0;
        // A terminal that cannot do it hands out its whole lines.
        let _ = tcsetattr(stdin.as_fd(), SetArg::TCSANOW, &by_key);
        while !self.ended && readable(Duration::ZERO).is_ok_and(|is| is) {
            self.read();
        }
        let _ = tcsetattr(stdin.as_fd(), SetArg::TCSANOW, &before);
        let bytes: Vec<u8> = self.bytes.drain(..).collect();
        self.overlong = false;
        self.ahead.push(&bytes);
    }

    /// Reads what is there.
    pub(super) fn read(&mut self) {
        let mut chunk = [0; 64 * 1024];
        match nix::unistd::read(std::io::stdin().as_fd(), &mut chunk) {
            Ok(0) => self.ended = true,
            Ok(n) => self.bytes.extend(&chunk[..n]),
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            Err(_) => self.ended = true,
        }
    }

    fn take(&mut self) -> Option<String> {
        let end = self.bytes.iter().position(|b| *b == b'\n');
        if end.is_none() && self.bytes.len() > MAX_LINE {
            self.overlong = true;
            self.bytes.truncate(MAX_LINE + 1);
        }
        let (length, newline) = match end {
            Some(at) => (at, 1),
            None if self.ended && !self.bytes.is_empty() => (self.bytes.len(), 0),
            None => return None,
        };
        let mut line: Vec<u8> = self.bytes.drain(..length).collect();
        self.bytes.drain(..newline);
        if std::mem::take(&mut self.overlong) {
            // What is left of it must not look like a line that was meant to be this long.
            line.resize(MAX_LINE, b'.');
        }
        Some(String::from_utf8_lossy(&line).into_owned())
    }
}

/// Once in a wait that lasts, what the wait does not need is given back to the system.
#[derive(Debug, Default)]
pub(super) struct Rest(bool);

impl Rest {
    /// Nothing came for a while.
    pub(super) fn begin(&mut self) {
        if !std::mem::replace(&mut self.0, true) {
            confine::give_back();
        }
    }
}

/// Whether standard input has something within a time.
pub(super) fn readable(wait: Duration) -> Result<bool, Errno> {
    let stdin = std::io::stdin();
    let mut waiting = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    let timeout = PollTimeout::try_from(wait).unwrap_or(PollTimeout::MAX);
    match poll(&mut waiting, timeout) {
        Ok(n) => Ok(n > 0),
        Err(Errno::EINTR) => Ok(false),
        Err(errno) => Err(errno),
    }
}

#[cfg(test)]
mod tests;
