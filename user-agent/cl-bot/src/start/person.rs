//! A person at the terminal who is asked in place of a model.

use std::io::{IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

use models::human::{Ask, NoAnswer};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{InputFlags, LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};

/// Asks on standard error and reads one line of standard input; both must be a terminal, so that neither an answer in a
/// pipe nor the lines of the conversation are taken for the person's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Person;

/// How often the wish to cancel is looked at.
const TICK_MS: u16 = 100;
/// The longest line that is taken.
const MAX_LINE: usize = 16 * 1024;

impl Ask for Person {
    fn ask(&self, question: &str, cancel: &AtomicBool) -> Result<String, NoAnswer> {
        let stdin = std::io::stdin();
        if !stdin.is_terminal() || !std::io::stderr().is_terminal() {
            return Err(NoAnswer::Nobody);
        }
        let failed = |e: Errno| NoAnswer::Terminal(e.into());
        let _visible = Visible::new().map_err(failed)?;
        // A terminal that takes no more output still gives an answer.
        let _ = write!(std::io::stderr(), "{question}\nanswer, or /call TOOL {{JSON}}> ");
        let mut line = Vec::new();
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(NoAnswer::Cancelled);
            }
            match poll(&mut [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)], PollTimeout::from(TICK_MS)) {
                Ok(0) | Err(Errno::EINTR) => continue,
                Ok(_) => {}
                Err(e) => return Err(failed(e)),
            }
            // Byte by byte: what follows the line belongs to the prompt.
            let mut byte = [0];
            match nix::unistd::read(stdin.as_fd(), &mut byte) {
                Ok(0) => return Err(NoAnswer::Left),
                Ok(_) if byte == *b"\n" => return Ok(String::from_utf8_lossy(&line).into_owned()),
                Ok(_) if line.len() < MAX_LINE => line.push(byte[0]),
                Ok(_) | Err(Errno::EINTR | Errno::EAGAIN) => {}
                Err(e) => return Err(failed(e)),
            }
        }
    }
}

/// Shows what is typed, and takes it line by line, for as long as the value lives; a turn otherwise hides it.
struct Visible(Termios);

impl Visible {
    fn new() -> Result<Self, Errno> {
        let stdin = std::io::stdin();
        let before = tcgetattr(stdin.as_fd())?;
        let mut visible = before.clone();
        visible.local_flags |= LocalFlags::ECHO | LocalFlags::ICANON | LocalFlags::ISIG;
        visible.input_flags |= InputFlags::ICRNL;
        tcsetattr(stdin.as_fd(), SetArg::TCSADRAIN, &visible)?;
        Ok(Visible(before))
    }
}

impl Drop for Visible {
    fn drop(&mut self) {
        // A terminal that has gone needs no mode.
        let _ = tcsetattr(std::io::stdin().as_fd(), SetArg::TCSADRAIN, &self.0);
    }
}
