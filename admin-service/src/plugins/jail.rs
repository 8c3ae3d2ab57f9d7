//! How a plugin's program is started, and what it can reach then.
//!
//! It sees its own files, the system's programs and libraries, what the person granted, and one empty folder of its own that
//! it may write. It has no network, starts nothing that outlives it, and inherits no variable of ours.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use confine::{Child, FileRules, Limits, Manner, Role, User};
use serde::{Deserialize, Serialize};
use shared_types::home::Home;
use shared_types::id::ProposalId;

use super::facts::Facts;
use crate::build::compile::user;
use crate::children::{NO_JAIL, jailed};
use crate::error::Error;
use crate::install::{PRIVATE, make_folder};

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
/// Processes and threads of a plugin that has a user of its own.
const MOST_PROCESSES: u64 = 128;
/// What every child finds in its environment, beside its own folder.
const ENV: [(&str, &str); 2] = [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LANG", "C.UTF-8")];

/// How one program is jailed and started.
#[derive(Debug, Serialize, Deserialize)]
pub struct Jail {
    execute: Vec<PathBuf>,
    read: Vec<PathBuf>,
    write: PathBuf,
    /// The user of its own that it becomes, where the service is root's.
    user: Option<u32>,
    memory: u64,
    cpu_seconds: u64,
    program: PathBuf,
    args: Vec<String>,
    env: Vec<(String, String)>,
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
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl Jail {
    /// The jail of one program of a plugin.
    ///
    /// # Errors
    /// No program, or one that wants the workspace of a profile where none is given.
    pub fn of(
        facts: &Facts,
        tree: Option<&Path>,
        workspace: Option<&Path>,
        work: &WorkFolder,
        argv: &[String],
        cpu_seconds: u64,
    ) -> Result<Jail, Error> {
        let mut words = argv.iter().map(|word| spelled(word, tree, workspace));
        let program = words.next().transpose()?.map(PathBuf::from);
        let program = program.ok_or_else(|| Error::Failed("the plugin names no program".into()))?;
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
        let granted = workspace.filter(|_| facts.workspace).map(Path::to_owned);
        // The folder above it is the bot's: what stands in its place must not lead elsewhere.
        if let Some(place) = granted.as_ref().filter(|p| fs::symlink_metadata(p).is_ok_and(|f| !f.is_dir())) {
            return Err(Error::Refused(format!("{} is no folder", place.display())));
        }
        let small = SMALL.iter().map(PathBuf::from);
        let read = small.chain(facts.read.iter().cloned()).chain(granted).filter(there).collect();
        Ok(Jail {
            execute,
            read,
            write: work.path().to_owned(),
            user: work.user,
            memory: facts.memory_mb << 20,
            cpu_seconds,
            program,
            args,
            env,
        })
    }

    /// The child that starts it, in the folder that it may write.
    ///
    /// # Errors
    /// A jail that cannot be written down.
    pub fn child<'a>(&self, work: &'a WorkFolder) -> Result<Child<'a>, Error> {
        let text = serde_json::to_string(self).map_err(|e| Error::Failed(e.to_string()))?;
        Ok(Child::new(Path::new("/proc/self/exe")).args(["child", "plugin", &text]).cwd(work.path()))
    }
}

/// A word of a command line with its folders in place.
fn spelled(word: &str, tree: Option<&Path>, workspace: Option<&Path>) -> Result<String, Error> {
    let mut text = word.to_owned();
    for (mark, path) in [("{tree}", tree), ("{workspace}", workspace)] {
        if text.contains(mark) {
            let path =
                path.ok_or_else(|| Error::Failed(format!("the plugin wants `{mark}`, and there is none")))?;
            text = text.replace(mark, &path.display().to_string());
        }
    }
    Ok(text)
}

/// The child's side: lays the jail on, then becomes the program.
pub(crate) fn enter(text: &str) -> ExitCode {
    let jail: Jail = match serde_json::from_str(text) {
        Ok(jail) => jail,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::from(NO_JAIL);
        }
    };
    let files = FileRules { read: jail.read, execute: jail.execute, write: vec![jail.write] };
    let limits = Limits {
        address_space: Some(jail.memory),
        cpu_seconds: Some(jail.cpu_seconds),
        file_size: Some(64 << 20),
        open_files: Some(256),
        // The kernel counts by user: without one of its own, other programs would be counted along.
        processes: jail.user.map(|_| MOST_PROCESSES),
    };
    let user = match jail.user.map(|number| User::find(&number.to_string(), None)).transpose() {
        Ok(user) => user,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::from(NO_JAIL);
        }
    };
    // What it may read is the file rules' business alone: its own files belong to the service's user.
    let manner = Manner { user, reads_all: true, ..Manner::default() };
    if let Err(code) = jailed(confine::confine_as(Role::Action, &files, &limits, &manner)) {
        return code;
    }
    let args: Vec<OsString> = jail.args.iter().map(OsString::from).collect();
    let env: Vec<(&str, &str)> = jail.env.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let error = confine::exec(&jail.program, &args, &env);
    eprintln!("{}: {error}", jail.program.display());
    ExitCode::from(NO_JAIL)
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
        let _ = fs::remove_dir_all(entry.path());
    }
}
