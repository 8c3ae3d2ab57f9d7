//! Something was installed while the chat ran: it starts again automatically, and nothing that was typed is lost.

use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tameclaw_tests::eventually;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::{CTRL_D, Pty};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{Program, World};

use crate::settings::bot_asks;
use crate::terminal::PROMPT;

const SOON: Duration = Duration::from_secs(20);
/// The exit code by which the chat asks to be started again.
const AGAIN: i32 = 75;

/// A chat at its first prompt; `supervised` as `cl-admin up` starts it.
fn chat(world: &World, supervised: bool, environment: &[(&str, &str)]) -> Pty {
    let mut command = world.command(Program::Bot, &["agent"]);
    command.envs(environment.iter().copied());
    if supervised {
        command.env("TAMECLAW_SUPERVISED", "1");
    }
    let mut pty = Pty::start(command);
    pty.expect(PROMPT, SOON);
    pty
}

/// Lets the manifest look as after an installation; the chat that runs only looks at its serial.
fn install(world: &World) {
    let path = world.home().config().join("skills_manifest.yaml");
    let text = fs::read_to_string(&path).expect("there is a manifest");
    let serial = documents::manifest::serial_of(&text).expect("it has a serial");
    let text = text.replace(&format!("\"serial\": {serial}"), &format!("\"serial\": {}", serial + 1));
    fs::write(path, text).expect("it can be written");
}

/// At an empty prompt the chat ends at once with the code that asks for it.
#[test]
fn an_idle_chat_starts_again_by_itself() {
    for environment in [[("TERM", "xterm")], [("TERM", "dumb")]] {
        let world = World::new();
        let mut pty = chat(&world, true, &environment);
        install(&world);
        pty.expect("starting again", SOON);
        assert_eq!(pty.ended(SOON), AGAIN, "{environment:?}");
    }
}

/// A finished review says so between two prompts, in the words of this window, and again when leaving; so does a wish that no
/// service has looked at.
#[test]
fn a_finished_review_says_so_between_two_prompts_and_when_leaving() {
    if compiler_is_missing() {
        return;
    }
    for (supervised, term, how) in [(true, "xterm", "Ctrl-G"), (false, "dumb", "`cl-admin review`")] {
        let world = World::new();
        let mut pty = chat(&world, supervised, &[("TERM", term)]);
        pty.line("learn to roll dice");
        pty.expect(how, SOON);
        if supervised {
            pty.expect("roll-dice waits: no service has looked at it", SOON);
        }
        world.admin(&["run", "--once"]).done();
        let ready = format!("(roll-dice is ready: {how})");
        pty.expect(&ready, SOON);
        std::thread::sleep(Duration::from_secs(4));
        assert_eq!(pty.screen.text().matches(&ready).count(), 1, "{}", pty.screen.tail());
        pty.keys(CTRL_D);
        pty.expect(&ready, SOON);
        pty.expect("goodbye", SOON);
        assert_eq!(pty.ended(SOON), 0);
    }
}

/// With a text typed the chat says so and waits; the text is sent, and only then it starts again. A terminal that edits
/// lines on its own shows the text once more below the news.
#[test]
fn a_text_that_is_being_typed_is_not_lost() {
    for environment in [[("TERM", "xterm")], [("TERM", "dumb")]] {
        let world = World::new();
        let model = ModelServer::start(|chat| Reply::text(format!("You said: {}", chat.last().1)));
        bot_asks(&world, &model.url(), None);
        let mut pty = chat(&world, true, &environment);
        pty.keys("half a thou");
        pty.expect("half a thou", SOON);
        install(&world);
        pty.expect("I start again after this line", SOON);
        pty.expect("half a thou", SOON);
        std::thread::sleep(Duration::from_millis(1500));
        assert!(pty.runs(), "it waits");
        pty.line("ght");
        pty.expect("You said: half a thought", SOON);
        pty.expect("starting again", SOON);
        assert_eq!(pty.ended(SOON), AGAIN, "{environment:?}");
    }
}

/// What was typed while a turn ran is sent before the chat starts again.
#[test]
fn a_line_that_was_typed_ahead_is_not_lost() {
    let world = World::new();
    let model = ModelServer::start(|chat| {
        std::thread::sleep(Duration::from_millis(1500));
        Reply::text(format!("You said: {}", chat.last().1))
    });
    bot_asks(&world, &model.url(), None);
    let mut pty = chat(&world, true, &[]);
    pty.line("one");
    pty.expect("thinking", SOON);
    pty.line("two");
    install(&world);
    pty.expect("You said: one", SOON);
    pty.expect("You said: two", SOON);
    pty.expect("starting again", SOON);
    assert_eq!(pty.ended(SOON), AGAIN);
}

