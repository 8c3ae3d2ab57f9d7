//! `cl-admin service`

mod fault;
mod install;
mod manager;
pub(super) mod units;

use std::path::{Path, PathBuf};

use base::error::Error;
use base::home::Home;
use shared_types::exit;

use crate::commands::out::outln;
use manager::Manager;
use units::{SYSTEM_HOME, Scope, runners};

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
        /// This many lines at the end
        #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 50)]
        lines: u32,
        /// Keep showing what is added, until Ctrl-C
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
            // Without a home the unit's condition is not met, and systemd calls that a success.
            if !manager.runs()? {
                return Err(fault::ServiceError::NotStarted(home.root().to_owned()).into());
            }
            outln!("the service runs; `cl-admin --home {} status` shows its state", home.root().display());
            Ok(exit::DONE)
        }
        Verb::Stop { whose } => {
            let manager = Manager::of(scope(*whose))?;
            manager.systemctl(&["stop", units::SERVICE])?;
            if manager.scope() == Scope::System {
                let units = ["stop", "tameclaw-bot@*.socket", "tameclaw-bot@*.service"];
                manager.systemctl(&[&units[..], &units::MODEL].concat())?;
            }
            outln!("the service is stopped; every proposal stays where it is");
            Ok(exit::DONE)
        }
        Verb::Status { whose } => {
            if let Ok(home) = home(named, *whose) {
                tell_shadows(scope(*whose), &home);
            }
            Ok(match Manager::of(scope(*whose))?.shows_it_runs()? {
                true => exit::DONE,
                false => exit::FAILED,
            })
        }
        Verb::Logs { whose, lines, follow } => {
            Manager::of(scope(*whose))?.journal(*lines, *follow)?;
            Ok(exit::DONE)
        }
    }
}

/// Names each unit that systemd reads in the place of the package's.
fn tell_shadows(scope: Scope, home: &Home) {
    for shadow in units::shadows(scope, home) {
        eprintln!("note: {shadow}. To use the package's, {}", shadow.next());
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
