//! Speech becomes words on this machine: `cl-ear`, which hears what `cl-mouth` says.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use tameclaw_tests::run::{Background, run};
use tameclaw_tests::speech::{Client, Ear, read_wav, spoken, write_wav};
use tameclaw_tests::world::{PATIENCE, Program};
use wyoming::{Event, Format};

use crate::real_models::python_with;

/// What may be said.
const PHRASES: &str = "# the companion\nWhat time is it?\nwhat day is it\nstop\nhelp\nroll the dice\ngood morning\n\
                       remind me in <number> minutes\nwhat do you remember\nxyzzyq the door\n";
/// What was said, and what of it is understood.
const SAID: [(&str, &str); 7] = [
    ("What time is it?", "what time is it"),
    ("What day is it?", "what day is it"),
    ("Stop!", "stop"),
    ("Roll the dice.", "roll the dice"),
    ("Good morning.", "good morning"),
    ("Remind me in twenty five minutes.", "remind me in 25 minutes"),
    ("What do you remember?", "what do you remember"),
];
/// Sentences that are not phrases, though some hold one.
const OTHER: [&str; 10] = [
    "Delete all my files.",
    "Transfer the money to my brother.",
    "Please stop the music right now.",
    "What time did the train leave?",
    "The help desk is closed.",
    "The quick brown fox jumps over the lazy dog.",
    "Turn the lights off in the kitchen.",
    "Open the window.",
    "He rolled over and went back to sleep.",
    "Remember that my door code is four three two one.",
];

/// A conversation by the protocol's own library: what is offered, then the words of raw sound on standard input.
const CLIENT: &str = r#"
import asyncio, sys
from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncClient
from wyoming.info import Describe, Info

async def main():
    sound = sys.stdin.buffer.read()
    async with AsyncClient.from_uri("unix://" + sys.argv[1]) as client:
        await client.write_event(Describe().event())
        info = Info.from_event(await client.read_event())
        print([model.languages[0] for program in info.asr for model in program.models])
        await client.write_event(Transcribe(language="en").event())
        await client.write_event(AudioStart(rate=16000, width=2, channels=1).event())
        await client.write_event(AudioChunk(rate=16000, width=2, channels=1, audio=sound).event())
        await client.write_event(AudioStop().event())
        print(Transcript.from_event(await client.read_event()).text)

asyncio.run(main())
"#;

fn pause(seconds: f64) -> Vec<i16> {
    vec![0; (seconds * 16_000.0) as usize]
}

/// Each phrase is understood by two voices; one line for each utterance, and a phrase that cannot be heard is named and left out.
#[test]
fn phrases_that_were_said_are_printed() {
    if !Ear::is_installed() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wav = folder.path().join("said.wav");
    for voice in ["en-GB", "en-US"] {
        let said: Vec<i16> =
            SAID.iter().flat_map(|(text, _)| [spoken(voice, text), pause(1.2)].concat()).collect();
        write_wav(&wav, &said);
        let ran = Ear::hear(&wav, PHRASES);
        let expected: Vec<&str> = SAID.iter().map(|(_, words)| *words).collect();
        assert_eq!(ran.stdout.lines().collect::<Vec<_>>(), expected, "{voice} {}", ran.report());
        assert!(ran.status == 0 && ran.stderr.contains("`xyzzyq`"), "{}", ran.report());
    }
}

/// A sentence that is not a phrase is nothing, also where a part of it is one; so are silence and a file without sound.
#[test]
fn another_sentence_is_nothing() {
    if !Ear::is_installed() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wav = folder.path().join("said.wav");
    for sound in OTHER.iter().map(|text| spoken("en-US", text)).chain([pause(2.0), vec![]]) {
        write_wav(&wav, &sound);
        let ran = Ear::hear(&wav, PHRASES);
        assert!(ran.status == 12 && ran.stdout.is_empty(), "{}", ran.report());
    }
}

/// Sound of another rate is heard, as espeak-ng writes it.
#[test]
fn sound_of_another_rate_is_heard() {
    if !Ear::is_installed() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wav = folder.path().join("said.wav");
    let mut espeak = Command::new("espeak-ng");
    espeak.args(["-v", "en-us", "-w"]).arg(&wav).arg("what day is it").stderr(Stdio::null());
    if !espeak.status().is_ok_and(|status| status.success()) {
        tameclaw_tests::skip("espeak-ng is not installed");
        return;
    }
    assert_eq!(hound::WavReader::open(&wav).expect("a WAV file").spec().sample_rate, 22_050);
    let ran = Ear::hear(&wav, "what day is it\nwho are you\ngood morning\n");
    assert_eq!(ran.stdout, "what day is it\n", "{}", ran.report());
    assert!(read_wav(&wav).len() > 16_000);
}

