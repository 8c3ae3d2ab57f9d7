//! One command in its confined child, from its run folder to its result.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::error::Error;
use base::folders::{READABLE, make_folder};
use base::home::Home;
use base::scratch;
use base::stop::Stopped;
use builder::compile::user;
use confine::{Child, ExitKind, Outcome};
use ledger::statements::action::PinnedProgram;
use shared_types::action::{ActionResult, MAX_OUTPUT};
use shared_types::id::{ProfileId, ProposalId};

use super::judge::Unusable;
use super::plan::{Plan, PlanError};
use super::runner::Orders;

/// Address space of each program, in bytes.
const MEMORY: u64 = 512 << 20;
/// The largest file that a command may write, in bytes.
const FILE_SIZE: u64 = 64 << 20;
/// Processes of one command at a time, the three of the runner included.
const PROCESSES: u64 = 66;

/// What is to be run, and for whom.
#[derive(Debug)]
pub struct Job<'a> {
    /// The action.
    pub id: &'a ProposalId,
    /// Whose workspace it reads.
    pub profile: &'a ProfileId,
    /// What runs, as it was judged.
    pub plan: Plan,
    /// Programs that must still be what they were.
    pub pinned: Vec<PinnedProgram>,
    /// What the first program reads.
    pub stdin: &'a str,
    /// How long it may take, in seconds.
    pub seconds: u64,
    /// Whether it has the network.
    pub network: bool,
    /// What the profile forbids of the workspace: patterns of paths.
    pub forbidden: Vec<String>,
}

