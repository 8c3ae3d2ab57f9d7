//! A child that is held open for one conversation, in frames.

use std::io::{self, Read, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use confine::{ExitKind, Live, LiveError};
use shared_types::text::block;

use super::{ChildFault, Job, NO_JAIL, child};

/// The longest frame, in bytes, without its length.
pub const MOST_FRAME: usize = (1 << 20) + (64 << 10);
/// How long a child that closed its output may take to end.
const PATIENCE: Duration = Duration::from_secs(2);
/// The length in front of a frame: u32, little-endian.
const HEAD: usize = size_of::<u32>();

/// A running child; it is killed when the value goes, and with the thread that started it.
#[derive(Debug)]
pub struct Talk {
    live: Live,
}

impl Talk {
    /// Starts the child of a job.
    ///
    /// # Errors
    /// A child that cannot be started.
    pub fn open(job: Job) -> io::Result<Talk> {
        let live = child(job.word()).max_output(16 << 10).start(HEAD + MOST_FRAME)?;
        Ok(Talk { live })
    }

    /// Sends a frame.
    ///
    /// # Errors
    /// See [`LiveError`]; a frame that is too long is one.
    pub fn send(&mut self, frame: &[u8], until: Instant, cancel: &AtomicBool) -> Result<(), LiveError> {
        let framed = framed(frame).ok_or(LiveError::Long(MOST_FRAME))?;
        self.live.send(&framed, until, cancel)
    }

    /// Receives a frame.
    ///
    /// # Errors
    /// See [`LiveError`]; a frame that is too long is one.
    pub fn receive(&mut self, until: Instant, cancel: &AtomicBool) -> Result<Vec<u8>, LiveError> {
        let mut head = [0; HEAD];
        head.copy_from_slice(&self.live.receive(HEAD, until, cancel)?);
        let length = length_of(head).ok_or(LiveError::Long(MOST_FRAME))?;
        self.live.receive(length, until, cancel)
    }

    /// Why no further frame comes, after [`LiveError::Ended`]; ends the child.
    pub fn why(&mut self) -> ChildFault {
        let ended = self.live.end(PATIENCE);
        let words = block(&String::from_utf8_lossy(self.live.complaints()));
        match ended {
            Ok(ExitKind::Code(code)) if code == i32::from(NO_JAIL) => ChildFault::NoJail(words),
            Ok(ExitKind::Code(code)) => ChildFault::Failed { code, words },
            Ok(ExitKind::Signal(signal)) => ChildFault::Killed(signal),
            Ok(ExitKind::TimedOut) => ChildFault::TimedOut(PATIENCE),
            Err(e) => ChildFault::Start(e),
        }
    }
}

fn framed(frame: &[u8]) -> Option<Vec<u8>> {
    let length = u32::try_from(frame.len()).ok().filter(|_| frame.len() <= MOST_FRAME)?;
    Some([&length.to_le_bytes(), frame].concat())
}

fn length_of(head: [u8; HEAD]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(head)).ok().filter(|length| *length <= MOST_FRAME)
}

/// The child's side: reads a frame; none where the parent is done.
///
/// # Errors
/// A frame that is too long or not whole.
pub fn read_frame(input: &mut dyn Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; HEAD];
    match input.read(&mut head[..1])? {
        0 => return Ok(None),
        _ => input.read_exact(&mut head[1..])?,
    }
    let mut frame = vec![0; length_of(head).ok_or(io::ErrorKind::InvalidData)?];
    input.read_exact(&mut frame)?;
    Ok(Some(frame))
}

/// The child's side: writes a frame.
///
/// # Errors
/// A frame that is too long, or a parent that is gone.
pub fn write_frame(output: &mut dyn Write, frame: &[u8]) -> io::Result<()> {
    output.write_all(&framed(frame).ok_or(io::ErrorKind::InvalidData)?)?;
    output.flush()
}

#[cfg(test)]
mod tests;
