//! A voice service behind a socket file: a thread for each connection, and one utterance at a time. A client may send a list of what
//! may be said, which holds for its own connection.

use std::io::{self, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use sound::{LONGEST, LONGEST_SECONDS, RATE, samples};
use wyoming::{Event, Format, Program, Voice};

use crate::command::say_left_out;
use crate::listener::{self, Listener};
use crate::phrases::{Language, MOST_BYTES};

/// How long a client may leave what it was sent unread.
const PATIENCE: Duration = Duration::from_secs(10);
/// The sound that is heard.
const SOUND: Format = Format { rate: RATE, width: 2, channels: 1 };

/// A list, the utterance that is one of its phrases, and where its words go.
struct Order {
    list: Option<Arc<str>>,
    /// Without it the list is made ready for the utterance to come.
    samples: Option<Vec<i16>>,
    words: SyncSender<Result<Option<String>, listener::Fault>>,
}

/// Answers until a signal ends the process.
///
/// # Errors
/// No confinement.
pub fn serve(
    listening: UnixListener,
    mut listener: Listener,
    path: &Path,
) -> Result<(), voice_service::Fault> {
    confine::wipe_environment(&[]);
    voice_service::confined_in(listener.address_space())?;
    let _ = writeln!(io::stderr(), "listening at {}", path.display());
    let (orders, queue) = channel();
    let hears = listener.hears();
    thread::spawn(move || {
        voice_service::accept(&listening, move |stream| {
            let _ = talk(stream, &orders, hears);
        });
    });
    // The decoder stays with the thread that loaded it.
    answer(&queue, &mut listener);
    Ok(())
}

/// Hears what is ordered, one utterance after the other.
fn answer(queue: &Receiver<Order>, listener: &mut Listener) {
    for Order { list, samples, words } in queue {
        let heard = match (listener.prepare(list.as_ref()), samples) {
            (Err(fault), _) => Err(fault),
            (Ok(_), Some(samples)) => listener.hear(list.as_ref(), &samples),
            (Ok(is_another), None) => {
                if let Some(phrases) = listener.phrases().filter(|_| is_another) {
                    let _ = writeln!(io::stderr(), "a client has {} phrases understood", phrases.count());
                    say_left_out(phrases);
                }
                Ok(None)
            }
        };
        let _ = words.send(heard);
    }
}

/// The sound of a client between `audio-start` and `audio-stop`.
enum Sound {
    None,
    Some(Vec<i16>),
    /// The client has the reason why it is not heard.
    Refused,
}

/// Answers one client until it leaves.
fn talk(stream: &UnixStream, orders: &Sender<Order>, hears: (&str, Language)) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let (mut input, mut output) = (BufReader::new(stream), stream);
    let (mut sound, mut list) = (Sound::None, None);
    let ordered = |list: &Option<Arc<str>>, samples| {
        let (words, heard) = sync_channel(1);
        orders.send(Order { list: list.clone(), samples, words }).ok()?;
        heard.recv().ok()
    };
    loop {
        let event = match wyoming::read(&mut input) {
            Ok(Some(event)) => event,
            Ok(None) => return Ok(()),
            Err(fault) => return refuse(output, fault.to_string(), "protocol"),
        };
        match event {
            Event::Describe => wyoming::write(&mut output, &info(hears))?,
            Event::Ping(text) => wyoming::write(&mut output, &Event::Pong(text))?,
            // It has no answer, since most services do not know this event: what is wrong with the list is said of the next utterance.
            Event::Phrases(text) => {
                list = Some(cut(text).into());
                if ordered(&list, None).is_none() {
                    return Ok(());
                }
            }
            Event::AudioStart(format) if format == SOUND => sound = Sound::Some(Vec::new()),
            Event::AudioStart(_) => {
                sound = Sound::Refused;
                refuse(output, not_heard(), "sound")?;
            }
            Event::AudioChunk(format, bytes) => {
                let why = match &mut sound {
                    Sound::Some(heard) if format == SOUND && heard.len() + bytes.len() / 2 <= LONGEST => {
                        heard.extend(samples(&bytes));
                        None
                    }
                    Sound::Some(_) if format == SOUND => {
                        Some(format!("an utterance has at most {LONGEST_SECONDS} seconds"))
                    }
                    Sound::Some(_) => Some(not_heard()),
                    Sound::None => Some("`audio-start` comes before `audio-chunk`".to_owned()),
                    Sound::Refused => None,
                };
                if let Some(why) = why {
                    sound = Sound::Refused;
                    refuse(output, why, "sound")?;
                }
            }
            Event::AudioStop => {
                let Sound::Some(samples) = std::mem::replace(&mut sound, Sound::None) else { continue };
                match ordered(&list, Some(samples)) {
                    Some(Ok(words)) => {
                        let (text, language) = (words.unwrap_or_default(), Some(hears.1.tag().to_owned()));
                        wyoming::write(&mut output, &Event::Transcript { text, language })?;
                    }
                    Some(Err(why)) => refuse(output, why.to_string(), "speech")?,
                    None => return Ok(()),
                }
            }
            _ => {}
        }
    }
}

/// As much of a list as a file may have, in whole lines.
fn cut(mut list: String) -> String {
    let most = usize::try_from(MOST_BYTES).unwrap_or(usize::MAX);
    if list.len() > most {
        let end = list.as_bytes()[..most].iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
        list.truncate(end);
    }
    list
}

fn not_heard() -> String {
    format!("sound that is heard has one channel, 2 bytes a sample and {RATE} samples a second")
}

fn refuse(mut output: &UnixStream, text: String, code: &str) -> io::Result<()> {
    wyoming::write(&mut output, &Event::Error { text, code: Some(code.to_owned()) })
}

fn info((name, language): (&str, Language)) -> Event {
    let (made_by, at, voice) = match name {
        "pocketsphinx" => ("Carnegie Mellon University", "https://cmusphinx.github.io", "en-us"),
        _ => ("OpenAI and ggml", "https://github.com/ggml-org/whisper.cpp", language.code()),
    };
    let hears = Program {
        name: name.to_owned(),
        description: format!("{name} with a list of phrases, on this machine"),
        made_by: (made_by.to_owned(), at.to_owned()),
        voices: vec![Voice { name: voice.to_owned(), language: language.tag().to_owned() }],
    };
    Event::Info { speak: vec![], hear: vec![hears] }
}
