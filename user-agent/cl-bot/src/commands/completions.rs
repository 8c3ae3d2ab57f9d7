//! `cl-bot completions`: what a shell needs to complete this command line; no home is needed. `cl-door` prints it, so that `cl-bot`
//! does not hold what writes the scripts.

use bot_base::error::Error;
use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;
use shared_types::exit;

use super::{CommandLine, serve};

/// The shells that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Known {
    /// As in: cl-bot completions bash > ~/.local/share/bash-completion/completions/cl-bot
    Bash,
    /// As in: cl-bot completions zsh > ~/.zfunc/_cl-bot
    Zsh,
    /// As in: cl-bot completions fish > ~/.config/fish/completions/cl-bot.fish
    Fish,
}

/// Becomes the program that prints the script; comes back only where that fails.
pub(super) fn run(shell: Known) -> Result<u8, Error> {
    let name = shell.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    serve::replace(vec!["--completions".into(), name.into()])
}

/// Prints the script.
pub fn print(shell: Known) -> u8 {
    let shell = match shell {
        Known::Bash => Shell::Bash,
        Known::Zsh => Shell::Zsh,
        Known::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut <CommandLine>::command(), "cl-bot", &mut script);
    super::print(String::from_utf8_lossy(&script).trim_end());
    exit::DONE
}