/// What cannot be heard is refused with the reason and the next step.
#[test]
fn what_cannot_be_heard_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (wav, list) = (folder.path().join("said.wav"), folder.path().join("phrases"));
    write_wav(&wav, &pause(0.5));
    std::fs::write(&list, "stop\n").expect("a file");
    let hear = |wav: &std::path::Path, more: &[&str]| {
        let mut command = Command::new(Program::Ear.path());
        command.arg("hear").arg(wav).arg("--phrases").arg(&list).args(more);
        run(command, b"", PATIENCE)
    };
    let ran = hear(&wav, &["--model", "/proc/no/such/model"]);
    assert!(
        ran.status == 1 && ran.stderr.contains("install the package `pocketsphinx-en-us`"),
        "{}",
        ran.report()
    );
    let ran = hear(&folder.path().join("none.wav"), &[]);
    assert!(ran.status == 1 && ran.stderr.contains("none.wav"), "{}", ran.report());
    if !Ear::is_installed() {
        return;
    }
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: 8_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let other = folder.path().join("other.wav");
    hound::WavWriter::create(&other, spec).and_then(hound::WavWriter::finalize).expect("a WAV file");
    let ran = hear(&other, &[]);
    assert!(ran.status == 2 && ran.stderr.contains("16000 to 48000"), "{}", ran.report());
    std::fs::write(&list, "# nothing\nxyzzyq\n").expect("a file");
    let ran = hear(&wav, &[]);
    assert!(ran.status == 2 && ran.stderr.contains("no phrase is left"), "{}", ran.report());
    std::fs::write(&list, " stop\n".repeat(60_000)).expect("a file");
    let ran = hear(&wav, &[]);
    assert!(ran.status == 2 && ran.stderr.contains("262144 bytes"), "{}", ran.report());
}

/// A client has utterances heard, one after the other; what is not a phrase is an empty transcript, and sound that is not taken is refused
/// while the connection stays.
#[test]
fn clients_have_their_utterances_heard() {
    let Some(ear) = Ear::start(PHRASES) else { return };
    let mode = std::fs::metadata(ear.socket()).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "no other user connects");
    let (mut one, mut two) = (ear.client(), ear.client());
    one.tell(&Event::Describe);
    let Ok(Some(Event::Info { speak, hear })) = one.hear() else { panic!("it says what it offers") };
    assert!(speak.is_empty() && hear[0].name == "pocketsphinx" && hear[0].voices[0].language == "en-US");
    assert_eq!(two.heard(&spoken("en-GB", "Good morning.")), Ok("good morning".into()));
    assert_eq!(one.heard(&spoken("en-US", "What time is it?")), Ok("what time is it".into()));
    assert_eq!(one.heard(&spoken("en-US", "Open the window.")), Ok(String::new()));
    assert_eq!(one.heard(&[]), Ok(String::new()));
    let refused = one.heard(&vec![0; 31 * 16_000]).expect_err("it is too long");
    assert!(refused.contains("at most 30 seconds"), "{refused}");
    one.tell(&Event::AudioStart(Format { rate: 44_100, width: 2, channels: 2 }));
    let Ok(Some(Event::Error { text, .. })) = one.hear() else { panic!("it is refused") };
    assert!(text.contains("16000 samples a second"), "{text}");
    one.tell(&Event::AudioStop);
    assert_eq!(one.heard(&spoken("en-GB", "Roll the dice.")), Ok("roll the dice".into()));
}

