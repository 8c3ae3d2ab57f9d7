//! `cl-admin model serve`: walls around this process, then `llama-server` in its place.
//!
//! The model's file is hostile input to a large parser. Nothing of TameClaw reads more of it than its bytes for the digest. The
//! server gets the open file, a key in memory, its own program's folder and the system's libraries, and nothing else: it
//! connects to nobody, starts no program and writes no file.

use std::ffi::CString;
use std::fs::File;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use base::error::Error;
use base::home::Home;
use builder::compile::user::for_a_command;
use builder::workers::{Unconfined, laid_on};
use confine::{Access, FileRules, Handle, Jail, Limits, Role, User, UserError};
use nix::unistd::geteuid;

use super::connect;
use super::key;
use super::list::{self, ModelName};
use super::place::Place;

/// Where a server answers that no unit stands in front of.
pub(in crate::commands) const PORT: u16 = 8093;
/// The user of the units, whom root becomes.
pub(in crate::commands) const USER: &str = "tameclaw-model";
/// The program, as llama.cpp names it.
pub(in crate::commands) const PROGRAM: &str = "llama-server";
/// What is said where the program is missing that runs a model.
pub(super) const NO_PROGRAM: &str = "no `llama-server` is in PATH: take it from the releases of llama.cpp, or use `ollama serve` and `ollama pull MODEL`";
/// Address space beside the estimate of memory: the file is mapped, its weights may be copied into another order, and each thread has a stack
/// and an arena that are mostly not there.
const SPACE: u64 = 4 << 30;
/// Descriptors, each connection one of them.
const OPEN_FILES: u64 = 256;

/// Folders of programs and libraries; those that are not there are left out.
const EXECUTED: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];
/// How libraries are found, the processors, random numbers; nothing that a person wrote.
const READ: [&str; 6] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/sys/devices/system",
    "/dev/urandom",
];

/// What `serve` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The model [default: the one that `cl-admin model connect` chose]
    name: Option<ModelName>,
    /// The port of 127.0.0.1 on which it answers
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,
    /// The program [default: the `llama-server` of PATH]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// As root: the user that the server runs as, by name or number [default: tameclaw-model, or a number that nobody else has]
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    /// How many tokens a conversation may have; more take more memory
    #[arg(long, value_name = "TOKENS", default_value_t = 4096)]
    context: u32,
}

/// Why no server was started.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("no model is named, and none is connected; `cl-admin model available` shows what there is")]
    NoModel,
    #[error("{}", NO_PROGRAM)]
    NoProgram,
    #[error("{} is in {}, with this home in it; move the program to a folder of its own", .0.display(), .1.display())]
    TooNear(PathBuf, PathBuf),
    #[error(
        "the server is not run as root, and there is nobody else to run it as; start it as another user, or have `cl-admin service install` make the user {USER}"
    )]
    Root,
    #[error("--user: {0}")]
    User(UserError),
    #[error(
        "the walls cannot be laid on ({0}), so the model is not opened; `cl-admin doctor` says what to do"
    )]
    NoWalls(Unconfined),
    #[error("{} cannot be executed: {why}", path.display())]
    Exec { path: PathBuf, why: std::io::Error },
    #[error("{0} holds a character that ends a text, so it cannot be an argument")]
    Argument(String),
}

/// Starts the server in the place of this process; returns only what went wrong.
pub(super) fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let place = Place::of(home);
    let name = match &args.name {
        Some(name) => name.clone(),
        None => connect::connected(home)?.ok_or_else(|| Error::usage(Fault::NoModel))?,
    };
    let program = match &args.program {
        Some(path) => path.canonicalize().map_err(Error::io(path))?,
        None => installed(PROGRAM).ok_or_else(|| Error::failed(Fault::NoProgram))?,
    };
    let beside = folder_of(home, &program)?;
    let user = user(args.user.as_deref())?;
    let owner = owner_of(home);
    let model = place.open_checked(&name, owner)?;
    let key = confine::sealed(key::read(home)?.expose().as_bytes()).map_err(Error::step("the key"))?;
    let lent = |file: &File| confine::lend(file).map_err(Error::step("handing a file to the server"));
    let arguments = [
        PROGRAM.to_owned(),
        "--model".to_owned(),
        lent(&model)?,
        "--alias".to_owned(),
        name.to_string(),
        "--host".to_owned(),
        "127.0.0.1".to_owned(),
        "--port".to_owned(),
        args.port.to_string(),
        "--api-key-file".to_owned(),
        lent(&key)?,
        "--ctx-size".to_owned(),
        args.context.to_string(),
        "--parallel".to_owned(),
        "1".to_owned(),
        "--jinja".to_owned(),
        "--no-webui".to_owned(),
    ];
    let arguments = arguments.into_iter().map(text).collect::<Result<Vec<_>, _>>()?;
    let variables = ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8"];
    let variables = variables.map(|text| CString::new(text).expect("a constant without a null")).to_vec();
    let bytes = model.metadata().map_err(Error::step("the model"))?.len();
    eprintln!("{name} answers on http://127.0.0.1:{}/v1 until Ctrl-C", args.port);
    walled(&model, bytes, beside, user, &program)?;
    let why = confine::exec_alone(&program, arguments, variables);
    Err(Error::failed(Fault::Exec { path: program, why }))
}

