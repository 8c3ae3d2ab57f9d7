//! A child that is talked to line by line, or by counted bytes, for as long as the caller wants it.

use std::{
    io::{self, Read, Write},
    os::fd::AsFd,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    poll::{PollFlags, PollTimeout, poll},
};

use super::briefing::Handed;
use super::run::{Group, Pipes, SLICE, is_later, start, watched};
use super::{Child, ExitKind};

/// A running child; it and everything in its process group is killed and reaped when the value goes.
///
/// The kernel ends it too when the thread that started it ends.
pub struct Live {
    group: Group,
    pipes: Pipes,
    handed: Option<Handed>,
    /// What it said that nobody took yet.
    heard: Vec<u8>,
    most: usize,
    closed: bool,
}

/// Why a child could not be talked to any further.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// It ended, or closed the stream.
    #[error("it ended")]
    Ended,
    /// The time is over.
    #[error("it did not answer in time")]
    Late,
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A line is longer than the limit.
    #[error("a line of it is longer than {0} bytes")]
    Long(usize),
    /// The system refused something.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Child<'_> {
    /// Starts it, to be talked to; `most` bytes is the longest line that is taken from it. Of its standard error the first
    /// bytes are kept, as many as [`Child::max_output`] says. What [`Child::stdin`] and [`Child::wall`] set does not count.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub fn start(self, most: usize) -> io::Result<Live> {
        self.insist_on_absolute()?;
        let mut command = self.command();
        command.stdin(std::process::Stdio::piped());
        let mut handed = self.handed()?;
        let (group, pipes) = start(command, self.stdin, handed.as_mut(), self.max_output)?;
        Ok(Live { group, pipes, handed, heard: Vec::new(), most, closed: false })
    }
}

impl Live {
    /// Writes a line; the line's end is added.
    ///
    /// # Errors
    /// See [`LiveError`].
    pub fn say(&mut self, line: &[u8], until: Instant, cancel: &AtomicBool) -> Result<(), LiveError> {
        self.send(&[line, b"\n"].concat(), until, cancel)
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    /// See [`LiveError`].
    pub fn send(&mut self, bytes: &[u8], until: Instant, cancel: &AtomicBool) -> Result<(), LiveError> {
        let mut written = 0;
        while written < bytes.len() {
            let Some(pipe) = &mut self.pipes.stdin else { return Err(LiveError::Ended) };
            match pipe.write(&bytes[written..]) {
                Ok(count) => written += count,
                // It may be waiting for us to read before it reads on.
                Err(error) if is_later(&error) => self.turn(true, until, cancel)?,
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(LiveError::Ended),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Reads a line, without its end.
    ///
    /// # Errors
    /// See [`LiveError`].
    pub fn hear(&mut self, until: Instant, cancel: &AtomicBool) -> Result<Vec<u8>, LiveError> {
        let mut seen = 0;
        loop {
            if let Some(end) = self.heard[seen..].iter().position(|b| *b == b'\n') {
                let mut line: Vec<u8> = self.heard.drain(..=seen + end).collect();
                line.pop();
                return Ok(line);
            }
            seen = self.heard.len();
            if seen > self.most {
                return Err(LiveError::Long(self.most));
            }
            if self.closed {
                return Err(LiveError::Ended);
            }
            self.turn(false, until, cancel)?;
        }
    }

    /// Reads exactly this number of bytes.
    ///
    /// # Errors
    /// See [`LiveError`]; a count above the limit is one.
    pub fn receive(
        &mut self,
        count: usize,
        until: Instant,
        cancel: &AtomicBool,
    ) -> Result<Vec<u8>, LiveError> {
        if count > self.most {
            return Err(LiveError::Long(self.most));
        }
        while self.heard.len() < count {
            if self.closed {
                return Err(LiveError::Ended);
            }
            self.turn(false, until, cancel)?;
        }
        Ok(self.heard.drain(..count).collect())
    }

    /// The beginning of what it wrote to its standard error.
    pub fn complaints(&mut self) -> &[u8] {
        // What cannot be read is not there.
        let _ = self.pipes.stderr.take(MURMUR);
        &self.pipes.stderr.kept
    }

    /// Why it started nothing, as it reported by [`super::Report::not_started`].
    pub fn not_started(&mut self) -> Option<String> {
        self.handed.as_mut().and_then(Handed::report)
    }

    /// Whether it still runs.
    pub fn runs(&self) -> bool {
        self.group.leader_has_ended().is_ok_and(|ended| !ended)
    }

    /// Waits until something can be moved, and takes what is there.
    fn turn(&mut self, writing: bool, until: Instant, cancel: &AtomicBool) -> Result<(), LiveError> {
        if cancel.load(Ordering::Relaxed) {
            return Err(LiveError::Cancelled);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            // Once more without waiting: what is there already was in time.
            let before = self.heard.len();
            self.listen()?;
            let moved = !writing && (self.heard.len() > before || self.closed);
            return if moved { Ok(()) } else { Err(LiveError::Late) };
        }
        if writing && self.heard.len() > self.most {
            return Err(LiveError::Long(self.most));
        }
        let mut ends = Vec::with_capacity(3);
        if writing {
            ends.extend(self.pipes.stdin.as_ref().map(|pipe| watched(pipe.as_fd(), PollFlags::POLLOUT)));
        }
        ends.extend(self.pipes.stdout.pipe.as_ref().map(|pipe| watched(pipe.as_fd(), PollFlags::POLLIN)));
        ends.extend(self.pipes.stderr.pipe.as_ref().map(|pipe| watched(pipe.as_fd(), PollFlags::POLLIN)));
        let timeout = PollTimeout::try_from(left.min(SLICE)).unwrap_or(PollTimeout::ZERO);
        match poll(&mut ends, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(io::Error::from(errno).into()),
        }
        self.pipes.stderr.take(MURMUR)?;
        self.listen()
    }

    fn listen(&mut self) -> Result<(), LiveError> {
        let mut buffer = [0; 16 * 1024];
        // Read no further than the limit; the child blocks until the caller reads.
        while self.heard.len() <= self.most {
            let Some(pipe) = &mut self.pipes.stdout.pipe else {
                self.closed = true;
                return Ok(());
            };
            match pipe.read(&mut buffer) {
                Ok(0) => self.pipes.stdout.pipe = None,
                Ok(length) => self.heard.extend_from_slice(&buffer[..length]),
                Err(error) if is_later(&error) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Closes its standard input, waits a moment for it to end, and kills what is left; answers how it ended.
    ///
    /// # Errors
    /// The system refuses to wait.
    pub fn end(&mut self, patience: Duration) -> io::Result<ExitKind> {
        self.pipes.stdin = None;
        let until = Instant::now() + patience;
        while self.runs() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.group.end()
    }
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").field("heard", &self.heard.len()).finish_non_exhaustive()
    }
}

/// Bytes taken from its standard error at a time; beyond what is kept they are dropped.
const MURMUR: usize = 256 * 1024;

#[cfg(test)]
mod tests;
