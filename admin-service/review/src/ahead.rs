//! What was typed ahead of a question.

use std::io::IsTerminal;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{FlushArg, tcflush};

/// Forgets what was typed at the terminal before a question stands there: it was meant for something else. Discards
/// input until none has come for 200 ms, for at most 2 s: the system passes keys on in a thread of its own, and on a busy
/// machine they reach the terminal after a single `tcflush`.
pub fn forget_typed_ahead() {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return;
    }
    let end = Instant::now() + Duration::from_secs(2);
    while Instant::now() < end {
        // A terminal that cannot do it is asked all the same.
        let _ = tcflush(&stdin, FlushArg::TCIFLUSH);
        let mut fds = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
        match poll(&mut fds, PollTimeout::from(200_u8)) {
            Err(Errno::EINTR) => {}
            // More input.
            Ok(1..) if fds[0].revents().is_some_and(|what| what.contains(PollFlags::POLLIN)) => {}
            _ => break,
        }
    }
    // An unfinished line does not make a terminal readable.
    let _ = tcflush(&stdin, FlushArg::TCIFLUSH);
}
