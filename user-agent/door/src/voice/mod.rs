//! `cl-bot voice`: the profile's person talks to it, by a service of this machine that understands speech and one that speaks.
//!
//! Both are programs of their own behind socket files, which `mind` holds open: it connects before it is confined, and has no socket
//! afterwards. An owned ear can say words that the person did not, and nothing else: no question of the gate is asked here, no yes is
//! taken, and no stop is cleared. Neither is connected where no approved skill of the profile holds its token.
//!
//! - [`talk`]: the side of the driver
//! - [`services`]: the ear and the mouth
//! - [`push`]: when the person wants to be heard
//! - [`speech`]: an answer as it is spoken
//! - [`phrases`]: what may be said, as a list for the ear

use std::fs::File;
use std::io::{IsTerminal as _, stdin, stdout};
use std::os::fd::{AsFd as _, AsRawFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bot_base::config::channel::Through;
use bot_base::error::{Error, say, tell};
use clap::Args;
use nix::fcntl::{FcntlArg, fcntl};
use shared_types::capability::Token;
use shared_types::exit;
use user_agent::start::{Options, Prepared};

use crate::life::{drive, start_again};
use crate::messenger::words;
use crate::tokens::Caller;
use push::Push;
use services::{Ear, Mouth};
use talk::{Input, Output, Shared, Talk};

mod phrases;
mod push;
mod services;
mod speech;
mod talk;

/// What stands for standard input and output.
const STREAM: &str = "-";

/// Where sound comes from and goes to, and who understands and makes it.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Talk by voice: the WAV file with what is said, or - for raw sound on standard input
    #[arg(long, value_name = "FILE", default_value = STREAM)]
    input: PathBuf,

    /// The WAV file for the answers, or - for raw sound on standard output
    #[arg(long, value_name = "FILE", default_value = STREAM)]
    output: PathBuf,

    /// The socket file of the service that understands speech, in place of the one that the profile's file names
    #[arg(long, value_name = "FILE")]
    ear: Option<PathBuf>,

    /// The socket file of the service that speaks, in place of the one that the profile's file names
    #[arg(long, value_name = "FILE")]
    mouth: Option<PathBuf>,

    /// Hear only while the person says so: Enter at the terminal begins a sentence, and the next Enter ends it
    #[arg(long, requires = "voice")]
    push: bool,

    /// Print what may be said, as a list for the ear, and end
    #[arg(long, requires = "voice")]
    phrases: bool,
}

/// Talks until the input ends, or a signal ends it.
///
/// # Errors
/// What forbids the start, or a service that ended.
pub fn run(options: &Options, readonly: bool, arguments: &Arguments) -> Result<u8, Error> {
    if arguments.phrases {
        return phrases::print(options);
    }
    // A file is read and written once, from its beginning to its end.
    if [&arguments.input, &arguments.output].iter().all(|path| *path == Path::new(STREAM)) {
        return start_again(|starter| {
            talk(options, readonly, arguments, Some(starter)).unwrap_or_else(|error| {
                tell(&error);
                error.exit_code()
            })
        });
    }
    let ended = talk(options, readonly, arguments, None)?;
    if ended == exit::RESTART {
        say("something was installed; start `cl-bot voice` again to use it");
    }
    Ok(ended)
}

/// The life of the process that talks; its ear and its mouth are connected anew.
fn talk(
    options: &Options,
    readonly: bool,
    arguments: &Arguments,
    starter: Option<OwnedFd>,
) -> Result<u8, Error> {
    let keep: Vec<RawFd> = starter.iter().map(AsRawFd::as_raw_fd).collect();
    drive(options, readonly, Through::Voice, &keep, |prepared| {
        let talk = Shared(Arc::new(set_up(prepared, arguments)?));
        Ok((Box::new(talk), starter, Some(Caller::Person)))
    })
}

