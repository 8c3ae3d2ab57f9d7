//! systemd, as far as this program asks for it: through its own commands.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use base::error::Error;
use nix::unistd::geteuid;

use super::fault::ServiceError;
use super::units::{self, Scope};

/// The units of the system beside the service, as far as they run: runners, doors, messengers, the page of the review, and drivers.
const BESIDE: [&str; 8] = [
    "tameclaw-bot@*",
    "tameclaw-door@*",
    "tameclaw-matrix@*",
    "tameclaw-telegram@*",
    "tameclaw-review.*",
    "tameclaw-ear.*",
    "tameclaw-mouth.*",
    "tameclaw-pins.*",
];

/// The systemd that runs units of a scope.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manager(Scope);

impl Manager {
    /// The running manager.
    ///
    /// # Errors
    /// No systemd, or none of this user.
    pub(super) fn of(scope: Scope) -> Result<Manager, Error> {
        if !sd_notify::booted().unwrap_or(false) {
            return Err(ServiceError::NoSystemd.into());
        }
        if scope == Scope::User && !own_manager().is_some_and(|path| path.exists()) {
            return Err(ServiceError::NoUserManager.into());
        }
        Ok(Manager(scope))
    }

    pub(super) fn scope(self) -> Scope {
        self.0
    }

    /// Runs `systemctl` and insists that it did what was asked for.
    ///
    /// # Errors
    /// What `systemctl` refuses; it said why.
    pub(super) fn systemctl(self, arguments: &[&str]) -> Result<(), Error> {
        if self.0 == Scope::System && !geteuid().is_root() {
            return Err(ServiceError::NotRoot.into());
        }
        let mut command = self.command("systemctl");
        command.arg("--no-pager").args(arguments);
        let status = command.status().map_err(Error::step("starting systemctl"))?;
        if status.success() {
            return Ok(());
        }
        let program = format!("systemctl {}", arguments.join(" "));
        Err(ServiceError::Command { program, status }.into())
    }

    /// Has systemd show the service; answers whether it runs.
    ///
    /// # Errors
    /// `systemctl` cannot be started.
    pub(super) fn shows_it_runs(self) -> Result<bool, Error> {
        let mut command = self.command("systemctl");
        command.args(["--no-pager", "--full", "--lines=0", "status", units::SERVICE]);
        if self.0 == Scope::System {
            command.args(BESIDE);
        }
        command.status().map_err(Error::step("starting systemctl"))?;
        self.runs()
    }

    /// Whether the service runs.
    ///
    /// # Errors
    /// A `systemctl` that cannot be started.
    pub(super) fn runs(self) -> Result<bool, Error> {
        let mut command = self.command("systemctl");
        let status = command.args(["--quiet", "is-active", units::SERVICE]).status();
        Ok(status.map_err(Error::step("starting systemctl"))?.success())
    }

    /// Becomes `journalctl`, which shows the log.
    ///
    /// # Errors
    /// `journalctl` cannot be started.
    pub(super) fn journal(self, lines: u32, follow: bool) -> Result<(), Error> {
        let mut command = Command::new("journalctl");
        command.args(["--no-pager", "--lines", &lines.to_string()]);
        match self.0 {
            Scope::System => {
                let units = [units::SERVICE].into_iter().chain(BESIDE);
                command.args(units.flat_map(|unit| ["--unit", unit]))
            }
            Scope::User => command.args(["--user", "--user-unit", units::SERVICE]),
        };
        if follow {
            command.arg("--follow");
        }
        Err(Error::step("starting journalctl")(command.exec()))
    }

    fn command(self, program: &str) -> Command {
        let mut command = Command::new(program);
        if self.0 == Scope::User {
            command.arg("--user");
        }
        command
    }
}

/// The folder of this user's manager.
fn own_manager() -> Option<PathBuf> {
    Some(Path::new(&std::env::var_os("XDG_RUNTIME_DIR")?).join("systemd"))
}
