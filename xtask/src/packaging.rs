//! Debian packages and releases: the crate `packaging` makes them, since it needs the command lines of both programs.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::check::cargo;
use crate::start::target_dir;

/// With the features of the whole workspace, so that nothing is compiled twice.
const BUILD: [&str; 5] = ["build", "--workspace", "--locked", "--bin", "packaging"];

/// Tries the packages in a bare Debian; where this machine cannot, the maker says that it is skipped.
pub(crate) fn check() -> bool {
    let built = cargo().args(BUILD).status().is_ok_and(|status| status.success());
    let mut maker = Command::new(target_dir().join("debug/packaging"));
    built && maker.args(["trial", "--if-possible"]).status().is_ok_and(|status| status.success())
}

/// Makes the packages of programs that are built.
pub(crate) fn make(programs: &Path, architecture: &str, out: &Path) -> bool {
    let built = cargo().args(BUILD).status().is_ok_and(|status| status.success());
    let mut maker = Command::new(target_dir().join("debug/packaging"));
    maker.args(["packages", "--architecture", architecture, "--programs"]).arg(programs);
    maker.arg("--out").arg(out);
    built && maker.status().is_ok_and(|status| status.success())
}

/// Builds the maker and becomes it.
pub(crate) fn run(words: &[String]) -> ExitCode {
    if !cargo().args(BUILD).status().is_ok_and(|status| status.success()) {
        return ExitCode::FAILURE;
    }
    let program = target_dir().join("debug/packaging");
    let error = Command::new(&program).args(words).exec();
    eprintln!("error: {}: {error}", program.display());
    ExitCode::FAILURE
}
