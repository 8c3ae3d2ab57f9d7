//! CPU and wall time of a run with every process that it leaves behind.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike as _};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

/// What one run took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spent {
    /// User and system time of all its processes.
    pub(crate) cpu: Duration,
    /// From the start to the end of the process that was started.
    pub(crate) wall: Duration,
}

/// Runs a command to its end, and to the end of what it leaves behind.
#[expect(clippy::zombie_processes, reason = "`reap` waits for it and for its orphans")]
pub(crate) fn run(mut command: Command) -> Spent {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let before = of_children();
    let start = Instant::now();
    let child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let first = Pid::from_raw(i32::try_from(child.id()).expect("a process id fits"));
    let mut wall = None;
    reap(|status| {
        if status.pid() == Some(first) {
            assert!(matches!(status, WaitStatus::Exited(_, 0)), "{command:?} ended with {status:?}");
            wall = Some(start.elapsed());
        }
    });
    Spent { cpu: of_children() - before, wall: wall.expect("a child that was started ends") }
}

/// As [`run`], for work that waits for its processes itself.
pub(crate) fn of(work: impl FnOnce()) -> Spent {
    let before = of_children();
    let start = Instant::now();
    work();
    Spent { cpu: of_children() - before, wall: start.elapsed() }
}

/// Waits until this process has no child left, orphans that it was handed included.
pub(crate) fn reap(mut see: impl FnMut(&WaitStatus)) {
    loop {
        match waitpid(None, None) {
            Ok(status) => see(&status),
            Err(Errno::EINTR) => {}
            Err(Errno::ECHILD) => return,
            Err(error) => panic!("children can be waited for: {error}"),
        }
    }
}

/// The CPU time of all children so far that were waited for, and of theirs.
fn of_children() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the usage of children can be read");
    let micros = |time: TimeVal| u64::try_from(time.num_microseconds()).unwrap_or_default();
    Duration::from_micros(micros(usage.user_time()) + micros(usage.system_time()))
}
