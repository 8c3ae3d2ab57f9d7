//! `cl-admin completions`: what a shell needs to complete this command line; no home is needed.

use clap::{Command, ValueEnum};
use clap_complete::Shell;
use shared_types::exit;

use crate::commands::out::outln;

/// The shells that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Known {
    /// As in: cl-admin completions bash > ~/.local/share/bash-completion/completions/cl-admin
    Bash,
    /// As in: cl-admin completions zsh > ~/.zfunc/_cl-admin
    Zsh,
    /// As in: cl-admin completions fish > ~/.config/fish/completions/cl-admin.fish
    Fish,
}

/// Print the script with which a shell completes this command line
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Known,
}

/// Prints the script for a command line.
pub fn run(args: &Args, line: &mut Command) -> u8 {
    let shell = match args.shell {
        Known::Bash => Shell::Bash,
        Known::Zsh => Shell::Zsh,
        Known::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, line, "cl-admin", &mut script);
    outln!("{}", String::from_utf8_lossy(&script).trim_end());
    exit::DONE
}
