//! One child from fork to reaping.

use std::{
    io::{self, Read, Write},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::process::CommandExt,
    },
    process::{ChildStderr, ChildStdin, ChildStdout, Command},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    fcntl::{FcntlArg, OFlag, fcntl},
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::{
        prctl,
        signal::{Signal, killpg},
        wait::{Id, WaitPidFlag, WaitStatus, waitid},
    },
    unistd::{Pid, getpid, getppid, setsid},
};

use super::briefing::{self, Handed};
use super::{ExitKind, Outcome};
use crate::process;

pub(super) fn run(
    command: Command,
    input: Vec<u8>,
    mut handed: Option<Handed>,
    wall: Duration,
    max_output: usize,
    cancel: &AtomicBool,
) -> io::Result<Outcome> {
    let started = Instant::now();
    let (mut group, mut pipes) = start(command, input, handed.as_mut(), max_output)?;
    let mut timed_out = false;
    while !group.leader_has_ended()? {
        timed_out = started.elapsed() >= wall;
        if timed_out || cancel.load(Ordering::Relaxed) {
            break;
        }
        pipes.wait(SLICE.min(wall.saturating_sub(started.elapsed())))?;
    }
    // Also after a proper end: what the child left behind in its group must not outlive it.
    let ended = group.kill_and_reap()?;
    pipes.drain()?;
    Ok(Outcome {
        status: if timed_out { ExitKind::TimedOut } else { ended.status },
        cut: pipes.stdout.cut || pipes.stderr.cut,
        stdout: pipes.stdout.kept,
        stderr: pipes.stderr.kept,
        wall: started.elapsed(),
        cpu: ended.cpu,
        peak_rss_bytes: ended.peak_rss_bytes,
        not_started: handed.and_then(|mut handed| handed.report()),
    })
}

pub(super) fn start(
    mut command: Command,
    input: Vec<u8>,
    handed: Option<&mut Handed>,
    max_output: usize,
) -> io::Result<(Group, Pipes)> {
    let mut child = spawn(&mut command, handed)?;
    let group = Group::of(&child);
    let pipes = Pipes {
        stdin: child.stdin.take(),
        input,
        fed: 0,
        stdout: Output::new(child.stdout.take(), max_output),
        stderr: Output::new(child.stderr.take(), max_output),
    };
    pipes.never_block()?;
    Ok((group, pipes))
}

/// Starts it in a session of its own, to be killed when the calling thread ends, with no descriptor of ours but the orders.
pub(super) fn spawn(command: &mut Command, handed: Option<&mut Handed>) -> io::Result<std::process::Child> {
    let parent = getpid();
    let passed = handed.as_deref().map(|handed| handed.name(command));
    // SAFETY: between fork and exec only system calls are made, none of which allocates or locks.
    unsafe {
        command.pre_exec(move || {
            setsid()?;
            prctl::set_pdeathsig(Signal::SIGKILL)?;
            if getppid() != parent {
                return Err(Errno::ESRCH.into());
            }
            process::close_on_exec();
            passed.as_ref().map_or(Ok(()), |numbers| briefing::outlast_exec(numbers))
        });
    }
    let child = command.spawn()?;
    if let Some(handed) = handed {
        handed.started();
    }
    Ok(child)
}

/// The child and everything in its process group, killed and reaped at the latest when dropped.
pub(super) struct Group {
    leader: Pid,
    reaped: bool,
}

impl Group {
    pub(super) fn of(child: &std::process::Child) -> Group {
        let pid = i32::try_from(child.id()).expect("a process id of Linux fits its own type");
        Group { leader: Pid::from_raw(pid), reaped: false }
    }
}

/// What the kernel says about the leader.
struct Ended {
    status: ExitKind,
    cpu: Duration,
    peak_rss_bytes: u64,
}

