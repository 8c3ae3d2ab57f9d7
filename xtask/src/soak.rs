//! The endurance test for as long as is wanted, with the release programs.

use std::process::ExitCode;

use crate::check::cargo;

pub(crate) fn run(minutes: u64) -> ExitCode {
    let mut command = cargo();
    command.args(["test", "--release", "--locked", "--package", "tameclaw-tests", "--test", "soak"]);
    command.args(["--", "--nocapture"]).env("TAMECLAW_SOAK_SECONDS", (minutes * 60).to_string());
    match command.status() {
        Ok(status) if status.success() => {
            eprintln!("the samples and a picture are in target/soak");
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}
