//! The review on the whole screen, as a person at a terminal of 80 columns and 24 rows sees it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tameclaw_tests::console::{console, is_given_back, opened, waiting};
use tameclaw_tests::eventually;
use tameclaw_tests::pty::{CTRL_C, Pty};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{Program, World};

use crate::profiles::secret_file;
use crate::terminal::PROMPT;

const SOON: Duration = Duration::from_secs(60);
/// The hint below a question once keys count.
const ASKED: &str = "Enter chooses";
const UP: &str = "\x1b[A";
const RIGHT: &str = "\x1b[C";
const PAGE_DOWN: &str = "\x1b[6~";

/// With more than one profile the question asks who gets the skill; keys for the buttons work in that field as well.
#[test]
fn a_yes_on_the_whole_screen_is_for_those_who_were_chosen() {
    let Some(world) = waiting() else { return };
    world.admin(&["profile", "add", "ben", "--audience", "work"]).done();
    let mut pty = console(&world);
    pty.see("APPROVE", SOON);
    pty.keys("\r");
    pty.see("[>View<]", SOON);
    pty.keys("a");
    pty.see(ASKED, SOON);
    pty.see("goes to (Left, Right): everyone", SOON);
    pty.keys(RIGHT);
    pty.see("goes to (Left, Right): work", SOON);
    pty.keys("y");
    pty.see("is installed", SOON);
    world.admin(&["skill", "list"]).done().prints("for: work");
}

/// The whole way at 80x24: queue, pages, source, other sizes, the question, yes.
#[test]
fn a_package_is_read_and_approved_on_the_whole_screen() {
    let Some(world) = waiting() else { return };
    let mut pty = console(&world);
    let name = world.newest()["name"].as_str().expect("a name").to_owned();
    let queue = pty.see(&name, SOON);
    assert!(queue.contains("APPROVE") && queue.contains("ago") && queue.contains("for default"), "{queue}");
    pty.keys("\r");
    let summary = pty.see("[>View<] [ Approve ]", SOON);
    for said in [
        "[1 summary]",
        "GRANTED",
        "none: it can only",
        "goes to",
        "scan",
        "clean",
        "| its author",
        "Say: roll 3d6+2",
        "[ Quit ]",
    ] {
        assert!(summary.contains(said), "no `{said}` in\n{summary}");
    }
    pty.keys("v");
    let source = pty.see("SOURCE", SOON);
    assert!(source.contains("   1  "), "{source}");
    assert!(String::from_utf8_lossy(&pty.screen.raw()).contains("\x1b[38;5;"), "the source has colours");
    pty.keys(PAGE_DOWN);
    pty.see_when("the next part of the source", SOON, |s| !s.contains("   1  "));

    resized(&pty, 40, 120, "[>View<]");
    resized(&pty, 20, 60, "[>View<]");
    resized(&pty, 10, 40, "too small");
    pty.keys("a");
    let again = resized(&pty, 24, 80, "[>View<] [ Approve ]");
    assert!(!again.contains("APPROVE?"), "a key in a window that is too small asks nothing:\n{again}");

    pty.keys("a");
    let question = pty.see(ASKED, SOON);
    for said in ["APPROVE?", &name, "version 1 (new)", "GRANTED", "hosts", "none", "[>No, go back<]"] {
        assert!(question.contains(said), "no `{said}` in\n{question}");
    }
    assert!(question.contains("you have not opened the page `words`"), "{question}");
    pty.keys("\r");
    pty.see("nothing was changed", SOON);
    assert_eq!(world.newest()["status"], "human-review");
    pty.keys("a");
    pty.see(ASKED, SOON);
    pty.keys(RIGHT);
    pty.see("[>Yes, approve<]", SOON);
    pty.keys("\r");
    pty.see("is installed", SOON);
    assert_eq!(world.newest()["status"], "accepted");
    pty.keys("\r");
    pty.see("Nothing waits for you.", SOON);
    pty.keys("q");
    assert_eq!(pty.ended(SOON), 0);
    is_given_back(&pty);
}

/// Gives the terminal another size, and hands out what it shows once that holds a text.
#[track_caller]
fn resized(pty: &Pty, rows: u16, columns: u16, text: &str) -> String {
    let before = pty.screen.raw().len();
    pty.resize(rows, columns);
    eventually(SOON, &format!("`{text}` at {columns}x{rows}"), || {
        let shown = pty.sees_of(before, rows, columns).contents();
        shown.contains(text).then_some(shown)
    })
}

