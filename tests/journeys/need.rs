//! A person in need: the answer comes before everything else, and nothing of the line is kept or sent.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::{CTRL_D, Pty};
use tameclaw_tests::world::{Program, World};

use crate::profiles::secret_file;
use crate::settings::bot_asks;
use crate::terminal::PROMPT;

const SOON: Duration = Duration::from_secs(20);
/// A word of the line that stands nowhere else.
const MARK: &str = "Zebrafink";

/// A model that repeats what it got.
fn echo() -> ModelServer {
    ModelServer::start(|chat| Reply::text(format!("You said: {}", chat.last().1)))
}

/// The files beneath a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let beneath = |entry: fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => files(&entry.path()),
        Ok(kind) if kind.is_file() => vec![entry.path()],
        _ => vec![],
    };
    entries.flat_map(beneath).collect()
}

/// Nothing in the home holds the mark.
fn assert_forgotten(world: &World) {
    for file in files(world.home().root()) {
        let bytes = fs::read(&file).unwrap_or_default();
        let held = bytes.windows(MARK.len()).any(|part| part.eq_ignore_ascii_case(MARK.as_bytes()));
        assert!(!held, "{} holds the line", file.display());
    }
}

/// With a model and without, in every kind of profile, a line of need is answered with help lines; no provider is asked,
/// nothing is proposed, and no file and no log holds the line.
#[test]
fn a_line_of_need_gets_help_lines_and_leaves_no_trace() {
    let (world, model) = (World::new(), echo());
    let passphrase = secret_file(&world, "passphrase", "a long passphrase");
    world.admin(&["approver", "passphrase", "--passphrase-file", &passphrase]).done();
    world.admin(&["profile", "add", "anna", "--audience", "child"]).done();
    for with_model in [false, true] {
        if with_model {
            bot_asks(&world, &model.url(), None);
        }
        for profile in ["default", "anna"] {
            for (line, number) in [
                (format!("ich will sterben, {MARK}"), "116 111"),
                (format!("mein Onkel {MARK} fasst mich an"), "112"),
                (format!("I want to kill myself, {MARK}"), "988"),
            ] {
                let mut command = world.command(Program::Bot, &["--profile", profile, "-m", &line]);
                command.env("TAMECLAW_LOG", "debug");
                let told = tameclaw_tests::run::run(command, b"", SOON).done().prints(number);
                assert!(!told.stderr.contains(MARK), "{}", told.report());
            }
        }
    }
    assert!(model.seen().is_empty(), "a provider was asked");
    assert!(world.list().is_empty(), "something was proposed");
    assert_forgotten(&world);
}

