//! Lays every restriction on the calling process, in the one order that works.

use std::{fmt, io, path::PathBuf};

use nix::{errno::Errno, sys::prctl};

use crate::{FileRules, Limits, landlock, limits, process, seccomp};

/// Whose table of system calls is laid on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Talks and thinks: files and a terminal, no network.
    Mind,
    /// Holds the keys and the network: outgoing IP connections, no terminal.
    Net,
    /// Computes from stdin to stdout and opens nothing at all.
    Worker,
    /// Runs programs that somebody else wrote: a compiler, a linker. The only role that may exec.
    Compiler,
}

/// What confinement was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The Landlock version in force, `None` if file access is not wholly governed by it.
    pub landlock_abi: Option<u32>,
    /// The table of system calls holds.
    pub seccomp: bool,
    /// No program that is executed gains a privilege.
    pub no_new_privs: bool,
    /// Memory once writable never becomes executable.
    pub mdwe: bool,
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let landlock = self.landlock_abi.map(|abi| format!("Landlock {abi}"));
        let parts = [
            landlock.as_deref(),
            self.seccomp.then_some("seccomp"),
            self.no_new_privs.then_some("no new privileges"),
            self.mdwe.then_some("write xor execute"),
        ];
        let held: Vec<_> = parts.into_iter().flatten().collect();
        f.write_str(if held.is_empty() { "nothing" } else { "" })?;
        f.write_str(&held.join(", "))
    }
}

/// Why a process could not be confined. It is then half confined, and must end.
#[derive(Debug, thiserror::Error)]
pub enum ConfineError {
    /// Threads other than the calling one would stay free.
    #[error("confinement binds only the calling thread, but {count} are running")]
    Threads {
        /// How many threads there are.
        count: usize,
    },
    /// A resource limit was refused.
    #[error("cannot limit {resource}")]
    Limit {
        /// The resource.
        resource: &'static str,
        /// The kernel's answer.
        source: Errno,
    },
    /// A switch of the process was refused.
    #[error("cannot set {switch}")]
    Switch {
        /// The switch, as prctl(2) names it.
        switch: &'static str,
        /// The kernel's answer.
        source: Errno,
    },
    /// A file rule names a path that cannot be opened.
    #[error("file rule for {}", path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// Why it cannot be opened.
        source: io::Error,
    },
    /// Landlock is there but refused the rules.
    #[error("cannot lay file rules on")]
    Landlock(#[source] Box<::landlock::RulesetError>),
    /// Seccomp is there but refused the filter.
    #[error("cannot lay the table of system calls on")]
    Seccomp(#[source] seccompiler::Error),
}

/// Confines the calling process for the rest of its life.
///
/// It must have one thread. What the kernel does not offer is left out and missing in [`Held`]; what it
/// offers and refuses is an error. Descriptors that are already open stay usable.
pub fn confine(role: Role, files: &FileRules, limits: &Limits) -> Result<Held, ConfineError> {
    if let Some(count) = process::threads().filter(|count| *count != 1) {
        return Err(ConfineError::Threads { count });
    }
    limits::lay(role, limits)?;
    prctl::set_dumpable(false)
        .map_err(|source| ConfineError::Switch { switch: "PR_SET_DUMPABLE", source })?;
    prctl::set_no_new_privs()
        .map_err(|source| ConfineError::Switch { switch: "PR_SET_NO_NEW_PRIVS", source })?;
    let landlock_abi = landlock::lay(role, files)?;
    // Not for programs of others: rustc would run with it, an interpreter that generates code would not.
    let mdwe = role != Role::Compiler && limits::refuse_exec_gain()?;
    // Last: after it the calls above are refused too.
    let seccomp = seccomp::available() && seccomp::lay(role)?;
    Ok(Held { landlock_abi, seccomp, no_new_privs: true, mdwe })
}

/// What this kernel offers, found out without laying anything on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// The kernel's Landlock version, if it is built in and enabled.
    pub landlock_abi: Option<u32>,
    /// Filters of system calls can be installed.
    pub seccomp: bool,
    /// `PR_SET_MDWE` is known.
    pub mdwe: bool,
}

impl Support {
    /// What [`confine`] would reach here for a role that executes nothing.
    #[must_use]
    pub fn reachable(&self) -> Held {
        Held {
            landlock_abi: self.landlock_abi.and_then(landlock::governs_files),
            seccomp: self.seccomp,
            no_new_privs: true,
            mdwe: self.mdwe,
        }
    }
}

/// Asks the kernel what it offers.
#[must_use]
pub fn support() -> Support {
    Support {
        landlock_abi: landlock::kernel_abi(),
        seccomp: seccomp::available(),
        mdwe: limits::knows_exec_gain(),
    }
}

#[cfg(test)]
mod tests;
