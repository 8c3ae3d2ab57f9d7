//! Confines a child: applies everything that the kernel offers, in the required order.
//!
//! First namespaces and the new root, for Landlock forbids mounting; then Landlock, by the paths as they are in there; then
//! the change of user, capabilities and the table of calls. The caller continues as a process of its own namespace, which
//! another process waits for: see `keeper.rs`.

use std::{
    fs,
    os::fd::{AsRawFd, BorrowedFd},
    path::{Path, PathBuf},
};

use nix::{
    errno::Errno,
    fcntl::{FcntlArg, OFlag, fcntl, open},
    sys::stat::{Mode, fstat},
    unistd::{chdir, geteuid},
};

use crate::{
    Access, ConfineError, Confinement, FileRules, Handle, Hidden, Limits, Loopback, Namespaces, Role, User,
    View, capabilities,
    confine::{self, Laid},
    landlock, limits, namespace,
    namespace::{Own, Part, Source},
    process, seccomp,
};

mod keeper;

/// What a child is confined to.
///
/// As root it always gets a root of its own that holds exactly the paths of the rules, and namespaces besides; as an
/// ordinary user where the system allows one. Landlock is applied in addition, where the kernel has it.
#[derive(Debug)]
pub struct Jail<'a> {
    /// Decides which table of system calls applies, and whether there is a network.
    pub role: Role,
    /// Which paths may be used; all must exist. `/dev/null` is always there.
    pub files: FileRules,
    /// The same by what was opened already.
    pub handles: Vec<Handle<'a>>,
    /// What is hidden of them. Only a root of its own hides anything: where there is none, the jail is refused.
    pub hidden: Vec<Hidden>,
    /// How much it may use.
    pub limits: Limits,
    /// The user that a process of root becomes.
    pub user: Option<User>,
    /// As [`crate::Manner::reads_all`].
    pub reads_all: bool,
    /// Where it continues, in its own view; without it, `/` there.
    pub cwd: Option<PathBuf>,
    /// Whether it gets a `/proc` of its own processes, with the `/dev/fd` that scripts are read by.
    pub processes: bool,
    /// What `/proc/self/exe` leads to where the kernel refuses that `/proc`, as it does in most containers: compilers and the
    /// dynamic linker find their libraries by it.
    pub program: Option<PathBuf>,
    /// Whether Landlock is used where the kernel has it.
    pub landlock: bool,
    /// A network of its own in which there is nothing but these listeners, in place of the machine's or of none. Where the
    /// system does not give this network, the jail is refused.
    pub loopback: Option<Loopback<'a>>,
}

