//! The services that understand speech and make it, as clients of both see them. They may be owned: what they send is bounded, and a
//! service that breaks the protocol or is too slow is given up.

use std::cell::Cell;
use std::fs::File;
use std::io::{BufReader, Error as IoError};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use bot_base::error::Error;
use shared_types::text;
use sound::{RATE, bytes, samples};
use wyoming::{Event, Format, Program};

/// How long a service may take for its next event, and for taking one.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most events that a service sends beside the one that is waited for.
const MOST_BESIDE: usize = 64;
/// The longest words that are heard, in bytes.
const LONGEST_WORDS: usize = 400;
/// The longest speech of one text, in samples: five minutes.
const LONGEST_SPEECH: usize = 300 * RATE as usize;
/// Samples that are sent at once.
const PIECE: usize = 8_000;
/// The sound of both.
const SOUND: Format = Format { rate: RATE, width: 2, channels: 1 };

/// Why a service is given up, or did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// It cannot be written to or read from, or breaks the protocol.
    #[error("{0}")]
    Stream(#[from] wyoming::Fault),
    /// It has ended.
    #[error("it has ended")]
    Ended,
    /// It sends what was not asked for.
    #[error("it sends what was not asked for")]
    Unasked,
    /// It refuses; it can be asked again.
    #[error("{0}")]
    Refused(String),
}

impl From<IoError> for Fault {
    fn from(error: IoError) -> Fault {
        Fault::Stream(error.into())
    }
}

impl Fault {
    /// Whether the service can be asked again.
    pub(super) fn passes(&self) -> bool {
        matches!(self, Fault::Refused(_))
    }
}

/// A connection, as a file: `mind` may make no call of sockets.
struct Service(BufReader<File>);

impl Service {
    /// Connects to a socket file, and asks what is offered there.
    fn connect(
        path: &Path,
        what: &'static str,
        start: &str,
        offered: impl Fn(&[Program], &[Program]) -> bool,
    ) -> Result<Service, Error> {
        let usage = |why: String| Error::Usage {
            what: format!("{what} at {}: {why}", path.display()),
            hint: format!("start it, as in: {start}; docs/guides/voice.md describes it"),
        };
        let connected = UnixStream::connect(path).and_then(|stream| {
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.set_write_timeout(Some(PATIENCE))?;
            Ok(stream)
        });
        let stream = connected.map_err(|why| usage(why.to_string()))?;
        let mut service = Service(BufReader::new(File::from(OwnedFd::from(stream))));
        let described = service.tell(&Event::Describe).and_then(|()| {
            service.wait(|event| match event {
                Event::Info { speak, hear } => Some(offered(&speak, &hear)),
                _ => None,
            })
        });
        match described {
            Ok(true) => Ok(service),
            Ok(false) => Err(usage("the service there does something else".to_owned())),
            Err(why) => Err(usage(text::line(&why.to_string()))),
        }
    }

    fn tell(&mut self, event: &Event) -> Result<(), Fault> {
        Ok(wyoming::write(self.0.get_mut(), event)?)
    }

    fn next(&mut self) -> Result<Event, Fault> {
        match wyoming::read(&mut self.0)? {
            Some(Event::Error { text, .. }) => Err(Fault::Refused(text::cut(&text::line(&text), 300))),
            Some(event) => Ok(event),
            None => Err(Fault::Ended),
        }
    }

    /// Waits for the event that is wanted.
    fn wait<T>(&mut self, wanted: impl Fn(Event) -> Option<T>) -> Result<T, Fault> {
        for _ in 0..MOST_BESIDE {
            if let Some(found) = wanted(self.next()?) {
                return Ok(found);
            }
        }
        Err(Fault::Unasked)
    }
}

/// What the ear says of an utterance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    Words(String),
    /// Nothing that it understands.
    Nothing,
    /// Something that no person says: it is not acted on.
    Strange,
}

