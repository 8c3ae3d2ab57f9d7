//! The review console on a terminal, beside a chat that somebody owns: the chat can neither draw on it, nor answer it, nor keep
//! it from opening; and however it breaks, the terminal is given back.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tameclaw_tests::console::{is_given_back, opened, waiting};
use tameclaw_tests::eventually;
use tameclaw_tests::points;
use tameclaw_tests::pty::Pty;
use tameclaw_tests::skill::{compiler_is_missing, exported};
use tameclaw_tests::world::{Program, World};

const SOON: Duration = Duration::from_secs(60);
const PROMPT: &str = "> ";
/// Ctrl-G opens the review.
const REVIEW: &str = "\x07";

/// The chat below `up`, and its terminal.
fn chat_below(up: u32) -> Option<(u32, PathBuf)> {
    let children = fs::read_to_string(format!("/proc/{up}/task/{up}/children")).ok()?;
    children.split_whitespace().filter_map(|pid| pid.parse::<u32>().ok()).find_map(|pid| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let terminal = fs::read_link(format!("/proc/{pid}/fd/1")).ok()?;
        let is_chat = line.windows(6).any(|word| word == b"cl-bot") && terminal.starts_with("/dev/pts");
        is_chat.then_some((pid, terminal))
    })
}

/// An owned chat leaves the terminal in every odd state, asks it for answers that come as keys, and floods on while the review is
/// open: the review is whole, nothing of the chat stands on it, and nothing is decided.
#[test]
fn an_owned_chat_neither_draws_on_the_review_nor_answers_it() {
    let Some(world) = waiting() else { return };
    let mut pty = Pty::start(world.command(Program::Admin, &["up"]));
    pty.expect(PROMPT, SOON);
    let (_, terminal) = eventually(SOON, "the chat runs", || chat_below(pty.pid()));
    let mut chat = fs::OpenOptions::new().write(true).open(terminal).expect("its terminal can be written");
    // Alternate screen, margins, origin and insert mode, no wrapping, inverse, line drawing, an open title, an open string; then
    // questions whose answers are typed by the terminal itself.
    let states = "\x1b[?1049h\x1b[5;7r\x1b[?6h\x1b[4h\x1b[?7l\x1b[?5h\x1b(0\x1b[8m\x1b[?2026h\x1b[6n\x1b[6n\x1b[c\x1b[21t\x1b]0;open";
    chat.write_all(states.as_bytes()).expect("the chat writes");
    std::thread::sleep(Duration::from_millis(300));
    pty.keys(REVIEW);
    let stop = Arc::new(AtomicBool::new(false));
    let ended = Arc::clone(&stop);
    let flood = std::thread::spawn(move || {
        let forged = "\x1b[?1049l\x1b[1;1HOWNED [>Yes, approve<]\x1b[6n\x1b[c\r\n";
        let mut blocks = 0;
        while !ended.load(Ordering::Relaxed) && blocks < 20_000 && chat.write_all(forged.as_bytes()).is_ok() {
            blocks += 1;
        }
    });
    pty.see("REVIEW by owner", SOON);
    pty.keys("\r");
    pty.see("[>View<]", SOON);
    pty.keys("a");
    pty.see("APPROVE?", SOON);
    for _ in 0..40 {
        let screen = pty.sees(24, 80);
        assert!(screen.alternate_screen(), "{}", screen.contents());
        assert!(!screen.contents().contains("OWNED"), "the chat drew on it:\n{}", screen.contents());
        std::thread::sleep(Duration::from_millis(50));
    }
    pty.see("[>No, go back<]", SOON);
    assert_eq!(world.newest()["status"], "human-review");
    stop.store(true, Ordering::Relaxed);
    pty.keys("\x1b");
    pty.see("[>View<]", SOON);
    pty.keys("q");
    pty.see_when("the chat again", SOON, |screen| screen.contains("OWNED"));
    flood.join().expect("the flood ends");
    kill(Pid::from_raw(pty.pid() as i32), Signal::SIGTERM).expect("it runs");
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    assert!(pty.is_cooked(), "the terminal is still raw");
    assert_eq!(world.newest()["status"], "human-review");
}

/// A chat that reads nothing any more, with more typed at it than its terminal holds, keeps nobody from the review.
#[test]
fn a_chat_that_reads_nothing_does_not_keep_the_review_from_opening() {
    let world = World::new();
    let mut pty = Pty::start(world.command(Program::Admin, &["up"]));
    pty.expect(PROMPT, SOON);
    let (chat, _) = eventually(SOON, "the chat runs", || chat_below(pty.pid()));
    let chat = Pid::from_raw(chat as i32);
    kill(chat, Signal::SIGSTOP).expect("it runs");
    for _ in 0..100 {
        pty.keys(&"x".repeat(4_000));
    }
    pty.keys(REVIEW);
    pty.see("REVIEW by owner", SOON);
    pty.keys("q");
    kill(chat, Signal::SIGCONT).expect("it runs");
    kill(Pid::from_raw(pty.pid() as i32), Signal::SIGTERM).expect("it runs");
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    is_given_back(&pty);
}

