//! The command line of `cl-mouth`.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use nix::sys::stat::{Mode, umask};
use shared_types::exit;

use crate::pico::{self, LONGEST, Speech};
use crate::serve;

/// Makes speech of text on this machine, without a network.
#[derive(Debug, Parser)]
#[command(name = "cl-mouth", version)]
pub struct CommandLine {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Answer voice clients at a socket file, by the Wyoming protocol, until a signal ends it
    Serve {
        /// The socket file; this user alone may connect to it
        #[arg(long)]
        socket: PathBuf,
        /// Which languages are spoken; the first one where a client names none
        #[arg(long, value_delimiter = ',', default_value = "en-GB,de-DE")]
        languages: Vec<String>,
    },
    /// Write the speech of a text as a WAV file
    Say {
        /// The text; without it, standard input
        text: Option<String>,
        /// The language, as in de or en-US
        #[arg(long, default_value = "en-GB")]
        language: String,
        /// The file; without it, standard output
        #[arg(long)]
        output: Option<PathBuf>,
    },
    /// List the languages that can be spoken
    Languages,
}

/// Why the command failed.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// No voice, or no speech.
    #[error(transparent)]
    Speech(#[from] pico::Fault),
    /// No socket, or no confinement.
    #[error(transparent)]
    Service(#[from] voice_service::Fault),
    /// The output cannot be written.
    #[error("{}: {why}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// Sound would go to a terminal.
    #[error("standard output is a terminal, and a WAV file is not text")]
    Terminal,
    /// Standard input or output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Fault {
    /// What to do, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Fault::Speech(pico::Fault::Language { .. }) => Some("`cl-mouth languages` lists them"),
            Fault::Terminal => Some("name a file by `--output FILE`, or pipe it to a player"),
            Fault::Service(fault) => fault.hint(),
            _ => None,
        }
    }

    /// The exit code.
    pub fn exit(&self) -> u8 {
        match self {
            Fault::Speech(pico::Fault::Language { .. } | pico::Fault::TooLong(_)) | Fault::Terminal => {
                exit::USAGE
            }
            Fault::Service(fault) if fault.is_confinement() => exit::REFUSED,
            _ => exit::FAILED,
        }
    }
}

/// Does what the command line says.
///
/// # Errors
/// Why it was not done.
pub fn run(line: CommandLine) -> Result<(), Fault> {
    umask(Mode::from_bits_truncate(0o077));
    confine::refuse_tracing()?;
    match line.verb {
        Verb::Serve { socket, languages } => serve::serve(&socket, &languages),
        Verb::Say { text, language, output } => say(text, &language, output),
        Verb::Languages => {
            let all: Vec<&str> = pico::languages().collect();
            Ok(writeln!(io::stdout(), "{}", all.join("\n"))?)
        }
    }
}

fn say(text: Option<String>, language: &str, output: Option<PathBuf>) -> Result<(), Fault> {
    let mut out: Box<dyn Write> = match &output {
        Some(path) => Box::new(File::create(path).map_err(|why| Fault::Output { path: path.clone(), why })?),
        None if io::stdout().is_terminal() => return Err(Fault::Terminal),
        None => Box::new(io::stdout()),
    };
    let mut speech = Speech::load(language)?;
    voice_service::confined()?;
    let text = match text {
        Some(text) => text,
        None => {
            let mut text = String::new();
            io::stdin().take(LONGEST as u64 + 1).read_to_string(&mut text)?;
            text
        }
    };
    let mut samples = Vec::new();
    speech.speak(&text, |piece| {
        samples.extend_from_slice(piece);
        ControlFlow::Continue(())
    })?;
    out.write_all(&sound::wav::write(&samples)?)?;
    Ok(out.flush()?)
}
