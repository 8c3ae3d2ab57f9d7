//! The child that runs a line: it lays its confinement on, then starts the line's programs one by one, and no shell.
//!
//! Everything in here is bound by what it laid on itself before the first program.

pub(crate) mod files;
mod git;
mod globs;
mod hidden;

use std::fmt::Display;
use std::io::{PipeReader, PipeWriter, Read, Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};

use builder::workers::{NotStarted, laid_on};
use confine::{FileRules, Jail, Limits, Report, Role, User};
use ledger::statements::action::PinnedProgram;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::signal::{Signal, raise};
use nix::unistd::fchdir;
use serde::{Deserialize, Serialize};

use super::plan::{Pipeline, Plan, Program, When};
use super::programs::{self, Opened, SEARCHED};
use files::{Folders, by_handle};

/// How a line is run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Orders {
    /// What runs.
    pub plan: Plan,
    /// The folder of all data, whose parents are the admin's.
    pub data: PathBuf,
    /// The workspace beneath it, which is read; opened without following any link.
    pub workspace: PathBuf,
    /// The run's own folder, which is written.
    pub run: PathBuf,
    /// Whether connections out are possible.
    pub network: bool,
    /// The user that it becomes, where the service is root's.
    pub user: Option<u32>,
    /// Address space of each program, in bytes.
    pub memory: u64,
    /// Processor time of each program, in seconds.
    pub cpu_seconds: u64,
    /// The largest file that may be written, in bytes.
    pub file_size: u64,
    /// Processes of its user at a time.
    pub processes: u64,
    /// Programs that must still be what they were.
    pub pinned: Vec<PinnedProgram>,
    /// Patterns of the paths beneath the workspace that no program finds.
    #[serde(default)]
    pub forbidden: Vec<String>,
}

/// What a shell answers when a program is not there, and when it cannot be started.
const NO_PROGRAM: u8 = 127;
const NO_START: u8 = 126;

/// Folders of programs and libraries; those that are not there are left out.
const EXECUTED: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];
/// What programs read besides: how libraries are found, names of users, time zones, certificates; no device that keeps anything.
const READ: [&str; 16] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/mime.types",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/ca-certificates",
    "/dev/zero",
    "/dev/urandom",
    "/dev/random",
];
/// What finds a host.
const READ_ONLINE: [&str; 5] =
    ["/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf", "/etc/services"];

/// The child's side. The report is given up before the first program starts: from then on nothing can say that nothing ran.
pub fn serve(orders: &[u8], report: Report) -> ExitCode {
    let prepared = serde_json::from_slice(orders).map_err(NotStarted::from).and_then(|orders: Orders| {
        let runner = prepared(&orders)?;
        Ok((runner, orders.plan))
    });
    match prepared {
        Ok((runner, plan)) => {
            drop(report);
            runner.run(&plan)
        }
        Err(why) => {
            report.not_started(&why.to_string());
            ExitCode::FAILURE
        }
    }
}

struct Runner {
    folders: Folders,
    pinned: Vec<PinnedProgram>,
    workspace: PathBuf,
    run: PathBuf,
    network: bool,
}

/// Confines this process; nothing of the line has been looked at then.
fn prepared(orders: &Orders) -> Result<Runner, NotStarted> {
    let folders = Folders::open(&orders.data, &orders.workspace, &orders.run)?;
    let there = |paths: &[&str]| paths.iter().map(PathBuf::from).filter(|p| p.exists()).collect::<Vec<_>>();
    let mut read = there(&READ);
    if orders.network {
        read.extend(there(&READ_ONLINE));
    }
    let limits = Limits {
        address_space: Some(orders.memory),
        cpu_seconds: Some(orders.cpu_seconds),
        file_size: Some(orders.file_size),
        open_files: Some(256),
        processes: Some(orders.processes),
    };
    let user = orders.user.map(|number| User::find(&number.to_string(), None)).transpose()?;
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o027));
    let jail = Jail {
        files: FileRules { read, execute: there(&EXECUTED), write: vec![] },
        handles: folders.rules(orders),
        hidden: hidden::of(orders)?,
        limits,
        user,
        reads_all: true,
        // What was opened is started by its handle, which takes a view of the own processes.
        processes: true,
        ..Jail::new(if orders.network { Role::Online } else { Role::Action })
    };
    laid_on(jail.enter())?;
    let place = folders.workspace.as_ref().unwrap_or(&folders.run);
    fchdir(place).map_err(NotStarted::Place)?;
    let (pinned, workspace, run) = (orders.pinned.clone(), orders.workspace.clone(), orders.run.clone());
    Ok(Runner { folders, pinned, workspace, run, network: orders.network })
}

/// How the last program of a pipeline ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Code(u8),
    Signal(i32),
}

impl Runner {
    /// Runs the pipelines; the last one that ran decides, as in a shell.
    fn run(&self, plan: &Plan) -> ExitCode {
        let mut last = End::Code(0);
        for pipeline in &plan.pipelines {
            let due = match pipeline.when {
                When::Always => true,
                When::Success => last == End::Code(0),
                When::Failure => last != End::Code(0),
            };
            if due {
                last = self.pipeline(pipeline);
            }
        }
        match last {
            End::Code(code) => ExitCode::from(code),
            End::Signal(number) => {
                // Ended as its last program was, so that the service can say so.
                if let Ok(signal) = Signal::try_from(number) {
                    let _ = raise(signal);
                }
                ExitCode::from(u8::try_from(128 + number).unwrap_or(u8::MAX))
            }
        }
    }

