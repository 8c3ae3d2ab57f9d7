//! The chat as a child: on a pseudo-terminal of its own that is relayed, or on pipes.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::error::Error;
use base::home::Home;
use base::raw::Raw;
use confine::terminal;
use console::desk::Desk;
use console::{line_mode, screen};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, raise};
use nix::sys::termios::{LocalFlags, tcgetattr};
use review::ask::Source;
use review::words::Words;
use service::session::DOORS;
use shared_types::exit;
use shared_types::id::{ApproverId, ConversationId, ProfileId};

use super::restarts::{Next, Restarts};

/// A chat program that cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("starting {}: {why}", .program.display())]
struct NotStarted {
    program: PathBuf,
    why: std::io::Error,
}

/// Opens the review: Ctrl-G.
const REVIEW_KEY: u8 = 0x07;
/// Stops this program, and the chat waits: Ctrl-Z.
const SUSPEND_KEY: u8 = 0x1a;
/// Has the terminal mark what is pasted, and no longer.
const MARK_PASTES: (&str, &str) = ("\u{1b}[?2004h", "\u{1b}[?2004l");

/// The chat and whose it is.
pub struct Chat {
    pub program: PathBuf,
    pub home: Home,
    pub profile: ProfileId,
    /// The file that holds its PIN.
    pub pin_file: Option<PathBuf>,
    /// The conversation that continues over restarts.
    pub conversation: ConversationId,
    /// Who reviews in this window.
    pub approver: ApproverId,
    /// The words of the home's language.
    pub words: Words,
    /// Where the passphrase of the approver's key comes from.
    pub passphrase: Source,
    /// Becomes true with Ctrl-C.
    pub interrupted: &'static AtomicBool,
    /// Becomes true when everything has to end.
    pub ending: &'static AtomicBool,
    /// Whether the service was started by this window, and ends with it.
    pub ends_service: bool,
}

impl Chat {
    /// Relays the chat on this terminal until the person leaves.
    ///
    /// # Errors
    /// A terminal or a chat that cannot be started.
    pub fn on_terminal(&self) -> Result<u8, Error> {
        eprintln!("{}", self.words.say("up-review"));
        let mut restarts = Restarts::at_terminal();
        loop {
            let started = Instant::now();
            let status = self.relay(restarts.core_only())?;
            if self.is_ending() {
                return Ok(exit::DONE);
            }
            match restarts.after(code(status), started, Instant::now()) {
                Next::Again { wait } => {
                    self.tell(status, &restarts);
                    if self.wait(wait) || !self.stopped()? {
                        continue;
                    }
                    return Ok(exit::FAILED);
                }
                Next::Left => {}
                Next::End(code) => {
                    eprintln!("{}", self.words.fill("up-ended", &[("status", &status.to_string())]));
                    return Ok(code);
                }
            }
            if !self.ask_what_next()? {
                return Ok(exit::DONE);
            }
            restarts = Restarts::at_terminal();
        }
    }

    /// Lets the chat use this program's own pipes; a restart continues with the rest of the input.
    ///
    /// # Errors
    /// A chat that cannot be started.
    pub fn on_pipes(&self) -> Result<u8, Error> {
        let mut restarts = Restarts::on_pipes();
        loop {
            let started = Instant::now();
            let status = self.command(restarts.core_only()).status().map_err(|e| self.cannot_start(e))?;
            match restarts.after(code(status), started, Instant::now()) {
                Next::Again { wait } => {
                    self.tell(status, &restarts);
                    if !self.wait(wait) {
                        return Ok(exit::FAILED);
                    }
                }
                Next::Left => return Ok(exit::DONE),
                Next::End(code) => return Ok(code),
            }
        }
    }

    /// Says why the chat starts again, unless it said so itself.
    fn tell(&self, status: ExitStatus, restarts: &Restarts) {
        // What was pressed until now was for the chat; what comes once this stands on the screen is about the wait.
        self.interrupted.store(false, Ordering::Relaxed);
        if status.code() == Some(i32::from(exit::RESTART)) {
            return;
        }
        let words = self.words;
        let how = if restarts.core_only() { words.say("up-core") } else { words.say("up-again") };
        eprintln!("{}; {how}", self.words.fill("up-ended", &[("status", &status.to_string())]));
    }