impl Group {
    /// Looks, without reaping: until then the number of the group cannot become somebody else's.
    pub(super) fn leader_has_ended(&self) -> io::Result<bool> {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        match waitid(Id::Pid(self.leader), flags) {
            Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => Ok(false),
            Ok(_) => Ok(true),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Waits for the leader as long as it takes, then ends what it left behind.
    pub(super) fn wait(&mut self) -> io::Result<ExitKind> {
        loop {
            match waitid(Id::Pid(self.leader), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) {
                Err(Errno::EINTR) => {}
                other => break other.map(|_| ())?,
            }
        }
        Ok(self.kill_and_reap()?.status)
    }

    /// Ends all of it now; answers how the leader ended.
    pub(super) fn end(&mut self) -> io::Result<ExitKind> {
        if self.reaped {
            // Its number may be another process' by now.
            return Err(Errno::ECHILD.into());
        }
        Ok(self.kill_and_reap()?.status)
    }

    fn kill_and_reap(&mut self) -> io::Result<Ended> {
        // The group exists, because its leader is not reaped yet.
        killpg(self.leader, Signal::SIGKILL).or_else(|errno| match errno {
            // Some kernels answer this when only the dead leader is left.
            Errno::ESRCH | Errno::EPERM => Ok(()),
            _ => Err(errno),
        })?;
        self.reaped = true;
        loop {
            match reap(self.leader) {
                Err(Errno::EINTR) => {}
                answer => return Ok(answer?),
            }
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.reaped {
            // Only reached when something else has failed already, which is what gets reported.
            let _ = self.kill_and_reap();
        }
    }
}

fn reap(pid: Pid) -> nix::Result<Ended> {
    let mut status = 0;
    // SAFETY: all zeroes is a valid rusage, a struct of integers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to values that live through the call.
    Errno::result(unsafe { libc::wait4(pid.as_raw(), &raw mut status, 0, &raw mut usage) })?;
    let status = if libc::WIFEXITED(status) {
        ExitKind::Code(libc::WEXITSTATUS(status))
    } else {
        ExitKind::Signal(libc::WTERMSIG(status))
    };
    let cpu = duration(usage.ru_utime) + duration(usage.ru_stime);
    let peak_rss_bytes = u64::try_from(usage.ru_maxrss).unwrap_or(0).saturating_mul(1024);
    Ok(Ended { status, cpu, peak_rss_bytes })
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
    seconds + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

/// Our ends of the child's standard streams. An end that is done is closed, which is `None`.
pub(super) struct Pipes {
    pub(super) stdin: Option<ChildStdin>,
    input: Vec<u8>,
    fed: usize,
    pub(super) stdout: Output<ChildStdout>,
    pub(super) stderr: Output<ChildStderr>,
}

impl Pipes {
    fn never_block(&self) -> io::Result<()> {
        let ends = [
            self.stdin.as_ref().map(AsFd::as_fd),
            self.stdout.pipe.as_ref().map(AsFd::as_fd),
            self.stderr.pipe.as_ref().map(AsFd::as_fd),
        ];
        for end in ends.into_iter().flatten() {
            let flags = OFlag::from_bits_retain(fcntl(end, FcntlArg::F_GETFL)?);
            fcntl(end, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        }
        Ok(())
    }

    /// Moves what can be moved, waiting for something to move no longer than this.
    fn wait(&mut self, longest: Duration) -> io::Result<()> {
        let mut ends = Vec::with_capacity(3);
        ends.extend(self.stdin.as_ref().map(|pipe| watched(pipe.as_fd(), PollFlags::POLLOUT)));
        ends.extend(self.stdout.pipe.as_ref().map(|pipe| watched(pipe.as_fd(), PollFlags::POLLIN)));
        ends.extend(self.stderr.pipe.as_ref().map(|pipe| watched(pipe.as_fd(), PollFlags::POLLIN)));
        if ends.is_empty() {
            // Nothing wakes us any more: most children end right after closing their outputs.
            thread::sleep(longest.min(Duration::from_millis(1)));
            return Ok(());
        }
        let timeout = PollTimeout::try_from(longest).unwrap_or(PollTimeout::ZERO);
        match poll(&mut ends, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        self.feed()?;
        self.stdout.take(ROUND)?;
        self.stderr.take(ROUND)
    }

    /// Takes what is left in the pipes. Who escaped from the group may hold them open: it is not waited for.
    fn drain(&mut self) -> io::Result<()> {
        self.stdin = None;
        self.stdout.take(LEFT)?;
        self.stderr.take(LEFT)
    }

    fn feed(&mut self) -> io::Result<()> {
        let Some(pipe) = &mut self.stdin else { return Ok(()) };
        match pipe.write(&self.input[self.fed..]) {
            Ok(written) => self.fed += written,
            Err(error) if is_later(&error) => return Ok(()),
            // The child may end without reading everything.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.fed = self.input.len(),
            Err(error) => return Err(error),
        }
        if self.fed == self.input.len() {
            self.stdin = None;
        }
        Ok(())
    }
}

/// One output of the child.
pub(super) struct Output<P> {
    pub(super) pipe: Option<P>,
    pub(super) kept: Vec<u8>,
    most: usize,
    cut: bool,
}

impl<P: Read> Output<P> {
    fn new(pipe: Option<P>, most: usize) -> Self {
        Self { pipe, kept: Vec::new(), most, cut: false }
    }

    /// Reads what is there, but no more than about this number of bytes, so that a flood cannot keep us here.
    pub(super) fn take(&mut self, about: usize) -> io::Result<()> {
        let mut buffer = [0; 16 * 1024];
        let mut taken = 0;
        while taken < about {
            let Some(pipe) = &mut self.pipe else { return Ok(()) };
            match pipe.read(&mut buffer) {
                Ok(0) => self.pipe = None,
                Ok(length) => {
                    let room = self.most - self.kept.len();
                    self.cut |= length > room;
                    self.kept.extend_from_slice(&buffer[..length.min(room)]);
                    taken += length;
                }
                Err(error) if is_later(&error) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

pub(super) fn watched(end: BorrowedFd<'_>, events: PollFlags) -> PollFd<'_> {
    PollFd::new(end, events)
}

pub(super) fn is_later(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// How often the clock, the cancel and the child's end are looked at while the pipes are silent.
pub(super) const SLICE: Duration = Duration::from_millis(10);
/// Bytes taken from one output before looking at the clock again.
const ROUND: usize = 256 * 1024;
/// More than a pipe can hold, so all that the child wrote before its end.
const LEFT: usize = 2 * 1024 * 1024;