/// Opens all that is open afterwards.
fn set_up(prepared: &Prepared, arguments: &Arguments) -> Result<Talk, Error> {
    if !prepared.config.channel(Through::Voice).enabled {
        return Err(Error::ChannelOff(Through::Voice.name()));
    }
    let (profile, settings) = (&prepared.profile, &prepared.settings);
    let voice = &settings.voice;
    if settings.audience.is_minor() && !voice.minors {
        return Err(Error::Usage {
            what: format!("`{profile}` is for a {}, who is not reached by voice", settings.audience),
            hint: "`voice.minors: true` in the profile's file allows it".to_owned(),
        });
    }
    let lacks = match (approved(prepared, Token::AudioRead), approved(prepared, Token::AudioWrite)) {
        (true, true) => None,
        (true, false) => Some("speak"),
        (false, true) => Some("hear"),
        (false, false) => Some("hear and speak"),
    };
    if let Some(lacks) = lacks {
        return Err(Error::VoiceNotLearned(lacks));
    }
    let input = input(&arguments.input)?;
    let push = match &voice.push {
        _ if arguments.push => Some(Push::of_terminal()?),
        Some(line) if matches!(input, Input::Live(_)) => Some(button(prepared, line)?),
        _ => None,
    };
    let output = output(&arguments.output)?;
    let ear = named(arguments.ear.as_deref(), voice.ear.as_deref(), "ear")?;
    let mouth = named(arguments.mouth.as_deref(), voice.mouth.as_deref(), "mouth")?;
    let (ear, mouth) = (Ear::connect(ear)?, Mouth::connect(mouth, settings.language.clone())?);
    say("talking by voice; say `stop` for the emergency stop");
    if let Some(wake) = &voice.wake {
        say(&format!("a sentence is acted on where it begins with `{wake}`"));
    }
    match &voice.push {
        _ if arguments.push => say("press Enter, speak, and press Enter again"),
        Some(line) if push.is_some() => say(&format!("you are heard while the line `{line}` is on")),
        _ => {}
    }
    let words = words::of(settings.language.as_deref());
    Ok(Talk::new((ear, mouth), (input, push, output), words, voice))
}

/// The button that the profile's file names.
fn button(prepared: &Prepared, line: &str) -> Result<Push, Error> {
    let usage = |what: &str, hint: &str| Error::Usage { what: what.to_owned(), hint: hint.to_owned() };
    if !approved(prepared, Token::GpioRead) {
        return Err(usage(
            "`voice.push` names a line of the pins, and no approved skill of the profile may read pins",
            "write in the chat: learn to read the button on pin 4; or take `voice.push` out of the profile's file",
        ));
    }
    let path = prepared.settings.pins.as_deref();
    let path = path.ok_or_else(|| {
        usage(
            "`voice.push` names a line of the pins, and no pins",
            "`pins` in the profile's file names the socket of `cl-pins`",
        )
    })?;
    Push::of_pin(path, line)
}

/// Whether an approver decided a skill of this profile with this token.
fn approved(prepared: &Prepared, token: Token) -> bool {
    !prepared.signed.decided(|entry| entry.capabilities.contains(token)).is_empty()
}

/// The path of a service: the command line's, or else the profile's.
fn named<'a>(given: Option<&'a Path>, kept: Option<&'a Path>, key: &str) -> Result<&'a Path, Error> {
    given.or(kept).ok_or_else(|| Error::Usage {
        what: format!("no socket file of the {key} is named"),
        hint: format!("`voice.{key}` in the profile's file or `--{key} FILE` names it: docs/guides/voice.md"),
    })
}

fn input(path: &Path) -> Result<Input, Error> {
    if path != Path::new(STREAM) {
        #[expect(clippy::disallowed_methods, reason = "a file that the command line names")]
        return Ok(Input::File(File::open(path).map_err(Error::io(path))?));
    }
    if stdin().is_terminal() {
        return Err(Error::Usage {
            what: "standard input is a terminal, and sound is not text".to_owned(),
            hint: "pipe a recorder to it, as in: arecord -r 16000 -f S16_LE -c 1 -t raw | cl-bot voice | \
                   aplay -r 16000 -f S16_LE -c 1 -t raw; or name a WAV file by `--input FILE`"
                .to_owned(),
        });
    }
    // Without the buffer of `stdin()`, so that no sound is lost where another process continues.
    let sound = stdin().as_fd().try_clone_to_owned();
    Ok(Input::Live(sound.map(File::from).map_err(Error::io(Path::new("standard input")))?))
}

fn output(path: &Path) -> Result<Output, Error> {
    if path != Path::new(STREAM) {
        #[expect(clippy::disallowed_methods, reason = "a file that the command line names")]
        let file = File::create(path).map_err(Error::io(path))?;
        return Output::file(file).map_err(Error::io(path));
    }
    if stdout().is_terminal() {
        return Err(Error::Usage {
            what: "standard output is a terminal, and sound is not text".to_owned(),
            hint: "pipe it to a player, as in: | aplay -r 16000 -f S16_LE -c 1 -t raw; or name a WAV file by `--output FILE`"
                .to_owned(),
        });
    }
    // What waits there is played after an interruption, so no more than a quarter of a second may. On a file this does nothing.
    let _ = fcntl(stdout(), FcntlArg::F_SETPIPE_SZ(8 * 1024));
    Ok(Output::Live)
}
