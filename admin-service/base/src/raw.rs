//! The person's terminal in raw mode, given back however this ends.

use std::io::Stdin;
use std::os::fd::AsFd;

use nix::sys::termios::{SetArg, Termios, cfmakeraw, tcgetattr, tcsetattr};

use crate::error::Error;

/// Raw mode; the former mode is restored when it is dropped.
pub struct Raw {
    stdin: Stdin,
    before: Termios,
}

impl Raw {
    /// Switches the terminal on stdin to raw mode.
    ///
    /// # Errors
    /// Not a terminal.
    pub fn enter() -> Result<Raw, Error> {
        let stdin = std::io::stdin();
        let before = tcgetattr(stdin.as_fd()).map_err(Error::step("the terminal"))?;
        let mut raw = before.clone();
        cfmakeraw(&mut raw);
        tcsetattr(stdin.as_fd(), SetArg::TCSADRAIN, &raw).map_err(Error::step("the terminal"))?;
        Ok(Raw { stdin, before })
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = tcsetattr(self.stdin.as_fd(), SetArg::TCSADRAIN, &self.before);
    }
}
