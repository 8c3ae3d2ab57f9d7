//! `cl-admin service`

mod install;
mod manager;
mod units;

use std::path::{Path, PathBuf};

use base::config::Config;
use base::error::Error;
use base::home::Home;
use shared_types::exit;

use crate::commands::out::outln;
use manager::{Manager, Scope};

/// Keep the service running with systemd: for two users of this system as root, or with --user for yourself.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Write the units and enable them; what is done is shown and asked first. Can be run again
    Install {
        #[command(flatten)]
        whose: Whose,
        /// Do it without asking
        #[arg(long)]
        yes: bool,
        /// Show what would be done and the text of each unit, and change nothing
        #[arg(long, conflicts_with = "yes")]
        dry_run: bool,
    },
    /// Start the service, and the runners of the profiles that have schedules
    Start {
        #[command(flatten)]
        whose: Whose,
    },
    /// Stop the service and the runners
    Stop {
        #[command(flatten)]
        whose: Whose,
    },
    /// Show what systemd says of the service; exit 1 where it does not run
    Status {
        #[command(flatten)]
        whose: Whose,
    },
    /// Show the log of the service
    Logs {
        #[command(flatten)]
        whose: Whose,
        /// So many lines at the end
        #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 50)]
        lines: u32,
        /// Go on showing what is added, until Ctrl-C
        #[arg(short, long)]
        follow: bool,
    },
    /// Stop the service and remove the units that `install` wrote; homes, users and keys stay
    Uninstall {
        #[command(flatten)]
        whose: Whose,
        /// Do it without asking
        #[arg(long)]
        yes: bool,
    },
}

/// Whose units.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Whose {
    /// Your own units, with one user for service and bot
    #[arg(long)]
    user: bool,
}

/// Where the home of the system's service lies.
const SYSTEM_HOME: &str = "/var/lib/tameclaw/home";

/// Why units are not written or used.
#[derive(Debug, thiserror::Error)]
enum ServiceError {
    #[error(
        "this system was not started by systemd: `cl-admin up` starts service and chat in this window, `cl-admin run` the \
         service until it is ended"
    )]
    NoSystemd,
    #[error(
        "no systemd manager of this user runs: log in as that user, or `loginctl enable-linger NAME` as root; without systemd \
         `cl-admin up` and `cl-admin run` do the same"
    )]
    NoUserManager,
    #[error("only root writes units of the system: run it as root, or with --user for yourself")]
    NotRoot,
    #[error("{0} cannot stand in a unit: move it to a path of ASCII letters, digits and /._+@-")]
    OddPath(PathBuf),
    #[error(
        "{0} is hidden from the unit, which sees no file below /home, /root and /run/user: move it, or use --user"
    )]
    Hidden(PathBuf),
    #[error("{0} was not written by this program: remove it, or put changes into {0}.d/*.conf")]
    Foreign(PathBuf),
    #[error("{program} ended with {status}")]
    Command { program: String, status: std::process::ExitStatus },
    #[error("not done: answer yes, or give --yes")]
    NotConfirmed,
    #[error("{0}: `cl-admin doctor` names what is left to do")]
    Home(String),
}

impl From<ServiceError> for Error {
    fn from(error: ServiceError) -> Error {
        match error {
            ServiceError::NotRoot | ServiceError::Hidden(_) | ServiceError::Foreign(_) => {
                Error::refused(error)
            }
            ServiceError::OddPath(_) => Error::usage(error),
            _ => Error::failed(error),
        }
    }
}

/// Does it.
///
/// # Errors
/// No systemd, units that cannot be written, or what systemd refuses.
pub fn run(named: Option<&Path>, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::Install { whose, yes, dry_run } => {
            install::install(&home(named, *whose)?, scope(*whose), *yes, *dry_run)
        }
        Verb::Uninstall { whose, yes } => install::uninstall(&Manager::of(scope(*whose))?, *yes),
        Verb::Start { whose } => {
            let manager = Manager::of(scope(*whose))?;
            let home = home(named, *whose)?;
            for socket in runners(&home, scope(*whose)) {
                manager.systemctl(&["enable", "--now", &socket])?;
            }
            manager.systemctl(&["start", units::SERVICE])?;
            outln!("the service runs; `cl-admin status` shows what it does");
            Ok(exit::DONE)
        }
        Verb::Stop { whose } => {
            let manager = Manager::of(scope(*whose))?;
            manager.systemctl(&["stop", units::SERVICE])?;
            if manager.scope() == Scope::System {
                manager.systemctl(&["stop", "tameclaw-bot@*.socket", "tameclaw-bot@*.service"])?;
            }
            outln!("the service is stopped; every proposal stays where it is");
            Ok(exit::DONE)
        }
        Verb::Status { whose } => Ok(match Manager::of(scope(*whose))?.shows_it_runs()? {
            true => exit::DONE,
            false => exit::FAILED,
        }),
        Verb::Logs { whose, lines, follow } => {
            Manager::of(scope(*whose))?.journal(*lines, *follow)?;
            Ok(exit::DONE)
        }
    }
}

fn scope(whose: Whose) -> Scope {
    if whose.user { Scope::User } else { Scope::System }
}

/// The home that a unit serves: the one that is named, else the system's or this user's.
fn home(named: Option<&Path>, whose: Whose) -> Result<Home, Error> {
    let cwd = std::env::current_dir().map_err(Error::io("the current folder".as_ref()))?;
    let by_name = named.is_some() || std::env::var_os("TAMECLAW_HOME").is_some();
    if !whose.user && !by_name {
        return Ok(Home::new(PathBuf::from(SYSTEM_HOME), None));
    }
    Home::choose(named, |name| std::env::var_os(name), &cwd).ok_or(Error::NoHomeNamed)
}

/// The sockets of the profiles that have schedules; with one user for both the service runs them itself.
fn runners(home: &Home, scope: Scope) -> Vec<String> {
    if scope == Scope::User {
        return vec![];
    }
    let schedules = Config::read(home).map(|config| config.schedules).unwrap_or_default();
    let mut profiles: Vec<String> = schedules.iter().map(|s| units::socket_of(s.profile.as_str())).collect();
    profiles.sort();
    profiles.dedup();
    profiles
}
