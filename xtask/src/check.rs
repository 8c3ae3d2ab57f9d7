//! What CI runs, a quick part of it, and what a release runs.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::beside::{self, More};
use crate::start::target_dir;
use crate::tally::{Skips, Tally};
use crate::task::{Depth, Scope};

const FORMAT: &[&str] = &["fmt", "--all", "--check"];

/// The lints alone, of the quick check.
const LINTS: &[&str] =
    &["clippy", "--workspace", "--all-targets", "--features", JOURNALD, "--locked", "--", "-D", "warnings"];

/// The feature that no test can try; the lints see it.
const JOURNALD: &str = "admin-service/journald";

/// Programs and tests together: what the tests alone depend on switches features on, and every crate would be compiled once with
/// them and once without.
const BUILD: &[&str] = &["build", "--workspace", "--all-targets", "--features", JOURNALD, "--locked"];

/// The variable that has whole-program tests take the programs as they are.
const BUILT: (&str, &str) = ("TAMECLAW_BUILT", "1");

const DENY: [&str; 6] = ["deny", "check", "--hide-inclusion-graph", "bans", "licenses", "sources"];

/// By a database that is here: nothing is fetched, since an advisory of today would turn a change red that it does not concern.
const ADVISORIES: [&str; 4] = ["deny", "--offline", "check", "advisories"];

/// Everything that starts no shipped program.
const QUICK: [&str; 8] =
    ["test", "--workspace", "--locked", "--no-fail-fast", "--lib", "--bins", "--test", "architecture"];

/// The service without mail, as `cargo xtask start` and the emulated machine build it; the tests of the workspace switch mail on.
/// The lints look at every crate below it, the tests are those of the crates that know of mail.
const PLAIN_LINTS: &[&str] = &["clippy", "--package", "admin-service", "--locked", "--", "-D", "warnings"];
const PLAIN: [&str; 8] =
    ["test", "--package", "base", "--package", "service", "--locked", "--no-fail-fast", "--lib"];

/// The ear with whisper.cpp, in a folder of its own: the other tests have the ear as it is shipped.
const WHISPER_LINTS: &[&str] = &[
    "clippy",
    "--package",
    "ear",
    "--features",
    "whisper",
    "--all-targets",
    "--locked",
    "--target-dir",
    WHISPER,
    "--",
    "-D",
    "warnings",
];
const WHISPER_TESTS: [&str; 9] = [
    "test",
    "--package",
    "ear",
    "--features",
    "whisper",
    "--locked",
    "--no-fail-fast",
    "--target-dir",
    WHISPER,
];
const WHISPER: &str = "target/whisper";
/// What its build takes beside a compiler of C++: bindings are made by libclang.
const WHISPER_TOOLS: [&str; 2] = ["cmake", "clang"];

/// All test programs are run even after one has failed, so that the closing line counts every test.
const TEST: [&str; 6] = ["test", "--workspace", "--features", JOURNALD, "--locked", "--no-fail-fast"];

/// The variable that has tests of many cases try all of them, instead of one.
pub(crate) const LONG: &str = "TAMECLAW_LONG";

/// Where tests of random cases begin. A check repeats the same cases, so that a red one is due to the change and not to chance;
/// `check --quick`, `check --all` and `cargo test` draw new ones each time.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "20261126");

/// What runs beside the test programs: the examples of docstrings, which cargo compiles in its own way, and the tests on walls once more as
/// on a kernel without Landlock, by the parts of their names.
const MORE: [More<'_>; 3] = [
    More::Through {
        starter: WITHOUT_LANDLOCK,
        program: "attacks",
        names: &["children::", "build::a_compiler_", "actions::", "commands::", "plugins::"],
    },
    More::Cargo(&["test", "--workspace", "--features", JOURNALD, "--locked", "--no-fail-fast", "--doc"]),
    More::Through { starter: WITHOUT_LANDLOCK, program: "confinement", names: &[] },
];

/// Has a program find no Landlock.
const WITHOUT_LANDLOCK: &str = "without-landlock";

