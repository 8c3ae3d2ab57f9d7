//! The programs, built for the emulated machine.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::check::{cargo, root};

pub(crate) const TARGET: &str = "aarch64-unknown-linux-gnu";

/// Debian's compiler for C and linker; SQLite and the cryptography compile C for the target.
pub(crate) const LINKER: &str = "aarch64-linux-gnu-gcc";

/// The programs that the steps call, with their packages of cargo.
const CALLED: [(&str, &str); 6] = [
    ("cl-admin", "admin-service"),
    ("cl-bot", "user-agent"),
    // `cl-bot voice` becomes it.
    ("cl-door", "door"),
    ("cl-ear", "ear"),
    ("cl-mouth", "mouth"),
    ("cl-pins", "pins"),
];

/// Those that are in the Debian packages beside them; no step calls them.
const PACKED: [(&str, &str); 1] = [("cl-review", "page")];

/// Builds them; answers their paths. Where packages can be made, everything that is packed is built.
pub(crate) fn build() -> io::Result<Vec<PathBuf>> {
    let built = [&CALLED[..], if can_pack() { &PACKED } else { &[] }].concat();
    let status = cargo()
        .args(["build", "--locked", "--profile=dev", "--bins", "--target", TARGET])
        .args(built.iter().flat_map(|(_, package)| ["-p", package]))
        // Nobody debugs in the machine, and its memory is small.
        .env("CARGO_PROFILE_DEV_DEBUG", "none")
        .env("CARGO_PROFILE_DEV_STRIP", "symbols")
        .env("CC_aarch64_unknown_linux_gnu", LINKER)
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER)
        .status()?;
    if !status.success() {
        return Err(io::Error::other(format!("cargo could not build the programs for {TARGET}")));
    }
    let folder = crate::start::target_dir().join(TARGET).join("debug");
    Ok(built.iter().map(|(name, _)| folder.join(name)).collect())
}

/// Whether Debian packages can be made.
fn can_pack() -> bool {
    let cargo_deb =
        Command::new("cargo-deb").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    cargo_deb.is_ok_and(|status| status.success())
}

/// Makes Debian packages of the programs; answers their folder, or nothing without cargo-deb.
pub(crate) fn pack(programs: &[PathBuf], folder: &Path) -> io::Result<Option<PathBuf>> {
    if !can_pack() {
        return Ok(None);
    }
    let packages = folder.join("packages");
    let programs = programs.first().and_then(|program| program.parent()).expect("a program has a folder");
    if !crate::packaging::make(programs, "arm64", &packages) {
        return Err(io::Error::other("the packages for arm64 could not be made"));
    }
    Ok(Some(packages))
}

/// Whether rustc has the library for the target.
pub(crate) fn target_is_installed() -> bool {
    let asked = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .current_dir(root())
        .stderr(Stdio::null())
        .output();
    asked.is_ok_and(|output| {
        let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some())
    })
}
