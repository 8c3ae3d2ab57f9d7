//! `cl-mouth serve`, and a client of its own.

use std::io::{BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use wyoming::{Event, Fault};

use crate::run::Background;
use crate::world::Program;

/// A running `cl-mouth serve`, and the folder of its socket file.
pub struct Mouth {
    folder: TempDir,
    /// The program.
    pub program: Background,
}

impl Mouth {
    /// Starts it with voices for these languages.
    #[track_caller]
    pub fn start(languages: &str) -> Mouth {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let program = Mouth::run(&folder.path().join("mouth.sock"), languages);
        Mouth { folder, program }
    }

    /// Ends it as a power cut would, and starts it anew at the same place.
    #[track_caller]
    pub fn killed(self, languages: &str) -> Mouth {
        self.program.signal(nix::sys::signal::Signal::SIGKILL);
        self.program.ended(Duration::from_secs(20));
        let program = Mouth::run(&self.folder.path().join("mouth.sock"), languages);
        Mouth { folder: self.folder, program }
    }

    #[track_caller]
    fn run(socket: &std::path::Path, languages: &str) -> Background {
        let mut command = Command::new(Program::Mouth.path());
        command.args(["serve", "--languages", languages, "--socket"]).arg(socket);
        let mut program = Background::start(command);
        program.said("that it speaks", |said| said.contains("speaking at").then_some(()));
        program
    }

    /// Its socket file.
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("mouth.sock")
    }

    /// A connection of a client.
    #[track_caller]
    pub fn client(&self) -> Client {
        let stream = UnixStream::connect(self.socket()).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket has a time-out");
        Client { input: BufReader::new(stream) }
    }
}

/// A client of a voice service.
pub struct Client {
    input: BufReader<UnixStream>,
}

impl Client {
    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) {
        self.input.get_mut().write_all(bytes).expect("it takes bytes");
    }

    /// Sends an event.
    pub fn tell(&mut self, event: &Event) {
        wyoming::write(self.input.get_mut(), event).expect("it takes an event");
    }

    /// The next event; nothing once the service has closed the connection.
    ///
    /// # Errors
    /// What came is not an event.
    pub fn hear(&mut self) -> Result<Option<Event>, Fault> {
        wyoming::read(&mut self.input)
    }

    /// Has a text spoken; answers the bytes of its sound, or the reason why it is missing.
    ///
    /// # Errors
    /// What the service says in place of sound.
    #[track_caller]
    pub fn speak(&mut self, text: &str, language: Option<&str>) -> Result<Vec<u8>, String> {
        let language = language.map(str::to_owned);
        self.tell(&Event::Synthesize { text: text.to_owned(), voice: None, language });
        let mut sound = Vec::new();
        loop {
            match self.hear().expect("an event") {
                Some(Event::AudioStart(_)) => {}
                Some(Event::AudioChunk(format, piece)) => {
                    assert_eq!((format.rate, format.width, format.channels), (16_000, 2, 1));
                    sound.extend(piece);
                }
                Some(Event::AudioStop) => return Ok(sound),
                Some(Event::Error { text, .. }) => return Err(text),
                other => panic!("{other:?} came within speech"),
            }
        }
    }
}
