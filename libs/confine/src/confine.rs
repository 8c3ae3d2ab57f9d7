//! Lays every restriction on the calling process, in the one order that works.

use std::{fmt, io, path::PathBuf};

use nix::{errno::Errno, sys::prctl, unistd::geteuid};

use crate::{
    FileRules, Limits, User, View, capabilities, landlock, limits, namespace, process, seccomp, user,
};

/// Whose table of system calls is laid on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Talks and thinks: files and a terminal, no network.
    Mind,
    /// Holds the keys and the network: outgoing IP connections, no terminal.
    Net,
    /// Computes from stdin to stdout and opens nothing at all.
    Worker,
    /// Runs programs that somebody else wrote: a compiler, a linker.
    Compiler,
    /// Runs commands that somebody asked for, without any network.
    Action,
    /// The same, with connections out: a person gave that.
    Online,
}

impl Role {
    /// Whether it executes programs that somebody else wrote.
    pub(crate) fn runs_others(self) -> bool {
        matches!(self, Role::Compiler | Role::Action | Role::Online)
    }
}

/// By whom, and by what wall around files, beyond what every role has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// The user that a process of root becomes.
    pub user: Option<User>,
    /// What governs files.
    pub wall: Wall,
    /// What must be out of sight for a view of the file system that was given to count as one.
    pub hidden: Vec<PathBuf>,
    /// A process of root that becomes a user keeps the power to read, whatever the modes of files say: where the file rules
    /// hold, they alone govern reading then. It does nothing without `user`.
    pub reads_all: bool,
    /// One of two processes that called [`crate::scope_signals`] while they were one.
    pub paired: bool,
}

/// What governs files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wall {
    /// Landlock, or nothing where the kernel lacks it.
    #[default]
    Landlock,
    /// Landlock; where the kernel lacks it, a view of the file system that holds nothing else.
    Either,
    /// Such a view, even where there is Landlock.
    Namespace,
}

/// What confinement was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The Landlock version in force, `None` if file access is not wholly governed by it.
    pub landlock_abi: Option<u32>,
    /// How the file system looks.
    pub view: View,
    /// The table of system calls holds.
    pub seccomp: bool,
    /// No program that is executed gains a privilege.
    pub no_new_privs: bool,
    /// Memory once writable never becomes executable.
    pub mdwe: bool,
    /// Every capability is given up.
    pub no_capabilities: bool,
    /// The user that root was left for.
    pub user: Option<User>,
}

impl Held {
    /// Whether files are governed, by whatever wall.
    #[must_use]
    pub fn governs_files(&self) -> bool {
        self.landlock_abi.is_some() || matches!(self.view, View::Own | View::Given)
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let landlock = self.landlock_abi.map(|abi| format!("Landlock {abi}"));
        let user = self.user.as_ref().map(|user| format!("user {}", user.name()));
        let view = match self.view {
            View::Own => Some("own mount namespace"),
            View::Given => Some("read-only mount namespace"),
            View::Shared | View::Refused { .. } => None,
        };
        let parts = [
            user.as_deref(),
            landlock.as_deref(),
            view,
            self.seccomp.then_some("seccomp"),
            self.no_new_privs.then_some("no new privileges"),
            self.no_capabilities.then_some("no capabilities"),
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
    /// The process cannot become the user.
    #[error("cannot become the user {name}")]
    User {
        /// The user.
        name: String,
        /// The kernel's answer.
        source: Errno,
    },
    /// The process may mount, but its view of the file system could not be made.
    #[error("a view of the file system: {step}")]
    Namespace {
        /// What failed.
        step: &'static str,
        /// The kernel's answer.
        source: Errno,
    },
    /// Landlock is there but refused the rules.
    #[error("cannot lay file rules on")]
    Landlock(#[source] Box<::landlock::RulesetError>),
}

/// Confines the calling process for the rest of its life.
///
/// It must have one thread. What the kernel does not offer is left out and missing in [`Held`]; what it
/// offers and refuses is an error. Descriptors that are already open stay usable.
///
/// # Errors
/// The first restriction that was refused; the process is then half confined and must end.
pub fn confine(role: Role, files: &FileRules, limits: &Limits) -> Result<Held, ConfineError> {
    confine_as(role, files, limits, &Manner::default())
}

/// The same, for a process that may be root's, or whose kernel may lack Landlock.
///
/// Where [`Held::view`] is [`View::Own`], folders that were opened before lead out of that view: close them.
///
/// # Errors
/// As [`confine`], and a user that the process cannot become.
pub fn confine_as(
    role: Role,
    files: &FileRules,
    limits: &Limits,
    manner: &Manner,
) -> Result<Held, ConfineError> {
    if let Some(count) = process::threads().filter(|count| *count != 1) {
        return Err(ConfineError::Threads { count });
    }
    limits::lay(role, limits)?;
    let was_root = geteuid().is_root();
    let (landlock_abi, view) = walled(role, files, manner)?;
    let view = match (&manner.user, view) {
        (Some(user), view) => {
            if manner.reads_all && was_root && landlock_abi.is_some() {
                capabilities::outlast_change_of_user()?;
            }
            user::become_user(user)?;
            view
        }
        (None, view) => view,
    };
    // Who could not mount as root may within a user namespace.
    let view = match view {
        View::Refused { .. } => entered(namespace::enter_unprivileged(files)?),
        other => other,
    };
    let reads_all = manner.reads_all && manner.user.is_some() && was_root && landlock_abi.is_some();
    if reads_all {
        capabilities::keep_reading()?
    } else {
        capabilities::drop_all()?
    }
    // After the change of user, which resets it.
    prctl::set_dumpable(false)
        .map_err(|source| ConfineError::Switch { switch: "PR_SET_DUMPABLE", source })?;
    prctl::set_no_new_privs()
        .map_err(|source| ConfineError::Switch { switch: "PR_SET_NO_NEW_PRIVS", source })?;
    // Not for programs of others: rustc would run with it, an interpreter that generates code would not.
    let mdwe = !role.runs_others() && limits::refuse_exec_gain()?;
    // Last: after it the calls above are refused too.
    let seccomp = seccomp::available() && seccomp::lay(role)?;
    let user = manner.user.clone().filter(|_| was_root);
    Ok(Held { landlock_abi, view, seccomp, no_new_privs: true, mdwe, no_capabilities: !reads_all, user })
}

/// Lays on what governs files, while paths that only root can reach can still be opened.
fn walled(role: Role, files: &FileRules, manner: &Manner) -> Result<(Option<u32>, View), ConfineError> {
    let landlock = match manner.wall {
        Wall::Landlock => true,
        // An old version that governs only some accesses would stand in the way of the mounts.
        Wall::Either => landlock::kernel_abi().and_then(landlock::governs_files).is_some(),
        Wall::Namespace => false,
    };
    if landlock {
        return Ok((landlock::lay(role, files, manner.paired)?, View::Shared));
    }
    if namespace::is_given(files, &manner.hidden) {
        return Ok((None, View::Given));
    }
    Ok((None, entered(namespace::enter_privileged(files)?)))
}

fn entered(answer: Result<(), View>) -> View {
    match answer {
        Ok(()) => View::Own,
        Err(refused) => refused,
    }
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
            view: View::Shared,
            seccomp: self.seccomp,
            no_new_privs: true,
            mdwe: self.mdwe,
            no_capabilities: true,
            user: None,
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