/// At a terminal the line enters neither the history nor the conversation: the next line goes to the model without it.
#[test]
fn the_chat_goes_on_as_if_the_line_had_not_been() {
    let (world, model) = (World::new(), echo());
    bot_asks(&world, &model.url(), None);
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect(PROMPT, SOON);
    pty.line(&format!("ich kann nicht mehr, ich will nicht mehr leben, {MARK}"));
    pty.expect("TelefonSeelsorge", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("was soll ich nur tun");
    pty.expect("TelefonSeelsorge", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("/retry");
    pty.expect("there is no line yet to repeat", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("hello there");
    pty.expect("You said: hello there", SOON);
    pty.expect(PROMPT, SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
    assert!(model.seen().iter().all(|chat| !chat.text().contains(MARK)), "a provider was told");
    assert_forgotten(&world);
    let history = files(world.home().root()).into_iter().filter(|file| file.ends_with("history"));
    assert!(history.clone().count() > 0, "the other lines are kept");
    for file in history {
        let kept = fs::read_to_string(&file).expect("the history can be read");
        assert!(!kept.contains("was soll"), "{kept}");
    }
}

/// While a stop holds the help lines are shown all the same, those of the configuration first.
#[test]
fn a_stop_and_a_configuration_change_nothing_but_the_lines() {
    let world = World::new();
    let own = "help_lines:\n  region: at\n  own: [\"Frau Berg, Schule: 030 123\"]\n";
    fs::write(world.home().bot_config(), own).expect("the configuration can be written");
    world.bot(&["estop", "--reason", "smoke"]).done();
    world.admin(&["estop"]).done();
    let told = world.bot(&["-m", "ich will mich umbringen"]).done().prints("147").hides("116 111");
    let (first, second) = (told.stdout.find("Frau Berg"), told.stdout.find("147"));
    assert!(first < second, "{}", told.report());
}

/// What a model answers is looked at too: where it speaks of such a thing the help lines stand beneath.
#[test]
fn an_answer_that_speaks_of_it_carries_the_help_lines() {
    let world = World::new();
    let model = ModelServer::start(|_| Reply::text("It sounds as if you want to kill yourself."));
    bot_asks(&world, &model.url(), None);
    world.bot(&["-m", "tell me what you think"]).done().prints("want to kill yourself").prints("988");
}

/// An answer after a tool call is looked at as well.
#[test]
fn an_answer_after_a_tool_call_carries_the_help_lines_too() {
    let world = World::new();
    let model = ModelServer::start(|chat| match chat.last().0.as_str() {
        "user" => Reply::call("file_list", json!({})),
        _ => Reply::text("It sounds as if you want to kill yourself."),
    });
    bot_asks(&world, &model.url(), None);
    world.bot(&["-m", "which files are there?"]).done().prints("want to kill yourself").prints("988");
    assert_eq!(model.seen().len(), 2, "the tool was called");
}

/// What the guard's own command says of such a line is what happens to it.
#[test]
fn the_guard_command_says_help() {
    let world = World::new();
    let told = world.typed(Program::Bot, &["guard", "check", "--json"], "ich will sterben\nhello\n").done();
    let rows = told.json_rows();
    assert_eq!((&rows[0]["verdict"], &rows[1]["verdict"]), (&"help".into(), &"pass".into()));
}

/// A child's three hours are counted over starts: the file holds two times, and nothing of what was said.
#[test]
fn three_hours_of_talk_are_counted_over_starts() {
    let world = World::new();
    let passphrase = secret_file(&world, "passphrase", "a long passphrase");
    world.admin(&["approver", "passphrase", "--passphrase-file", &passphrase]).done();
    world.admin(&["profile", "add", "anna", "--audience", "child"]).done();
    let talk = || world.bot(&["--profile", "anna", "-m", "what time is it?"]).done();
    let reminds = || talk().stderr.contains("talking for three hours");
    assert!(!reminds());
    let file = world.home().logs(&"anna".parse().expect("a valid name")).join("talk");
    let times = || -> Vec<u64> {
        let text = fs::read_to_string(&file).expect("the times are kept");
        text.split_whitespace().map(|time| time.parse().expect("a time")).collect()
    };
    let [began, last] = times()[..] else { panic!("{:?}", times()) };
    assert_eq!(began, last);
    // What was last five minutes ago continues; a reminder begins the count anew; what was last long ago is over.
    let three_hours = 3 * 60 * 60;
    fs::write(&file, format!("{} {}\n", last - three_hours, last - 300)).expect("the file can be written");
    assert!(reminds());
    assert!(!reminds());
    fs::write(&file, format!("{} {}\n", last - three_hours, last - 16 * 60))
        .expect("the file can be written");
    assert!(!reminds());
    assert!(times()[0] >= last, "{:?}", times());
}

/// A new home takes the region of the help lines from a locale that somebody chose, and says so.
#[test]
fn a_new_home_takes_the_region_from_the_locale() {
    for (locale, says, shows, hides) in [
        ("de_AT.UTF-8", "those of `at`, by the locale de_AT.UTF-8", "147", "116 111"),
        ("en_US.UTF-8", "those of every country", "116 111", "911"),
    ] {
        let world = World::empty();
        let mut command = world.command(Program::Admin, &["init"]);
        command.env("LANG", locale);
        tameclaw_tests::run::run(command, b"", SOON).done().prints(says);
        world.bot(&["-m", "ich will mich umbringen"]).done().prints(shows).hides(hides);
    }
}