/// A panic, of the thread that draws or of one that works beside it, gives the terminal back or is reported on the screen.
#[test]
fn a_panic_gives_the_terminal_back() {
    let Some(world) = waiting() else { return };
    let started = |points: &str| {
        let mut command = world.command_of(&points::program(), &["review"]);
        command.env("FAILPOINTS", points);
        Pty::start(command)
    };
    let mut pty = started("console.draw=3*off->panic(a drawing that fails)");
    pty.keys("jkjk");
    assert_ne!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    is_given_back(&pty);
    assert!(pty.screen.text().contains("a drawing that fails"), "{}", pty.screen.tail());

    let mut pty = started("decide.before=panic(a decision that fails)");
    pty.see("REVIEW by owner", SOON);
    pty.keys("\r");
    pty.see("[>View<]", SOON);
    pty.keys("a");
    pty.see("Enter chooses", SOON);
    pty.keys("\x1b[C");
    pty.see("[>Yes, approve<]", SOON);
    pty.keys("\r");
    let said = pty.see("broke off", SOON);
    assert!(!said.contains("panicked"), "a panic beside the screen is drawn over it:\n{said}");
    kill(Pid::from_raw(pty.pid() as i32), Signal::SIGTERM).expect("it runs");
    pty.ended(SOON);
    is_given_back(&pty);
    assert_eq!(world.newest()["status"], "human-review");
}

/// A window that changes its size as fast as it can, down to nothing and up to very much, while keys are typed: nothing breaks
/// and nothing is decided.
#[test]
fn a_window_of_any_size_decides_nothing() {
    let Some(world) = waiting() else { return };
    let mut pty = opened(&world);
    let sizes = [(0, 0), (1, 1), (1, 500), (500, 1), (2, 2), (300, 300), (24, 80), (9, 39), (0, 80), (24, 0)];
    for (rows, columns) in sizes.iter().cycle().take(60) {
        pty.resize(*rows, *columns);
        pty.keys("a");
        std::thread::sleep(Duration::from_millis(20));
        pty.keys("\r");
    }
    pty.keys("\x1b\x1b");
    pty.resize(24, 80);
    assert!(pty.runs(), "{}", pty.screen.tail());
    assert_eq!(world.newest()["status"], "human-review");
    kill(Pid::from_raw(pty.pid() as i32), Signal::SIGTERM).expect("it runs");
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    assert!(pty.is_cooked(), "the terminal is still raw");
}

/// A long source, in one line of escapes, wide and combining characters, is read within seconds and steers nothing.
#[test]
fn a_huge_page_of_escapes_is_read_like_any_other() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let odd = "\\u{1b}[2J漢e\u{301}\u{302}\u{303}字👩".repeat(600);
    let source = format!(
        "use skill_sdk::prelude::*;\n\npub struct Skill;\n\nimpl skill_sdk::Skill for Skill {{\n    \
         fn describe(&self) -> Description {{\n        Description::new(\"Tells\").tool(Tool::new(\"tell\", \"Tells\"))\n    }}\n    \
         fn call_tool(&mut self, _: &Call) -> Answer {{\n        Ok([\"{odd}\", \"{odd}\", \"{odd}\"].concat().chars().count().to_string())\n    }}\n}}\n"
    );
    assert!(source.len() > 40_000 && source.len() < 64 * 1024, "{}", source.len());
    let spec = "  capabilities: []\n  tools:\n    - {name: tell, description: Tells, parameters: {type: object, properties: {}}}\n  \
                rationale: none\n  user_context: none\n  generated_by: proposer\n  generated_at: \"2026-02-07T14:30:00Z\"\nstatus: new\n\
                history: [{timestamp: \"2026-02-07T14:30:00Z\", status: new, actor: proposer}]\n";
    let file = world.outside().join("huge.json");
    fs::write(&file, exported("huge-page", spec, &source)).expect("it can be written");
    world.admin(&["skill", "import", &file.display().to_string()]).done();
    world.admin(&["run", "--once"]).done();
    let row = world.newest();
    assert_eq!(row["status"], "human-review", "{row}");
    let mut pty = opened(&world);
    let begun = std::time::Instant::now();
    pty.keys("v");
    pty.see("SOURCE", SOON);
    for _ in 0..30 {
        pty.keys("\x1b[6~");
    }
    pty.keys("\x1b[F");
    std::thread::sleep(Duration::from_millis(500));
    pty.keys("q");
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    is_given_back(&pty);
}
