//! A voice service behind a socket file: a thread for each connection, and one voice at a time.

use std::io::{self, BufReader, Write};
use std::ops::ControlFlow;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use wyoming::{Event, Format, Program, Voice};

use crate::command::Fault;
use crate::pico::{self, RATE, Speech, speaks};

/// How long a client may leave what it was sent unread.
const PATIENCE: Duration = Duration::from_secs(10);
/// Pieces that wait for a client to read them.
const AHEAD: usize = 64;

/// A text, and where its sound goes.
struct Order {
    text: String,
    language: Option<String>,
    sound: SyncSender<Result<Vec<u8>, Unspoken>>,
}

/// Why a text is not spoken.
#[derive(Debug, thiserror::Error)]
enum Unspoken {
    #[error("no voice speaks `{wanted}`; voices: {}", offered.join(", "))]
    Language { wanted: String, offered: Vec<&'static str> },
    #[error(transparent)]
    Speech(#[from] pico::Fault),
}

/// Answers until a signal ends the process.
///
/// # Errors
/// No socket, no voice, or no confinement.
pub fn serve(path: &Path, languages: &[String]) -> Result<(), Fault> {
    let listener = voice_service::open(path)?;
    let mut voices =
        languages.iter().map(|language| Speech::load(language)).collect::<Result<Vec<_>, _>>()?;
    confine::wipe_environment(&[]);
    voice_service::confined()?;
    let _ = writeln!(io::stderr(), "speaking at {}", path.display());
    let offered: Vec<&'static str> = voices.iter().map(Speech::language).collect();
    let (orders, queue) = channel();
    thread::spawn(move || {
        voice_service::accept(&listener, move |stream| {
            let _ = talk(stream, &orders, &offered);
        });
    });
    // Voices stay with the thread that loaded them.
    answer(&queue, &mut voices);
    Ok(())
}

/// Speaks what is ordered, one text after the other.
fn answer(queue: &Receiver<Order>, voices: &mut [Speech]) {
    for Order { text, language, sound } in queue {
        let take = |samples: &[i16]| {
            if sound.send(Ok(sound::bytes(samples))).is_ok() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let spoken = voice(voices, language.as_deref()).and_then(|voice| Ok(voice.speak(&text, take)?));
        if let Err(why) = spoken {
            let _ = sound.send(Err(why));
        }
    }
}

/// The voice for a language; the first one where none is named.
fn voice<'a>(voices: &'a mut [Speech], wanted: Option<&str>) -> Result<&'a mut Speech, Unspoken> {
    let offered: Vec<&'static str> = voices.iter().map(Speech::language).collect();
    let wanted = wanted.or(offered.first().copied()).unwrap_or_default();
    let place = offered.iter().position(|language| speaks(language, wanted));
    let refused =
        || Unspoken::Language { wanted: shared_types::text::cut(wanted, 40), offered: offered.clone() };
    place.and_then(|place| voices.get_mut(place)).ok_or_else(refused)
}

const SOUND: Format = Format { rate: RATE, width: 2, channels: 1 };

/// Answers one client until it leaves.
fn talk(stream: &UnixStream, orders: &Sender<Order>, offered: &[&'static str]) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let (mut input, mut output) = (BufReader::new(stream), stream);
    loop {
        let event = match wyoming::read(&mut input) {
            Ok(Some(event)) => event,
            Ok(None) => return Ok(()),
            Err(fault) => {
                let text = fault.to_string();
                return wyoming::write(
                    &mut output,
                    &Event::Error { text, code: Some("protocol".to_owned()) },
                );
            }
        };
        match event {
            Event::Describe => wyoming::write(&mut output, &info(offered))?,
            Event::Ping(text) => wyoming::write(&mut output, &Event::Pong(text))?,
            Event::Synthesize { text, voice, language } => {
                let language = language.or(voice);
                let (sound, pieces) = sync_channel(AHEAD);
                if orders.send(Order { text, language, sound }).is_err() {
                    return Ok(());
                }
                hand_on(&pieces, output)?;
            }
            _ => {}
        }
    }
}

/// Writes the sound of one text. A text that cannot be spoken is answered with the reason.
fn hand_on(pieces: &Receiver<Result<Vec<u8>, Unspoken>>, mut output: &UnixStream) -> io::Result<()> {
    let mut has_begun = false;
    for piece in pieces {
        let sound = match piece {
            Ok(sound) => sound,
            Err(why) => {
                let (text, code) = (why.to_string(), Some("speech".to_owned()));
                return wyoming::write(&mut output, &Event::Error { text, code });
            }
        };
        if !has_begun {
            wyoming::write(&mut output, &Event::AudioStart(SOUND))?;
            has_begun = true;
        }
        wyoming::write(&mut output, &Event::AudioChunk(SOUND, sound))?;
    }
    if !has_begun {
        wyoming::write(&mut output, &Event::AudioStart(SOUND))?;
    }
    wyoming::write(&mut output, &Event::AudioStop)
}

fn info(offered: &[&'static str]) -> Event {
    let voice = |language: &&str| Voice { name: (*language).to_owned(), language: (*language).to_owned() };
    let speaks = Program {
        name: "pico".to_owned(),
        description: "Pico by SVOX, on this machine".to_owned(),
        made_by: ("SVOX".to_owned(), "https://android.googlesource.com/platform/external/svox".to_owned()),
        voices: offered.iter().map(voice).collect(),
    };
    Event::Info { speak: vec![speaks], hear: vec![] }
}