    fn pipeline(&self, pipeline: &Pipeline) -> End {
        let mut running: Vec<Result<Child, u8>> = vec![];
        let mut feed: Option<PipeReader> = None;
        for (at, program) in pipeline.programs.iter().enumerate() {
            let is_last = at + 1 == pipeline.programs.len();
            let piped = if is_last { Ok(None) } else { std::io::pipe().map(Some) };
            let (next, out) = match piped {
                Ok(Some((reader, writer))) => (Some(reader), Some(writer)),
                Ok(None) => (None, None),
                Err(e) => {
                    eprintln!("a pipe: {e}");
                    running.push(Err(NO_START));
                    break;
                }
            };
            let input = match feed.take() {
                Some(reader) => Some(Stdio::from(reader)),
                // Only the first program gets what was sent along.
                None if at > 0 => Some(Stdio::null()),
                None => None,
            };
            running.push(self.start(program, input, out));
            feed = next;
        }
        let mut last = End::Code(0);
        for child in running {
            last = match child.map(|mut child| child.wait()) {
                Ok(Ok(status)) => ended(status),
                Ok(Err(_)) => End::Code(NO_START),
                Err(code) => End::Code(code),
            };
        }
        last
    }

    /// Starts one program from the handle by which it was opened; a fault is reported on standard error, as a shell does.
    fn start(
        &self,
        program: &Program,
        input: Option<Stdio>,
        output: Option<PipeWriter>,
    ) -> Result<Child, u8> {
        let words = globs::expanded(&program.words);
        let Some((name, arguments)) = words.split_first() else { return Err(NO_PROGRAM) };
        let tell = |code: u8, why: &dyn Display| {
            eprintln!("{}: {why}", shared_types::text::line(name));
            code
        };
        let opened = programs::open(name).map_err(|why| tell(NO_PROGRAM, &why))?;
        if let Some(pin) = self.pinned.iter().find(|pin| pin.name == *name) {
            let now = opened.digest().map_err(|why| tell(NO_START, &why))?;
            if now != pin.sha256 {
                return Err(tell(NO_START, &"it changed after it was allowed; it was not started"));
            }
        } else if !self.pinned.is_empty() {
            return Err(tell(NO_START, &"it is not among the programs that were allowed"));
        }
        let (path, script) = handle(&opened).map_err(|e| tell(NO_START, &e))?;
        let variables = self.variables();
        let mut command = Command::new(path);
        command
            .arg0(name)
            .args(arguments)
            .env_clear()
            .envs(variables.iter().map(|(name, value)| (name, value)));
        if let Some(input) = input {
            command.stdin(input);
        }
        if let Some(output) = &output {
            command.stdout(output.try_clone().map_err(|e| tell(NO_START, &e))?);
        }
        self.folders.lead(&program.streams, output.as_ref(), &mut command).map_err(|why| tell(1, &why))?;
        confine::end_with_us(&mut command);
        if git::starts_nothing(name, self.network) {
            if script {
                let why = "it is a script here, so it cannot be kept from starting other programs";
                return Err(tell(NO_START, &why));
            }
            git::alone(&mut command, &opened.file, &words, &variables).map_err(|e| tell(NO_START, &e))?;
        }
        command.spawn().map_err(|e| tell(NO_START, &e))
    }

    /// All that a program finds in its environment.
    fn variables(&self) -> Vec<(String, String)> {
        let run = self.run.display().to_string();
        let mut variables = vec![
            ("PATH".to_owned(), SEARCHED.join(":")),
            ("HOME".to_owned(), run.clone()),
            ("TMPDIR".to_owned(), run),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
        ];
        variables.extend(git::variables(&[&self.workspace, &self.run]));
        variables
    }
}

/// The path that leads to exactly what was opened, and whether it is a script. A script's interpreter opens it once more, so
/// its handle outlasts the start; any other is closed by it.
fn handle(opened: &Opened) -> std::io::Result<(PathBuf, bool)> {
    let mut begin = [0; 2];
    let mut file = &opened.file;
    file.rewind()?;
    let script = file.read(&mut begin)? == 2 && &begin == b"#!";
    if script {
        fcntl(&opened.file, FcntlArg::F_SETFD(FdFlag::empty()))?;
    }
    file.rewind()?;
    let path = by_handle(&opened.file);
    // Without a `/proc` in the view, by the path: no process in the view can replace files in these folders.
    Ok((if path.exists() { path } else { opened.path.clone() }, script))
}

fn ended(status: ExitStatus) -> End {
    // What a program still had to say goes out before what the next one says.
    let _ = std::io::stdout().flush();
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Code(u8::try_from(code & 0xff).unwrap_or(u8::MAX)),
        (None, signal) => End::Signal(signal.unwrap_or(9)),
    }
}
