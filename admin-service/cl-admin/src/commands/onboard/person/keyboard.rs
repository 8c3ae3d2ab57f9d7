//! Standard input as lines: from a terminal or a pipe, and ended by Ctrl-C. The library's own reader begins a read again after
//! a signal, and with it Ctrl-C would do nothing before the next line.

use std::io::{self, BufRead, Read};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// Standard input; every question reads from this one value, so that no line is lost between two readers.
pub(super) struct Keyboard {
    interrupted: &'static AtomicBool,
    bytes: Vec<u8>,
    read: usize,
}

impl Keyboard {
    pub(super) fn new(interrupted: &'static AtomicBool) -> Keyboard {
        Keyboard { interrupted, bytes: vec![], read: 0 }
    }

    /// Waits until there is something to read.
    fn wait(&self) -> io::Result<()> {
        let stdin = io::stdin();
        loop {
            if self.interrupted.load(Ordering::Relaxed) {
                // Not `Interrupted`, after which a reader tries again.
                return Err(io::Error::other("Ctrl-C"));
            }
            let mut fds = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
            match poll(&mut fds, PollTimeout::from(200_u8)) {
                Ok(0) | Err(Errno::EINTR) => {}
                Ok(_) => return Ok(()),
                Err(errno) => return Err(errno.into()),
            }
        }
    }
}

impl Read for Keyboard {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Keyboard {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.bytes.len() {
            self.bytes.resize(4096, 0);
            self.read = 0;
            let got = loop {
                self.wait()?;
                match nix::unistd::read(io::stdin(), &mut self.bytes) {
                    Err(Errno::EINTR) => {}
                    got => break got,
                }
            };
            self.bytes.truncate(*got.as_ref().unwrap_or(&0));
            got?;
        }
        Ok(&self.bytes[self.read..])
    }

    fn consume(&mut self, bytes: usize) {
        self.read = (self.read + bytes).min(self.bytes.len());
    }
}
