//! The command line of `cl-ear`.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};
use nix::sys::stat::{Mode, umask};
use shared_types::exit;
use sound::{Heard, Utterances, wav};

use crate::listener::{self, Listener, MODEL};
use crate::model::{self, Model, Sha};
use crate::phrases::{Language, LeftOut, MOST_CHOICES, MOST_SLOTS, MOST_WORDS, Phrases};
use crate::serve;

/// The exit code where no phrase was said.
pub const NOTHING: u8 = 12;
/// Lines about what is left out.
const MOST_LEFT_OUT: usize = 20;

/// Whether whisper.cpp is built in; without it its options are taken, to say how to build it, and not listed.
const WITH_WHISPER: bool = cfg!(feature = "whisper");

/// Finds which of a list of phrases was said, on this machine, without a network.
#[derive(Debug, Parser)]
#[command(name = "cl-ear", version, max_term_width = 100)]
pub struct CommandLine {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Print what was said in a WAV file, one line for each utterance; exit code 12 where none of the phrases was
    Hear {
        /// The file: one channel, 16 bits, 16,000 to 48,000 samples a second
        file: PathBuf,
        /// The file with what may be said: one phrase a line, with a|b, [what may be missing], <number>, <date>, <dice> and <unit>
        #[arg(long, value_name = "FILE")]
        phrases: PathBuf,
        #[command(flatten)]
        recogniser: Recogniser,
    },
    /// Answer voice clients at a socket file, by the Wyoming protocol, until a signal ends it
    Serve {
        /// The socket file; this user alone may connect to it
        #[arg(long)]
        socket: PathBuf,
        /// The file with what may be said by clients that send no list of their own, as `cl-bot voice` does
        #[arg(long, value_name = "FILE")]
        phrases: Option<PathBuf>,
        #[command(flatten)]
        recogniser: Recogniser,
    },
}

#[derive(Debug, Args)]
struct Recogniser {
    /// The folder of PocketSphinx's model of English
    #[arg(long, value_name = "FOLDER", default_value = MODEL)]
    model: PathBuf,
    /// Have whisper.cpp hear in the place of PocketSphinx, by this model, as in ggml-base.bin
    #[arg(long, value_name = "FILE", conflicts_with = "model", hide = !WITH_WHISPER)]
    whisper: Option<PathBuf>,
    /// The language that whisper.cpp hears
    #[arg(long, value_enum, default_value_t, requires = "whisper", hide = !WITH_WHISPER)]
    language: Language,
    /// The SHA-256 of the model of whisper.cpp, where it is not one of those that are known
    #[arg(long, value_name = "SHA256", requires = "whisper", hide = !WITH_WHISPER)]
    digest: Option<Sha>,
}

/// Why the command failed.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Nothing can be heard.
    #[error(transparent)]
    Listener(#[from] listener::Fault),
    /// The model of whisper.cpp is not used.
    #[error(transparent)]
    Model(#[from] model::Fault),
    /// No socket, or no confinement.
    #[error(transparent)]
    Service(#[from] voice_service::Fault),
    /// The sound cannot be opened.
    #[error("{}: {why}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// The sound is not taken.
    #[error("{}: {why}", path.display())]
    Sound {
        /// The file.
        path: PathBuf,
        /// Why.
        why: wav::Fault,
    },
    /// Standard output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Fault {
    /// What to do, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Fault::Listener(listener::Fault::Library(_)) => {
                Some("install PocketSphinx: the package `libpocketsphinx3` of Debian and Ubuntu")
            }
            Fault::Listener(listener::Fault::Model(_)) => Some(
                "install the package `pocketsphinx-en-us`, or name the model's folder by `--model FOLDER`",
            ),
            Fault::Listener(listener::Fault::Phrases(_)) => Some(
                "the file has one phrase a line, in English words, with <number> for a number: docs/guides/hear.md",
            ),
            Fault::Listener(listener::Fault::NotBuilt) => Some(
                "build it with whisper.cpp: cargo build --release -p ear --features whisper; docs/guides/hear.md",
            ),
            Fault::Model(model::Fault::Unknown { .. }) => Some(
                "take one of the models of docs/guides/hear.md, or name the digest by `--digest` if you know where the file is from",
            ),
            Fault::Model(model::Fault::Digest { .. }) => {
                Some("get the file again, and the digest from those who made it")
            }
            Fault::Model(model::Fault::Other(_)) => {
                Some("a model of whisper.cpp is a file like ggml-base.bin: docs/guides/hear.md")
            }
            Fault::Service(fault) => fault.hint(),
            _ => None,
        }
    }

    /// The exit code.
    pub fn exit(&self) -> u8 {
        match self {
            Fault::Listener(listener::Fault::Phrases(_) | listener::Fault::TooLarge(_)) => exit::USAGE,
            Fault::Sound { .. } => exit::USAGE,
            Fault::Model(model::Fault::Digest { .. } | model::Fault::Unknown { .. }) => exit::REFUSED,
            Fault::Service(fault) if fault.is_confinement() => exit::REFUSED,
            _ => exit::FAILED,
        }
    }
}