/// The service that understands speech.
pub(super) struct Ear {
    service: Service,
    is_german: bool,
}

impl Ear {
    /// Connects to it.
    ///
    /// # Errors
    /// Nobody is there, or nobody who understands speech.
    pub(super) fn connect(path: &Path) -> Result<Ear, Error> {
        let start = "cl-ear serve --socket FILE";
        let is_german = Cell::new(false);
        let service = Service::connect(path, "the ear", start, |_, hear| {
            let mut voices = hear.iter().flat_map(|program| &program.voices).peekable();
            is_german.set(voices.peek().is_some() && voices.all(|voice| voice.language.starts_with("de")));
            !hear.is_empty()
        })?;
        Ok(Ear { service, is_german: is_german.get() })
    }

    /// The language of the list that it expects, as in `en`: German where it understands nothing else.
    pub(super) fn language(&self) -> &'static str {
        if self.is_german { "de" } else { "en" }
    }

    /// Sends it the list of what may be said. An ear that needs none skips it.
    ///
    /// # Errors
    /// It is given up.
    pub(super) fn expects(&mut self, list: String) -> Result<(), Fault> {
        self.service.tell(&Event::Phrases(list))
    }

    /// What was said in these samples.
    ///
    /// # Errors
    /// It refuses, or is given up.
    pub(super) fn hear(&mut self, sound: &[i16]) -> Result<Said, Fault> {
        let service = &mut self.service;
        service.tell(&Event::Transcribe { language: None })?;
        service.tell(&Event::AudioStart(SOUND))?;
        for piece in sound.chunks(PIECE) {
            service.tell(&Event::AudioChunk(SOUND, bytes(piece)))?;
        }
        service.tell(&Event::AudioStop)?;
        let transcript = service.wait(|event| match event {
            Event::Transcript { text, .. } => Some(text),
            _ => None,
        })?;
        Ok(judged(&transcript))
    }
}

/// Words are letters, digits and the marks of a sentence, and no more than a person says at once.
fn judged(transcript: &str) -> Said {
    let words = transcript.trim();
    let is_said = |c: char| c.is_alphanumeric() || c == ' ' || "'’-.,?!:;%+=&$€£°".contains(c);
    if words.is_empty() {
        Said::Nothing
    } else if words.len() <= LONGEST_WORDS && words.chars().all(is_said) {
        Said::Words(words.to_owned())
    } else {
        Said::Strange
    }
}

/// The service that speaks.
pub(super) struct Mouth {
    service: Service,
    language: Option<String>,
}

impl Mouth {
    /// Connects to it; texts are in this language, or in the one that it speaks first.
    ///
    /// # Errors
    /// Nobody is there, or nobody who speaks.
    pub(super) fn connect(path: &Path, language: Option<String>) -> Result<Mouth, Error> {
        let start = "cl-mouth serve --socket FILE";
        let service = Service::connect(path, "the mouth", start, |speak, _| !speak.is_empty())?;
        Ok(Mouth { service, language })
    }

    /// The samples of a text.
    ///
    /// # Errors
    /// It refuses, or is given up.
    pub(super) fn speak(&mut self, text: &str) -> Result<Vec<i16>, Fault> {
        let language = self.language.clone();
        self.service.tell(&Event::Synthesize { text: text.to_owned(), voice: None, language })?;
        let (mut sound, mut beside) = (Vec::new(), 0);
        loop {
            match self.service.next()? {
                Event::AudioChunk(SOUND, piece) if sound.len() + piece.len() / 2 <= LONGEST_SPEECH => {
                    sound.extend(samples(&piece));
                }
                Event::AudioStop => return Ok(sound),
                Event::AudioStart(SOUND) => {}
                Event::AudioChunk(..) | Event::AudioStart(_) => return Err(Fault::Unasked),
                _ => beside += 1,
            }
            if beside > MOST_BESIDE {
                return Err(Fault::Unasked);
            }
        }
    }
}

#[cfg(test)]
mod tests;
