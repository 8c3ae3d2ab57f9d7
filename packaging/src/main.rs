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
