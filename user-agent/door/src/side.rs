//! The other side of the driver: who asks and gets the answer, and how both reach it.

use std::fs::File;
use std::io::{Error as IoError, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};

use bot_base::error::Error;
use net::frames::{decode, encode};
use ports::Kernel;
use ports::voice::Voice;

use crate::frames::{Asked, ToDoor};

/// The other side. One thread listens; every thread tells.
pub trait Side: Send + Sync {
    /// The kernel is there, before anything is heard.
    fn attached(&self, _kernel: &Arc<Kernel>) {}

    /// Hands over each request, until there are no more.
    fn listen(&self, heard: &dyn Fn(Asked));

    /// Tells it something; false where that is longer than it may be.
    fn tell(&self, told: &ToDoor) -> bool;

    /// The conversation by voice, where it is one.
    fn voice(&self) -> Option<Arc<dyn Voice>> {
        None
    }

    /// Whether it accepts reports that the person did not ask for at that moment.
    fn announces(&self) -> bool {
        false
    }

    /// Tells the person what is due, or ready for review.
    fn announce(&self, _news: &[String]) {}

    /// Has it ask for no more, since the program starts again; true where nothing is left to answer.
    fn leave(&self) -> bool;

    /// What the program ends with when no more requests can come.
    ///
    /// # Errors
    /// That is a failure.
    fn gone(&self) -> Result<u8, Error>;
}

/// The process that reads HTTP, behind a socket.
pub struct Socket {
    socket: File,
    writes: Mutex<()>,
}

impl Socket {
    /// This end of the socket.
    pub fn new(socket: OwnedFd) -> Socket {
        Socket { socket: socket.into(), writes: Mutex::default() }
    }
}

impl Side for Socket {
    /// Reads until the door has ended, or sends what is not a frame.
    fn listen(&self, heard: &dyn Fn(Asked)) {
        let (mut received, mut piece) = (Vec::new(), vec![0; 64 * 1024]);
        loop {
            match decode::<Asked>(&mut received) {
                Ok(Some(asked)) => {
                    heard(asked);
                    continue;
                }
                Ok(None) => {}
                Err(_) => break,
            }
            match (&self.socket).read(&mut piece) {
                Ok(0) => break,
                Ok(read) => received.extend_from_slice(&piece[..read]),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }

    /// Sends what fits into a frame. What cannot be sent ends with the door, which the reader sees.
    fn tell(&self, told: &ToDoor) -> bool {
        let Ok(frame) = encode(told) else { return false };
        let _one = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = (&self.socket).write_all(&frame);
        true
    }

    fn leave(&self) -> bool {
        self.tell(&ToDoor::Leave);
        // It ends on its own, once it has answered.
        false
    }

    fn gone(&self) -> Result<u8, Error> {
        let source = IoError::other("it has ended, and with it every connection");
        Err(Error::System { what: "the process that answers over HTTP", source })
    }
}
