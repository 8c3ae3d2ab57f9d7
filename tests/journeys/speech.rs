//! Text becomes sound on this machine: `cl-mouth`.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::speech::Mouth;
use tameclaw_tests::world::{PATIENCE, Program};
use wyoming::Event;

use crate::real_models::python_with;

/// A conversation by the protocol's own library: the languages, then the seconds of sound of each text.
const CLIENT: &str = r#"
import asyncio, sys
from wyoming.audio import AudioChunk, AudioStop
from wyoming.client import AsyncClient
from wyoming.info import Describe, Info
from wyoming.tts import Synthesize, SynthesizeVoice

async def main():
    async with AsyncClient.from_uri("unix://" + sys.argv[1]) as client:
        await client.write_event(Describe().event())
        info = Info.from_event(await client.read_event())
        print([voice.languages[0] for program in info.tts for voice in program.voices])
        for text, language in (("What time is it?", "en"), ("Wie viel Uhr ist es?", "de-DE")):
            await client.write_event(Synthesize(text=text, voice=SynthesizeVoice(language=language)).event())
            length = 0
            while not AudioStop.is_type((event := await client.read_event()).type):
                if AudioChunk.is_type(event.type):
                    length += len(AudioChunk.from_event(event).audio)
            print("heard" if 16000 < length < 160000 else length)

asyncio.run(main())
"#;

fn mouth(arguments: &[&str], input: &[u8]) -> Ran {
    let mut command = Command::new(Program::Mouth.path());
    command.args(arguments);
    run(command, input, PATIENCE)
}

/// A text of the command line or of a pipe becomes a WAV file of 16,000 samples a second that can be heard.
#[test]
fn a_text_becomes_a_file_of_sound() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("said.wav");
    let output = path.to_str().expect("a path");
    for (arguments, input) in [
        (vec!["say", "Hello, Anna.", "--output", output], &b""[..]),
        (vec!["say", "--language", "de", "--output", output], "Guten Tag, schöne Grüße.\n".as_bytes()),
    ] {
        let ran = mouth(&arguments, input);
        assert_eq!(ran.status, 0, "{}", ran.report());
        let mut file = hound::WavReader::open(&path).expect("a WAV file");
        assert_eq!((file.spec().sample_rate, file.spec().channels), (16_000, 1));
        let samples: Vec<i16> = file.samples().map(|sample| sample.expect("a sample")).collect();
        let loudest = samples.iter().map(|sample| sample.unsigned_abs()).max();
        assert!(samples.len() > 8_000 && loudest > Some(2_000), "{} {loudest:?}", samples.len());
    }
}

/// What cannot be spoken is refused with the reason and the next step, and leaves no file of sound.
#[test]
fn what_cannot_be_spoken_is_refused() {
    let ran = mouth(&["say", "--language", "tlh", "nuqneH"], b"");
    assert!(
        ran.status == 2 && ran.stderr.contains("`tlh`") && ran.stderr.contains("cl-mouth languages"),
        "{}",
        ran.report()
    );
    let ran = mouth(&["say", &"x".repeat(2_001)], b"");
    assert!(ran.status == 2 && ran.stderr.contains("at most 2000"), "{}", ran.report());
    let ran = mouth(&["say", "x", "--output", "/proc/no/such/folder.wav"], b"");
    assert!(ran.status == 1 && ran.stderr.contains("/proc/no/such/folder.wav"), "{}", ran.report());
    let ran = mouth(&["say", "--language", "en"], b"\xff\xfe");
    assert!(ran.status == 1 && ran.stdout.is_empty(), "{}", ran.report());
}

/// Two clients at once have their texts spoken, each in its language, and a client that leaves in the middle disturbs nobody.
#[test]
fn clients_have_their_texts_spoken() {
    let mouth = Mouth::start("en-GB,de");
    let mode = std::fs::metadata(mouth.socket()).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700 & mode, "no other user connects");
    let (mut one, mut two) = (mouth.client(), mouth.client());
    one.tell(&Event::Describe);
    let Ok(Some(Event::Info { speak, .. })) = one.hear() else { panic!("it says what it offers") };
    let languages: Vec<&str> = speak[0].voices.iter().map(|voice| voice.language.as_str()).collect();
    assert_eq!(languages, ["en-GB", "de-DE"]);
    one.tell(&Event::Ping(Some("a".into())));
    assert_eq!(one.hear().expect("an event"), Some(Event::Pong(Some("a".into()))));
    let mut leaves = mouth.client();
    leaves.tell(&Event::Synthesize { text: "One two three. ".repeat(100), voice: None, language: None });
    assert!(matches!(leaves.hear(), Ok(Some(Event::AudioStart(_)))));
    drop(leaves);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| two.speak("Wie spät ist es?", Some("de")));
        assert!(one.speak("What time is it?", None).expect("it is spoken").len() > 16_000);
        assert!(other.join().expect("it ends").expect("it is spoken").len() > 16_000);
    });
    // Nothing to say is not a fault, and a language without a voice leaves the connection open.
    assert_eq!(one.speak("", None), Ok(Vec::new()));
    let refused = one.speak("Bonjour", Some("fr")).expect_err("nobody speaks it");
    assert!(refused.contains("`fr`") && refused.contains("en-GB, de-DE"), "{refused}");
    assert!(one.speak("Again.", Some("en")).is_ok());
}

/// The client library of the protocol, which nobody here wrote, understands what is offered and the sound.
#[test]
fn the_protocols_own_client_hears_it() {
    let Some(python) = python_with("wyoming") else { return };
    let mouth = Mouth::start("en-GB,de-DE");
    let mut command = Command::new(python);
    command.args(["-c", CLIENT]).arg(mouth.socket()).stderr(Stdio::inherit());
    let ran = run(command, b"", PATIENCE);
    assert_eq!(ran.stdout, "['en-GB', 'de-DE']\nheard\nheard\n", "{}", ran.report());
}

/// A program that was killed leaves its socket file behind: the next one takes its place, and none takes that of one that runs.
#[test]
fn a_socket_file_that_was_left_behind_is_replaced() {
    let mouth = Mouth::start("en").killed("de");
    assert!(mouth.client().speak("Guten Tag.", None).is_ok());
    let path = mouth.socket();
    let mut second = Command::new(Program::Mouth.path());
    second.args(["serve", "--socket"]).arg(&path);
    let ran = run(second, b"", Duration::from_secs(60));
    assert!(ran.status == 1 && ran.stderr.contains("another program answers"), "{}", ran.report());
    std::fs::File::create(path.with_file_name("plain"))
        .and_then(|mut file| file.write_all(b"x"))
        .expect("a file");
    let mut third = Command::new(Program::Mouth.path());
    third.args(["serve", "--socket"]).arg(path.with_file_name("plain"));
    let ran = run(third, b"", Duration::from_secs(60));
    assert_eq!(ran.status, 1, "{}", ran.report());
    let kept = std::fs::read(path.with_file_name("plain")).expect("a file that is no socket stays");
    assert_eq!(kept, b"x");
}
