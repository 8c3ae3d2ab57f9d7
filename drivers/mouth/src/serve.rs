//! A voice service behind a socket file: a thread for each connection, and one voice at a time.

use std::fs;
use std::io::{self, BufReader, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use wyoming::{Event, Format, Program, Voice};

use crate::command::{self, Fault};
use crate::pico::{self, RATE, Speech, speaks};

/// Connections at a time; a further one is closed.
const MOST_CONNECTIONS: u64 = 16;
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
    let listener = match confine::handed_over() {
        Some(given) => UnixListener::from(given),
        None => listen(path)?,
    };
    let mut voices =
        languages.iter().map(|language| Speech::load(language)).collect::<Result<Vec<_>, _>>()?;
    confine::wipe_environment(&[]);
    command::confined(Some(MOST_CONNECTIONS))?;
    let _ = writeln!(io::stderr(), "speaking at {}", path.display());
    let offered: Arc<[&'static str]> = voices.iter().map(Speech::language).collect();
    let (orders, queue) = channel();
    thread::spawn(move || accept(&listener, &orders, &offered));
    // Voices stay with the thread that loaded them.
    answer(&queue, &mut voices);
    Ok(())
}

/// Opens the socket file. One that a program left behind when it was killed is replaced.
fn listen(path: &Path) -> Result<UnixListener, Fault> {
    let failed = |why| Fault::Socket { path: path.to_owned(), why };
    match UnixListener::bind(path) {
        Err(why) if why.kind() == io::ErrorKind::AddrInUse && is_socket(path) => {
            if UnixStream::connect(path).is_ok() {
                return Err(Fault::Taken(path.to_owned()));
            }
            fs::remove_file(path).and_then(|()| UnixListener::bind(path)).map_err(failed)
        }
        listener => listener.map_err(failed),
    }
}

/// Whether a socket file is there; anything else there is somebody's own.
fn is_socket(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_socket())
}

fn accept(listener: &UnixListener, orders: &Sender<Order>, offered: &Arc<[&'static str]>) {
    let open = Arc::new(AtomicU64::new(0));
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Too many descriptors, or a client that left: neither is over at once.
            thread::sleep(Duration::from_millis(100));
            continue;
        };
        let place = Place::of(&open);
        let (orders, offered) = (orders.clone(), offered.clone());
        if let Some(place) = place {
            // Where no thread can be had, the connection is closed.
            let _ = thread::Builder::new().spawn(move || {
                let _place = place;
                let _ = talk(&stream, &orders, &offered);
            });
        }
    }
}

/// One of the connections that are open at a time.
struct Place(Arc<AtomicU64>);

impl Place {
    fn of(open: &Arc<AtomicU64>) -> Option<Place> {
        let free = |count: u64| (count < MOST_CONNECTIONS).then_some(count + 1);
        open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, free).ok()?;
        Some(Place(open.clone()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Speaks what is ordered, one text after the other.
fn answer(queue: &Receiver<Order>, voices: &mut [Speech]) {
    for Order { text, language, sound } in queue {
        let take = |samples: &[i16]| {
            let bytes = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
            if sound.send(Ok(bytes)).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
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
    Event::Info(vec![Program {
        name: "pico".to_owned(),
        description: "Pico by SVOX, on this machine".to_owned(),
        made_by: ("SVOX".to_owned(), "https://android.googlesource.com/platform/external/svox".to_owned()),
        voices: offered.iter().map(voice).collect(),
    }])
}
