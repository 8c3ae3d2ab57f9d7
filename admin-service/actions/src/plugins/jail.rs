//! How a plugin's program is started, and what it can reach then.
//!
//! It sees its own files, the system's programs and libraries, what the person granted, and one empty folder of its own that
//! it may write. It reaches the hosts that the person granted, and has no other network. It starts nothing that outlives it, and
//! inherits no variable of ours.

use std::convert::Infallible;
use std::ffi::OsString;
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base::error::Error;
use base::folders::{PRIVATE, make_folder};
use base::home::Home;
use base::scratch;
use builder::compile::user;
use builder::workers::{NotStarted, laid_on};
use confine::{Access, Briefing, Child, FileRules, Handle, Limits, Loopback, Role, User};
use ledger::facts::Facts;
use serde::{Deserialize, Serialize};
use shared_types::id::{HostName, ProposalId};

use super::network::{self, Reach};
use crate::runner::files::open_beneath;

/// What of the system every program needs.
const SYSTEM: [&str; 5] = ["/usr", "/bin", "/lib", "/lib64", "/lib32"];
/// What of `/etc` and `/dev` programs read at their start; nothing of it is anybody's own.
const SMALL: [&str; 8] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
    "/dev/urandom",
    "/dev/zero",
];
/// What programs read to know whom they talk to, where they reach a host at all.
const CERTIFICATES: [&str; 2] = ["/etc/ssl/certs", "/etc/ca-certificates"];
/// Processes and threads of a plugin that has a user of its own.
const MOST_PROCESSES: u64 = 128;
/// What every child finds in its environment, beside its own folder.
const ENV: [(&str, &str); 2] = [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LANG", "C.UTF-8")];

/// How one program is jailed and started.
#[derive(Debug, Serialize, Deserialize)]
pub struct Jail {
    execute: Vec<PathBuf>,
    read: Vec<PathBuf>,
    /// What a person granted; opened in the child, which is the first to look at it.
    granted: Vec<Granted>,
    write: PathBuf,
    /// The user of its own that it becomes, where the service is root's.
    user: Option<u32>,
    memory: u64,
    cpu_seconds: u64,
    program: PathBuf,
    args: Vec<String>,
    env: Vec<(String, String)>,
    /// The hosts that a person granted, each with its port.
    network: Vec<HostName>,
}

/// A path that a person granted, beneath a folder whose parents only the admin can change.
#[derive(Debug, Serialize, Deserialize)]
struct Granted {
    root: PathBuf,
    below: PathBuf,
}

impl Granted {
    /// The workspace of a profile is beneath the folder of all data; everything else that is read is named from the root.
    fn of(home: &Home, path: &Path) -> Granted {
        let data = home.data().unguarded_path();
        let root = match path.parent() {
            _ if path.starts_with(&data) => data,
            // A folder of the admin's that stands for a workspace while a server is asked for its tools.
            Some(parent) if path.starts_with(home.root()) => parent.to_owned(),
            _ => PathBuf::from("/"),
        };
        let below = path.strip_prefix(&root).unwrap_or(path).to_owned();
        Granted { root, below }
    }

    fn path(&self) -> PathBuf {
        self.root.join(&self.below)
    }

    /// Opens it beneath its root; any link on the way is refused. `None` if it is gone.
    fn open(&self) -> Result<Option<OwnedFd>, NotStarted> {
        open_beneath(&self.root, &self.below).map_err(|source| NotStarted::Open { path: self.path(), source })
    }
}

/// The one folder that a plugin may write; it is empty at first, and gone when the value goes.
#[derive(Debug)]
pub struct WorkFolder {
    path: PathBuf,
    user: Option<u32>,
}

impl WorkFolder {
    /// Makes the folder.
    ///
    /// # Errors
    /// A failing disk.
    pub fn make(home: &Home) -> Result<WorkFolder, Error> {
        let parent = home.build().join("plugins");
        make_folder(&parent, PRIVATE)?;
        let path = parent.join(ProposalId::generate().as_str());
        make_folder(&path, PRIVATE)?;
        let user = user::for_a_command();
        let work = WorkFolder { path, user };
        if let Some(user) = user {
            chown(&work.path, Some(user), None).map_err(Error::io(&work.path))?;
        }
        Ok(work)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // What stays behind is swept at the next start.
        let _ = scratch::remove(&self.path);
    }
}

impl Jail {
    /// The jail of one program of a plugin.
    ///
    /// # Errors
    /// No program, or one that wants the workspace of a profile where none is given.
    pub fn of(
        home: &Home,
        facts: &Facts,
        tree: Option<&Path>,
        workspace: Option<&Path>,
        work: &WorkFolder,
        argv: &[String],
        cpu_seconds: u64,
    ) -> Result<Jail, Error> {
        let mut words = argv.iter().map(|word| spelled(word, tree, workspace));
        let program = words.next().transpose()?.map(PathBuf::from);
        let program = program.ok_or_else(|| Error::failed(Fault::NoProgram))?;
        let args = words.collect::<Result<Vec<_>, _>>()?;
        let own = work.path().display().to_string();
        let fixed = ENV.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let given =
            facts.env.iter().map(|(name, value)| Ok((name.clone(), spelled(value, tree, workspace)?)));
        let given: Result<Vec<_>, Error> = given.collect();
        let mut env: Vec<(String, String)> =
            fixed.chain([("HOME".to_owned(), own.clone()), ("TMPDIR".to_owned(), own)]).collect();
        for (name, value) in given? {
            env.retain(|(other, _)| *other != name);
            env.push((name, value));
        }
        let there = |path: &PathBuf| path.exists();
        let system = SYSTEM.iter().map(PathBuf::from);
        let pinned = facts.pinned.iter().map(|pinned| pinned.path.clone());
        let execute = system.chain(tree.map(Path::to_owned)).chain(pinned).filter(there).collect();
        let online = CERTIFICATES.iter().filter(|_| !facts.network.is_empty());
        let workspace = workspace.filter(|_| facts.workspace);
        let granted = facts.read.iter().map(PathBuf::as_path).chain(workspace);
        Ok(Jail {
            execute,
            read: SMALL.iter().chain(online).map(PathBuf::from).filter(there).collect(),
            granted: granted.map(|path| Granted::of(home, path)).collect(),
            write: work.path().to_owned(),
            user: work.user,
            memory: facts.memory_mb << 20,
            cpu_seconds,
            program,
            args,
            env,
            network: facts.network.clone(),
        })
    }

    /// The child that starts it, in the folder that it may write.
    ///
    /// # Errors
    /// A jail that cannot be written down.
    pub fn child<'a>(&self, work: &'a WorkFolder, reach: Option<&'a Reach>) -> Result<Child<'a>, Error> {
        let orders = serde_json::to_vec(self)?;
        let child = Child::new(Path::new("/proc/self/exe")).args(["child", "plugin"]);
        let child = child.orders(orders).cwd(work.path());
        Ok(reach.map(Reach::socket).into_iter().fold(child, Child::socket))
    }

    /// Confines this process and becomes the program; comes back only with why not.
    fn become_program(self, socket: Option<OwnedFd>) -> Result<Infallible, NotStarted> {
        let user = self.user.map(|number| User::find(&number.to_string(), None)).transpose()?;
        let granted = self.granted.iter().map(Granted::open).collect::<Result<Vec<_>, _>>()?;
        // By their handles: these are meant, regardless of what has those names by now.
        let handles = self.granted.iter().zip(&granted).filter_map(|(place, handle)| {
            Some(Handle { handle: handle.as_ref()?.as_fd(), at: place.path(), access: Access::Read })
        });
        let limits = Limits {
            address_space: Some(self.memory),
            cpu_seconds: Some(self.cpu_seconds),
            file_size: Some(64 << 20),
            open_files: Some(256),
            // The kernel counts by user: without one of its own, other programs would be counted along.
            processes: self.user.map(|_| MOST_PROCESSES),
        };
        let loopback = socket.as_ref().map(|socket| Loopback {
            at: network::places(&self.network),
            files: network::files(&self.network),
            to: socket.as_fd(),
        });
        let role = if loopback.is_some() { Role::Online } else { Role::Action };
        let jail = confine::Jail {
            cwd: Some(self.write.clone()),
            files: FileRules { read: self.read, execute: self.execute, write: vec![self.write] },
            handles: handles.collect(),
            limits,
            user,
            // What it may read is the file rules' business alone: its own files belong to the service's user.
            reads_all: true,
            loopback,
            ..confine::Jail::new(role)
        };
        laid_on(jail.enter())?;
        let args: Vec<OsString> = self.args.iter().map(OsString::from).collect();
        let env: Vec<(&str, &str)> = self.env.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let source = confine::exec(&self.program, &args, &env);
        Err(NotStarted::Exec { path: self.program, source })
    }
}

/// Why a plugin cannot be started.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the plugin names no program")]
    NoProgram,
    #[error("the plugin wants `{0}`, and there is none")]
    Lacks(&'static str),
}

/// A word of a command line with its folders in place.
fn spelled(word: &str, tree: Option<&Path>, workspace: Option<&Path>) -> Result<String, Error> {
    let mut text = word.to_owned();
    for (mark, path) in [("{tree}", tree), ("{workspace}", workspace)] {
        if text.contains(mark) {
            let path = path.ok_or_else(|| Error::failed(Fault::Lacks(mark)))?;
            text = text.replace(mark, &path.display().to_string());
        }
    }
    Ok(text)
}

/// The child's side: enters the jail, then executes the program. The exec closes the report, so the plugin cannot write to it.
pub fn enter(told: Briefing) -> ExitCode {
    let Briefing { orders, report, socket } = told;
    let jail = serde_json::from_slice(&orders).map_err(NotStarted::from);
    let Err(why) = jail.and_then(|jail: Jail| jail.become_program(socket));
    report.not_started(&why.to_string());
    ExitCode::FAILURE
}

/// Removes what killed plugins left behind.
pub fn sweep(home: &Home) {
    remove_old(&home.build().join("plugins"), "");
}

/// Removes the folders of a name's beginning that nobody can be using any more: none is used for as long as a day.
pub(super) fn remove_old(parent: &Path, prefix: &str) {
    let old = |entry: &fs::DirEntry| {
        let changed = entry.metadata().and_then(|facts| facts.modified());
        changed.is_ok_and(|at| at.elapsed().is_ok_and(|age| age.as_secs() > 24 * 3600))
    };
    let named = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(prefix);
    let entries = fs::read_dir(parent).into_iter().flatten().filter_map(Result::ok);
    for entry in entries.filter(named).filter(old) {
        let _ = scratch::remove(&entry.path());
    }
}