/// A client may send a list, which holds for its connection alone, from the next utterance on; a list that cannot be heard is refused at
/// the utterance, and another one is taken then. Choices, words that may be missing, dates and dice are heard.
#[test]
fn each_client_has_its_own_list() {
    let Some(ear) = Ear::without_a_list() else { return };
    let (mut one, mut two) = (ear.client(), ear.client());
    let refused = one.heard(&spoken("en-GB", "Good morning.")).expect_err("a list is missing");
    assert!(refused.contains("no list of phrases"), "{refused}");
    one.tell(&Event::Phrases("good morning\n[please] roll|throw <dice>\ndays until <date>\n".to_owned()));
    two.tell(&Event::Phrases("what time is it\nopen the window\n".to_owned()));
    for (said, words) in [
        ("Good morning.", "good morning"),
        ("Please roll three dee six.", "please roll 3d6"),
        ("Days until the third of March.", "days until 3 march"),
        ("Open the window.", ""),
    ] {
        assert_eq!(one.heard(&spoken("en-GB", said)).as_deref(), Ok(words), "{said}");
    }
    assert_eq!(two.heard(&spoken("en-GB", "Open the window.")), Ok("open the window".into()));
    assert_eq!(one.heard(&spoken("en-GB", "Good morning.")), Ok("good morning".into()));
    two.tell(&Event::Phrases("xyzzyq\n".to_owned()));
    let refused = two.heard(&spoken("en-GB", "Open the window.")).expect_err("nothing is left of it");
    assert!(refused.contains("no phrase is left"), "{refused}");
    two.tell(&Event::Phrases("open|close the window\n".to_owned()));
    assert_eq!(two.heard(&spoken("en-GB", "Open the window.")), Ok("open the window".into()));
}

/// Sentences of the measured set are understood with the list of two dozen skills, and others are nothing: one of each may fail.
#[test]
fn the_list_of_many_skills_is_understood() {
    let measured = tameclaw_tests::world::workspace().join("drivers/ear/examples");
    let read = |name: &str| std::fs::read_to_string(measured.join(name)).expect("the measured set");
    let Some(ear) = Ear::start(&read("phrases.txt")) else { return };
    let (mut client, sentences) = (ear.client(), read("sentences.txt"));
    let (of_the_list, others) = sentences.split_once("# Other sentences.").expect("both kinds");
    let mut heard = |sentences: &str, step: usize| -> Vec<(String, String)> {
        let lines = sentences.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).step_by(step);
        lines
            .map(|line| (line.to_owned(), client.heard(&spoken("en-US", line)).expect("it is heard")))
            .collect()
    };
    let (understood, taken) = (heard(of_the_list, 28), heard(others, 11));
    // Numbers come out in figures.
    let is_right = |(said, words): &&(String, String)| said.split(' ').next() == words.split(' ').next();
    assert!(understood.iter().filter(is_right).count() + 1 >= understood.len(), "{understood:?}");
    assert!(taken.iter().filter(|(_, words)| !words.is_empty()).count() <= 1, "{taken:?}");
}

/// The client library of the protocol, which nobody here wrote, understands what is offered and the words.
#[test]
fn the_protocols_own_client_has_it_hear() {
    let Some(python) = python_with("wyoming") else { return };
    let Some(ear) = Ear::start(PHRASES) else { return };
    let mut command = Command::new(python);
    command.args(["-c", CLIENT]).arg(ear.socket());
    let sound: Vec<u8> =
        spoken("en-GB", "What day is it?").iter().flat_map(|sample| sample.to_le_bytes()).collect();
    let ran = run(command, &sound, PATIENCE);
    assert_eq!(ran.stdout, "['en-US']\nwhat day is it\n", "{}", ran.report());
}

/// Without whisper.cpp built in, its options are refused with the next step; with it, so are files that are not known models.
#[test]
fn a_model_that_nobody_vouches_for_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (wav, list) = (folder.path().join("said.wav"), folder.path().join("phrases"));
    write_wav(&wav, &pause(0.5));
    std::fs::write(&list, "stop\n").expect("a file");
    let model = folder.path().join("ggml-base.bin");
    std::fs::write(&model, b"lmgg and something else").expect("a file");
    let hear = |model: &std::path::Path, more: &[&str]| {
        let mut command = Command::new(Program::Ear.path());
        command.arg("hear").arg(&wav).arg("--phrases").arg(&list).arg("--whisper").arg(model).args(more);
        run(command, b"", PATIENCE)
    };
    let ran = hear(&model, &[]);
    if ran.stderr.contains("built without whisper.cpp") {
        assert!(ran.status == 1 && ran.stderr.contains("--features whisper"), "{}", ran.report());
        tameclaw_tests::skip("the rest of it: this `cl-ear` was built without whisper.cpp");
        return;
    }
    assert!(ran.status == 3 && ran.stderr.contains("not that of a known model"), "{}", ran.report());
    let ran = hear(&model, &["--digest", &"0".repeat(64)]);
    assert!(ran.status == 3 && ran.stderr.contains("has the SHA-256"), "{}", ran.report());
    let ran = hear(&wav, &[]);
    assert!(ran.status == 1 && ran.stderr.contains("is not a model of whisper.cpp"), "{}", ran.report());
    let ran = hear(&folder.path().join("none.bin"), &[]);
    assert!(ran.status == 1 && ran.stderr.contains("none.bin"), "{}", ran.report());
    assert_eq!(hear(&model, &["--digest", "12ab"]).status, 2);
}