/// Lays every wall on this process.
fn walled(
    model: &File,
    bytes: u64,
    beside: Option<PathBuf>,
    user: Option<User>,
    program: &Path,
) -> Result<(), Error> {
    let there = |paths: &[&str]| paths.iter().map(PathBuf::from).filter(|p| p.exists()).collect::<Vec<_>>();
    let execute = there(&EXECUTED).into_iter().chain(beside).collect();
    let rule = Handle { handle: model.as_fd(), at: "/model.gguf".into(), access: Access::Read };
    let limits = Limits {
        address_space: Some(list::memory(bytes).saturating_add(bytes).saturating_add(SPACE)),
        open_files: Some(OPEN_FILES),
        ..Limits::default()
    };
    let jail = Jail {
        files: FileRules { read: there(&READ), execute, write: vec![] },
        handles: vec![rule],
        limits,
        user,
        processes: true,
        program: Some(program.to_owned()),
        ..Jail::new(Role::Server)
    };
    laid_on(jail.enter()).map_err(|why| Error::refused(Fault::NoWalls(why)))
}

/// The program's own folder, with the libraries in it, where the system's folders do not hold it; never one that holds the home.
fn folder_of(home: &Home, program: &Path) -> Result<Option<PathBuf>, Error> {
    if EXECUTED.iter().any(|folder| program.starts_with(folder)) {
        return Ok(None);
    }
    let folder = program.parent().unwrap_or(Path::new("/")).to_owned();
    let root = home.root().canonicalize().unwrap_or_else(|_| home.root().to_owned());
    match root.starts_with(&folder) {
        true => Err(Error::refused(Fault::TooNear(program.to_owned(), folder))),
        false => Ok(Some(folder)),
    }
}

/// Whom root becomes.
fn user(named: Option<&str>) -> Result<Option<User>, Error> {
    if !geteuid().is_root() {
        return Ok(None);
    }
    let find = |name: &str| User::find(name, None);
    let found = match named {
        Some(name) => find(name),
        None => match (find(USER), for_a_command()) {
            (Err(UserError::Unknown(_)), Some(number)) => find(&number.to_string()),
            (Err(UserError::Unknown(_)), None) => return Err(Error::refused(Fault::Root)),
            (found, _) => found,
        },
    };
    found.map(Some).map_err(|why| Error::usage(Fault::User(why)))
}

/// Whose files in `models/` are believed: the owner's of the home, where it can be seen, or else of the folder that a unit shows alone.
fn owner_of(home: &Home) -> u32 {
    let seen = [home.admin(), home.models()];
    let owner = |path: &PathBuf| std::os::unix::fs::MetadataExt::uid(&path.metadata().ok()?).into();
    seen.iter().find_map(owner).unwrap_or(0)
}

fn text(text: String) -> Result<CString, Error> {
    CString::new(text.clone()).map_err(|_| Error::usage(Fault::Argument(text)))
}

/// A program of PATH, by its real path.
pub(in crate::commands) fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let runs = |path: &PathBuf| {
        path.is_file() && nix::unistd::access(path.as_path(), nix::unistd::AccessFlags::X_OK).is_ok()
    };
    let found = std::env::split_paths(&path).filter(|folder| folder.is_absolute()).map(|f| f.join(name));
    found.filter(runs).find_map(|path| path.canonicalize().ok())
}
