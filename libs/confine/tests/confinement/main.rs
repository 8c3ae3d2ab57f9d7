//! Proves the confinement from inside: every case is a process of its own, for none can be undone.
//!
//! The runner starts this very executable with `--probe`, in a fresh folder. A probe fails by a panic.

#![expect(clippy::unwrap_used, reason = "a probe fails by a panic")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Output, Stdio},
};

mod attacks;
mod compiler;
mod inherited;
mod jail;
mod mind;
mod net;
mod view;
mod worker;

/// One sentence, and the probe that proves it.
struct Case {
    name: &'static str,
    /// Says nothing on a kernel without Landlock.
    needs_landlock: bool,
    probe: fn(&Path),
    /// What the runner expects to read, besides an exit code of 0.
    stdout: Option<&'static str>,
}

impl Case {
    const fn new(name: &'static str, probe: fn(&Path)) -> Self {
        Self { name, needs_landlock: false, probe, stdout: None }
    }

    const fn landlock(name: &'static str, probe: fn(&Path)) -> Self {
        Self { name, needs_landlock: true, probe, stdout: None }
    }

    const fn saying(self, stdout: &'static str) -> Self {
        Self { stdout: Some(stdout), ..self }
    }
}

const SECRET_NAME: &str = "CONFINE_TEST_SECRET";
const SECRET_VALUE: &str = "one-two-three-swordfish";

fn main() -> ExitCode {
    let cases = [
        attacks::CASES,
        mind::CASES,
        net::CASES,
        worker::CASES,
        compiler::CASES,
        view::CASES,
        jail::CASES,
        inherited::CASES,
    ];
    let cases: Vec<&Case> = cases.into_iter().flatten().collect();
    let args: Vec<String> = env::args().skip(1).collect();
    if let [flag, name, folder] = args.as_slice()
        && flag == "--probe"
    {
        let mut known = cases.into_iter().chain(inherited::HELPERS);
        let case = known.find(|case| case.name == name).expect("the runner names a case");
        (case.probe)(Path::new(folder));
        return ExitCode::SUCCESS;
    }
    let filter = args.iter().find(|arg| !arg.starts_with('-')).cloned().unwrap_or_default();
    run_all(cases.into_iter().filter(|case| case.name.contains(&filter)))
}

fn run_all<'a>(cases: impl Iterator<Item = &'a Case>) -> ExitCode {
    let landlock = confine::support().reachable().landlock_abi.is_some();
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for case in cases {
        if case.needs_landlock && !landlock {
            skipped += 1;
            println!("test {} ... skipped: this kernel has no file rules", case.name);
            continue;
        }
        match run(case) {
            Ok(()) => {
                passed += 1;
                println!("test {} ... ok", case.name);
            }
            Err(why) => {
                failed += 1;
                println!("test {} ... FAILED\n{why}", case.name);
            }
        }
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {word}. {passed} passed; {failed} failed; {skipped} ignored");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(case: &Case) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    prepare(folder.path());
    let Output { status, stdout, stderr } =
        Command::new(env::current_exe().expect("this program has a path"))
            .args(["--probe", case.name])
            .arg(folder.path())
            .env(SECRET_NAME, SECRET_VALUE)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
    let stdout = String::from_utf8_lossy(&stdout);
    let said = case.stdout.is_none_or(|expected| stdout == expected);
    if status.success() && said {
        return Ok(());
    }
    Err(format!("{status}\nstdout: {stdout}\nstderr: {}", String::from_utf8_lossy(&stderr)))
}

/// `in/` and `shown/` for the rules to name, `out/` for no rule, and links from the first to the last.
fn prepare(folder: &Path) {
    for name in ["in", "shown", "out"] {
        fs::create_dir(folder.join(name)).expect("a fresh folder is writable");
        fs::write(folder.join(name).join("file"), name).expect("a fresh folder is writable");
    }
    let link = |from: &str, to: PathBuf| {
        std::os::unix::fs::symlink(to, folder.join(from)).expect("a fresh folder is writable");
    };
    link("in/link-to-file", folder.join("out/file"));
    link("in/link-to-folder", folder.join("out"));
}
