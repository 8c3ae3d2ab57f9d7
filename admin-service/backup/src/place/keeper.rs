//! The process that stays root while another user's home is backed up: it gives one file its name and removes older backups
//! beside it. It reads single bytes, knows both names from the beginning, and opens nothing.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use confine::{Forked, fork_pair};
use durable::Draft;
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use super::{Kept, Place};

/// Asks for the name.
const PLACE: u8 = b'p';
/// Asks for the removal of older ones.
const KEEP: u8 = b'k';

/// What it answers, in one line.
#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    Done(Kept),
    /// The number of the system's reason.
    Refused(Option<i32>),
}

/// The other process' end.
#[derive(Debug)]
pub(super) struct Keeper {
    socket: BufReader<UnixStream>,
    process: Pid,
}

impl Keeper {
    /// Forks it off. The file is the other process' to name from then on.
    pub(super) fn start(place: Place, draft: Draft, keep: Option<u16>) -> io::Result<Keeper> {
        match fork_pair()? {
            Forked::Parent { child, socket } => {
                draft.leave();
                Ok(Keeper { socket: BufReader::new(UnixStream::from(socket)), process: Pid::from_raw(child) })
            }
            Forked::Child { socket } => {
                serve(UnixStream::from(socket), &place, draft, keep);
                std::process::exit(0)
            }
        }
    }

    pub(super) fn place(&mut self) -> io::Result<()> {
        self.ask(PLACE).map(drop)
    }

    pub(super) fn keep(&mut self) -> io::Result<Kept> {
        self.ask(KEEP)
    }

    fn ask(&mut self, word: u8) -> io::Result<Kept> {
        self.socket.get_mut().write_all(&[word])?;
        let mut line = String::new();
        self.socket.read_line(&mut line)?;
        match serde_json::from_str(&line)? {
            Answer::Done(kept) => Ok(kept),
            Answer::Refused(Some(number)) => Err(io::Error::from_raw_os_error(number)),
            Answer::Refused(None) => Err(io::Error::other("the process of root's refused")),
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // It ends when nobody is left to ask it.
        let _ = self.socket.get_ref().shutdown(std::net::Shutdown::Both);
        let _ = waitpid(self.process, None);
    }
}

/// Answers until nobody asks any more. A file that got no name is removed then. Older ones go only once it has one.
fn serve(mut socket: UnixStream, place: &Place, draft: Draft, keep: Option<u16>) {
    let (mut draft, mut is_placed) = (Some(draft), false);
    let mut word = [0];
    while socket.read_exact(&mut word).is_ok() {
        let done = match (word[0], draft.take(), keep) {
            (PLACE, Some(whole), _) => whole.place().map(|()| {
                is_placed = true;
                Kept::default()
            }),
            (KEEP, None, Some(most)) if is_placed => place.keep(usize::from(most)),
            _ => return,
        };
        let answer = match done {
            Ok(kept) => Answer::Done(kept),
            Err(error) => Answer::Refused(error.raw_os_error()),
        };
        let Ok(line) = serde_json::to_string(&answer) else { return };
        if socket.write_all(format!("{line}\n").as_bytes()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
