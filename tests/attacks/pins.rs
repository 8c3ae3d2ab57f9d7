//! What an attacker gets of the process that has the pins, and who reaches it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::Duration;

use tameclaw_tests::pins::{self, Counter, Pins};
use tameclaw_tests::run::{Background, run};
use tameclaw_tests::world::{PATIENCE, Program, World};
use tempfile::TempDir;

use crate::forge::{self, Forced, SignedBy};

/// A running `cl-pins serve` without a line: no test machine needs a chip.
struct Bare {
    folder: TempDir,
    program: Background,
}

impl Bare {
    fn start() -> Bare {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut program = Background::start(command(&folder, "lines: []\n"));
        program.said("that it serves", |said| said.contains("serving at").then_some(()));
        Bare { folder, program }
    }

    fn client(&self) -> BufReader<UnixStream> {
        client(&self.folder.path().join("pins.sock"))
    }
}

fn client(socket: &std::path::Path) -> BufReader<UnixStream> {
    let stream = UnixStream::connect(socket).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket has a time-out");
    BufReader::new(stream)
}

fn command(folder: &TempDir, lines: &str) -> Command {
    let at = |name: &str| folder.path().join(name);
    fs::write(at("lines.yaml"), lines).expect("a file");
    let mut command = Command::new(Program::Pins.path());
    command.arg("serve").arg("--socket").arg(at("pins.sock")).arg("--lines").arg(at("lines.yaml"));
    command.arg("--stop").arg(at("stop"));
    command
}

/// Asks and hears one line; nothing once the connection is closed.
fn ask(client: &mut BufReader<UnixStream>, question: &[u8]) -> String {
    // A service that has closed the connection meanwhile shows it when it is heard.
    let _ = client.get_mut().write_all(question);
    let mut answer = String::new();
    let _ = client.read_line(&mut answer);
    answer
}

/// It holds a socket and the watch over the stops, and no file of this machine; each of its threads is behind the table of calls. It
/// ends with a signal.
#[test]
fn the_process_that_has_the_pins_is_confined() {
    let bare = Bare::start();
    let mut client = bare.client();
    assert_eq!(ask(&mut client, b"{\"ask\":\"list\"}\n"), "{\"lines\":[]}\n");
    let folder = format!("/proc/{}", bare.program.pid());
    let mut count = 0;
    for thread in fs::read_dir(format!("{folder}/task")).expect("it runs").flatten() {
        let status = fs::read_to_string(thread.path().join("status")).expect("it runs");
        assert!(status.contains("\nSeccomp:\t2\n") && status.contains("\nNoNewPrivs:\t1\n"), "{status}");
        count += 1;
    }
    assert!(count > 2, "a thread that watches, one that accepts, and one for the client");
    let open: Vec<String> = fs::read_dir(format!("{folder}/fd"))
        .expect("it runs")
        .flatten()
        .filter_map(|entry| fs::read_link(entry.path()).ok())
        .map(|path| path.display().to_string())
        .collect();
    let is_harmless = |path: &String| {
        ["socket:", "pipe:", "/dev/null", "anon_inode:inotify"].iter().any(|kind| path.starts_with(kind))
    };
    assert!(open.iter().all(is_harmless), "{open:?}");
    bare.program.signal(nix::sys::signal::Signal::SIGTERM);
    bare.program.ended(PATIENCE).exited(0);
}

/// Garbage ends the connection that sent it, with a word, and no other; a flood of questions is refused; more connections than there is
/// room for are closed.
#[test]
fn garbage_and_floods_end_their_own_connections() {
    let bare = Bare::start();
    for garbage in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"{\"ask\":\"write\",\"line\":\"/dev/gpiochip0\",\"on\":true}\n",
        b"{\"ask\":\"list\",\"more\":true}\n",
        &[b'{'; 10_000],
        &[0xff, b'\n'],
    ] {
        let mut client = bare.client();
        let answer = ask(&mut client, garbage);
        assert!(answer.is_empty() || answer.contains("\"error\""), "{answer}");
        let mut rest = Vec::new();
        let _ = client.read_to_end(&mut rest);
        assert!(rest.is_empty(), "the connection is closed");
    }
    let mut first = bare.client();
    let answers: Vec<String> = (0..400).map(|_| ask(&mut first, b"{\"ask\":\"list\"}\n")).collect();
    assert!(answers.iter().any(|answer| answer.contains("times a second")), "{}", answers[399]);
    let held: Vec<_> = (0..40).map(|_| bare.client()).collect();
    let mut late = bare.client();
    assert_eq!(ask(&mut late, b"{\"ask\":\"list\"}\n"), "", "there is no room for it");
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(ask(&mut first, b"{\"ask\":\"list\"}\n"), "{\"lines\":[]}\n");
    drop(held);
}

