//! What `cargo xtask packages` and `cargo xtask release` run: the programs as Debian packages and archives.
//!
//! - [`plan`]: processors, parts of a release, what each package holds
//! - [`programs`]: builds the programs
//! - [`pages`]: manual pages and completions, from the command lines themselves
//! - [`notices`]: the licences of what is linked into the programs
//! - [`stage`]: the files of each package, laid out as they are installed
//! - [`debian`]: a package from its files, by cargo-deb
//! - [`archive`], [`sbom`], [`sign`]: the other parts of a release
//! - [`release`]: all of it, and what could not be made
//! - [`trial`]: the packages installed, upgraded, removed and purged in a root of their own
//! - [`tool`]: runs another program
//!
//! # How it works
//!
//! `packaging/` is not part of either program. It links the command lines to make manual pages and completions, lays
//! out the files of each Debian package (`plan.rs`, `stage.rs`), and hands them to cargo-deb; `cargo xtask packages`,
//! `trial` and `release` run it. What the packages install beside that stands in `packaging/debian`, `sysusers.d`,
//! `tmpfiles.d` and `systemd`. The version stands in the root `Cargo.toml` alone. `libs/documents/src/releases.rs` is
//! the format of the signed index; `cl-admin update --check` is the only verb that reads it, keeps the highest serial
//! in `admin/release.seen`, and installs nothing. The build script of `shared-types` refuses other systems.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

mod archive;
mod debian;
mod error;
mod notices;
mod pages;
mod plan;
mod programs;
mod release;
mod sbom;
mod sign;
mod stage;
mod tool;
mod trial;

#[cfg(test)]
mod tests;

/// Make Debian packages and releases of the programs.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", disable_help_subcommand = true)]
enum CommandLine {
    /// Build the Debian packages
    Packages(debian::Args),
    /// Build all that a release has, from a clean clone; exit 1 when a part is missing
    Release(release::Args),
    /// Write manual pages and completions
    Pages {
        /// The folder
        folder: PathBuf,
    },
    /// Install, use, upgrade, remove and purge the packages in a root that mmdebstrap makes; as root
    Trial(trial::Args),
}

fn main() -> ExitCode {
    let done = match CommandLine::parse() {
        CommandLine::Packages(args) => debian::run(&args),
        CommandLine::Release(args) => release::run(&args),
        CommandLine::Pages { folder } => pages::write(&folder),
        CommandLine::Trial(args) => trial::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}