    /// Waits before a restart; whether nobody pressed Ctrl-C meanwhile.
    fn wait(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while Instant::now() < end {
            if self.interrupted.load(Ordering::Relaxed) || self.is_ending() {
                return false;
            }
            std::thread::sleep(Duration::from_millis(50).min(end.saturating_duration_since(Instant::now())));
        }
        true
    }

    /// Whether a person who pressed Ctrl-C during a wait wants to leave.
    fn stopped(&self) -> Result<bool, Error> {
        Ok(!self.ask_what_next()?)
    }

    fn command(&self, core_only: bool) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("--home").arg(self.home.root()).arg("--profile").arg(self.profile.as_str());
        if let Some(file) = &self.pin_file {
            command.arg("--pin-file").arg(file);
        }
        command.args(["agent", "--conversation", self.conversation.as_str()]);
        if core_only {
            command.arg("--core-only");
        }
        command.env("TAMECLAW_SUPERVISED", "1");
        command
    }

    fn cannot_start(&self, why: std::io::Error) -> Error {
        Error::failed(NotStarted { program: self.program.clone(), why })
    }

    /// Runs the chat once on a pseudo-terminal.
    fn relay(&self, core_only: bool) -> Result<ExitStatus, Error> {
        let stdin = std::io::stdin();
        let (mut rows, mut columns) = terminal::size(&stdin);
        let mut on =
            terminal::start(&mut self.command(core_only), rows, columns).map_err(|e| self.cannot_start(e))?;
        let mut raw = Raw::enter()?;
        let mut keys = File::from(stdin.as_fd().try_clone_to_owned().map_err(terminal_trouble)?);
        let mut screen = std::io::stdout();
        let mut input_open = true;
        let mut typed = Typed::for_chat(&on.master)?;
        loop {
            let wanted =
                if typed.0.is_empty() { PollFlags::POLLIN } else { PollFlags::POLLIN | PollFlags::POLLOUT };
            let mut fds = vec![PollFd::new(on.master.as_fd(), wanted)];
            if input_open {
                fds.push(PollFd::new(keys.as_fd(), PollFlags::POLLIN));
            }
            let _ = poll(&mut fds, PollTimeout::from(250_u16));
            if self.is_ending() {
                break;
            }
            let ready = |i: usize| fds.get(i).and_then(PollFd::revents).is_some_and(|r| !r.is_empty());
            let (from_chat, from_keys) = (ready(0), ready(1));
            let mut bytes = [0_u8; 4096];
            if from_chat {
                match on.master.read(&mut bytes) {
                    Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
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
                    typed.add(&[4]);
                }
                let own = |byte: &u8| matches!(*byte, REVIEW_KEY | SUSPEND_KEY);
                if let Some(key) = bytes[..n].iter().position(own) {
                    // What was typed before it is the chat's; what comes after it is nobody's.
                    typed.add(&bytes[..key]);
                    typed.hand_over(&mut on.master)?;
                    drop(raw);
                    if bytes[key] == REVIEW_KEY {
                        self.review(&mut screen)?;
                    } else {
                        let modes = tcgetattr(&on.master).map_err(|errno| terminal_trouble(errno.into()))?;
                        let takes_keys = !modes.local_flags.contains(LocalFlags::ISIG);
                        suspend(&mut screen, takes_keys)?;
                        if takes_keys {
                            // At its prompt the chat draws the line anew for this key; nobody's shell is there to stop it.
                            typed.add(&[SUSPEND_KEY]);
                        }
                    }
                    raw = Raw::enter()?;
                } else {
                    typed.add(&bytes[..n]);
                }
            }
            typed.hand_over(&mut on.master)?;
            let now = terminal::size(&stdin);
            if now != (rows, columns) {
                (rows, columns) = now;
                let _ = terminal::resize(&on.master, rows, columns);
            }
        }
        drop(raw);
        if self.is_ending() {
            // Its terminal goes; a chat that continues without one is ended.
            drop(on.master);
            let end = Instant::now() + Duration::from_secs(5);
            while Instant::now() < end && matches!(on.child.try_wait(), Ok(None)) {
                std::thread::sleep(Duration::from_millis(20));
            }
            let _ = on.child.kill();
        }
        on.child.wait().map_err(Error::step("the chat"))
    }

    fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    /// The review in this window, over the chat; what the chat writes meanwhile waits in its own terminal, which holds a few
    /// thousand bytes and then makes it wait.
    fn review(&self, screen: &mut dyn Write) -> Result<(), Error> {
        let desk = Desk::new(&self.home, &self.approver, DOORS);
        if screen::is_possible() {
            if let Err(error) = screen::run(desk, &self.passphrase) {
                base::error::report(&error);
            }
            return Ok(());
        }
        let line = "-".repeat(78);
        writeln!(screen, "\r\n{line}\nREVIEW (by cl-admin; the chat is held)").map_err(terminal_trouble)?;
        if let Err(error) = line_mode::review(desk, &self.passphrase, &mut std::io::stdin().lock(), screen) {
            base::error::report(&error);
        }
        writeln!(screen, "{line}\nback in the chat").map_err(terminal_trouble)
    }

    /// Whether the chat is to be started again.
    fn ask_what_next(&self) -> Result<bool, Error> {
        let mut screen = std::io::stdout();
        loop {
            if self.is_ending() {
                return Ok(false);
            }
            let key = {
                // First the mode, then the question: a key that comes between the two would mean something else.
                let _raw = Raw::enter()?;
                let leave = match self.ends_service {
                    true => self.words.say("up-leave-stop"),
                    false => self.words.say("up-leave"),
                };
                write!(screen, "\r\n{}", self.words.fill("up-next", &[("leave", leave)]))
                    .and_then(|()| screen.flush())
                    .map_err(terminal_trouble)?;
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
                3 => {
                    let words = self.words;
                    let how = if self.ends_service { words.say("up-q") } else { words.say("up-other") };
                    writeln!(screen, "{}", self.words.fill("up-keeps", &[("how", how)]))
                        .map_err(terminal_trouble)?;
                }
                _ => {}
            }
        }
    }
}

