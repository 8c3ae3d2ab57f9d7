//! Builds the programs for one processor.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::error::Fault;
use crate::plan::Processor;
use crate::tool::{self, AUDITABLE, CROSS};

/// How the programs are built.
#[derive(Debug, Clone)]
pub(crate) struct Build {
    /// The profile of Cargo.
    pub(crate) profile: String,
    /// Whether the list of dependencies is kept in the programs, for `cargo audit bin`.
    pub(crate) auditable: bool,
    /// The public half of the release key, for `cl-admin update`.
    pub(crate) key: Option<String>,
    /// Where the index of releases will be, for `cl-admin update`.
    pub(crate) index: Option<String>,
}

impl Build {
    /// For packages of one's own, with the list of dependencies where the tool for it is there.
    pub(crate) fn plain(profile: &str) -> Build {
        Build { profile: profile.to_owned(), auditable: AUDITABLE.is_there(), key: None, index: None }
    }
}

/// Mail for the notifiers, and fields for the journal of systemd.
const FEATURES: &str = "admin-service/email,admin-service/journald";

/// Builds them; answers their folder.
pub(crate) fn build(build: &Build, processor: Processor) -> Result<PathBuf, Fault> {
    check_target(processor)?;
    let target = processor.target();
    // The door and the page are built alone: what one needs of a library that others use would be in those too.
    compile(build, processor, &["-p", "door"])?;
    compile(build, processor, &["-p", "page"])?;
    compile(build, processor, &["-p", "ear", "-p", "mouth", "-p", "pins"])?;
    compile(build, processor, &["-p", "user-agent", "-p", "admin-service", "--features", FEATURES])?;
    let folder = if build.profile == "dev" { "debug" } else { &build.profile };
    Ok(tool::target_dir().join(target).join(folder))
}

/// Cargo, to build some packages for a processor.
fn compile(build: &Build, processor: Processor, packages: &[&str]) -> Result<(), Fault> {
    let mut cargo = tool::cargo();
    if build.auditable {
        AUDITABLE.demand()?;
        cargo.arg("auditable");
    }
    cargo.args(["build", "--locked", "--profile", &build.profile, "--target", processor.target()]);
    cargo.args(packages).arg("--bins");
    // It changes nothing in the programs, and libraries in C would be compiled anew for each commit.
    cargo.env_remove("SOURCE_DATE_EPOCH");
    cargo.env("CARGO_TARGET_DIR", tool::target_dir());
    // Either would take the place of the flags here and of those in `.cargo/config.toml`.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.args(["--config", &same_paths()]);
    for (name, value) in [("TAMECLAW_RELEASE_KEY", &build.key), ("TAMECLAW_RELEASE_INDEX", &build.index)] {
        match value {
            Some(value) => cargo.env(name, value),
            None => cargo.env_remove(name),
        };
    }
    if processor == Processor::Arm64 && !processor.is_own() {
        CROSS.demand()?;
        cargo.env("CC_aarch64_unknown_linux_gnu", CROSS.name);
        cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", CROSS.name);
    }
    tool::run(&mut cargo)
}

/// A setting of Cargo that adds compiler flags by which the programs hold the same paths on every machine that builds them.
fn same_paths() -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        let home = std::env::var_os("HOME")?;
        Some(PathBuf::from(home).join(".cargo"))
    });
    let mut flags = vec![format!("--remap-path-prefix={}=/usr/src/tameclaw", tool::root().display())];
    flags.extend(home.map(|home| format!("--remap-path-prefix={}=/usr/src/cargo", home.display())));
    format!("target.'cfg(all())'.rustflags = {flags:?}")
}

/// Insists on the standard library for a processor.
fn check_target(processor: Processor) -> Result<(), Fault> {
    let asked = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", processor.target()])
        .current_dir(tool::root())
        .stderr(Stdio::null())
        .output();
    let is_there = asked.is_ok_and(|output| {
        let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some())
    });
    if is_there { Ok(()) } else { Err(Fault::NoTarget(processor.target())) }
}
