//! Whom a compiler runs as where the service is root's: a number that nobody else has.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::super::toolchain::Toolchain;

/// Numbers of which one is drawn for each compilation. They are in the range that systemd keeps for dynamic
/// users, so no package hands them out.
const FIRST: u32 = 62_000;
const COUNT: u32 = 1_000;

/// What a switch of user takes: to hand a folder over and back, to switch, to end what runs as another.
const NEEDED: [u32; 5] = [CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_KILL, CAP_SETGID, CAP_SETUID];
const CAP_CHOWN: u32 = 0;
const CAP_DAC_OVERRIDE: u32 = 1;
const CAP_DAC_READ_SEARCH: u32 = 2;
const CAP_KILL: u32 = 5;
const CAP_SETGID: u32 = 6;
const CAP_SETUID: u32 = 7;

/// Says as whom this toolchain can run in a folder of `place`: a user of its own; `None` where the compiler stays the user
/// that the service is. Its file rules hold all the same.
///
/// In a root of its own it reaches the toolchain regardless of the modes of the folders above, such as root's home.
pub fn of_its_own(toolchain: &Toolchain, place: &Path, own_root: bool) -> Option<u32> {
    let above = if own_root { 1 } else { usize::MAX };
    let mut reached = toolchain.folders.iter().map(|p| p.as_path()).chain([toolchain.rustc.as_path(), place]);
    let open = can_switch(&NEEDED) && reached.all(|path| closed_to_others(path, above).is_none());
    open.then(drawn).flatten()
}

/// A user of its own for one command, where root can give one together with the power to read; what it may read then is
/// the file rules' business alone. Without one it stays the user that the service is.
pub fn for_a_command() -> Option<u32> {
    let with_reading: Vec<u32> = NEEDED.iter().copied().chain([CAP_DAC_READ_SEARCH]).collect();
    can_switch(&with_reading).then(drawn).flatten()
}

/// Whether the service is root's and has these capabilities.
fn can_switch(needed: &[u32]) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let held = effective(&status);
    nix::unistd::geteuid().is_root() && needed.iter().all(|bit| held & (1 << bit) != 0)
}

fn drawn() -> Option<u32> {
    let drawn = uuid_tail() % COUNT;
    (0..COUNT).map(|step| FIRST + (drawn + step) % COUNT).find(|number| is_free(*number))
}

/// The capabilities of `/proc/self/status`, as bits.
fn effective(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}

/// The first part of a path, of this many from its end, that a user without any right of its own cannot pass.
fn closed_to_others(path: &Path, parts: usize) -> Option<&Path> {
    let path_and_parents = path.ancestors().filter(|part| !part.as_os_str().is_empty());
    path_and_parents
        .take(parts)
        .filter(|part| fs::metadata(part).is_ok_and(|found| found.permissions().mode() & 0o001 == 0))
        .last()
}

/// Whether no user or group has this number, no process runs under it, and the user namespace maps it.
fn is_free(number: u32) -> bool {
    let unlisted = matches!(nix::unistd::User::from_uid(number.into()), Ok(None))
        && matches!(nix::unistd::Group::from_gid(number.into()), Ok(None));
    let map = |file: &str| fs::read_to_string(file).is_ok_and(|text| is_mapped(&text, number));
    unlisted && map("/proc/self/uid_map") && map("/proc/self/gid_map") && !has_process(number)
}

/// Whether a process runs under a number, as its user or as one of its groups.
fn has_process(number: u32) -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    processes
        .filter(|entry| entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit))
        .filter_map(|entry| fs::read_to_string(entry.path().join("status")).ok())
        .any(|status| is_of(&status, number))
}

/// Whether the `status` of a process names a number: real, effective, saved or for files, or among the groups.
fn is_of(status: &str, number: u32) -> bool {
    let ids = status
        .lines()
        .filter_map(|line| ["Uid:", "Gid:", "Groups:"].iter().find_map(|field| line.strip_prefix(field)));
    ids.flat_map(str::split_whitespace).any(|id| id.parse() == Ok(number))
}

/// Whether a map of a user namespace holds a number; its lines are first inside, first outside, how many.
fn is_mapped(map: &str, number: u32) -> bool {
    map.lines().any(|line| {
        let mut words = line.split_whitespace().map(str::parse::<u64>);
        let (Some(Ok(first)), Some(Ok(_)), Some(Ok(count))) = (words.next(), words.next(), words.next())
        else {
            return false;
        };
        (first..first.saturating_add(count)).contains(&u64::from(number))
    })
}

/// A few random bits; ours are those of a new id.
fn uuid_tail() -> u32 {
    let id = shared_types::id::ProposalId::generate();
    let text = id.as_str();
    text.get(text.len().saturating_sub(7)..).and_then(|tail| u32::from_str_radix(tail, 16).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
