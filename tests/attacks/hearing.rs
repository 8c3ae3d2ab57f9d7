//! What an attacker gets of the process that hears: nothing but words of its list.

use std::fs;
use std::time::{Duration, Instant};

use tameclaw_tests::speech::{Ear, SOUND, spoken, write_wav};
use tameclaw_tests::world::PATIENCE;
use wyoming::Event;

/// It holds a socket and no file of this machine, and each of its threads is behind the table of calls.
#[test]
fn the_process_that_hears_is_confined() {
    let Some(ear) = Ear::start("stop\n") else { return };
    let mut client = ear.client();
    assert_eq!(client.heard(&spoken("en-GB", "Stop.")), Ok("stop".into()));
    is_confined(&ear);
}

/// The same holds with whisper.cpp, whose model was read before.
#[test]
fn whisper_is_confined() {
    let Some(ear) = Ear::of_whisper("en") else { return };
    let mut client = ear.client();
    client.tell(&Event::Phrases("good morning\n".to_owned()));
    assert_eq!(client.heard(&spoken("en-GB", "Good morning.")), Ok("good morning".into()));
    is_confined(&ear);
}

#[track_caller]
fn is_confined(ear: &Ear) {
    let folder = format!("/proc/{}", ear.program.pid());
    let mut count = 0;
    for thread in fs::read_dir(format!("{folder}/task")).expect("it runs").flatten() {
        let status = fs::read_to_string(thread.path().join("status")).expect("it runs");
        assert!(status.contains("\nSeccomp:\t2\n") && status.contains("\nNoNewPrivs:\t1\n"), "{status}");
        count += 1;
    }
    assert!(count > 1, "a thread for the decoder, and one for the client");
    let open: Vec<String> = fs::read_dir(format!("{folder}/fd"))
        .expect("it runs")
        .flatten()
        .filter_map(|entry| fs::read_link(entry.path()).ok())
        .map(|path| path.display().to_string())
        .collect();
    let is_harmless =
        |path: &String| ["socket:", "pipe:", "/dev/null"].iter().any(|kind| path.starts_with(kind));
    assert!(open.iter().all(is_harmless), "{open:?}");
}

/// Garbage ends the connection that sent it, with a word, and no other; sound out of turn is refused; more connections than there is room
/// for are closed.
#[test]
fn garbage_and_floods_end_their_own_connections() {
    let Some(ear) = Ear::start("stop\n") else { return };
    for garbage in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"{\"type\": \"audio-start\", \"data\": {\"rate\": 0}}\n",
        b"{\"type\": \"audio-chunk\", \"payload_length\": 18446744073709551615}\n",
        b"{\"type\": \"audio-chunk\", \"data\": {\"rate\": 16000, \"width\": 2, \"channels\": 1}, \"payload_length\": 1}\na",
        &[b'{'; 70_000],
    ] {
        let mut client = ear.client();
        client.send(garbage);
        if !garbage.ends_with(b"\n") {
            client.send(b"\n");
        }
        if let Ok(answer) = client.hear() {
            assert!(matches!(answer, Some(Event::Error { .. }) | None), "{answer:?}");
        }
        assert!(matches!(client.hear(), Ok(None) | Err(_)), "the connection is closed");
    }
    let mut first = ear.client();
    for _ in 0..3 {
        first.tell(&Event::AudioChunk(SOUND, vec![0; 32_000]));
    }
    first.tell(&Event::AudioStop);
    let refused = first.hear();
    assert!(
        matches!(&refused, Ok(Some(Event::Error { text, .. })) if text.contains("audio-start")),
        "{refused:?}"
    );
    // No sound without a beginning is kept: 100 MB, and more than an utterance, once for each beginning.
    for _ in 0..2 {
        first.tell(&Event::AudioStart(SOUND));
        for _ in 0..50 {
            first.tell(&Event::AudioChunk(SOUND, vec![0; 1_000_000]));
        }
        assert!(matches!(first.hear(), Ok(Some(Event::Error { .. }))), "it is too long");
    }
    let status = fs::read_to_string(format!("/proc/{}/status", ear.program.pid())).expect("it runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its most memory");
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(peak < 120_000, "{peak} kB");
    let held: Vec<_> = (0..40).map(|_| ear.client()).collect();
    let mut late = ear.client();
    let begun = Instant::now();
    assert!(matches!(late.hear(), Ok(None) | Err(_)), "there is no room for it");
    assert!(begun.elapsed() < Duration::from_secs(20), "it is closed, and not left waiting");
    assert_eq!(first.heard(&spoken("en-US", "Stop.")), Ok("stop".into()));
    drop(held);
    tameclaw_tests::eventually(PATIENCE, "room for a client", || {
        let mut client = ear.client();
        client.tell(&Event::Ping(None));
        matches!(client.hear(), Ok(Some(Event::Pong(None)))).then_some(())
    });
}

