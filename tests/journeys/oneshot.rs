//! One message, one answer: for scripts, with an exit code and, if they want, JSON.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::{CTRL_C, Pty};
use tameclaw_tests::world::{Program, World};

use crate::settings::bot_asks;

const SOON: Duration = Duration::from_secs(20);

fn world_with(model: &ModelServer) -> World {
    let world = World::new();
    bot_asks(&world, &model.url(), None);
    world
}

/// The answer stands alone on stdout, as the model wrote it.
#[test]
fn the_answer_is_all_that_stdout_holds() {
    let text = "# Title\n**bold** and `code`";
    let model = ModelServer::start(move |_| Reply::text(text));
    let world = world_with(&model);
    let ran = world.bot(&["-m", "hi"]).done();
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("# Title\n**bold** and `code`\n", ""));
}

/// `-m -` takes the whole of stdin as one message, and an empty one is wrong use.
#[test]
fn a_message_may_come_from_stdin() {
    let model = ModelServer::start(|chat| Reply::text(format!("{:?}", chat.last().1)));
    let world = world_with(&model);
    let ran = world.typed(Program::Bot, &["agent", "-m", "-"], "one\ntwo \\\n/exit\n").done();
    assert_eq!(ran.stdout, "\"one\\ntwo \\\\\\n/exit\"\n");
    world.typed(Program::Bot, &["agent", "-m", "-"], " \n").exited(2).says("no message on standard input");
    world.typed(Program::Bot, &["-m", "-"], &"x ".repeat(1 << 20)).exited(3).says("not taken");
    // Without it, each line of a pipe is a turn, and a turn that continues on the next line is one.
    let ran = world.typed(Program::Bot, &["agent"], "one\ntwo \\\nthree\n\"\"\"\nfour\nfive\n").done();
    assert_eq!(ran.stdout, "\"one\"\n\"two \\nthree\"\n\"four\\nfive\"\n");
}

/// With `--json` each turn is one value with its exit code, regardless of the result.
#[test]
fn json_is_one_value_a_turn() {
    let model = ModelServer::start(|chat| {
        if chat.last().1.contains("broken") { Reply::Status(400) } else { Reply::text("Hello **you**.") }
    });
    let world = world_with(&model);
    let answer = world.bot(&["-m", "hi", "--json"]).done().json();
    assert_eq!((&answer["reply"], &answer["exit"]), (&"Hello **you**.".into(), &0.into()), "{answer}");
    assert!(answer["seconds"].is_number(), "{answer}");
    for key in ["conversation_id", "turn_id", "provider", "model", "usage", "calls"] {
        assert!(answer.get(key).is_some(), "{key} is missing in {answer}");
    }
    let id = answer["conversation_id"].as_str().expect("a conversation has an id").to_owned();
    let again = world.bot(&["-m", "hi", "--json", "--conversation", &id]).done().json();
    assert_eq!(again["conversation_id"], id.as_str());
    let refused = world.bot(&["-m", " ", "--json"]).exited(3).json();
    assert_eq!((&refused["reply"], &refused["exit"]), (&Value::Null, &3.into()), "{refused}");
    let ran = world.typed(Program::Bot, &["agent", "--json"], "one\n/help\ntwo\n").done();
    assert_eq!(ran.json_rows().len(), 3, "{}", ran.report());
    let ran = world.bot(&["-m", "broken", "--json", "--provider", "scripted"]).exited(1);
    assert!(ran.json()["failed"].is_string(), "{}", ran.report());
}

/// The outcome says in one word what came of a turn, and a denial has an exit code of its own.
#[test]
fn an_outcome_says_what_came_of_a_turn() {
    let world = World::new();
    let outcome = |world: &World, line: &str, exit: i32| {
        world.bot(&["-m", line, "--json"]).exited(exit).json()["outcome"].clone()
    };
    for (line, came) in [
        ("hello", "answered"),
        ("roll 3d6", "unknown"),
        ("what is my cat called?", "unknown"),
        ("send a mail to tom", "unknown"),
        ("turn on the light", "unknown"),
        ("übersetze hallo ins Spanische", "unknown"),
        ("remind me on 31 february to pay", "unknown"),
        ("merry christmas", "answered"),
        ("learn to roll dice", "proposed"),
        ("learn to roll dice", "answered"),
    ] {
        assert_eq!(outcome(&world, line, 0), came, "{line}");
    }
    assert_eq!(outcome(&world, " ", 3), "denied");
    let model = ModelServer::start(|chat| {
        let (role, text) = chat.last();
        match (role.as_str(), text.as_str()) {
            ("tool", _) => Reply::text(text),
            (_, "thrice") => Reply::Calls(vec![("time".to_owned(), json!({})); 3]),
            (_, "broken") => Reply::Status(400),
            _ => Reply::call("file_read", json!({"path": "/etc/passwd"})),
        }
    });
    let world = world_with(&model);
    assert_eq!(outcome(&world, "thrice", 0), "answered");
    let answers = model.seen().pop().expect("it was asked").text();
    assert_eq!(answers.matches("It is ").count(), 3, "one call answers all three: {answers}");
    assert_eq!(outcome(&world, "read a file", 3), "denied");
    world.bot(&["-m", "read a file"]).exited(3).prints("That did not work");
    world
        .bot(&["-m", "broken", "--json", "--provider", "scripted"])
        .exited(1)
        .prints("\"outcome\":\"failed\"");
}

