//! Whether the program that started the process has given it a read-only view of the file system already.

use std::{ffi::OsString, fs, os::unix::ffi::OsStringExt, path::Path, path::PathBuf};

/// Whether the root is read-only, nothing but these folders is `writable`, and nothing of `hidden` can be opened.
pub(crate) fn is_given(writable: &[PathBuf], hidden: &[PathBuf]) -> bool {
    let Ok(mounts) = fs::read_to_string("/proc/self/mountinfo") else { return false };
    // A folder that can be listed but is empty hides what is beneath.
    let shows = |path: &PathBuf| match path.is_dir() {
        true => fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()),
        false => fs::File::open(path).is_ok(),
    };
    read_only_but(&mounts, writable) && !hidden.iter().any(shows)
}

/// Reads proc_pid_mountinfo(5). What cannot be read counts as writable.
pub(super) fn read_only_but(mounts: &str, writable: &[PathBuf]) -> bool {
    let Some(mounts) = mounts.lines().map(parse).collect::<Option<Vec<_>>>() else { return false };
    // What another mount at the same place covers cannot be reached.
    let visible = |mount: &&Mount| {
        !mounts
            .iter()
            .any(|other| other.parent == mount.id && other.id != mount.id && other.point == mount.point)
    };
    let mut root_seen = false;
    for mount in mounts.iter().filter(visible) {
        root_seen |= mount.point == Path::new("/");
        let beneath = writable.iter().any(|folder| mount.point.starts_with(folder));
        let kernels = KERNELS.contains(&mount.kind) || mount.point == Path::new("/dev");
        if !(mount.read_only || beneath || kernels) || mount.point == Path::new("/") && !mount.read_only {
            return false;
        }
    }
    root_seen
}

struct Mount<'a> {
    id: &'a str,
    parent: &'a str,
    point: PathBuf,
    read_only: bool,
    kind: &'a str,
}

fn parse(line: &str) -> Option<Mount<'_>> {
    let (left, right) = line.split_once(" - ")?;
    let left: Vec<&str> = left.split(' ').collect();
    let right: Vec<&str> = right.split(' ').collect();
    let is_read_only = |options: &str| options.split(',').any(|option| option == "ro");
    let read_only = is_read_only(left.get(5)?) || is_read_only(right.get(2)?);
    let (id, parent) = (left.first()?, left.get(1)?);
    Some(Mount { id, parent, point: unescape(left.get(4)?), read_only, kind: right.first()? })
}

/// Blanks and the like stand as a backslash and three octal digits.
fn unescape(text: &str) -> PathBuf {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 8).ok()).filter(|_| *first == b'\\') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[3..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    PathBuf::from(OsString::from_vec(bytes))
}

/// Views of the kernel's own state: not files, and governed by rights of their own.
const KERNELS: [&str; 10] = [
    "proc",
    "sysfs",
    "devpts",
    "devtmpfs",
    "mqueue",
    "cgroup",
    "cgroup2",
    "securityfs",
    "debugfs",
    "tracefs",
];

#[cfg(test)]
mod tests;
