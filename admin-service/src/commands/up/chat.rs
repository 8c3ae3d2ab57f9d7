//! The chat as a child: on a pseudo-terminal of its own that is relayed, or on pipes.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use confine::terminal;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use shared_types::exit;
use shared_types::home::Home;
use shared_types::id::{ApproverId, ConversationId};

use super::screen::Raw;
use crate::error::Error;
use crate::review::console;

/// Opens the review: Ctrl-G.
const REVIEW_KEY: u8 = 0x07;

/// How many failures within a minute end the restarts.
const MAX_FAILURES: usize = 3;

/// The chat and whose it is.
pub struct Chat {
    /// The program.
    pub program: PathBuf,
    /// The home.
    pub home: Home,
    /// The profile.
    pub profile: String,
    /// The conversation that goes on over restarts.
    pub conversation: ConversationId,
    /// Who reviews in this window.
    pub approver: ApproverId,
}

impl Chat {
    /// Relays the chat on this terminal until the person leaves.
    ///
    /// # Errors
    /// A terminal or a chat that cannot be started.
    pub fn on_terminal(&self) -> Result<u8, Error> {
        eprintln!("Ctrl-G opens the review of what waits for you; the chat cannot see it.");
        let mut failures: Vec<Instant> = vec![];
        loop {
            let status = self.relay()?;
            match status.code() {
                Some(75) => continue,
                Some(0) => {}
                code => {
                    failures.retain(|at| at.elapsed() < Duration::from_secs(60));
                    failures.push(Instant::now());
                    if code.is_some_and(|c| c <= i32::from(exit::INTEGRITY)) || failures.len() >= MAX_FAILURES
                    {
                        eprintln!("the chat ended with {status}");
                        return Ok(code.and_then(|c| u8::try_from(c).ok()).unwrap_or(exit::FAILED));
                    }
                    eprintln!("the chat ended with {status}; it is started again");
                    std::thread::sleep(Duration::from_millis(500 << failures.len()));
                    continue;
                }
            }
            if !self.ask_what_next()? {
                return Ok(exit::DONE);
            }
        }
    }

    /// Lets the chat use this program's own pipes; a restart goes on with the rest of the input.
    ///
    /// # Errors
    /// A chat that cannot be started.
    pub fn on_pipes(&self) -> Result<u8, Error> {
        loop {
            let status = self.command().status().map_err(|e| self.cannot_start(&e))?;
            match status.code() {
                Some(75) => continue,
                code => return Ok(code.and_then(|c| u8::try_from(c).ok()).unwrap_or(exit::FAILED)),
            }
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("--home").arg(self.home.root()).arg("--profile").arg(&self.profile);
        command.args(["agent", "--conversation", self.conversation.as_str()]);
        command.env("TAMECLAW_SUPERVISED", "1");
        command
    }

    fn cannot_start(&self, error: &std::io::Error) -> Error {
        Error::Failed(format!("starting {}: {error}", self.program.display()))
    }

    /// Runs the chat once on a pseudo-terminal.
    fn relay(&self) -> Result<ExitStatus, Error> {
        let stdin = std::io::stdin();
        let (mut rows, mut columns) = terminal::size(&stdin);
        let mut on =
            terminal::start(&mut self.command(), rows, columns).map_err(|e| self.cannot_start(&e))?;
        let mut raw = Raw::enter()?;
        let mut keys = File::from(stdin.as_fd().try_clone_to_owned().map_err(terminal_trouble)?);
        let mut screen = std::io::stdout();
        let mut input_open = true;
        loop {
            let mut fds = vec![PollFd::new(on.master.as_fd(), PollFlags::POLLIN)];
            if input_open {
                fds.push(PollFd::new(keys.as_fd(), PollFlags::POLLIN));
            }
            let _ = poll(&mut fds, PollTimeout::from(250_u16));
            let ready = |i: usize| fds.get(i).and_then(PollFd::revents).is_some_and(|r| !r.is_empty());
            let (from_chat, from_keys) = (ready(0), ready(1));
            let mut bytes = [0_u8; 4096];
            if from_chat {
                match on.master.read(&mut bytes) {
                    Ok(0) | Err(_) => break,
                    Ok(n) => screen
                        .write_all(&bytes[..n])
                        .and_then(|()| screen.flush())
                        .map_err(terminal_trouble)?,
                }
            }
            if from_keys {
                let n = keys.read(&mut bytes).unwrap_or(0);
                if n == 0 {
                    // The terminal is gone: the chat reads its end of input.
                    input_open = false;
                    let _ = on.master.write_all(&[4]);
                }
                if bytes[..n].contains(&REVIEW_KEY) {
                    drop(raw);
                    self.review(&mut screen)?;
                    raw = Raw::enter()?;
                } else {
                    on.master.write_all(&bytes[..n]).map_err(terminal_trouble)?;
                }
            }
            let now = terminal::size(&stdin);
            if now != (rows, columns) {
                (rows, columns) = now;
                let _ = terminal::resize(&on.master, rows, columns);
            }
        }
        drop(raw);
        on.child.wait().map_err(|e| Error::Failed(format!("the chat: {e}")))
    }

    /// The review in this window; what the chat writes meanwhile waits in its own terminal.
    fn review(&self, screen: &mut dyn Write) -> Result<(), Error> {
        let line = "-".repeat(78);
        writeln!(screen, "\r\n{line}\nREVIEW (by cl-admin; the chat is held)").map_err(terminal_trouble)?;
        if let Err(error) = console::review(&self.home, &self.approver, &mut std::io::stdin().lock(), screen)
        {
            crate::error::report(&error);
        }
        writeln!(screen, "{line}\nback in the chat").map_err(terminal_trouble)
    }

    /// Whether the chat is to be started again.
    fn ask_what_next(&self) -> Result<bool, Error> {
        let mut screen = std::io::stdout();
        loop {
            write!(screen, "\r\n[Enter] chat again   [r] review   [q] leave and stop the service: ")
                .and_then(|()| screen.flush())
                .map_err(terminal_trouble)?;
            let key = {
                let _raw = Raw::enter()?;
                let mut byte = [0_u8; 1];
                let mut keys =
                    File::from(std::io::stdin().as_fd().try_clone_to_owned().map_err(terminal_trouble)?);
                match keys.read(&mut byte) {
                    Ok(1) => byte[0],
                    _ => b'q',
                }
            };
            writeln!(screen).map_err(terminal_trouble)?;
            match key {
                b'\r' | b'\n' => return Ok(true),
                b'q' | b'Q' | 4 => return Ok(false),
                b'r' | b'R' | REVIEW_KEY => self.review(&mut screen)?,
                3 => writeln!(screen, "Ctrl-C does not end the service; q does").map_err(terminal_trouble)?,
                _ => {}
            }
        }
    }
}

fn terminal_trouble(error: std::io::Error) -> Error {
    Error::Failed(format!("the terminal: {error}"))
}
