//! Ends running chats: the processes that hold the lock of a profile in this very home.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::intake::take::profiles;
use crate::service::Shared;

/// How long a chat may take to end by itself.
const PATIENCE: Duration = Duration::from_secs(2);
/// The name of the program as the kernel knows it.
const NAME: &str = "cl-bot";

/// Asks every chat of this home to end, and kills what does not. One that cannot be reached sees `config/halt` before its
/// next turn.
pub fn end(shared: &Shared) {
    let asked = signal_all(shared, Signal::SIGTERM);
    if asked == 0 {
        return;
    }
    shared.say(&format!("{asked} running chat(s) asked to end"));
    let start = Instant::now();
    while start.elapsed() < PATIENCE && !holders(shared).is_empty() {
        std::thread::sleep(Duration::from_millis(50));
    }
    let killed = signal_all(shared, Signal::SIGKILL);
    if killed > 0 {
        shared.say(&format!("{killed} chat(s) did not end and were killed"));
    }
}

fn signal_all(shared: &Shared, signal: Signal) -> usize {
    let mut reached = 0;
    for pid in holders(shared) {
        match kill(Pid::from_raw(pid), signal) {
            Ok(()) => reached += 1,
            Err(Errno::ESRCH) => {}
            Err(errno) => shared.say(&format!(
                "the chat of process {pid} cannot be ended ({}); it ends before its next turn",
                errno.desc()
            )),
        }
    }
    reached
}

/// The processes that hold a chat's lock of this home, run the bot's program and are its user's.
fn holders(shared: &Shared) -> Vec<i32> {
    let Ok(locks) = fs::read_to_string("/proc/locks") else { return vec![] };
    let mut found = Vec::new();
    for profile in profiles(&shared.home).unwrap_or_default() {
        let Ok(lock) = fs::symlink_metadata(shared.home.chat_lock(&profile)) else { continue };
        if !lock.is_file() {
            continue;
        }
        let device = (nix::sys::stat::major(lock.dev()), nix::sys::stat::minor(lock.dev()));
        found.extend(
            of_file(&locks, device, lock.ino()).into_iter().filter(|pid| is_the_bot(*pid, lock.uid())),
        );
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The processes of the lines about a file, such as `3: FLOCK  ADVISORY  READ 1234 08:01:5678 0 EOF`; a process that this
/// one cannot see has no number there.
fn of_file(locks: &str, device: (u64, u64), inode: u64) -> Vec<i32> {
    let place = format!("{:02x}:{:02x}:{inode}", device.0, device.1);
    let of_line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [_, "FLOCK", _, _, pid, at, ..] if *at == place => pid.parse().ok().filter(|pid| *pid > 1),
            _ => None,
        }
    };
    locks.lines().filter_map(of_line).collect()
}

fn is_the_bot(pid: i32, user: u32) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) else { return false };
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.split_whitespace().next()).map(str::to_owned)
    };
    field("Name:").is_some_and(|name| name == NAME)
        && field("Uid:").and_then(|uid| uid.parse().ok()) == Some(user)
        && u32::try_from(pid).is_ok_and(|pid| pid != std::process::id())
}

#[cfg(test)]
mod tests;
