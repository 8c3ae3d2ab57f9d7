//! The long run of the fuzz targets: guided by coverage where `cargo bolero` is installed, else by chance.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::check::{cargo, root};

const PACKAGE: &str = "tameclaw-fuzz";
/// What a target may take beyond its time: the corpus is replayed first, a failure is shrunk, a machine is busy.
const GRACE: Duration = Duration::from_secs(180);

/// Runs one target, or all of them one after the other, each for `seconds`; the first failure ends it.
pub(crate) fn run(wanted: Option<&str>, seconds: u64) -> ExitCode {
    let Some(targets) = list() else { return ExitCode::FAILURE };
    let chosen = choose(&targets, wanted);
    if chosen.is_empty() {
        let names: Vec<&str> = targets.iter().map(|test| name_of(test)).collect();
        let wanted = wanted.unwrap_or_default();
        eprintln!("error: there is no target `{wanted}`; allowed: {}", names.join(", "));
        return ExitCode::from(2);
    }
    let guided = succeeds(cargo().args(["bolero", "--version"]));
    match guided {
        true => eprintln!("Engine: libFuzzer through `cargo bolero`, guided by coverage."),
        false => eprintln!(
            "Engine: random mutations of the corpus. `cargo bolero` is not installed; `cargo install cargo-bolero` \
             makes the run guided by coverage."
        ),
    }
    let inputs = root().join("target/fuzz/inputs");
    if let Err(error) = fs::create_dir_all(&inputs) {
        eprintln!("error: {}: {error}", inputs.display());
        return ExitCode::FAILURE;
    }
    for test in chosen {
        eprintln!("\n== {} for {seconds} s", name_of(test));
        let mut command = if guided { by_coverage(test, seconds) } else { by_chance(test, seconds) };
        command.env("TAMECLAW_FUZZ_TRACE", &inputs);
        let limit = if guided { Duration::MAX } else { Duration::from_secs(seconds) + GRACE };
        match finish(&mut command, limit) {
            Some(status) if status.success() => {}
            ended => return report(test, ended, guided, &inputs.join(name_of(test))),
        }
    }
    ExitCode::SUCCESS
}

/// The tests of the targets, as in `bot_config::a_configuration_...`; building them may take a while.
fn list() -> Option<Vec<String>> {
    let listed = cargo()
        .args(["test", "--locked", "-p", PACKAGE, "--test", "targets", "--", "--list"])
        .stderr(Stdio::inherit())
        .output();
    let output = match listed {
        Ok(output) if output.status.success() => output,
        _ => {
            eprintln!("error: the targets could not be built");
            return None;
        }
    };
    Some(tests(&String::from_utf8_lossy(&output.stdout)))
}

/// Reads `name: test` lines; the tests of the harness itself are not targets.
fn tests(listed: &str) -> Vec<String> {
    let names = listed.lines().filter_map(|line| line.strip_suffix(": test"));
    names.filter(|name| !name.starts_with("harness::")).map(str::to_owned).collect()
}

/// All tests, or those of one target.
fn choose<'a>(tests: &'a [String], wanted: Option<&str>) -> Vec<&'a String> {
    tests.iter().filter(|test| wanted.is_none_or(|wanted| name_of(test) == wanted)).collect()
}

fn name_of(test: &str) -> &str {
    test.split("::").next().unwrap_or(test)
}

fn by_coverage(test: &str, seconds: u64) -> Command {
    let mut command = cargo();
    // Without a sanitizer the stable compiler will do, and the parsers hold no unsafe code of ours.
    command.args([
        "bolero",
        "test",
        "-p",
        PACKAGE,
        "--sanitizer",
        "NONE",
        "-T",
        &format!("{seconds}s"),
        test,
    ]);
    command
}

fn by_chance(test: &str, seconds: u64) -> Command {
    let mut command = cargo();
    command.args([
        "test",
        "--locked",
        "-p",
        PACKAGE,
        "--test",
        "targets",
        "--",
        test,
        "--exact",
        "--nocapture",
    ]);
    command.env("BOLERO_RANDOM_TEST_TIME_MS", (seconds.saturating_mul(1000)).to_string());
    command.env("BOLERO_RANDOM_ITERATIONS", usize::MAX.to_string());
    command
}

/// Waits for a command; nothing when it had to be ended.
fn finish(command: &mut Command, limit: Duration) -> Option<ExitStatus> {
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            eprintln!("error: {command:?}: {error}");
            return None;
        }
    };
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(100)),
            _ => {
                // It may have ended in this very moment; then there is nothing to end.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

/// Says what happened; of a target that died, the input that it was trying becomes part of what is replayed.
fn report(test: &str, ended: Option<ExitStatus>, guided: bool, last_input: &PathBuf) -> ExitCode {
    let crashes = root().join("fuzz/targets/__fuzz__").join(name_of(test)).join("crashes");
    match ended {
        Some(status) => eprintln!("error: `{test}` failed ({status})"),
        None => eprintln!("error: `{test}` did not end and was ended"),
    }
    // The test itself keeps an input at which it fails; an overflow of the stack or an endless loop leaves it no time.
    let kept = fs::read_dir(&crashes).is_ok_and(|mut files| files.next().is_some());
    if !kept && !guided {
        let copied =
            fs::create_dir_all(&crashes).and_then(|()| fs::copy(last_input, crashes.join("last-input")));
        if let Err(error) = copied {
            eprintln!("error: {}: {error}", last_input.display());
        }
    }
    eprintln!("Hint: the input is in {}; `cargo test -p {PACKAGE} {test}` replays it", crashes.display());
    ExitCode::FAILURE
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests;