impl<'a> Jail<'a> {
    /// A jail without any file.
    #[must_use]
    pub fn new(role: Role) -> Jail<'a> {
        Jail {
            role,
            files: FileRules::default(),
            handles: Vec::new(),
            hidden: Vec::new(),
            limits: Limits::default(),
            user: None,
            reads_all: false,
            cwd: None,
            processes: false,
            program: None,
            landlock: true,
            loopback: None,
        }
    }

    /// Confines the calling process for the rest of its life; the caller continues inside, perhaps as a process of
    /// another number. Whether what holds is enough, [`Confinement::lacks`] says.
    ///
    /// The process must have one thread, and no folder open but those of the handles.
    ///
    /// # Errors
    /// The first restriction that was refused; the process is then half confined and must end.
    pub fn enter(mut self) -> Result<Confinement, ConfineError> {
        if let Some(count) = process::threads().filter(|count| *count != 1) {
            return Err(ConfineError::Threads { count });
        }
        self.no_other_folder()?;
        let (namespaces, refused) = self.namespaces();
        if let Some(loopback) = &self.loopback {
            if !namespaces.network || refused.is_some() {
                return Err(no_network(refused));
            }
            loopback.listen()?;
        }
        if namespaces.pid {
            // Only the process within comes back from here.
            keeper::split()?;
        }
        limits::lay(self.role, &self.limits)?;
        let view = match refused {
            Some(refused) => refused,
            None => self.view()?,
        };
        if let (false, Some(hidden)) = (view == View::Own, self.hidden.first()) {
            return Err(ConfineError::NotHidden { path: hidden.at.clone() });
        }
        if let Some(cwd) = &self.cwd {
            chdir(cwd.as_path())
                .map_err(|errno| ConfineError::Path { path: cwd.clone(), source: errno.into() })?;
        }
        // They are in the view alone, and can be named to Landlock only now.
        let texts = self.loopback.iter().flat_map(|own| own.files.iter().map(|(at, _)| at.clone()));
        self.files.read.extend(texts);
        let version = if self.uses_landlock(view) {
            landlock::lay_on(self.role, &self.files, &self.handles, false)?
        } else {
            None
        };
        let landlock_abi = version.and_then(landlock::governs_files);
        let governed = landlock_abi.is_some() || view == View::Own;
        let laid = confine::settle(self.role, self.user.as_ref(), self.reads_all && governed)?;
        let Laid { mdwe, seccomp, no_capabilities, user } = laid;
        let held = Confinement {
            landlock_abi,
            landlock_in_part: version.filter(|_| landlock_abi.is_none()),
            view,
            namespaces,
            seccomp,
            no_new_privs: true,
            mdwe,
            no_capabilities,
            user,
        };
        if held.seccomp && !held.keeps_signals(self.role) {
            seccomp::refuse_signals()?;
        }
        if held.seccomp && view != View::Own && self.role.runs_others() {
            seccomp::refuse_modes()?;
        }
        Ok(held)
    }

    /// Makes what is its own; or says what was refused, with no namespace but perhaps one of mounts that shows the same.
    fn namespaces(&self) -> (Namespaces, Option<View>) {
        let online = matches!(self.role, Role::Net | Role::Online | Role::Server) && self.loopback.is_none();
        let wanted: Vec<Own> = [Own::Pid, Own::Ipc, Own::Uts]
            .into_iter()
            .chain(Some(Own::Network).filter(|_| !online))
            .collect();
        let falls_back = self.landlock && landlock::kernel_abi().and_then(landlock::governs_files).is_some();
        let made = if capabilities::has(capabilities::SYS_ADMIN) {
            namespace::unshare_privileged(&wanted)
        } else if self.user.is_some() && geteuid().is_root() && falls_back {
            // A user namespace of root's without that capability knows root alone: no other user could be had in it.
            Err(View::Refused { step: "mount", errno: Errno::EPERM })
        } else {
            // Tried by somebody else first if there is something to fall back to; without Landlock there is nothing.
            match falls_back.then(|| namespace::would_be_refused(&wanted)).flatten() {
                Some(refused) => Err(refused),
                None => namespace::unshare_unprivileged(&wanted),
            }
        };
        match made {
            Ok(namespaces) => (namespaces, None),
            Err(refused) => (Namespaces::default(), Some(refused)),
        }
    }

    /// Makes the root of its own, in which the handles lead to what is there.
    fn view(&self) -> Result<View, ConfineError> {
        let mut parts = namespace::of_paths(&self.files);
        parts.extend(self.handles.iter().map(|rule| Part {
            at: rule.at.clone(),
            source: Source::Handle(rule.handle),
            access: rule.access,
        }));
        parts.extend(self.hidden.iter().map(|hidden| Part {
            at: hidden.at.clone(),
            source: Source::Nothing { folder: hidden.folder },
            access: Access::Read,
        }));
        parts.extend(self.loopback.iter().flat_map(|own| &own.files).map(|(at, text)| Part {
            at: at.clone(),
            source: Source::Text(text),
            access: Access::Read,
        }));
        namespace::build(&parts, self.processes, self.program.as_deref())?;
        for rule in &self.handles {
            rule.reopen()
                .map_err(|errno| ConfineError::Path { path: rule.at.clone(), source: errno.into() })?;
        }
        Ok(View::Own)
    }

    /// Version 1 refuses every move from one folder to another, which programs of others rely on; with a view it is left out.
    fn uses_landlock(&self, view: View) -> bool {
        let hinders = view == View::Own && self.role.runs_others() && landlock::kernel_abi() == Some(1);
        self.landlock && !hinders
    }

    /// A folder that is open leads out of any view, and can be listed under Landlock too.
    fn no_other_folder(&self) -> Result<(), ConfineError> {
        let here = Path::new("/proc/self/fd");
        let unread = |source| ConfineError::Path { path: here.to_owned(), source };
        let entries = fs::read_dir(here).map_err(unread)?;
        let open: Vec<i32> = entries
            .filter_map(Result::ok)
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect();
        let known: Vec<i32> = self.handles.iter().map(|rule| rule.handle.as_raw_fd()).collect();
        for number in open.into_iter().filter(|number| !known.contains(number)) {
            // SAFETY: asks about a number that need not be open any more, which is an error then.
            let facts = unsafe { fstat(BorrowedFd::borrow_raw(number)) };
            if facts.is_ok_and(|facts| facts.st_mode & libc::S_IFMT == libc::S_IFDIR) {
                let path = fs::read_link(here.join(number.to_string())).unwrap_or_default();
                return Err(ConfineError::OpenFolder { path });
            }
        }
        Ok(())
    }
}

fn no_network(refused: Option<View>) -> ConfineError {
    let refused = match refused {
        Some(View::Refused { step, errno }) => Some((step, errno)),
        Some(View::Shared | View::Given | View::Own) | None => None,
    };
    ConfineError::NoNetwork { refused }
}

impl Handle<'_> {
    /// Makes the descriptor lead to the same folder within the view. One of a file leads nowhere else.
    fn reopen(&self) -> Result<(), Errno> {
        let facts = fstat(self.handle)?;
        if facts.st_mode & libc::S_IFMT != libc::S_IFDIR {
            return Ok(());
        }
        let was = OFlag::from_bits_retain(fcntl(self.handle, FcntlArg::F_GETFL)?);
        let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC | (was & OFlag::O_PATH);
        let within = open(&self.at, flags, Mode::empty())?;
        let number = self.handle.as_raw_fd();
        // SAFETY: the number stays open and belongs to whom it belonged; only what it leads to changes.
        Errno::result(unsafe { libc::dup3(within.as_raw_fd(), number, libc::O_CLOEXEC) }).map(drop)
    }
}