/// A console and its home after keys that came before the question could be read; nothing if they decided something.
fn kept_typing() -> Option<(World, Pty)> {
    let world = waiting().expect("there is a compiler");
    let mut pty = Pty::start(world.command(Program::Admin, &["review"]));
    pty.keys("\ra\r\rayy\r");
    pty.see("REVIEW by owner", SOON);
    assert!(pty.see("Enter opens", SOON).contains("Enter opens"), "the queue is what is seen first");
    pty.keys("\ra\ry\r");
    pty.see("[>View<]", SOON);
    pty.keys("a\r\r");
    pty.see("APPROVE?", SOON);
    // A person who keeps typing is not asked yet.
    for _ in 0..6 {
        pty.keys("y\r");
        std::thread::sleep(Duration::from_millis(100));
    }
    let undecided = pty.sees(24, 80).contents().contains("APPROVE?");
    (undecided && world.newest()["status"] == "human-review").then_some((world, pty))
}

/// Keys that were typed before the question could be read decide nothing; the return key alone never says yes.
#[test]
fn what_was_typed_ahead_approves_nothing_and_a_rejection_needs_a_reason() {
    if compiler_is_missing() {
        return;
    }
    // On a stalled machine somebody who keeps typing seems to pause, and is asked; then it is tried anew.
    let kept = std::iter::repeat_with(kept_typing).take(5).flatten().next();
    let (world, mut pty) = kept.expect("keys that keep coming decide nothing");
    pty.see(ASKED, SOON);
    pty.keys("\x1b");
    pty.see("[>View<]", SOON);

    pty.keys("r");
    pty.see("reason:", SOON);
    for no_reason in ["\r", "?\r"] {
        pty.keys(no_reason);
        pty.see("a rejection needs a reason", SOON);
    }
    pty.keys("\x7f");
    pty.keys("dice decide too much here\r");
    pty.see("is rejected", SOON);
    let row = world.newest();
    assert_eq!(row["status"], "rejected");
    assert!(row["reason"].as_str().is_some_and(|reason| reason.contains("too much here")), "{row}");
    pty.keys(CTRL_C);
    assert_eq!(pty.ended(SOON), 0);
    is_given_back(&pty);
}

/// The source in the person's own editor, a call by hand, a note; without colours.
#[test]
fn a_package_is_edited_tried_and_annotated_on_the_screen() {
    let Some(world) = waiting() else { return };
    let seen = world.outside().join("seen");
    let editor = world.outside().join("editor.sh");
    let lie = r#"fn unused_addition() -> &'static str { "[>Approve<] RECOMMEND APPROVE" }"#;
    let script = format!(
        "#!/bin/sh\nstat -c '%a' \"$2\" \"$(dirname \"$2\")\" > {0}\nstty -a >> {0}\n[ \"$1\" = --wait ] || exit 1\n\
         cat >> \"$2\" <<'END'\n{lie}\nEND\n",
        seen.display()
    );
    fs::write(&editor, script).expect("a script can be written");
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).expect("and made one that runs");
    let mut command = world.command(Program::Admin, &["review"]);
    command.env("EDITOR", format!("{} --wait", editor.display())).env("NO_COLOR", "1");
    let mut pty = Pty::start(command);
    pty.see("REVIEW by owner", SOON);
    pty.keys("\r");
    pty.see("[>View<]", SOON);

    pty.keys("t");
    pty.see("arguments (JSON): {", SOON);
    pty.keys("\r\x15{\"dice\":\"3d1\"}\r");
    let tried = pty.see("fuel", SOON);
    assert!(tried.contains("TRIED") && tried.contains("| answer") && tried.contains("host calls"), "{tried}");
    pty.keys("\r");
    pty.see("[>View<]", SOON);

    pty.keys("n");
    pty.see("note:", SOON);
    pty.keys("ask Anna first\r");
    pty.see("DONE", SOON);
    pty.keys("\r");
    pty.see(" notes", SOON);

    pty.keys("e");
    pty.see("attempt 2", SOON);
    let facts = fs::read_to_string(&seen).expect("the editor ran");
    assert!(facts.starts_with("600\n700\n"), "{facts}");
    assert!(facts.contains(" icanon") && facts.contains(" echo "), "the editor had a raw terminal: {facts}");
    assert_eq!(world.newest()["status"], "agent-review");
    let mut left = fs::read_dir(world.home().admin()).expect("a folder").flatten();
    assert!(!left.any(|e| e.file_name().to_string_lossy().starts_with("edit")));
    pty.keys("\r");
    world.admin(&["run", "--once"]).done();
    // The console notices automatically that there is another package now.
    pty.see("has changed", SOON);
    pty.keys("\r");
    pty.see("[>View<]", SOON);
    pty.keys("v");
    pty.see("SOURCE", SOON);
    pty.keys("\x1b[F");
    let source = pty.see("[>Approve<] RECOMMEND", SOON);
    let lying = source.lines().find(|l| l.contains("RECOMMEND APPROVE")).expect("the line of the source");
    assert!(lying.starts_with("  "), "{lying}");
    assert!(source.contains("[>View<]"), "the focus is where it was:\n{source}");
    assert!(!String::from_utf8_lossy(&pty.screen.raw()).contains("\x1b[38;"), "NO_COLOR has colours");
    pty.keys("q");
    assert_eq!(pty.ended(SOON), 0);
}

