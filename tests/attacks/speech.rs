//! What an attacker gets of the process that speaks: nothing but sound.

use std::fs;
use std::time::{Duration, Instant};

use tameclaw_tests::speech::Mouth;
use wyoming::Event;

/// It holds a socket, its voices, and no other file of this machine, and each of its threads is behind the table of calls.
#[test]
fn the_process_that_speaks_is_confined() {
    let mouth = Mouth::start("en-GB");
    let mut client = mouth.client();
    client.speak("Hello.", None).expect("it is spoken");
    let folder = format!("/proc/{}", mouth.program.pid());
    let threads = fs::read_dir(format!("{folder}/task")).expect("it runs");
    let mut count = 0;
    for thread in threads.flatten() {
        let status = fs::read_to_string(thread.path().join("status")).expect("it runs");
        assert!(status.contains("\nSeccomp:\t2\n") && status.contains("\nNoNewPrivs:\t1\n"), "{status}");
        count += 1;
    }
    assert!(count > 1, "a thread for the voices, and one for the client");
    let open: Vec<String> = fs::read_dir(format!("{folder}/fd"))
        .expect("it runs")
        .flatten()
        .filter_map(|entry| fs::read_link(entry.path()).ok())
        .map(|path| path.display().to_string())
        .collect();
    // Pico keeps the files of its voice open; nobody else has their names any more.
    let is_harmless = |path: &String| {
        ["socket:", "pipe:", "/dev/null"].iter().any(|kind| path.starts_with(kind))
            || path.ends_with(".bin (deleted)")
    };
    assert!(open.iter().all(is_harmless), "{open:?}");
}

/// Garbage ends the connection that sent it, with a word, and no other; more connections than there is room for are closed.
#[test]
fn garbage_and_floods_end_their_own_connections() {
    let mouth = Mouth::start("en-GB");
    for garbage in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"{\"type\": \"synthesize\", \"data\": {\"text\": 5}}\n",
        b"{\"type\": \"describe\", \"data_length\": 99999999999}\n",
        b"{\"type\": \"audio-chunk\", \"payload_length\": 18446744073709551615}\n",
        &[b'{'; 70_000],
        &[0xff; 100],
    ] {
        let mut client = mouth.client();
        client.send(garbage);
        if !garbage.ends_with(b"\n") {
            client.send(b"\n");
        }
        if let Ok(answer) = client.hear() {
            assert!(matches!(answer, Some(Event::Error { .. }) | None), "{answer:?}");
        }
        assert!(matches!(client.hear(), Ok(None) | Err(_)), "the connection is closed");
    }
    let mut first = mouth.client();
    let held: Vec<_> = (0..40).map(|_| mouth.client()).collect();
    let mut late = mouth.client();
    let begun = Instant::now();
    assert!(matches!(late.hear(), Ok(None) | Err(_)), "there is no room for it");
    assert!(begun.elapsed() < Duration::from_secs(20), "it is closed, and not left waiting");
    first.speak("Hello.", None).expect("who was there before is answered");
    drop(held);
    tameclaw_tests::eventually(tameclaw_tests::world::PATIENCE, "room for a client", || {
        let mut client = mouth.client();
        client.tell(&Event::Ping(None));
        matches!(client.hear(), Ok(Some(Event::Pong(None)))).then_some(())
    });
}

/// Orders to the voice within a text open no file and do not bring it down.
#[test]
fn a_text_gives_no_orders() {
    let mouth = Mouth::start("en-GB");
    let mut client = mouth.client();
    for text in [
        "<play file=\"/etc/passwd\"/>",
        "<genfile file=\"/tmp/x\">a</genfile>",
        "\\a\0<speed level='9'>",
        "\u{202e}",
    ] {
        assert!(client.speak(text, None).is_ok(), "{text}");
    }
    assert!(client.speak(&"x".repeat(2_001), None).expect_err("it is too long").contains("at most 2000"));
    assert!(client.speak("Hello.", None).expect("it still speaks").len() > 8_000);
}
