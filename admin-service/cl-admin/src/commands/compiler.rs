//! The compiler for skills: found, or installed after a yes.

use std::fmt;
use std::io::IsTerminal;
use std::process::{Command, Stdio};

use builder::toolchain::{TARGET, Toolchain};

/// What Debian and Raspberry Pi OS call it.
const PACKAGES: [&str; 3] = ["rustc", "libstd-rust-dev-wasm32", "lld"];

/// What this machine offers for an installation.
#[derive(Debug, Clone, Copy)]
struct Surroundings {
    rustup: bool,
    apt: bool,
    root: bool,
    sudo: bool,
    terminal: bool,
}

/// One command that may install it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step(Vec<&'static str>);

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

impl Step {
    /// Runs it at this terminal; whether it succeeded.
    fn run(&self) -> bool {
        Command::new(self.0[0]).args(&self.0[1..]).status().is_ok_and(|status| status.success())
    }
}

/// What would be run here, in this order; nothing where this program knows no way.
pub(super) fn plan() -> Vec<Step> {
    let there = |program: &str| {
        let quiet = Command::new(program)
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        quiet.is_ok_and(|status| status.success())
    };
    steps(Surroundings {
        rustup: there("rustup"),
        apt: there("apt-get"),
        root: nix::unistd::geteuid().is_root(),
        sudo: there("sudo"),
        terminal: std::io::stdin().is_terminal(),
    })
}

/// rustup, which touches nothing but the toolchain, or else the distribution's packages.
fn steps(here: Surroundings) -> Vec<Step> {
    if here.rustup {
        return vec![Step(vec!["rustup", "target", "add", TARGET])];
    }
    let prefix: &[&'static str] = match (here.root, here.sudo, here.terminal) {
        (true, ..) => &[],
        (false, true, true) => &["sudo"],
        // Nobody is there to type a password.
        (false, true, false) => &["sudo", "-n"],
        (false, false, _) => return vec![],
    };
    if !here.apt {
        return vec![];
    }
    let step = |words: &[&'static str]| Step([prefix, words].concat());
    // The person said yes to exactly this.
    let install: &[&'static str] = &["apt-get", "install", "--yes", "--no-install-recommends"];
    vec![step(&["apt-get", "update"]), step(&[install, &PACKAGES].concat())]
}

/// Runs the steps until there is a compiler, or until a person interrupts; `tell` says each before it runs.
pub(super) fn install(
    configured: &str,
    steps: &[Step],
    tell: impl Fn(&Step),
    is_interrupted: impl Fn() -> bool,
) -> Option<Toolchain> {
    for step in steps {
        tell(step);
        let is_done = step.run();
        if is_interrupted() {
            return None;
        }
        if !is_done {
            continue;
        }
        if let Ok(found) = Toolchain::find(configured) {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests;
