//! From the command line to four processes.
//!
//! The starter opens the socket and starts the others; when they end with code 75, it starts them again, and those who come
//! meanwhile wait in the socket.

use std::fs::OpenOptions;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bot_base::config::Overrides;
use bot_base::error::{Error, say, tell};
use bot_base::log::{self, Event, Name};
use bot_base::paths::Folder;
use clap::Parser;
use confine::{FileRules, Forked, Limits, Role, Tier};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use shared_types::exit;
use shared_types::id::ProfileId;
use user_agent::start::mind::{Purpose, become_mind_behind};
use user_agent::start::{Options, Prepared, home, profiles, read_config, user};

use crate::driver::{Attach, Doorway};
use crate::http::{self, Rules};
use crate::listener::{self, Listener, Place};
use crate::tokens::Tokens;

/// Answers programs over HTTP; `cl-bot serve` starts it
#[derive(Debug, Parser)]
#[command(name = "cl-door", version, max_term_width = 100)]
pub struct CommandLine {
    /// The home folder [default: $TAMECLAW_HOME, or ~/.tameclaw]
    #[arg(long, value_name = "FOLDER")]
    home: Option<PathBuf>,

    /// The profile
    #[arg(long, value_name = "ID", default_value = "default")]
    profile: ProfileId,

    /// The file (mode 0600) that holds the profile's PIN
    #[arg(long, value_name = "FILE")]
    pin_file: Option<PathBuf>,

    /// Listen on this loopback address, or on the one that the profile's file names
    #[arg(long, value_name = "IP:PORT", conflicts_with = "socket")]
    listen: Option<SocketAddr>,

    /// Listen on a socket file of this user alone
    #[arg(long, value_name = "FILE")]
    socket: Option<PathBuf>,

    /// Let no more than calls of low risk happen, whatever the profile allows
    #[arg(long)]
    readonly: bool,
}

/// How soon after a start the next one counts as one too many, and how long it is waited then.
const SOON: Duration = Duration::from_secs(10);
/// The most connections of the door at a time, and what it has open besides.
const OPEN_FILES: u64 = 600;

/// Opens the socket and answers until a signal ends it.
///
/// # Errors
/// Whatever forbids the start.
pub fn run(line: CommandLine) -> Result<u8, Error> {
    let options = Options { home: line.home, profile: line.profile, pin_file: line.pin_file };
    let place = home::choose(&options)?;
    home::check(&place, &options.profile)?;
    let config_folder = Folder::root(&place.config())?;
    let becomes = user::find(&read_config(&place, &config_folder)?.security)?;
    let settings = profiles::read(&place, &options.profile, &config_folder)?;
    let default = place.profile(&options.profile).join("door.sock");
    let wanted = (line.listen, line.socket.as_deref());
    let listener = listener::open(wanted, &settings.door, default, becomes.as_ref())?;
    drop(config_folder);
    listener::announce(&listener.place, settings.door.tokens.len());
    let ended = confine::stop::on_ending(&[Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP])
        .map_err(|source| Error::System { what: "signals cannot be caught", source })?;
    loop {
        let begun = Instant::now();
        let failed = |source| Error::System { what: "a process could not be started", source };
        let child = match confine::fork_pair().map_err(failed)? {
            Forked::Child { socket } => {
                let code = live(&options, line.readonly, listener, socket);
                std::process::exit(i32::from(code));
            }
            Forked::Parent { child, socket } => (Pid::from_raw(child), socket),
        };
        let code = wait(child.0, || ended.load(Ordering::Relaxed))?;
        drop(child.1);
        if code != exit::RESTART || ended.load(Ordering::Relaxed) {
            forget(&listener.place);
            return Ok(code);
        }
        say("something was installed; starting again");
        std::thread::sleep(SOON.saturating_sub(begun.elapsed()) / 10);
    }
}

/// Waits for a process; a signal that ends this one is passed on.
fn wait(child: Pid, ended: impl Fn() -> bool) -> Result<u8, Error> {
    loop {
        match waitpid(child, None) {
            Ok(WaitStatus::Exited(_, code)) => return Ok(u8::try_from(code).unwrap_or(exit::FAILED)),
            Ok(WaitStatus::Signaled(_, signal, _)) => {
                return Ok(u8::try_from(128 + signal as i32).unwrap_or(exit::FAILED));
            }
            Ok(_) => {}
            // Again and again: one that starts may miss the first.
            Err(Errno::EINTR) if ended() => {
                let running = Ok(WaitStatus::StillAlive);
                while waitpid(child, Some(WaitPidFlag::WNOHANG)) == running {
                    let _ = kill(child, Signal::SIGTERM);
                    std::thread::sleep(Duration::from_millis(200));
                }
                return Ok(exit::DONE);
            }
            Err(Errno::EINTR) => {}
            Err(errno) => {
                return Err(Error::System { what: "a process cannot be waited for", source: errno.into() });
            }
        }
    }
}

