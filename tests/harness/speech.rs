//! `cl-mouth serve`, `cl-ear serve`, and a client of their own.

use std::io::{BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use wyoming::{Event, Fault, Format};

use crate::run::{Background, Ran, run};
use crate::world::{PATIENCE, Program};

/// How sound is written here.
pub const SOUND: Format = Format { rate: 16_000, width: 2, channels: 1 };

/// The wish that a profile needs an answer to before anybody talks with it.
pub const WISH: &str = "learn to talk to me by voice";

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
        Client::of(&self.socket())
    }
}

/// A running `cl-ear serve`, and the folder of its socket file and its phrases.
pub struct Ear {
    folder: TempDir,
    /// The program.
    pub program: Background,
}

impl Ear {
    /// Starts it with these phrases; nothing where PocketSphinx is not installed, which is said.
    #[track_caller]
    pub fn start(phrases: &str) -> Option<Ear> {
        Ear::run(Some(phrases))
    }

    /// Starts it for clients that send a list of their own.
    #[track_caller]
    pub fn without_a_list() -> Option<Ear> {
        Ear::run(None)
    }

    #[track_caller]
    fn run(phrases: Option<&str>) -> Option<Ear> {
        if !Ear::is_installed() {
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut command = Command::new(Program::Ear.path());
        command.arg("serve").arg("--socket").arg(folder.path().join("ear.sock"));
        if let Some(phrases) = phrases {
            let list = folder.path().join("phrases");
            std::fs::write(&list, phrases).expect("a file");
            command.arg("--phrases").arg(list);
        }
        let mut program = Background::start(command);
        program.said("that it listens", |said| said.contains("listening at").then_some(()));
        Some(Ear { folder, program })
    }

    /// Starts it with whisper.cpp, for clients that send a list of their own; nothing, which is said, where it is built without, or where
    /// `TAMECLAW_TEST_WHISPER` names no model.
    #[track_caller]
    pub fn of_whisper(language: &str) -> Option<Ear> {
        let options = Ear::whisper()?;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut command = Command::new(Program::Ear.path());
        command.arg("serve").arg("--socket").arg(folder.path().join("ear.sock"));
        command.args(options).args(["--language", language]);
        let mut program = Background::start(command);
        program.said("that it listens", |said| said.contains("listening at").then_some(()));
        Some(Ear { folder, program })
    }

    /// The options that have it hear by whisper.cpp with the model of `TAMECLAW_TEST_WHISPER`; that it cannot is said.
    #[track_caller]
    pub fn whisper() -> Option<Vec<String>> {
        let Some(model) = std::env::var_os("TAMECLAW_TEST_WHISPER").map(PathBuf::from) else {
            crate::skip("TAMECLAW_TEST_WHISPER names no model of whisper.cpp");
            return None;
        };
        let mut sum = Command::new("sha256sum");
        sum.arg(&model);
        let sum = run(sum, b"", PATIENCE);
        let digest = sum.stdout.split(' ').next().expect("a digest").to_owned();
        let options =
            vec!["--whisper".to_owned(), model.display().to_string(), "--digest".to_owned(), digest];
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (list, silence) = (folder.path().join("phrases"), folder.path().join("silence.wav"));
        std::fs::write(&list, "stop\n").expect("a file");
        write_wav(&silence, &[0; 16_000]);
        let mut command = Command::new(Program::Ear.path());
        command.arg("hear").arg(silence).arg("--phrases").arg(list).args(&options);
        let ran = run(command, b"", PATIENCE);
        if ran.stderr.contains("built without whisper.cpp") {
            crate::skip("this `cl-ear` was built without whisper.cpp");
            return None;
        }
        assert_eq!(ran.status, 12, "{}", ran.report());
        Some(options)
    }

    /// Runs `cl-ear hear` on a WAV file.
    #[track_caller]
    pub fn hear(wav: &Path, phrases: &str) -> Ran {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let list = folder.path().join("phrases");
        std::fs::write(&list, phrases).expect("a file");
        let mut command = Command::new(Program::Ear.path());
        command.arg("hear").arg(wav).arg("--phrases").arg(list);
        run(command, b"", PATIENCE)
    }

    /// Whether PocketSphinx is installed with its model of English; that it is not is said.
    #[track_caller]
    pub fn is_installed() -> bool {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let silence = folder.path().join("silence.wav");
        write_wav(&silence, &[0; 16_000]);
        let ran = Ear::hear(&silence, "stop\n");
        if ran.status == 12 {
            return true;
        }
        assert!(ran.status == 1 && ran.stderr.contains("hint: install"), "{}", ran.report());
        crate::skip(ran.stderr.lines().next().unwrap_or_default());
        false
    }

    /// Its socket file.
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("ear.sock")
    }

    /// A connection of a client.
    #[track_caller]
    pub fn client(&self) -> Client {
        Client::of(&self.socket())
    }
}

/// A voice service that may be owned: it says what it offers, and answers as a test wants.
pub struct Fake {
    folder: TempDir,
}

impl Fake {
    /// An ear: to each utterance it sends the next one of these, and nothing once there are no more.
    #[track_caller]
    pub fn ear(answers: Vec<Vec<u8>>) -> Fake {
        Fake::start(true, answers, |event| matches!(event, Event::AudioStop))
    }