/// whisper.cpp finds the phrases of a client's list, and nothing in another sentence, in silence or in noise.
#[test]
fn whisper_understands_the_phrases_of_a_list() {
    let Some(ear) = Ear::of_whisper("en") else { return };
    let mut client = ear.client();
    client.tell(&Event::Describe);
    let Ok(Some(Event::Info { hear, .. })) = client.hear() else { panic!("it says what it offers") };
    assert!(hear[0].name == "whisper.cpp" && hear[0].voices[0].language == "en-US");
    let refused = client.heard(&spoken("en-GB", "Good morning.")).expect_err("a list is missing");
    assert!(refused.contains("no list of phrases"), "{refused}");
    client.tell(&Event::Phrases(PHRASES.to_owned()));
    let mut heard = |said: &str| client.heard(&spoken("en-GB", said)).expect("it is heard");
    let understood: Vec<(String, &str)> = SAID.map(|(said, words)| (heard(said), words)).to_vec();
    // It may miss one, and takes none for another.
    assert!(understood.iter().all(|(heard, words)| heard.is_empty() || heard == words), "{understood:?}");
    assert!(understood.iter().filter(|(heard, _)| heard.is_empty()).count() <= 1, "{understood:?}");
    for said in OTHER {
        assert_eq!(heard(said), "", "{said}");
    }
    let mut state = 7_u32;
    let hiss: Vec<i16> = (0..32_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 20) as i16
        })
        .collect();
    for sound in [pause(2.0), hiss, vec![]] {
        assert_eq!(client.heard(&sound), Ok(String::new()), "{} samples", sound.len());
    }
}

/// It understands German where it is started for it.
#[test]
fn whisper_understands_german() {
    let Some(ear) = Ear::of_whisper("de") else { return };
    let mut client = ear.client();
    client.tell(&Event::Phrases(
        "wie viele tage sind es bis <date>\nlösche die einkaufsliste\nist <number> eine primzahl\n"
            .to_owned(),
    ));
    for (said, words) in [
        ("Wie viele Tage sind es bis Weihnachten?", "wie viele tage sind es bis weihnachten"),
        ("Lösche die Einkaufsliste.", "lösche die einkaufsliste"),
        ("Ist einundneunzig eine Primzahl?", "ist 91 eine primzahl"),
        ("Der Zug nach Hamburg fährt auf Gleis sieben.", ""),
    ] {
        assert_eq!(client.heard(&spoken("de-DE", said)).as_deref(), Ok(words), "{said}");
    }
}

/// `wyoming-faster-whisper`, which nobody here wrote, takes the ear's place: it skips a list, and its words come as a transcript.
#[test]
fn another_service_takes_the_ears_place() {
    let Some(model) = std::env::var_os("TAMECLAW_TEST_FASTER_WHISPER") else {
        tameclaw_tests::skip("TAMECLAW_TEST_FASTER_WHISPER names no folder of a model");
        return;
    };
    let Some(python) = python_with("wyoming_faster_whisper") else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let socket = folder.path().join("ear.sock");
    let mut command = Command::new(python);
    command.args(["-m", "wyoming_faster_whisper", "--language", "en", "--uri"]);
    command.arg(format!("unix://{}", socket.display())).arg("--model").arg(model);
    command.arg("--data-dir").arg(folder.path()).arg("--local-files-only");
    let program = Background::start(command);
    tameclaw_tests::eventually(Duration::from_secs(120), "its socket file", || socket.exists().then_some(()));
    let mut client = Client::of(&socket);
    client.tell(&Event::Describe);
    let Ok(Some(Event::Info { hear, .. })) = client.hear() else { panic!("it says what it offers") };
    assert!(!hear.is_empty());
    client.tell(&Event::Phrases(PHRASES.to_owned()));
    let words = client.heard(&spoken("en-GB", "What time is it?")).expect("it is heard");
    assert!(words.to_lowercase().contains("what time is it"), "{words}");
    drop(program);
}
