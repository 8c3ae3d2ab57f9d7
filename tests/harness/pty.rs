//! A program at a terminal of 80 columns and 24 rows.

use std::fs::File;
use std::io::Write as _;
use std::num::NonZeroU16;
use std::os::fd::AsRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::mpsc;
use std::time::Duration;

use nix::pty::{Winsize, openpty};
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::unistd::Pid;

use crate::run::{code, kill_group, line_of, wait};
use crate::transcript::Transcript;

/// Ctrl-C as it comes from a keyboard.
pub const CTRL_C: &str = "\x03";
/// Ctrl-D as it comes from a keyboard.
pub const CTRL_D: &str = "\x04";

/// How long typed keys may stay unread once the terminal is full of them.
const KEYS_TAKEN: Duration = Duration::from_secs(60);

/// A program at a terminal; it is killed with the value.
#[derive(Debug)]
pub struct Pty {
    child: Child,
    keyboard: File,
    line: String,
    /// What the screen has shown.
    pub screen: Transcript,
}

impl Pty {
    /// Starts a command as the leader of a session of its own at a new terminal.
    #[track_caller]
    pub fn start(command: Command) -> Pty {
        Pty::start_of(command, 24, 80)
    }

    /// The same on a terminal of another size.
    pub fn start_of(mut command: Command, rows: u16, columns: u16) -> Pty {
        let line = line_of(&command);
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = openpty(&size, None).expect("a terminal can be had");
        let (master, slave) = (File::from(terminal.master), File::from(terminal.slave));
        for end in [&master, &slave] {
            nix::fcntl::fcntl(end, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC))
                .expect("a flag can be set");
        }
        let copy = |file: &File| file.try_clone().expect("a descriptor can be copied");
        command.stdin(copy(&slave)).stdout(copy(&slave)).stderr(slave);
        // A test may want another kind of terminal.
        if !command.get_envs().any(|(name, _)| name == "TERM") {
            command.env("TERM", "xterm-256color");
        }
        // SAFETY: between fork and exec only async-signal-safe calls are made, on the child's own stdin and signals; no handler
        // is installed.
        // JUSTIFICATION: std offers no way to give a child a controlling terminal.
        unsafe {
            command.pre_exec(|| {
                // A shell's background job, which the tests may be, ignores it, and so would the program.
                signal(Signal::SIGINT, SigHandler::SigDfl)?;
                nix::unistd::setsid()?;
                match libc::ioctl(0, libc::TIOCSCTTY, 0) {
                    0 => Ok(()),
                    _ => Err(std::io::Error::last_os_error()),
                }
            });
        }
        let child = command.spawn().unwrap_or_else(|e| panic!("{line}: {e}"));
        // The command keeps copies of the terminal's far end; without them its end shows when the program goes.
        drop(command);
        let mut answers = copy(&master);
        let screen = Transcript::follow_with(copy(&master), move |piece| {
            // A line editor asks where the cursor stands; a terminal answers.
            if piece.windows(4).any(|window| window == b"\x1b[6n") {
                let _ = answers.write_all(b"\x1b[1;1R");
            }
        });
        Pty { child, keyboard: master, line, screen }
    }

    /// Types a text as it is; a program that reads no keys any more fails the test.
    #[track_caller]
    pub fn keys(&mut self, text: &str) {
        let (mut keyboard, text) = (self.keyboard.try_clone().expect("a descriptor"), text.to_owned());
        let (done, taken) = mpsc::channel();
        std::thread::spawn(move || done.send(keyboard.write_all(text.as_bytes())));
        match taken.recv_timeout(KEYS_TAKEN) {
            Ok(written) => written.expect("the terminal takes keys"),
            Err(_) => panic!("{}\nreads no keys any more:\n{}", self.line, self.screen.tail()),
        }
    }

    /// Types a line and the return key.
    pub fn line(&mut self, text: &str) {
        self.keys(text);
        self.keys("\r");
    }

    /// Waits until the screen shows a text after the last one that was expected.
    #[track_caller]
    pub fn expect(&mut self, text: &str, limit: Duration) -> String {
        match self.screen.wait_for(&[text], limit) {
            Some((_, before)) => before,
            None => panic!(
                "{}\nafter {} s still no `{text}` on the screen:\n{}",
                self.line,
                limit.as_secs(),
                self.screen.tail()
            ),
        }
    }

    /// What a person sees now, on a screen of that size.
    pub fn sees(&self, rows: u16, columns: u16) -> vt100::Screen {
        self.sees_of(0, rows, columns)
    }

    /// As [`Pty::sees`], of the bytes from that place on: after a change of size everything is drawn anew.
    pub fn sees_of(&self, from: usize, rows: u16, columns: u16) -> vt100::Screen {
        let size = |n: u16| NonZeroU16::new(n).expect("a screen has a size");
        let mut terminal = vt100::Parser::new(size(rows), size(columns), 0);
        terminal.process(self.screen.raw().get(from..).unwrap_or_default());
        terminal.screen().clone()
    }

    /// Waits until the screen of 80 columns and 24 rows shows a text, and hands out all that it shows.
    #[track_caller]
    pub fn see(&self, text: &str, limit: Duration) -> String {
        self.see_when(&format!("`{text}`"), limit, |screen| screen.contains(text))
    }

    /// As [`Pty::see`], for any condition.
    #[track_caller]
    pub fn see_when(&self, what: &str, limit: Duration, is_so: impl Fn(&str) -> bool) -> String {
        let start = std::time::Instant::now();
        loop {
            let contents = self.sees(24, 80).contents();
            if is_so(&contents) {
                return contents;
            }
            assert!(
                start.elapsed() < limit,
                "{}\nafter {} s still not {what} on the screen:\n{contents}",
                self.line,
                limit.as_secs()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Gives the terminal another size; the program gets the signal.
    pub fn resize(&self, rows: u16, columns: u16) {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: the descriptor is open for as long as this value lives, and the call reads one `winsize`.
        // JUSTIFICATION: neither std nor nix offers to set a terminal's size.
        let done = unsafe { libc::ioctl(self.keyboard.as_raw_fd(), libc::TIOCSWINSZ, &size) };
        assert_eq!(done, 0, "a terminal takes a size");
    }

    /// Whether the terminal shows what is typed and takes lines: how it was found.
    pub fn is_cooked(&self) -> bool {
        let modes = nix::sys::termios::tcgetattr(&self.keyboard).expect("a terminal has modes").local_flags;
        modes.contains(nix::sys::termios::LocalFlags::ECHO | nix::sys::termios::LocalFlags::ICANON)
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for its end and hands out the exit code.
    #[track_caller]
    pub fn ended(&mut self, limit: Duration) -> i32 {
        match wait(&mut self.child, limit) {
            Some(status) => {
                // Its last words may still be on the way; a child that lives on keeps the terminal open.
                self.screen.settle(Duration::from_secs(1));
                code(Some(status))
            }
            None => panic!(
                "{}\ndid not end within {} s; the screen:\n{}",
                self.line,
                limit.as_secs(),
                self.screen.tail()
            ),
        }
    }

    /// The other processes of its session.
    fn session(&self) -> Vec<i32> {
        let own = i32::try_from(self.child.id()).expect("a process id fits");
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let of_session =
            |pid: &i32| nix::unistd::getsid(Some(Pid::from_raw(*pid))).is_ok_and(|s| s.as_raw() == own);
        pids.filter(|pid| *pid != own).filter(of_session).collect()
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // What it started may be in groups of its own, but is still of the session that began with it.
        let session = self.session();
        if self.runs() {
            kill_group(&mut self.child);
        }
        for pid in session {
            // It may have ended in this very moment.
            let _ = nix::sys::signal::kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }
}

#[cfg(test)]
mod tests;