/// Why nothing of an action was run.
#[derive(Debug, thiserror::Error)]
pub enum NotRun {
    /// It is neither a command nor a call of a plugin.
    #[error("there is nothing here that could run it")]
    NoProgram,
    /// No plan can be made of its command line.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Its line is another plan than the one that was judged.
    #[error("the line is read differently by this version than when it was judged: ask again")]
    OtherPlan,
    /// The plugin is another one than the one that was judged.
    #[error("another version of the plugin was installed since it was judged: ask again")]
    OtherPlugin,
    /// The plugin is not for the profile any more, in a sentence.
    #[error("{0}")]
    KeptOut(String),
    /// The standing permission that it was judged by is gone.
    #[error("what always allowed it was taken back: ask again")]
    AllowanceGone,
    /// The profile took it back.
    #[error("withdrawn before it was started")]
    Withdrawn,
    /// Something stops every start.
    #[error("{0}")]
    Stopped(Stopped),
    /// The profile's settings cannot be read, so what it forbids is not known.
    #[error(transparent)]
    Settings(#[from] Unusable),
    /// The child's orders cannot be written.
    #[error(transparent)]
    Orders(#[from] serde_json::Error),
    /// The child process could not be started.
    #[error("the child could not be started: {0}")]
    Start(std::io::Error),
    /// The child started nothing, in its words.
    #[error("{0}")]
    Child(String),
    /// Its receipt or its folder cannot be written, or its plugin may not be called.
    #[error(transparent)]
    Service(#[from] Error),
}

impl From<NotRun> for ActionResult {
    fn from(why: NotRun) -> ActionResult {
        let why = shared_types::text::cut(&why.to_string(), 500);
        ActionResult { ended: Some(format!("not run: {why}")), ..ActionResult::default() }
    }
}

/// Runs a command to its end; nothing of it is left running in any case.
///
/// # Errors
/// Why nothing of it was run.
pub fn run(home: &Home, job: Job<'_>, cancel: &AtomicBool) -> Result<ActionResult, NotRun> {
    let folder = RunFolder::make(home, job.profile, job.id)?;
    let orders = Orders {
        plan: job.plan,
        data: home.data().unguarded_path(),
        workspace: home.workspace(job.profile).unguarded_path(),
        run: folder.path.clone(),
        network: job.network,
        user: folder.user,
        memory: MEMORY,
        // The wall clock ends it; this only bounds what a child burns that the clock cannot reach.
        cpu_seconds: job.seconds + 1,
        file_size: FILE_SIZE,
        processes: PROCESSES + if folder.user.is_some() { 0 } else { running() },
        pinned: job.pinned,
        forbidden: job.forbidden,
    };
    let wall = Duration::from_secs(job.seconds);
    let work = |cancel: &AtomicBool| start(&orders, job.stdin, wall, cancel);
    let (outcome, over) = scratch::within(&folder.path, scratch::OF_ONE, cancel, work);
    let over = over.or_else(|| scratch::tidy(&folder.path, scratch::OF_ONE).err());
    let outcome = outcome?;
    if let Some(why) = outcome.not_started {
        return Err(NotRun::Child(why));
    }
    let result = result(&outcome, wall, cancel);
    Ok(match over {
        None => result,
        Some(over) => {
            let ended = Some(format!("stopped: {over}; {}", folder.emptied()));
            ActionResult { exit: None, ended, ..result }
        }
    })
}

fn start(orders: &Orders, stdin: &str, wall: Duration, cancel: &AtomicBool) -> Result<Outcome, NotRun> {
    let orders = serde_json::to_vec(orders)?;
    let child = Child::new(Path::new("/proc/self/exe")).args(["child", "run-line"]).orders(orders);
    let child = child.stdin(stdin).wall(wall).max_output(MAX_OUTPUT);
    child.run(cancel).map_err(NotRun::Start)
}

fn result(outcome: &Outcome, wall: Duration, cancel: &AtomicBool) -> ActionResult {
    let (exit, ended) = match outcome.status {
        _ if cancel.load(Ordering::Relaxed) => (None, Some("stopped before its end".to_owned())),
        ExitKind::Code(code) => (Some(code), None),
        ExitKind::Signal(number) => (None, Some(signal(number))),
        ExitKind::TimedOut => (None, Some(format!("stopped: it ran longer than {} s", wall.as_secs()))),
    };
    let text = |bytes: &[u8]| {
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        // A replaced byte takes three: what is kept stays within the limit all the same.
        while text.len() > MAX_OUTPUT {
            text.pop();
        }
        text
    };
    ActionResult {
        exit,
        ended,
        stdout: text(&outcome.stdout),
        stderr: text(&outcome.stderr),
        cut: outcome.cut,
        ms: u64::try_from(outcome.wall.as_millis()).unwrap_or(u64::MAX),
        network: vec![],
    }
}

fn signal(number: i32) -> String {
    let name = nix::sys::signal::Signal::try_from(number).map_or("", nix::sys::signal::Signal::as_str);
    let why = if name == "SIGXCPU" { " (its processor time was over)" } else { "" };
    format!("ended by the signal {number} {name}{why}").trim_end().to_owned()
}

/// The folder that one command may write; an empty one goes with its command.
struct RunFolder {
    path: PathBuf,
    user: Option<u32>,
}

impl RunFolder {
    fn make(home: &Home, profile: &ProfileId, id: &ProposalId) -> Result<RunFolder, Error> {
        let parent = home.runs(profile);
        make_folder(&parent, READABLE)?;
        let path = parent.join(id.as_str());
        fs::create_dir(&path).map_err(Error::io(&path))?;
        let user = user::for_a_command();
        // Its group stays the admin's, so that everyone who may read the home's files may read these.
        let mode = fs::Permissions::from_mode(0o2750);
        let handed_over = match user {
            Some(user) => chown(&path, Some(user), None),
            None => Ok(()),
        };
        handed_over.and_then(|()| fs::set_permissions(&path, mode)).map_err(Error::io(&path))?;
        Ok(RunFolder { path, user })
    }
}

impl RunFolder {
    /// Removes what was too much; says what became of it.
    fn emptied(&self) -> &'static str {
        match scratch::remove(&self.path) {
            Ok(()) => "nothing of that is kept",
            Err(_) => "some of it could not be removed; a later sweep tries again",
        }
    }
}

/// Puts the folder of a command in order whose service did not live to see its end.
pub fn tidy_after(home: &Home, profile: &ProfileId, id: &ProposalId) {
    let folder = RunFolder { path: home.runs(profile).join(id.as_str()), user: None };
    if scratch::tidy(&folder.path, scratch::OF_ONE).is_err() {
        folder.emptied();
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // One that holds something stays for its reader, until it is swept.
        let _ = fs::remove_dir(&self.path);
    }
}

/// How many processes and threads this service's user has: without a user of its own, a command's are counted with them.
fn running() -> u64 {
    let me = nix::unistd::geteuid().as_raw();
    let of_mine = |entry: &fs::DirEntry| {
        use std::os::unix::fs::MetadataExt;
        entry.metadata().is_ok_and(|facts| facts.uid() == me)
    };
    let threads =
        |entry: fs::DirEntry| fs::read_dir(entry.path().join("task")).map_or(0, Iterator::count) as u64;
    fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok).filter(of_mine).map(threads).sum()
}

#[cfg(test)]
mod tests;
