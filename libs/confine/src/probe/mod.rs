//! What an owned process would try: each probe attempts one thing for real, from inside, and says what came of it.
//!
//! The programs' self-test runs them behind the walls that this crate builds. A probe does no more than is needed to know:
//! it reads a byte, makes an empty file, maps a page. A process that could do it all the same is named as such.

mod calls;
mod files;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// One thing that an owned process would try.
#[derive(Debug)]
pub struct Probe {
    /// Its name, unique.
    pub name: &'static str,
    /// What it would be good for, in a few words.
    pub what: &'static str,
    /// The same as its attacker would tell it, as a sentence in plain words.
    pub told: &'static str,
    act: fn(&Targets) -> Outcome,
}

/// What the probes aim at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Targets {
    /// A process of the admin's.
    pub process: i32,
    /// The admin's own folders: the one of the throw-away home, and that of the installation.
    pub admin: Vec<PathBuf>,
    /// The configuration's folder.
    pub config: PathBuf,
    /// The folder of the skills' modules.
    pub skills: PathBuf,
    /// The mirror's folder of this profile.
    pub status: PathBuf,
    /// The folders with keys and secrets.
    pub secrets: Vec<PathBuf>,
    /// This profile's workspace.
    pub workspace: PathBuf,
    /// Another profile's folder.
    pub other: PathBuf,
    /// Another profile's proposals.
    pub other_proposals: PathBuf,
}

/// What came of a probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was kept out; by which refusal.
    Refused(String),
    /// It got what it wanted; what that was.
    Succeeded(String),
}

/// Every probe, in the order in which they are reported.
pub fn all() -> impl Iterator<Item = &'static Probe> {
    calls::PROBES.iter().chain(files::PROBES)
}

/// Tries one thing; `None` for an unknown name.
pub fn run(name: &str, targets: &Targets) -> Option<Outcome> {
    all().find(|probe| probe.name == name).map(|probe| (probe.act)(targets))
}

/// Takes a write lease on a file: a program that opens it then is held up, unless it does not wait.
///
/// # Errors
/// A file of somebody else, or one that others have open.
pub fn lease(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is open for as long as `file` lives, and the call takes two numbers.
    // JUSTIFICATION: neither std nor nix offers leases.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_WRLCK) } {
        -1 => Err(std::io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// A refusal, or what was got.
fn outcome<T, E: std::fmt::Display>(result: Result<T, E>, got: &str) -> Outcome {
    match result {
        Ok(_) => Outcome::Succeeded(got.to_owned()),
        Err(refusal) => Outcome::Refused(refusal.to_string()),
    }
}

#[cfg(test)]
mod tests;