/// A chip that is not there, a file that is none, a stop whose folder is missing: each is named with the next step, and nothing is served.
#[test]
fn what_cannot_be_opened_is_named_with_the_next_step() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let once = |lines: &str| run(command(&folder, lines), b"", PATIENCE);
    let lamp = "lines: [{name: lamp, chip: /dev/gpiochip99, offset: 17, direction: out}]\n";
    once(lamp).exited(1).says("`lamp`, number 17 of /dev/gpiochip99").says("hint: `gpiodetect`");
    once(&lamp.replace("gpiochip99", "null")).exited(1).says("/dev/null").says("hint: ");
    once("lines: [{name: lamp, offset: 17}]\n")
        .exited(2)
        .says("lines[0].direction")
        .says("docs/guides/pins.md");
    once("").exited(2).says("names no line");
    let mut elsewhere = command(&folder, "lines: []\n");
    elsewhere.arg("--stop").arg(folder.path().join("none/stop"));
    run(elsewhere, b"", PATIENCE).exited(1).says("none/stop").says("hint: ");
    assert!(!folder.path().join("pins.sock").exists(), "no socket is left behind");
}

/// The service is connected for a skill that an approver decided with one of its tokens, and for no other entry of the manifest.
#[test]
fn no_pins_are_connected_without_an_approved_skill() {
    let cases: [(&[&str], SignedBy, usize); 4] = [
        (&["user:input", "audio:write"], SignedBy::Approver, 0),
        (&["gpio:read", "gpio:write"], SignedBy::Admin, 0),
        (&["gpio:read"], SignedBy::Approver, 1),
        (&["gpio:write"], SignedBy::Approver, 1),
    ];
    for (tokens, signed_by, came) in cases {
        let (world, counter) = (World::without_kit(), Counter::start());
        pins::name(&world, &counter.socket(), "");
        let described = forge::described(&[("greet", "greet the parrot")]);
        let module = b"\0asm\x01\0\0\0";
        forge::force(&world, &Forced { name: "parrot", module, tokens, signed_by, described });
        let _ = world.bot(&["agent", "-m", "hello"]);
        // What only looks something up connects nothing.
        let _ = world.bot(&["memory", "list"]);
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(counter.came(), came, "{tokens:?}");
    }
}

/// A client that leaves, also by force, leaves its outputs at their safe level; the stop does so while it is there.
#[test]
fn outputs_are_safe_once_their_client_is_gone_or_the_stop_is_set() {
    let world = World::without_kit();
    let pins = Pins::start(&world);
    let on = b"{\"ask\":\"write\",\"line\":\"lamp\",\"on\":true}\n";
    let is_off = || tameclaw_tests::eventually(PATIENCE, "it is off", || (!pins.is_on("lamp")).then_some(()));
    let mut one = client(&pins.socket());
    assert_eq!(ask(&mut one, on), "{\"on\":true}\n");
    assert!(pins.is_on("lamp"));
    drop(one);
    is_off();
    let mut one = client(&pins.socket());
    assert_eq!(ask(&mut one, on), "{\"on\":true}\n");
    world.admin(&["estop"]).done();
    is_off();
    assert!(ask(&mut one, on).contains("emergency stop"));
    world.admin(&["estop", "--clear"]).done();
    tameclaw_tests::eventually(PATIENCE, "it can be switched again", || {
        (ask(&mut one, on) == "{\"on\":true}\n").then_some(())
    });
}
