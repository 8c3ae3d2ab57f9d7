//! The release programs, and a clean way to start them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs of the release build that this bench belongs to.
pub(crate) struct Programs {
    /// `cl-bot`.
    pub(crate) bot: PathBuf,
    /// `cl-admin`.
    pub(crate) admin: PathBuf,
    /// `cl-door`.
    pub(crate) door: PathBuf,
    /// `cl-review`.
    pub(crate) review: PathBuf,
    /// The bare POST that a turn is held against; without arguments it does nothing.
    pub(crate) bare: PathBuf,
}

impl Programs {
    /// Finds them beside this program, which is in `target/release/deps`; names the first that is missing.
    pub(crate) fn find() -> Result<Programs, PathBuf> {
        let me = std::env::current_exe().expect("this program has a path");
        let folder = me.parent().and_then(Path::parent).expect("it lies in target/release/deps");
        let there = |name: &str| {
            let path = folder.join(name);
            if path.is_file() { Ok(path) } else { Err(path) }
        };
        Ok(Programs {
            bot: there("cl-bot")?,
            admin: there("cl-admin")?,
            door: there("cl-door")?,
            review: there("cl-review")?,
            bare: there("examples/bare-post")?,
        })
    }
}

/// A program with nothing of this process' surroundings but the search path, and what rustup's compiler needs where
/// there is no other.
pub(crate) fn clean(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).env_clear();
    let rustup = tameclaw_tests::skill::compiler().is_some_and(|compiler| !compiler.of_the_distribution);
    let kept: &[&str] = if rustup { &["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME"] } else { &["PATH"] };
    for name in kept {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
}