/// The news is shown to somebody whose text was begun while the turn before still ran, too.
#[test]
fn a_text_that_was_begun_ahead_hears_the_news() {
    for environment in [[("TERM", "xterm")], [("TERM", "dumb")]] {
        let world = World::new();
        let model = ModelServer::start(|chat| {
            std::thread::sleep(Duration::from_millis(1500));
            Reply::text(format!("You said: {}", chat.last().1))
        });
        bot_asks(&world, &model.url(), None);
        let mut pty = chat(&world, true, &environment);
        pty.line("one");
        // The terminal's echo comes before the chat has read the line.
        eventually(SOON, "the turn runs", || (!model.seen().is_empty()).then_some(()));
        pty.keys("half a thou");
        pty.expect("You said: one", SOON);
        install(&world);
        pty.expect("I start again after this line", SOON);
        pty.line("ght");
        pty.expect("You said: half a thought", SOON);
        pty.expect("starting again", SOON);
        assert_eq!(pty.ended(SOON), AGAIN, "{environment:?}");
    }
}

/// So are several, however they were typed, and the half line behind them waits at the prompt.
#[test]
fn several_lines_that_were_typed_ahead_are_answered_before_the_start() {
    for environment in [[("TERM", "xterm")], [("TERM", "dumb")]] {
        let world = World::new();
        let model = ModelServer::start(|chat| {
            std::thread::sleep(Duration::from_millis(700));
            Reply::text(format!("You said: {}.", chat.last().1))
        });
        bot_asks(&world, &model.url(), None);
        let mut pty = chat(&world, true, &environment);
        pty.line("one");
        eventually(SOON, "the turn runs", || (!model.seen().is_empty()).then_some(()));
        pty.keys("two\rthree\rfour and more\rhalf a");
        install(&world);
        for said in ["one", "two", "three", "four and more"] {
            pty.expect(&format!("You said: {said}."), SOON);
        }
        std::thread::sleep(Duration::from_millis(1500));
        assert!(pty.runs(), "half a line is not thrown away");
        pty.line(" line");
        pty.expect("You said: half a line.", SOON);
        pty.expect("starting again", SOON);
        assert_eq!(pty.ended(SOON), AGAIN, "{environment:?}");
    }
}

/// Five hundred lines that nothing marks as a paste are five hundred messages: none is cut, and none is lost.
#[test]
fn a_raw_paste_of_many_lines_arrives_whole() {
    let world = World::new();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let model = {
        let seen = seen.clone();
        ModelServer::start(move |chat| {
            seen.lock().expect("a list").push(chat.last().1);
            Reply::text("ok")
        })
    };
    bot_asks(&world, &model.url(), None);
    let mut pty = chat(&world, false, &[("TERM", "xterm")]);
    let lines: Vec<String> = (0..500).map(|n| format!("row {n} of the table")).collect();
    pty.keys(&format!("{}\r", lines.join("\r")));
    eventually(Duration::from_secs(240), "the last line arrives", || {
        seen.lock().expect("a list").iter().any(|line: &String| *line == lines[499]).then_some(())
    });
    assert_eq!(*seen.lock().expect("a list"), lines);
}

/// A turn that runs is finished first.
#[test]
fn a_running_turn_is_finished_first() {
    let world = World::new();
    let model = ModelServer::start(|_| {
        std::thread::sleep(Duration::from_millis(2500));
        Reply::text("All done.")
    });
    bot_asks(&world, &model.url(), None);
    let mut pty = chat(&world, true, &[]);
    pty.line("think");
    pty.expect("thinking", SOON);
    install(&world);
    pty.expect("All done.", SOON);
    pty.expect("starting again", SOON);
    assert_eq!(pty.ended(SOON), AGAIN);
}

/// Without a supervisor the chat says once how to start again, and continues.
#[test]
fn without_a_supervisor_the_chat_tells_how_to_start_again() {
    let world = World::new();
    let mut pty = chat(&world, false, &[]);
    install(&world);
    pty.expect("cl-bot agent --conversation ", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("hello");
    let shown = pty.expect("What can I do", SOON);
    assert!(!shown.contains("--conversation"), "it is told once: {shown}");
    pty.expect(PROMPT, SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
}