/// The keys that the chat has not taken yet. A chat that reads nothing must not keep the review from opening, so nobody waits
/// for it.
struct Typed(VecDeque<u8>);

impl Typed {
    /// The most keys that are kept, in bytes; the others are dropped.
    const MOST: usize = 1 << 20;

    fn for_chat(master: &File) -> Result<Typed, Error> {
        let flags = fcntl(master, FcntlArg::F_GETFL).map(OFlag::from_bits_retain);
        flags
            .and_then(|flags| fcntl(master, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK)))
            .map_err(|errno| terminal_trouble(errno.into()))?;
        Ok(Typed(VecDeque::new()))
    }

    fn add(&mut self, keys: &[u8]) {
        self.0.extend(&keys[..keys.len().min(Self::MOST - self.0.len())]);
    }

    /// Gives the chat what its terminal has room for.
    fn hand_over(&mut self, master: &mut File) -> Result<(), Error> {
        while !self.0.is_empty() {
            match master.write(self.0.as_slices().0) {
                Ok(0) => return Ok(()),
                Ok(taken) => drop(self.0.drain(..taken)),
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(terminal_trouble(error)),
            }
        }
        Ok(())
    }
}

/// The exit code; a signal counts 128 and more, as in a shell.
fn code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(exit::FAILED)
}

/// Stops this program; a shell must not get the marks around pastes that the chat wanted at its prompt.
fn suspend(screen: &mut dyn Write, marks_pastes: bool) -> Result<(), Error> {
    let (on, off) = if marks_pastes { MARK_PASTES } else { ("", "") };
    writeln!(screen, "{off}").and_then(|()| screen.flush()).map_err(terminal_trouble)?;
    raise(Signal::SIGTSTP).map_err(|errno| terminal_trouble(errno.into()))?;
    write!(screen, "{on}").and_then(|()| screen.flush()).map_err(terminal_trouble)
}

fn terminal_trouble(error: std::io::Error) -> Error {
    Error::step("the terminal")(error)
}
