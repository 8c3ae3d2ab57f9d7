//! Ends running chats: the processes that hold the lock of a profile in this very home.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use base::home::{Home, profiles};
use beneath::Kind;
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shared_types::id::ProfileId;

/// How long a chat may take to end on its own.
const PATIENCE: Duration = Duration::from_secs(2);
/// The names of the programs that run a mind, as the kernel knows them: the second answers over HTTP.
const NAMES: [&str; 2] = ["cl-bot", "cl-door"];

/// How many chats of this home run now, as far as this user can see them.
pub fn running(home: &Home) -> usize {
    holders(home).len()
}

/// Asks every chat of this home to end, and kills what does not. One that cannot be reached sees `config/halt` before its
/// next turn.
pub fn end(home: &Home, say: &dyn Fn(&str)) {
    let asked = signal_all(&holders(home), Signal::SIGTERM, say);
    if asked == 0 {
        return;
    }
    say(&format!("{asked} running chat(s) asked to end"));
    let start = Instant::now();
    while start.elapsed() < PATIENCE && !holders(home).is_empty() {
        std::thread::sleep(Duration::from_millis(50));
    }
    let killed = signal_all(&holders(home), Signal::SIGKILL, say);
    if killed > 0 {
        say(&format!("{killed} chat(s) did not end and were killed"));
    }
}

/// Kills every process of the bot in this home at once: those that hold a chat's lock, and, where the bot has a user of its
/// own, every one of that user that runs the bot's program, even if it let its lock go. Of a bot that shares the admin's user,
/// those too that hold a folder of this home open. Answers how many were reached.
pub fn kill_all(home: &Home, say: &dyn Fn(&str)) -> usize {
    let mut found = holders(home);
    let own = nix::unistd::getuid().as_raw();
    let owner = |profile: &ProfileId| home.profile(profile).facts().map(|facts| facts.user).ok();
    let users: BTreeSet<u32> = profiles(home).unwrap_or_default().iter().filter_map(owner).collect();
    for user in users.into_iter().filter(|user| *user != own && *user != 0) {
        found.extend(of_user(user));
    }
    found.extend(of_home(home));
    found.sort_unstable();
    found.dedup();
    signal_all(&found, Signal::SIGKILL, say)
}

/// The processes of a user that run the bot's program.
fn of_user(user: u32) -> Vec<i32> {
    let is_theirs = |pid: &i32| fs::metadata(format!("/proc/{pid}")).is_ok_and(|facts| facts.uid() == user);
    bots().into_iter().filter(is_theirs).collect()
}

/// The processes that run the bot's program and hold a folder of a profile of this home open.
fn of_home(home: &Home) -> Vec<i32> {
    let folders = |profile: ProfileId| {
        let data = home.profile(&profile);
        let below = ["memory", "logs", "workspace"].map(|name| data.join(name));
        below.into_iter().chain([data, home.proposals(&profile)])
    };
    let places = profiles(home).unwrap_or_default().into_iter().flat_map(folders);
    let opened = places.filter_map(|place| place.folder().ok().flatten());
    let ours: BTreeSet<(u64, u64)> = opened.map(|folder| folder.identity()).collect();
    let holds_one = |pid: &i32| {
        let handles = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        handles
            .filter_map(|handle| fs::metadata(handle.path()).ok())
            .any(|f| ours.contains(&(f.dev(), f.ino())))
    };
    bots().into_iter().filter(holds_one).collect()
}

/// The processes that run the bot's program, by the file that runs: a process can rename itself, not that.
fn bots() -> Vec<i32> {
    let Ok(entries) = fs::read_dir("/proc") else { return vec![] };
    let runs_the_bot = |pid: &i32| {
        let exe = fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
        let name = exe.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        NAMES.contains(&name.strip_suffix(" (deleted)").unwrap_or(&name))
    };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| *pid > 1 && runs_the_bot(pid)).collect()
}

fn signal_all(pids: &[i32], signal: Signal, say: &dyn Fn(&str)) -> usize {
    let mut reached = 0;
    for &pid in pids {
        match kill(Pid::from_raw(pid), signal) {
            Ok(()) => reached += 1,
            Err(Errno::ESRCH) => {}
            Err(errno) => say(&format!(
                "the chat of process {pid} cannot be ended ({}); it ends before its next turn",
                errno.desc()
            )),
        }
    }
    reached
}

/// The processes that hold a chat's lock of this home, run the bot's program and are its user's.
fn holders(home: &Home) -> Vec<i32> {
    let Ok(locks) = fs::read_to_string("/proc/locks") else { return vec![] };
    let mut found = Vec::new();
    for profile in profiles(home).unwrap_or_default() {
        let Ok(lock) = home.chat_lock(&profile).facts() else { continue };
        if lock.kind != Kind::File {
            continue;
        }
        let (device, inode) = lock.identity;
        let device = (nix::sys::stat::major(device), nix::sys::stat::minor(device));
        found.extend(of_file(&locks, device, inode).into_iter().filter(|pid| is_the_bot(*pid, lock.user)));
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
    field("Name:").is_some_and(|name| NAMES.contains(&name.as_str()))
        && field("Uid:").and_then(|uid| uid.parse().ok()) == Some(user)
        && u32::try_from(pid).is_ok_and(|pid| pid != std::process::id())
}

#[cfg(test)]
mod tests;