/// Takes a socket file away, so that nobody knocks in vain.
fn forget(place: &Place) {
    if let Place::File(path) = place {
        #[expect(clippy::disallowed_methods, reason = "the socket that this process made, at its path")]
        let _ = std::fs::remove_file(path);
    }
}

/// The life of the process that becomes `mind`; answers its exit code.
fn live(options: &Options, readonly: bool, listener: Listener, starter: OwnedFd) -> u8 {
    match serve(options, readonly, listener, starter) {
        Ok(code) => code,
        Err(error) => {
            tell(&error);
            error.exit_code()
        }
    }
}

fn serve(options: &Options, readonly: bool, listener: Listener, starter: OwnedFd) -> Result<u8, Error> {
    let overrides = Overrides { readonly, ..Overrides::default() };
    let purpose = Purpose { talks: true, json: true, serves: true, overrides, ..Purpose::default() };
    let keep = [listener.socket.as_raw_fd(), starter.as_raw_fd()];
    let mut attach: Option<Attach> = None;
    let (kernel, warnings) = become_mind_behind(options, purpose, &keep, |prepared| {
        let is_own = listener.place.is_own();
        let socket = split(prepared, listener)?;
        let tokens = Tokens::of(prepared.home.clone(), prepared.profile.clone(), is_own);
        let failed = |source| Error::System { what: "the starter's socket", source };
        let (driver, to_attach) = Doorway::new(socket, starter, tokens).map_err(failed)?;
        attach = Some(to_attach);
        Ok(Some(Box::new(driver)))
    })?;
    for warning in warnings {
        say(&warning);
    }
    if let Some(attach) = attach {
        attach.to(&kernel);
    }
    let ended = kernel.run();
    std::mem::forget(kernel);
    ended
}

/// Forks the door off, before anything of the profile is talked about; only the parent returns, with its end of the socket.
fn split(prepared: &Prepared, listener: Listener) -> Result<OwnedFd, Error> {
    let failed = |source| Error::System { what: "the door could not be started", source };
    match confine::fork_pair().map_err(failed)? {
        Forked::Child { socket } => std::process::exit(i32::from(answer(prepared, socket, listener))),
        Forked::Parent { socket, .. } => Ok(socket),
    }
}

/// The door's whole life.
fn answer(prepared: &Prepared, socket: OwnedFd, listener: Listener) -> u8 {
    confine::close_inherited(&[socket.as_raw_fd(), listener.socket.as_raw_fd()]);
    let rules = Rules::of(&listener.place, &prepared.settings.door);
    if let Err(error) = confined(prepared) {
        tell(&error);
        return exit::REFUSED;
    }
    log::event(Event::Confined { role: Name::of("door"), tier: None });
    match http::serve(socket, listener, rules) {
        Ok(()) => exit::DONE,
        Err(source) => {
            tell(&Error::System { what: "the process that answers over HTTP", source });
            exit::FAILED
        }
    }
}

/// Confines the door: it opens nothing, and connects to nobody. Without the table of calls there is no door.
fn confined(prepared: &Prepared) -> Result<(), Error> {
    // Nothing is read from a person, and nobody who reads this program's output waits for this process.
    #[expect(clippy::disallowed_methods, reason = "a device of the system")]
    let null = OpenOptions::new().read(true).write(true).open("/dev/null");
    if let Ok(null) = null {
        let _ = nix::unistd::dup2_stdin(&null);
        let _ = nix::unistd::dup2_stdout(&null);
    }
    confine::wipe_environment(&[]);
    let limits = Limits {
        address_space: Some(2 << 30),
        open_files: Some(OPEN_FILES),
        file_size: Some(0),
        ..Limits::default()
    };
    let manner = prepared.manner(vec![], false);
    let held = confine::confine_as(Role::Door, &FileRules::default(), &limits, &manner)?;
    if held.seccomp {
        return Ok(());
    }
    let missing = "seccomp, so nobody is answered over HTTP".to_owned();
    let remedy = "use a kernel with seccomp".to_owned();
    let wanted = prepared.config.security.minimum_isolation;
    Err(Error::Isolation { found: Tier::Degraded, wanted, missing, remedy })
}
