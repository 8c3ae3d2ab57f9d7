//! What confinement was reached, in words; and what a child lacks.

use std::fmt;

use crate::{Role, User, View, landlock};

/// What confinement was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// The Landlock version in force, `None` if file access is not wholly governed by it.
    pub landlock_abi: Option<u32>,
    /// A Landlock version in force beside a view, although it governs only some ways to change a file: 1 or 2.
    pub landlock_in_part: Option<u32>,
    /// How the file system looks.
    pub view: View,
    /// What else the process has of its own.
    pub namespaces: Namespaces,
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

/// Which parts of the system a process has of its own, shared with nothing outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Namespaces {
    /// Network devices, addresses and abstract sockets.
    pub network: bool,
    /// System V memory, semaphores and queues, and POSIX queues.
    pub ipc: bool,
    /// Processes: those outside cannot be named, so neither signalled nor changed.
    pub pid: bool,
    /// The machine's name.
    pub uts: bool,
}

/// What a child needs and does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[must_use]
pub enum Lack {
    /// Files are not governed.
    #[error("file access is not confined: {landlock}{}", refusal(.view))]
    Files {
        /// What there is of Landlock.
        landlock: NoLandlock,
        /// Why there is no view of the file system either.
        view: View,
    },
    /// Calls are not governed.
    #[error("system calls are not filtered: this kernel has no seccomp filters")]
    Calls,
}

/// Why Landlock does not govern files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLandlock {
    /// The kernel lacks it.
    #[error("this kernel has no Landlock")]
    Absent,
    /// The kernel's version governs too little.
    #[error("this kernel's Landlock is version {0}, and files need 3")]
    Old(u32),
}

fn refusal(view: &View) -> String {
    match view {
        View::Refused { step, errno } => {
            format!("; a view of the file system was refused ({step}: {})", errno.desc())
        }
        View::Shared | View::Given | View::Own => String::new(),
    }
}

impl Confinement {
    /// Whether files are governed, by any wall.
    #[must_use]
    pub fn governs_files(&self) -> bool {
        self.landlock_abi.is_some() || matches!(self.view, View::Own | View::Given)
    }

    /// What a child of the admin must have and lacks; it may run only if there is nothing.
    #[must_use]
    pub fn lacks(&self) -> Vec<Lack> {
        let mut lacks = Vec::new();
        if !self.governs_files() {
            let landlock = match landlock::kernel_abi() {
                None => NoLandlock::Absent,
                Some(version) => NoLandlock::Old(version),
            };
            lacks.push(Lack::Files { landlock, view: self.view });
        }
        if !self.seccomp {
            lacks.push(Lack::Calls);
        }
        lacks
    }

    /// Whether a process of this role can neither signal nor change one outside, even one of its own user.
    #[must_use]
    pub fn keeps_signals(&self, role: Role) -> bool {
        self.namespaces.pid || self.landlock_abi.is_some_and(|abi| abi >= SCOPES) || !role.runs_others()
    }
}

impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let landlock = self.landlock_abi.map(|abi| format!("Landlock {abi}"));
        let in_part = self.landlock_in_part.map(|abi| format!("Landlock {abi} in part"));
        let user = self.user.as_ref().map(|user| format!("user {}", user.name()));
        let view = match self.view {
            View::Own => Some("own mount namespace"),
            View::Given => Some("read-only mount namespace"),
            View::Shared | View::Refused { .. } => None,
        };
        let parts = [
            user.as_deref(),
            landlock.as_deref(),
            in_part.as_deref(),
            view,
            self.namespaces.pid.then_some("own processes"),
            self.namespaces.network.then_some("own network"),
            self.namespaces.ipc.then_some("own IPC"),
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

/// The first Landlock version that keeps signals within a process and its children.
const SCOPES: u32 = 6;