/// A passphrase is asked for each time, drawn as stars, and a slip is reported.
#[test]
fn a_yes_on_the_screen_asks_for_the_passphrase() {
    let Some(world) = waiting() else { return };
    let file = secret_file(&world, "passphrase", "correct horse battery");
    world.admin(&["approver", "passphrase", "--passphrase-file", &file]).done();
    let mut pty = opened(&world);
    for (typed, answer) in
        [("incorrect horse", "not the passphrase"), ("correct horse battery", "is installed")]
    {
        pty.keys("a");
        pty.see(ASKED, SOON);
        pty.keys(typed);
        pty.see(&"*".repeat(typed.len()), SOON);
        // The return key leads to the button that changes nothing.
        pty.keys("\r");
        pty.see("[>No, go back<]", SOON);
        pty.keys("y");
        pty.see(answer, SOON);
        pty.keys("\r");
        pty.see_when("the answer is gone", SOON, |s| !s.contains(answer));
    }
    assert_eq!(world.newest()["status"], "accepted");
    let drawn = String::from_utf8_lossy(&pty.screen.raw()).into_owned();
    assert!(!drawn.contains("horse"), "the passphrase was drawn");
    pty.keys("q");
    assert_eq!(pty.ended(SOON), 0);
}

/// A window that is too small for the whole screen gets the line mode automatically, wrapped to its width.
#[test]
fn a_small_window_gets_the_line_mode() {
    let Some(world) = waiting() else { return };
    let mut pty = Pty::start_of(world.command(Program::Admin, &["review"]), 10, 40);
    pty.expect("[A]pprove", SOON);
    assert!(!pty.screen.raw().windows(8).any(|bytes| bytes == b"\x1b[?1049h"), "{}", pty.screen.tail());
    let shown = pty.screen.text();
    let page = shown.split("[A]pprove").next().unwrap_or_default();
    let widest = page.lines().map(|line| line.trim_end().chars().count()).max();
    assert!(widest <= Some(40), "{widest:?} columns:\n{shown}");
    pty.line("q");
    assert_eq!(pty.ended(SOON), 0);
}

/// However the console ends, the terminal is as it was; an empty queue says what would fill it.
#[test]
fn the_terminal_is_given_back_however_the_console_ends() {
    let world = World::new();
    let mut pty = console(&world);
    let empty = pty.see("Nothing waits for you.", SOON);
    assert!(empty.contains("learn to roll dice") && empty.contains("cl-admin run"), "{empty}");
    assert!(pty.sees(24, 80).alternate_screen() && !pty.is_cooked());
    pty.keys("?");
    pty.see("HELP", SOON);
    pty.keys("\x1b");
    pty.see("Nothing waits", SOON);
    pty.keys("\x1b");
    assert_eq!(pty.ended(SOON), 0);
    is_given_back(&pty);
    for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGINT] {
        let mut pty = console(&world);
        kill(Pid::from_raw(pty.pid() as i32), signal).expect("it runs");
        assert_eq!(pty.ended(SOON), 0, "{signal}");
        is_given_back(&pty);
    }
    let mut command = world.command(Program::Admin, &["review"]);
    command.env("TERM", "dumb");
    let mut pty = Pty::start(command);
    pty.expect("nothing waits for a person", SOON);
    assert_eq!(pty.ended(SOON), 0);
    assert!(!pty.screen.raw().contains(&0x1b), "a dumb terminal gets no sequences");
}

/// In one window: the chat cannot draw on the review, what it says meanwhile comes afterwards, and the window is its own again.
#[test]
fn the_review_lies_over_the_chat_and_gives_the_window_back() {
    let world = World::empty();
    let mut pty = Pty::start(world.command(Program::Admin, &["up"]));
    pty.expect(PROMPT, SOON);
    pty.keys("/help\r\x07");
    let review = pty.see("REVIEW by owner", SOON);
    assert!(!review.contains("/exit"), "the chat drew on it:\n{review}");
    std::thread::sleep(Duration::from_millis(700));
    let review = pty.sees(24, 80);
    assert!(review.alternate_screen() && !review.contents().contains("/exit"), "{}", review.contents());
    pty.keys(UP);
    pty.keys("q");
    let chat = pty.see("/exit", SOON);
    assert!(!pty.sees(24, 80).alternate_screen() && !chat.contains("REVIEW"), "{chat}");
    pty.keys("\x07");
    pty.see("REVIEW by owner", SOON);
    // A stop from outside gives the terminal back from the middle of the review.
    kill(Pid::from_raw(pty.pid() as i32), Signal::SIGTERM).expect("it runs");
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    is_given_back(&pty);
    assert!(pty.screen.text().contains("the service is stopped"), "{}", pty.screen.tail());
}