/// Runs every step, also after one has failed, and says at the end what failed.
pub(crate) fn run(scope: Scope) -> ExitCode {
    let commit = if scope == Scope::All { clean_commit() } else { None };
    let mut failed: Vec<&str> = Vec::new();
    let (mut took, mut begun) = (Vec::new(), Instant::now());
    let mut look = |name, holds: bool| {
        took.push(format!("{name} {:.0} s", begun.elapsed().as_secs_f64()));
        begun = Instant::now();
        if !holds {
            failed.push(name);
        }
    };
    look("format", step("format", FORMAT));
    let (mut tally, mut tests_hold) = (Tally::default(), true);
    let mut count = |(holds, more): (bool, Tally)| {
        tally = tally.plus(more);
        tests_hold &= holds;
        holds
    };
    if scope == Scope::Quick {
        look("lints", step("lints", LINTS));
        announce("tests", &QUICK);
        look("tests", count(beside::run(&QUICK, &[], 2 * beside::cores(), false, |command| command)));
    } else {
        let built = build();
        look("lints and build", built);
        // What has a fault is built again as far as it goes, for the tests that it leaves.
        let of =
            move |command: Command| if built { of_built(command, scope) } else { of_scope(command, scope) };
        if cargo_deny_is_installed() {
            look("dependencies", step("dependencies", &DENY));
            if has_advisories() {
                look("advisories", step("advisories", &ADVISORIES));
            } else {
                eprintln!("\nskipped: no database of advisories is here: cargo deny fetch db");
            }
        } else {
            eprintln!("\nskipped: cargo-deny is not installed: cargo install --locked cargo-deny");
            look("dependencies", scope != Scope::All);
        }
        announce("tests", &TEST);
        look("tests", count(beside::run(&TEST, &MORE, 2 * beside::cores(), scope != Scope::All, of)));
        if scope == Scope::All {
            look("lints without mail", step("lints without mail", PLAIN_LINTS));
            look("tests without mail", count(test(of_scope(words(&PLAIN), scope))));
            match WHISPER_TOOLS.into_iter().find(|tool| !is_installed(tool)) {
                None => {
                    look("lints with whisper.cpp", step("lints with whisper.cpp", WHISPER_LINTS));
                    look("tests with whisper.cpp", count(test(of_scope(words(&WHISPER_TESTS), scope))));
                }
                Some(tool) => {
                    eprintln!(
                        "\nskipped: the ear with whisper.cpp: {tool} is not installed: apt install cmake clang libclang-dev"
                    );
                }
            }
        }
        eprintln!("\n== emulated machine: cargo xtask machine");
        let machine = crate::machine::check(scope);
        look("emulated machine", count((machine.failed == 0, machine)));
    }
    if scope == Scope::All {
        look("containers", crate::images::check());
        eprintln!("\n== packages: cargo xtask trial");
        look("packages", crate::packaging::check());
        eprintln!("\n== systemd in a container: cargo xtask systemd");
        let systemd = crate::systemd::check();
        look("systemd in a container", count((systemd.failed == 0, systemd)));
        look("fuzz", crate::fuzz::run(None, 60) == ExitCode::SUCCESS);
        look("cuts", crate::cut::run(&[], Depth::Run) == ExitCode::SUCCESS);
    }

    eprintln!("\ntook: {}", took.join(", "));
    if !failed.is_empty() {
        eprintln!("error: failed: {}", failed.join(", "));
    }
    match tally.summary(tests_hold) {
        Some(line) => println!("{line}"),
        None => eprintln!("the tests broke off before they could be counted"),
    }
    if let Some(commit) = commit.filter(|commit| failed.is_empty() && clean_commit().as_ref() == Some(commit))
        && let Err(error) = std::fs::write(target_dir().join(CHECKED), commit)
    {
        eprintln!("a release of this commit needs `--without check`: {CHECKED}: {error}");
    }
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether a program answers to `--version`.
fn is_installed(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// The file of the commit for which everything held; `cargo xtask release` refuses another one.
const CHECKED: &str = "checked-all";

/// The commit of a tree without changes.
fn clean_commit() -> Option<String> {
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).current_dir(root()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    git(&["status", "--porcelain"]).filter(String::is_empty)?;
    git(&["rev-parse", "HEAD"])
}

/// Builds every program and test, and runs the lints on the way.
pub(crate) fn build() -> bool {
    step("lints and build", BUILD)
}

/// Runs one step of cargo and says how long it took.
fn step(name: &str, arguments: &[&str]) -> bool {
    announce(name, arguments);
    let start = Instant::now();
    let mut command = words(arguments);
    if arguments == BUILD {
        lint(&mut command);
    }
    let done = command.status();
    eprintln!("[{name}: {:.1} s]", start.elapsed().as_secs_f64());
    done.is_ok_and(|status| status.success())
}

/// Cargo with these words.
fn words(words: &[&str]) -> Command {
    let mut command = cargo();
    command.args(words);
    command
}

/// Has clippy compile the workspace's own crates, as `cargo clippy` does, but whole: the lints cost no compilation of their own.
/// What follows with other arguments would be compiled again.
fn lint(command: &mut Command) {
    let clippy = Path::new(cargo().get_program()).with_file_name("clippy-driver");
    command.env("RUSTC_WORKSPACE_WRAPPER", clippy);
    // The form in which `cargo clippy` hands its arguments on.
    command.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
}

/// Tests of programs that the step before has built.
fn of_built(mut command: Command, scope: Scope) -> Command {
    lint(&mut command);
    command.env(BUILT.0, BUILT.1);
    of_scope(command, scope)
}

fn of_scope(mut command: Command, scope: Scope) -> Command {
    match scope {
        Scope::All => command.env(LONG, "1"),
        _ => command.env(SEED.0, SEED.1),
    };
    command
}

/// Runs tests, passes their output through, and counts it on the way.
fn test(mut command: Command) -> (bool, Tally) {
    if std::env::var_os("RUST_TEST_THREADS").is_none() {
        // Whole-program tests wait for half of their time.
        let threads = 2 * beside::cores();
        command.env("RUST_TEST_THREADS", threads.to_string());
    }
    let said: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    eprintln!("\n== tests: {}", said.join(" "));
    let mut tally = Tally::default();
    let Ok(mut child) = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() else {
        return (false, tally);
    };
    let errors = child.stderr.take().expect("stderr is piped");
    let skips = std::thread::spawn(|| {
        let mut skips = Skips::default();
        pass_through(errors, |line| {
            skips.add_line(&String::from_utf8_lossy(line));
            // A closed stream of our own is not a reason to leave the tests half-run.
            let _ = std::io::stderr().write_all(line);
        });
        skips.sum()
    });
    pass_through(child.stdout.take().expect("stdout is piped"), |line| {
        tally.add_line(&String::from_utf8_lossy(line));
        let _ = std::io::stdout().write_all(line);
    });
    let succeeded = child.wait().is_ok_and(|status| status.success());
    (succeeded, tally.less_skipped(skips.join().unwrap_or_default()))
}

/// Hands on each line of what a program says, with its end.
pub(crate) fn pass_through(from: impl Read, mut each: impl FnMut(&[u8])) {
    let mut output = BufReader::new(from);
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
        each(&line);
        line.clear();
    }
}

fn announce(name: &str, arguments: &[&str]) {
    eprintln!("\n== {name}: cargo {}", arguments.join(" "));
}

fn cargo_deny_is_installed() -> bool {
    let quiet = cargo().args(["deny", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// Whether a clone of a database of advisories is where cargo-deny keeps it.
fn has_advisories() -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let kept = home.and_then(|home| std::fs::read_dir(home.join("advisory-dbs")).ok());
    kept.is_some_and(|entries| entries.flatten().any(|entry| entry.path().is_dir()))
}

/// The cargo that runs this task, in the workspace's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // `cargo run` hands on what `.cargo/config.toml` sets, and words about the package of this program. A build script that asks for one
    // of them is run anew, as that of ring does, and all above it is compiled anew, each time that a plain `cargo build` and a task follow
    // each other.
    let is_of_run = |name: &str| {
        ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|start| name.starts_with(start))
            || [
                "CFLAGS",
                "LIBSQLITE3_FLAGS",
                "CARGO_CRATE_NAME",
                "CARGO_BIN_NAME",
                "CARGO_PRIMARY_PACKAGE",
                "OUT_DIR",
            ]
            .contains(&name)
    };
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(is_of_run) {
            command.env_remove(name);
        }
    }
    command.current_dir(root());
    command
}

/// The workspace's root.
pub(crate) fn root() -> &'static std::path::Path {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace")
}
