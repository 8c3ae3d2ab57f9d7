//! A child on a pseudo-terminal of its own: it can neither read nor draw on the caller's. And a question at the caller's
//! terminal whose answer is not shown.

use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use nix::pty::{Winsize, openpty};

pub use unseen::{Unseen, ask_unseen};

mod unseen;

/// A child and the side of its terminal that a person would sit at.
#[derive(Debug)]
pub struct OnTerminal {
    pub child: Child,
    /// What the child writes is read here, and the other way round.
    pub master: File,
}

/// Starts a command as the leader of a session of its own, on a new pseudo-terminal of that size.
///
/// # Errors
/// No pseudo-terminal, or a command that does not start.
pub fn start(command: &mut Command, rows: u16, columns: u16) -> io::Result<OnTerminal> {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let pair = openpty(Some(&size), None)?;
    command.stdin(Stdio::from(pair.slave.try_clone()?));
    command.stdout(Stdio::from(pair.slave.try_clone()?));
    command.stderr(Stdio::from(pair.slave));
    // SAFETY: between fork and exec only two system calls are made, both async-signal-safe; nothing is allocated.
    unsafe {
        command.pre_exec(|| {
            nix::unistd::setsid()?;
            // JUSTIFICATION: neither std nor nix offers to make a terminal the controlling one.
            if libc::ioctl(0, libc::TIOCSCTTY as _, 0) == -1 {
                return Err(io::Error::last_os_error());
            }
            Ok(())
        });
    }
    let child = command.spawn()?;
    Ok(OnTerminal { child, master: File::from(pair.master) })
}

/// How many bytes wait to be read from standard input.
pub fn waiting() -> usize {
    let mut bytes: libc::c_int = 0;
    // SAFETY: the call writes one integer to the address, which is that of a live one.
    // JUSTIFICATION: neither std nor nix offers it, and nothing else tells a key from a paste before it is read.
    let asked = unsafe { libc::ioctl(0, libc::FIONREAD as _, &raw mut bytes) };
    if asked == 0 { usize::try_from(bytes).unwrap_or(0) } else { 0 }
}

/// Tells a terminal its size; the programs on it are notified by SIGWINCH.
///
/// # Errors
/// Not a terminal.
pub fn resize(terminal: &File, rows: u16, columns: u16) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the descriptor is open for as long as `terminal` lives, and the call reads one `winsize`.
    match unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCSWINSZ, &size) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// The size of a terminal as rows and columns; 24 by 80 where it does not say.
pub fn size(terminal: &impl std::os::fd::AsRawFd) -> (u16, u16) {
    let mut size = Winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the descriptor is open for as long as `terminal` lives, and the call writes one `winsize`.
    let answer = unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCGWINSZ, &mut size) };
    if answer == -1 || size.ws_row == 0 || size.ws_col == 0 { (24, 80) } else { (size.ws_row, size.ws_col) }
}
