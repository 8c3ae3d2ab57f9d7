use std::io::{BufRead, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

use super::*;

/// A service that answers each question with the next of these lines, and hands on what it was asked.
fn service(answers: &'static [&'static str]) -> (Arc<Wires>, std::sync::mpsc::Receiver<String>) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let (asked, questions) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut input = BufReader::new(&theirs);
        for answer in answers {
            let mut question = String::new();
            if input.read_line(&mut question).unwrap_or(0) == 0 {
                return;
            }
            let _ = asked.send(question);
            let _ = (&theirs).write_all(answer.as_bytes());
        }
    });
    (Arc::new(Wires::over(File::from(OwnedFd::from(ours)))), questions)
}

#[test]
fn each_right_is_its_own_token() {
    let (wires, asked) = service(&["{\"on\":true}\n", "{\"on\":true}\n"]);
    let reads = Pins::new(Some(wires.clone()), true, false);
    assert!(matches!(reads.switch("lamp", true), Err(NoPins::NotGranted(Token::GpioWrite))));
    assert!(reads.read("lamp").unwrap());
    let switches = Pins::new(Some(wires), false, true);
    assert!(matches!(switches.read("lamp"), Err(NoPins::NotGranted(Token::GpioRead))));
    let cancel = AtomicBool::new(false);
    assert!(matches!(switches.wait("lamp", "any", 1, &cancel), Err(NoPins::NotGranted(Token::GpioRead))));
    switches.switch("pin 17", true).unwrap();
    let asked: Vec<String> = asked.try_iter().collect();
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert!(asked[1].contains("pin 17") && asked[1].contains("true"), "{asked:?}");
}

#[test]
fn without_a_service_the_next_step_is_said() {
    let pins = Pins::new(None, true, true);
    assert!(pins.read("lamp").unwrap_err().to_string().contains("start `cl-pins serve`"));
}

#[test]
fn names_times_and_rates_are_limited() {
    let (wires, asked) = service(&[]);
    let pins = Pins::new(Some(wires.clone()), true, true);
    for name in ["", "../gpiochip0", "a\nb", &"a".repeat(40)] {
        assert!(matches!(pins.read(name), Err(NoPins::Name)), "{name}");
    }
    let cancel = AtomicBool::new(false);
    for (edge, ms) in [("up", 1), ("any", -1), ("any", 30_001)] {
        assert!(matches!(pins.wait("lamp", edge, ms, &cancel), Err(NoPins::Wait)), "{edge} {ms}");
    }
    for _ in 0..MOST_SWITCHED {
        assert!(!matches!(pins.switch("lamp", true), Err(NoPins::TooOften)));
    }
    assert!(matches!(pins.switch("lamp", true), Err(NoPins::TooOften)));
    assert_eq!(asked.try_iter().count(), 0, "the service was gone");
}

#[test]
fn what_an_owned_service_sends_is_a_level_or_a_line_of_text() {
    let (wires, _asked) =
        service(&["{\"error\":\"`lamp`\\n\\u001b[31m is gone\"}\n", "{\"lines\":[]}\n", "{\"on\":true}\n"]);
    let pins = Pins::new(Some(wires), true, true);
    let Err(NoPins::Refused(why)) = pins.read("lamp") else { panic!("it refuses") };
    assert!(!why.contains(char::is_control) && why.contains("is gone"), "{why}");
    assert!(matches!(pins.read("lamp"), Err(NoPins::Failed)), "that was not asked for");
    assert!(matches!(pins.read("lamp"), Err(NoPins::Failed)), "it is asked nothing more");
}

#[test]
fn a_wait_is_asked_for_piece_by_piece_and_ends_with_the_call() {
    let (wires, asked) =
        service(&["{\"on\":null}\n", "{\"on\":false}\n", "{\"on\":null}\n", "{\"on\":true}\n"]);
    let pins = Pins::new(Some(wires), true, false);
    let cancel = AtomicBool::new(false);
    assert_eq!(pins.wait("button", "falling", 10_000, &cancel).unwrap(), Some(false));
    let questions: Vec<String> = asked.try_iter().collect();
    assert!(questions[0].contains("\"new\":true") && questions[1].contains("\"new\":false"), "{questions:?}");
    cancel.store(true, Ordering::Relaxed);
    assert_eq!(pins.wait("button", "any", 10_000, &cancel).unwrap(), None);
}
