//! Runs another program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jiff::Timestamp;

use crate::error::Fault;

/// A program that the system or cargo installs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    /// Its name in the search path.
    pub(crate) name: &'static str,
    /// How it is installed.
    pub(crate) install: &'static str,
}

// The versions of the release tools stand here alone; the page and the workflow for releases are compared with them.
pub(crate) const CARGO_DEB: Tool =
    Tool { name: "cargo-deb", install: "cargo install --locked cargo-deb@3.8.0" };
pub(crate) const AUDITABLE: Tool =
    Tool { name: "cargo-auditable", install: "cargo install --locked cargo-auditable@0.7.7" };
pub(crate) const CYCLONEDX: Tool =
    Tool { name: "cargo-cyclonedx", install: "cargo install --locked cargo-cyclonedx@0.5.9" };
pub(crate) const CROSS: Tool = Tool {
    name: "aarch64-linux-gnu-gcc",
    install: "apt-get install --no-install-recommends gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
};
pub(crate) const SHLIBDEPS: Tool =
    Tool { name: "dpkg-shlibdeps", install: "apt-get install --no-install-recommends dpkg-dev" };
pub(crate) const LINTIAN: Tool =
    Tool { name: "lintian", install: "apt-get install --no-install-recommends lintian" };
pub(crate) const MMDEBSTRAP: Tool =
    Tool { name: "mmdebstrap", install: "apt-get install --no-install-recommends mmdebstrap" };
pub(crate) const TAR: Tool = Tool { name: "tar", install: "apt-get install tar xz-utils" };
pub(crate) const GIT: Tool = Tool { name: "git", install: "apt-get install git" };

impl Tool {
    /// Whether the search path has it.
    pub(crate) fn is_there(self) -> bool {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(self.name).is_file())
    }

    /// Insists on it.
    pub(crate) fn demand(self) -> Result<(), Fault> {
        if self.is_there() { Ok(()) } else { Err(Fault::NoTool(self.name, self.install)) }
    }

    pub(crate) fn command(self) -> Command {
        let mut command = Command::new(self.name);
        command.current_dir(root());
        command
    }
}

/// Cargo, in the workspace's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a command to its end; its output is the caller's, but for stdout, which holds results alone.
pub(crate) fn run(command: &mut Command) -> Result<(), Fault> {
    eprintln!("== {}", line(command));
    let done = command.stdin(Stdio::null()).status();
    if done.is_ok_and(|status| status.success()) { Ok(()) } else { Err(failed(command)) }
}

/// Runs a command and hands out what it prints.
pub(crate) fn output(command: &mut Command) -> Result<String, Fault> {
    match command.stdin(Stdio::null()).stderr(Stdio::inherit()).output() {
        Ok(output) if output.status.success() => {
            String::from_utf8(output.stdout).map_err(|_| failed(command))
        }
        _ => Err(failed(command)),
    }
}

fn failed(command: &Command) -> Fault {
    Fault::Failed { program: command.get_program().to_string_lossy().into_owned(), line: line(command) }
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// The workspace's root.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("packaging is in the workspace")
}

/// Where cargo puts what releases are made of: with other compiler flags than development, so in a folder of its own.
pub(crate) fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder).join("dist"),
        None => root().join("target/dist"),
    }
}

/// Where `cargo xtask check --all` writes the commit for which all of it held.
pub(crate) fn checked_file() -> PathBuf {
    target_dir().with_file_name("checked-all")
}

/// The time that files and packages carry: `SOURCE_DATE_EPOCH`, or else that of the commit.
pub(crate) fn moment() -> Result<Timestamp, Fault> {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok();
    let seconds = match given {
        Some(seconds) => seconds,
        None => output(GIT.command().args(["log", "-1", "--format=%ct"]))?,
    };
    let wrong = |why: &dyn std::fmt::Display| Fault::content("SOURCE_DATE_EPOCH".as_ref(), why);
    let seconds: i64 = seconds.trim().parse().map_err(|why: std::num::ParseIntError| wrong(&why))?;
    Timestamp::from_second(seconds).map_err(|why| wrong(&why))
}