    /// An ear that understands these words, one after the other.
    #[track_caller]
    pub fn saying(words: &[&str]) -> Fake {
        let transcript = |words: &&str| {
            let mut bytes = Vec::new();
            let event = Event::Transcript { text: (*words).to_owned(), language: None };
            wyoming::write(&mut bytes, &event).expect("a Vec takes it");
            bytes
        };
        Fake::ear(words.iter().map(transcript).collect())
    }

    /// A mouth: for each text it sends the next one of these.
    #[track_caller]
    pub fn mouth(answers: Vec<Vec<u8>>) -> Fake {
        Fake::start(false, answers, |event| matches!(event, Event::Synthesize { .. }))
    }

    #[track_caller]
    fn start(hears: bool, answers: Vec<Vec<u8>>, is_asked: fn(&Event) -> bool) -> Fake {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let listener = UnixListener::bind(folder.path().join("fake.sock")).expect("a socket file");
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (Ok(stream), answers) = (stream, answers.clone()) else { return };
                std::thread::spawn(move || Fake::talk(stream, hears, answers, is_asked));
            }
        });
        Fake { folder }
    }

    fn talk(mut stream: UnixStream, hears: bool, answers: Vec<Vec<u8>>, is_asked: fn(&Event) -> bool) {
        let mut answers = answers.into_iter();
        let mut input = BufReader::new(stream.try_clone().expect("a socket is copied"));
        while let Ok(Some(event)) = wyoming::read(&mut input) {
            let is_sent = match event {
                Event::Describe => wyoming::write(&mut stream, &Fake::info(hears)).is_ok(),
                event if is_asked(&event) => {
                    answers.next().is_none_or(|bytes| stream.write_all(&bytes).is_ok())
                }
                _ => true,
            };
            if !is_sent {
                return;
            }
        }
    }

    fn info(hears: bool) -> Event {
        let program = vec![wyoming::Program {
            name: "fake".to_owned(),
            description: String::new(),
            made_by: (String::new(), String::new()),
            voices: vec![],
        }];
        let (speak, hear) = if hears { (vec![], program) } else { (program, vec![]) };
        Event::Info { speak, hear }
    }

    /// Its socket file.
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("fake.sock")
    }
}

/// The samples of a text that `cl-mouth` speaks in English of Britain or, as `en-US`, of the United States.
#[track_caller]
pub fn spoken(language: &str, text: &str) -> Vec<i16> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wav = folder.path().join("said.wav");
    let mut command = Command::new(Program::Mouth.path());
    command.args(["say", "--language", language, text, "--output"]).arg(&wav);
    let ran = run(command, b"", PATIENCE);
    assert_eq!(ran.status, 0, "{}", ran.report());
    read_wav(&wav)
}

/// The samples of a WAV file.
#[track_caller]
pub fn read_wav(path: &Path) -> Vec<i16> {
    let file = hound::WavReader::open(path).expect("a WAV file");
    file.into_samples().map(|sample| sample.expect("a sample")).collect()
}

/// Writes samples as a WAV file.
#[track_caller]
pub fn write_wav(path: &Path, samples: &[i16]) {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut writer = hound::WavWriter::create(path, spec).expect("a WAV file");
    samples.iter().for_each(|sample| writer.write_sample(*sample).expect("a sample"));
    writer.finalize().expect("a WAV file");
}

/// A client of a voice service.
pub struct Client {
    input: BufReader<UnixStream>,
}

impl Client {
    /// Connects to a socket file.
    #[track_caller]
    pub fn of(socket: &Path) -> Client {
        let stream = UnixStream::connect(socket).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket has a time-out");
        Client { input: BufReader::new(stream) }
    }

    /// Has samples heard; answers the words, or the reason why there are none.
    ///
    /// # Errors
    /// What the service says in place of words.
    #[track_caller]
    pub fn heard(&mut self, samples: &[i16]) -> Result<String, String> {
        self.tell(&Event::Transcribe { language: None });
        self.tell(&Event::AudioStart(SOUND));
        for piece in samples.chunks(4_000) {
            let bytes = piece.iter().flat_map(|sample| sample.to_le_bytes()).collect();
            self.tell(&Event::AudioChunk(SOUND, bytes));
        }
        self.tell(&Event::AudioStop);
        match self.hear().expect("an event") {
            Some(Event::Transcript { text, .. }) => Ok(text),
            Some(Event::Error { text, .. }) => Err(text),
            other => panic!("{other:?} came in place of words"),
        }
    }

    /// Sends bytes as they are. A service that has closed the connection meanwhile shows it when it is heard.
    pub fn send(&mut self, bytes: &[u8]) {
        let _ = self.input.get_mut().write_all(bytes);
    }

    /// Sends an event, likewise.
    pub fn tell(&mut self, event: &Event) {
        let _ = wyoming::write(self.input.get_mut(), event);
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
                    assert_eq!(format, SOUND);
                    sound.extend(piece);
                }
                Some(Event::AudioStop) => return Ok(sound),
                Some(Event::Error { text, .. }) => return Err(text),
                other => panic!("{other:?} came within speech"),
            }
        }
    }
}
