//! `cl-admin up` keeps the chat alive, and knows when to stop.

use std::fs;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tameclaw_tests::eventually;
use tameclaw_tests::pty::{CTRL_C, CTRL_D, Pty};
use tameclaw_tests::world::{Program, World};

use crate::terminal::PROMPT;

const SOON: Duration = Duration::from_secs(60);

/// Whether a file directly beneath a folder holds a text.
fn contains(folder: &std::path::Path, text: &str) -> bool {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.into_iter().any(|file| fs::read_to_string(file.path()).is_ok_and(|held| held.contains(text)))
}

/// The process of the chat.
fn chat(up: &Pty) -> Option<i32> {
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", up.pid())).ok()?;
    let is_chat =
        |pid: &i32| fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim() == "cl-bot");
    children.split_whitespace().filter_map(|pid| pid.parse().ok()).find(is_chat)
}

/// Ends the chat as a fault in it would, and waits for the next one.
fn kill_chat(up: &mut Pty) -> i32 {
    let pid = eventually(SOON, "there is a chat", || chat(up));
    kill(Pid::from_raw(pid), Signal::SIGKILL).expect("it can be killed");
    pid
}

#[test]
fn a_chat_that_keeps_dying_starts_bare_and_then_not_any_more() {
    let world = World::new();
    let mut up = Pty::start(world.command(Program::Admin, &["up"]));
    up.expect(PROMPT, SOON);
    for _ in 0..2 {
        kill_chat(&mut up);
        up.expect("it is started again", SOON);
        up.expect(PROMPT, SOON);
    }
    kill_chat(&mut up);
    up.expect("third time within a minute", SOON);
    let said = up.expect(PROMPT, SOON);
    assert!(said.contains("core skills only") && said.contains("left out: clock"), "{said}");
    up.line("/skills");
    up.expect("proposer", SOON);
    let rest = up.expect(PROMPT, SOON);
    assert!(!rest.contains("clock"), "{rest}");
    kill_chat(&mut up);
    up.expect("the service is stopped", SOON);
    assert_eq!(up.ended(SOON), 137, "{}", up.screen.tail());
}

/// A person who has seen enough need not wait for the next start.
#[test]
fn ctrl_c_while_a_restart_is_waited_for_asks_what_is_next() {
    let world = World::new();
    let mut up = Pty::start(world.command(Program::Admin, &["up"]));
    for _ in 0..2 {
        up.expect(PROMPT, SOON);
        kill_chat(&mut up);
        up.expect("it is started again", SOON);
    }
    up.expect(PROMPT, SOON);
    kill_chat(&mut up);
    up.expect("third time within a minute", SOON);
    up.keys(CTRL_C);
    up.expect("leave and stop the service: ", SOON);
    up.keys("q");
    assert_eq!(up.ended(SOON), 1, "{}", up.screen.tail());
}

/// The conversation continues where it was.
#[test]
fn a_chat_that_died_once_goes_on_with_the_same_conversation() {
    let world = World::new();
    let mut up = Pty::start(world.command(Program::Admin, &["up"]));
    up.expect(PROMPT, SOON);
    up.line("hello there");
    let said = world.home().profile(&world.profile()).join("memory");
    eventually(SOON, "the turn is kept", || contains(&said, "hello there").then_some(()));
    kill_chat(&mut up);
    up.expect("we continue where we were", SOON);
    up.expect(PROMPT, SOON);
    up.line("/exit");
    up.expect("leave and stop the service: ", SOON);
    up.keys(CTRL_D);
    assert_eq!(up.ended(SOON), 0, "{}", up.screen.tail());
}

/// What forbids a start is reported once, not over and over.
#[test]
fn a_chat_that_may_not_start_is_not_started_again() {
    let world = World::new();
    world.admin(&["profile", "add", "anna", "--audience", "adult", "--user", "4294967294"]).done();
    let ran = world.admin(&["up", "--profile", "anna"]).exited(3).says("not open to the user");
    assert_eq!(ran.stderr.matches("not open to the user").count(), 1, "{}", ran.report());
    world.admin(&["up", "--profile", "../x"]).exited(2);
    let mut up = Pty::start(world.command(Program::Admin, &["up", "--profile", "anna"]));
    up.expect("not open to the user", SOON);
    assert_eq!(up.ended(SOON), 3, "{}", up.screen.tail());
}

/// A person who suspects a skill starts without it.
#[test]
fn a_person_can_start_with_the_core_skills_only() {
    let world = World::new();
    world.bot(&["agent", "--core-only", "-m", "hi"]).done().says("core skills only (--core-only)");
    let ran = world.bot(&["agent", "-m", "hi"]).done();
    assert!(!ran.stderr.contains("core skills"), "{}", ran.report());
}

/// Without a terminal the chat ends with its input, and `up` with it: that is said, with what keeps the service.
#[test]
fn without_a_terminal_up_says_why_it_ends() {
    let world = World::without_kit();
    let ran = world.typed(Program::Admin, &["up"], "what time is it?\n").done();
    ran.prints("It is").says("read standard input to its end").says("`cl-admin run` keeps the service");
}
