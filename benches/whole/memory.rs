//! Memory of a run: the peak of each of its processes, and what they hold and do at rest.
//!
//! The peak that the kernel reports with a child's end counts what the child was before it became the program, and
//! hides a process that another one waited for. So the peaks are read from a traced run, at the end of each process.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use tameclaw_tests::pty::Pty;

use crate::time;

/// The peaks of resident memory of all processes of a run, added up, in KiB.
#[expect(clippy::zombie_processes, reason = "`follow` waits for it and for all that came of it")]
pub(crate) fn peak(command: &Command) -> u64 {
    // The shell stops itself, so that nothing of the program runs untraced.
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", "kill -STOP $$; exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args());
    shell.env_clear();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            shell.env(name, value);
        }
    }
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = shell.spawn().expect("a shell runs");
    let first = Pid::from_raw(i32::try_from(child.id()).expect("a process id fits"));
    let stopped = waitpid(first, Some(WaitPidFlag::WUNTRACED)).expect("a child can be waited for");
    assert!(matches!(stopped, WaitStatus::Stopped(..)), "the shell stops itself: {stopped:?}");
    ptrace::seize(
        first,
        Options::PTRACE_O_TRACEEXIT
            | Options::PTRACE_O_TRACECLONE
            | Options::PTRACE_O_TRACEFORK
            | Options::PTRACE_O_TRACEVFORK
            | Options::PTRACE_O_EXITKILL,
    )
    .expect("a child of one's own can be traced");
    kill(first, Signal::SIGCONT).expect("a child can be signalled");
    follow(first)
}

fn follow(first: Pid) -> u64 {
    let mut peaks: BTreeMap<u64, u64> = BTreeMap::new();
    loop {
        match waitpid(None, Some(WaitPidFlag::__WALL)) {
            Ok(WaitStatus::PtraceEvent(pid, _, event)) => {
                // Threads share the memory of their process.
                peaks.entry(field(&status(pid.as_raw()), "Tgid")).or_default();
                if event == libc::PTRACE_EVENT_EXIT {
                    // Of all, since one that is killed when its parent ends does not come by here itself.
                    for (process, peak) in &mut peaks {
                        *peak = (*peak).max(field(&status(process), "VmHWM"));
                    }
                }
                go_on(pid, None);
            }
            Ok(WaitStatus::Stopped(pid, signal)) => go_on(pid, Some(signal)),
            Ok(WaitStatus::Exited(pid, code)) => {
                assert!(pid != first || code == 0, "the traced program ended with {code}");
            }
            Ok(_) | Err(Errno::EINTR) => {}
            Err(Errno::ECHILD) => return peaks.values().sum(),
            Err(error) => panic!("traced processes can be waited for: {error}"),
        }
    }
}

fn go_on(pid: Pid, signal: Option<Signal>) {
    // It may have been killed in this very moment.
    let _ = ptrace::cont(pid, signal);
}

/// What all processes of a program hold at rest.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Held {
    /// Resident memory in KiB; a page that two processes share counts twice.
    pub(crate) rss: u64,
    /// Proportional memory in KiB: a shared page is divided among all who have it; nothing where it cannot be read.
    pub(crate) pss: u64,
    /// How many processes there are.
    pub(crate) processes: usize,
    /// User and system time of all of them at rest, in ticks of the kernel's clock.
    pub(crate) ticks: u64,
    /// How often one of their threads went back to sleep at rest, hence had been woken.
    pub(crate) wakeups: u64,
    /// How long they were looked at.
    pub(crate) rest: Duration,
}

/// How long a program at rest is looked at.
const REST: Duration = Duration::from_secs(3);
/// What happens after the prompt, such as a store in the background, does not count as rest.
const SETTLING: Duration = Duration::from_secs(1);

/// Starts a program at a terminal, waits for its prompt and until it has settled, looks at what it does for a while and
/// what it holds then, and types the line that ends it.
pub(crate) fn idle(command: Command, prompt: Option<&str>, end: &str) -> Held {
    idle_together(vec![command], prompt, end, REST)
}

/// The same for several programs at once, whose figures are added up, for so long.
pub(crate) fn idle_together(commands: Vec<Command>, prompt: Option<&str>, end: &str, rest: Duration) -> Held {
    let mut ptys: Vec<Pty> = commands.into_iter().map(Pty::start).collect();
    if let Some(prompt) = prompt {
        ptys.iter_mut().for_each(|pty| _ = pty.expect(prompt, Duration::from_secs(20)));
    }
    std::thread::sleep(SETTLING);
    let families = || ptys.iter().flat_map(|pty| family(pty.pid())).collect::<Vec<_>>();
    let before = activity(&families());
    std::thread::sleep(rest);
    let families = families();
    let after = activity(&families);
    let mut held = Held {
        ticks: after.0.saturating_sub(before.0),
        wakeups: after.1.saturating_sub(before.1),
        rest,
        ..Held::default()
    };
    for pid in families {
        held.processes += 1;
        held.rss += field(&status(pid), "VmRSS");
        held.pss += fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).map_or(0, |t| field(&t, "Pss"));
    }
    for mut pty in ptys {
        pty.keys(end);
        pty.ended(Duration::from_secs(20));
    }
    time::reap(|_| {});
    held
}

/// A process and all that came of it.
fn family(first: u32) -> Vec<Pid> {
    let mut found = vec![Pid::from_raw(i32::try_from(first).expect("a process id fits"))];
    let mut next = 0;
    while let Some(pid) = found.get(next) {
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        found.extend(children.split_whitespace().filter_map(|pid| pid.parse().ok()).map(Pid::from_raw));
        next += 1;
    }
    found
}

/// Ticks of CPU time and voluntary switches so far, of all threads of these processes.
fn activity(processes: &[Pid]) -> (u64, u64) {
    let (mut ticks, mut switches) = (0, 0);
    for pid in processes {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The name may hold anything, but it ends at the last bracket; utime and stime are fields 14 and 15 of the line.
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace().skip(11);
        ticks += fields.take(2).filter_map(|field| field.parse::<u64>().ok()).sum::<u64>();
        for task in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            let text = fs::read_to_string(task.path().join("status")).unwrap_or_default();
            switches += field(&text, "voluntary_ctxt_switches");
        }
    }
    (ticks, switches)
}

fn status(pid: impl Display) -> String {
    fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default()
}

/// The number in a line such as `VmHWM:   3128 kB`.
fn field(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}