/// Does what the command line says; answers the exit code.
///
/// # Errors
/// Why it was not done.
pub fn run(line: CommandLine) -> Result<u8, Fault> {
    umask(Mode::from_bits_truncate(0o177));
    confine::refuse_tracing().map_err(Fault::Io)?;
    match line.verb {
        Verb::Hear { file, phrases, recogniser } => hear(file, &phrases, &recogniser),
        Verb::Serve { socket, phrases, recogniser } => {
            let listening = voice_service::open(&socket)?;
            let listener = load(&recogniser, phrases.as_deref())?;
            serve::serve(listening, listener, &socket)?;
            Ok(exit::DONE)
        }
    }
}

/// Loads all that is read from files, and says which phrases are left out.
fn load(recogniser: &Recogniser, phrases: Option<&Path>) -> Result<Listener, Fault> {
    let listener = match &recogniser.whisper {
        None => Listener::load(&recogniser.model, phrases)?,
        Some(_) if !WITH_WHISPER => return Err(listener::Fault::NotBuilt.into()),
        Some(file) => {
            let model = Model::read(file, recogniser.digest)?;
            Listener::with_whisper(&model, recogniser.language, phrases)?
        }
    };
    listener.phrases().into_iter().for_each(say_left_out);
    Ok(listener)
}

/// Says which phrases of a list are left out.
pub(crate) fn say_left_out(phrases: &Phrases) {
    let mut said = io::stderr();
    for why in phrases.left_out().take(MOST_LEFT_OUT) {
        let _ = match why {
            LeftOut::Word(word) => {
                writeln!(said, "left out: what needs `{word}`, which the dictionary does not have")
            }
            LeftOut::Slot(slot) => writeln!(
                said,
                "left out: what needs {slot}; the slots are <number>, <date>, <dice> and <unit>"
            ),
            LeftOut::Bracket(line) => {
                writeln!(
                    said,
                    "left out: line {line}, where a bracket is not in its place, as in [please] help"
                )
            }
            LeftOut::Long(line) => writeln!(
                said,
                "left out: line {line}, which has more than {MOST_WORDS} words, {MOST_SLOTS} slots or {MOST_CHOICES} choices \
                 of a word"
            ),
        };
    }
}

fn hear(path: PathBuf, phrases: &Path, recogniser: &Recogniser) -> Result<u8, Fault> {
    let file = File::open(&path).map_err(|why| Fault::Open { path: path.clone(), why })?;
    let mut listener = load(recogniser, Some(phrases))?;
    voice_service::confined_in(listener.address_space())?;
    let samples = wav::read(BufReader::new(file)).map_err(|why| Fault::Sound { path, why })?;
    let mut utterances = Utterances::default();
    let mut heard = utterances.push(&samples);
    heard.extend(utterances.finish());
    let mut is_any = false;
    for heard in heard {
        let words = match heard {
            Heard::Utterance(samples) => listener.hear(None, &samples)?,
            Heard::TooLong => None,
        };
        if let Some(words) = words {
            is_any = true;
            writeln!(io::stdout(), "{words}")?;
        }
    }
    Ok(if is_any { exit::DONE } else { NOTHING })
}