/// A command in a message runs as in the chat; a slip in its name, or one that would print no JSON, is wrong use.
#[test]
fn a_message_may_be_a_command() {
    let model = ModelServer::start(|chat| Reply::text(chat.last().1));
    let world = world_with(&model);
    world.bot(&["-m", "/help"]).done().prints("show the commands");
    world.bot(&["-m", "/exit"]).done();
    world.bot(&["-m", "/hlep"]).exited(2).says("did you mean /help?");
    world.bot(&["-m", "/help", "--json"]).exited(2).says("`/help` is a command, and commands print no JSON");
    assert!(model.seen().is_empty(), "no command is text for a model");
    world.bot(&["-m", "//tmp is what?"]).done().prints("/tmp is what?");
}

/// A conversation is named by its identifier or as `last`.
#[test]
fn a_conversation_that_cannot_be_one_is_refused() {
    let world = World::new();
    for id in ["nonsense", "LAST", "0", ""] {
        let ran = world.bot(&["-m", "hi", "--conversation", id]).exited(2);
        ran.says("identifier of 36 characters").says("cl-bot memory list --conversations");
    }
}

/// A command line can tighten what the configuration says, and nothing else.
#[test]
fn a_command_line_only_tightens() {
    let model = ModelServer::start(|chat| Reply::text(format!("model {}", chat.body["model"])));
    let world = world_with(&model);
    let bot = |arguments: &[&str]| world.bot(&[&["agent", "-m", "hi"], arguments].concat());
    bot(&["--model", "tiny-2"]).done().prints("tiny-2");
    bot(&["--provider", "companion"]).done().hides("model");
    bot(&["--max-iterations", "5", "--timeout", "20"]).done();
    bot(&["--max-iterations", "6"]).exited(2).says("max_tool_rounds: 5").says("--max-iterations 6");
    bot(&["--max-iterations", "0"]).exited(2);
    // The scripted server is on this machine, where 1800 s is the default.
    bot(&["--timeout", "100000"]).exited(2).says("total_seconds: 1800");
    bot(&["--model", "other"]).exited(2).says("configured: scripted-1 tiny-2");
    bot(&["--provider", "elsewhere"]).exited(2).says("scripted companion");
    bot(&["--provider", "companion", "--model", "big"]).exited(2).says("no choice of models");
    bot(&["--model", "two words"]).exited(2);
    world.bot(&["--json", "skill", "list"]).exited(2);
}

/// A turn that takes longer than it may ends with a sentence and an exit code.
#[test]
fn a_turn_ends_when_its_time_is_over() {
    let model = ModelServer::start(|_| Reply::Hang);
    let world = world_with(&model);
    let begun = std::time::Instant::now();
    let ran = world.bot(&["-m", "hi", "--provider", "scripted", "--timeout", "1"]).exited(1);
    assert!(begun.elapsed() < SOON, "{}", ran.report());
    assert!(ran.stderr.contains("1 s") && ran.stdout.is_empty(), "{}", ran.report());
}

/// On a terminal one message is shown as in the chat, and Ctrl-C ends it.
#[test]
fn one_message_on_a_terminal_is_rendered_and_can_be_cancelled() {
    let model = ModelServer::start(|_| Reply::text("Hello **you**."));
    let world = world_with(&model);
    let mut pty = Pty::start(world.command(Program::Bot, &["-m", "hi"]));
    assert_eq!(pty.ended(SOON), 0);
    let raw = pty.screen.raw();
    assert!(String::from_utf8_lossy(&raw).contains("Hello \u{1b}[1myou\u{1b}[0m."));
    model.follow(|_| Reply::Hang);
    let mut pty = Pty::start(world.command(Program::Bot, &["-m", "hi"]));
    pty.expect("thinking", SOON);
    pty.keys(CTRL_C);
    pty.expect("(cancelled)", SOON);
    assert_eq!(pty.ended(SOON), 1);
}

/// The shells get their scripts without a home.
#[test]
fn completions_need_no_home() {
    let world = World::empty();
    for (shell, mark) in [("bash", "complete -F"), ("zsh", "#compdef cl-bot"), ("fish", "complete -c cl-bot")]
    {
        let ran = world.bot(&["completions", shell]).done().prints(mark).prints("max-iterations");
        assert!(ran.stderr.is_empty(), "{}", ran.report());
    }
    world.bot(&["completions", "tcl"]).exited(2).says("bash");
    for (shell, mark) in
        [("bash", "complete -F"), ("zsh", "#compdef cl-admin"), ("fish", "complete -c cl-admin")]
    {
        world.admin(&["completions", shell]).done().prints(mark).prints("passphrase-file");
    }
    assert!(!fs::exists(world.home().root()).expect("it can be looked at"), "nothing was made");
}

/// A message of a million bytes is one message, by `-m -` and as a line of a pipe.
#[test]
fn a_line_of_a_megabyte_arrives() {
    let model = ModelServer::start(|chat| Reply::text(format!("{} bytes", chat.last().1.len())));
    let world = World::without_kit();
    bot_asks(&world, &model.url(), None);
    let line = "word ".repeat(200_000);
    let length = format!("{} bytes", line.trim().len());
    world.typed(Program::Bot, &["agent", "-m", "-"], &line).done().prints(&length).hides("not taken");
    world.typed(Program::Bot, &[], &format!("{line}\n")).done().prints(&length).hides("not remembered");
    let more = "word ".repeat(300_000);
    world
        .typed(Program::Bot, &["agent", "-m", "-"], &more)
        .exited(3)
        .says("longer than a line may be (1 MiB)");
}
