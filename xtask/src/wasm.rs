//! The compiler target that learned skills need: found, named, and where that is allowed installed.

use std::fmt;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::task::Install;

const TARGET: &str = "wasm32-unknown-unknown";
const PACKAGES: [&str; 3] = ["rustc", "libstd-rust-dev-wasm32", "lld"];

/// Without a network rustup tries again and again; a slow line still gets the 20 MB of the target in this time.
const RUSTUP_MAY_TAKE: Duration = Duration::from_secs(180);
/// The packages are about 110 MB.
const APT_MAY_TAKE: Duration = Duration::from_secs(900);

/// Makes sure of the target and says in the exit code whether it is there.
pub(crate) fn run(install: Install) -> ExitCode {
    if provide(install) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Finds the target, or names and runs what installs it; says whether it is there at the end.
pub(crate) fn provide(install: Install) -> bool {
    if let Some(found) = find(&candidates()) {
        eprintln!("Skills are compiled by {found}.");
        return true;
    }
    eprintln!("No compiler for {TARGET} is installed; skills cannot be compiled without it.");
    let surroundings = Surroundings {
        rustup: succeeds(Command::new("rustup").arg("--version")),
        apt: succeeds(Command::new("apt-get").arg("--version")),
        root: is_root(),
        sudo: succeeds(Command::new("sudo").arg("--version")),
        terminal: std::io::stdin().is_terminal(),
    };
    let plan = plan(surroundings);
    if install == Install::Declined {
        for step in &plan {
            eprintln!("Not run (--no-install): {step}");
        }
    } else {
        for step in &plan {
            eprintln!("Running: {step}");
            if step.run() && find(&candidates()).is_some() {
                eprintln!("The compiler for {TARGET} is installed.");
                return true;
            }
        }
        if !plan.is_empty() {
            eprintln!("That did not install it.");
        }
    }
    eprintln!(
        "The chat works all the same: proposals wait for the compiler and continue automatically once it is there."
    );
    false
}

/// A compiler that has the target.
#[derive(Debug, PartialEq, Eq)]
struct Compiler {
    rustc: PathBuf,
    sysroot: PathBuf,
    /// What must be installed beside it; rustup's toolchain brings its own linker.
    linker: Option<PathBuf>,
}

impl Compiler {
    fn has_target(&self) -> bool {
        let lib = self.sysroot.join("lib/rustlib").join(TARGET).join("lib");
        let has_std = std::fs::read_dir(lib).is_ok_and(|files| {
            files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
        });
        has_std && self.rustc.is_file() && self.linker.as_ref().is_none_or(|linker| linker.is_file())
    }
}

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (target {TARGET})", self.rustc.display())
    }
}

/// Where a compiler may be: the toolchain's own first, then the distribution's.
fn candidates() -> Vec<Compiler> {
    let asked = Command::new("rustc").args(["--print", "sysroot"]).current_dir(crate::check::root()).output();
    let toolchain = asked.ok().filter(|output| output.status.success()).map(|output| {
        let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        Compiler { rustc: sysroot.join("bin/rustc"), sysroot, linker: None }
    });
    let distribution = Compiler {
        rustc: "/usr/bin/rustc".into(),
        sysroot: "/usr".into(),
        linker: Some("/usr/bin/wasm-ld".into()),
    };
    toolchain.into_iter().chain([distribution]).collect()
}

fn find(candidates: &[Compiler]) -> Option<&Compiler> {
    candidates.iter().find(|compiler| compiler.has_target())
}

/// What this machine offers for an installation.
#[derive(Debug, Clone, Copy)]
struct Surroundings {
    rustup: bool,
    apt: bool,
    root: bool,
    sudo: bool,
    terminal: bool,
}

/// One command that may install the target, and how long it may take.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    words: Vec<&'static str>,
    limit: Duration,
}

/// What is tried, in this order: rustup, which touches nothing but the toolchain, then the distribution's packages.
fn plan(here: Surroundings) -> Vec<Step> {
    let mut steps = Vec::new();
    if here.rustup {
        steps.push(Step { words: vec!["rustup", "target", "add", TARGET], limit: RUSTUP_MAY_TAKE });
    }
    let may_become_root: Option<&[&'static str]> = match (here.root, here.sudo, here.terminal) {
        (true, _, _) => Some(&[]),
        (false, true, true) => Some(&["sudo"]),
        // Nobody is there to type a password.
        (false, true, false) => Some(&["sudo", "-n"]),
        (false, false, _) => None,
    };
    if let (true, Some(prefix)) = (here.apt, may_become_root) {
        let step = |words: &[&'static str]| Step { words: [prefix, words].concat(), limit: APT_MAY_TAKE };
        let unasked: &[&str] = if here.terminal { &[] } else { &["--yes"] };
        steps.push(step(&["apt-get", "update"]));
        steps.push(step(&[&["apt-get", "install", "--no-install-recommends"], unasked, &PACKAGES].concat()));
    }
    steps
}

impl Step {
    /// Runs the command within its time and says whether it succeeded.
    fn run(&self) -> bool {
        let mut command = match self.words[0] {
            // The toolchain of this workspace is meant, so rustup is asked in its root.
            "rustup" => {
                let mut command = Command::new("rustup");
                command.current_dir(crate::check::root()).stdin(Stdio::null());
                command
            }
            program => Command::new(program),
        };
        command.args(&self.words[1..]);
        let Ok(mut child) = command.spawn() else { return false };
        let start = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return status.success(),
                Ok(None) if start.elapsed() < self.limit => std::thread::sleep(Duration::from_millis(100)),
                _ => {
                    eprintln!("It took longer than {} s and was ended.", self.limit.as_secs());
                    // It may have ended in this very moment; then there is nothing to end.
                    let _ = child.kill();
                    let _ = child.wait();
                    return false;
                }
            }
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words.join(" "))
    }
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // The owner of our own entry in /proc is the effective user; std has no other way without unsafe code.
    std::fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0)
}

#[cfg(test)]
mod tests;