/// A list of a client adds phrases and no rule of the grammar, as long as it is cut, and no phrase of another client's.
#[test]
fn no_list_of_a_client_gives_orders() {
    let Some(ear) = Ear::start("good morning\n") else { return };
    let (mut owned, mut other) = (ear.client(), ear.client());
    let sound = spoken("en-US", "Open the window.");
    for list in [
        "stop; public <more> = open the window\n".to_owned(),
        "stop | open the window\nhelp\n[open the window\n".to_owned(),
        "import <file:///etc/passwd>;\nstop\n[ [open] the window ]\n".to_owned(),
        format!("stop\n{}open the window\n", "# a list that is too long\n".repeat(20_000)),
    ] {
        owned.tell(&Event::Phrases(list));
        match owned.heard(&sound) {
            Ok(words) => assert!(words.is_empty(), "{words}"),
            Err(why) => assert!(why.contains("no phrase is left"), "{why}"),
        }
    }
    for _ in 0..8 {
        owned.tell(&Event::Phrases("open the window\n".to_owned()));
    }
    assert_eq!(owned.heard(&sound), Ok("open the window".into()));
    assert_eq!(other.heard(&sound), Ok(String::new()));
    assert_eq!(other.heard(&spoken("en-GB", "Good morning.")), Ok("good morning".into()));
}

/// Noise of every kind comes to words of the list or to none, and brings nothing down.
#[test]
fn no_noise_brings_it_down() {
    let Some(ear) = Ear::start("stop\ngood morning\n") else { return };
    let mut client = ear.client();
    let mut state = 7_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as i16
    };
    let hiss: Vec<i16> = (0..48_000).map(|_| random()).collect();
    let square: Vec<i16> = (0..48_000).map(|at| if at / 20 % 2 == 0 { i16::MIN } else { i16::MAX }).collect();
    for sound in [hiss, square, vec![i16::MIN; 30 * 16_000], vec![1], vec![i16::MAX; 100]] {
        assert_eq!(client.heard(&sound), Ok(String::new()), "{} samples", sound.len());
    }
    assert_eq!(client.heard(&spoken("en-GB", "Good morning.")), Ok("good morning".into()));
}

/// A file of phrases adds phrases, and no rule of the grammar; a file of sound that lies is refused.
#[test]
fn no_file_gives_orders() {
    if !Ear::is_installed() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wav = folder.path().join("said.wav");
    write_wav(&wav, &spoken("en-US", "Open the window."));
    for phrases in [
        "stop; public <more> = open the window\n",
        "stop | open the window\nhelp\n",
        "stop\n#JSGF V1.0; grammar x; public <a> = open the window;\n",
        "help\nopen* the window\n(open) [the] window+\n<digit> <ty>\n",
        "import <file:///etc/passwd>;\nstop\n",
    ] {
        let ran = Ear::hear(&wav, phrases);
        let is_refused = ran.status == 2 && ran.stderr.contains("no phrase is left");
        assert!(ran.stdout.is_empty() && (ran.status == 12 || is_refused), "{phrases} {}", ran.report());
    }
    let whole = fs::read(&wav).expect("a file");
    for (at, byte) in [(4, 0xff), (16, 0xff), (20, 3), (22, 9), (34, 24), (40, 0xff), (43, 0xff)] {
        let mut lying = whole.clone();
        lying[at] = byte;
        fs::write(&wav, lying).expect("a file");
        let ran = Ear::hear(&wav, "stop\n");
        assert!(ran.status == 2 || ran.status == 12, "{at} {}", ran.report());
        assert!(ran.stdout.is_empty(), "{at} {}", ran.report());
    }
}
