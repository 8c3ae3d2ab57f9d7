//! A person wants to talk on though the profile's limits forbid it: at another door, after a kill, in a second process, with another
//! clock, and with an account that cannot be read.

use std::fs;
use std::time::Duration;

use jiff::{Timestamp, ToSpan};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tameclaw_tests::acp::Editor;
use tameclaw_tests::door::Door;
use tameclaw_tests::eventually;
use tameclaw_tests::limits::{account, limit, quiet_now, set, spent};
use tameclaw_tests::matrix::Homeserver;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::run;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

const SOON: Duration = Duration::from_secs(60);
const QUIET: &str = "It is quiet time now";
const OVER: &str = "all the time that we have for talking today";

/// A home whose only provider is this model.
fn asks(world: &World, model: &ModelServer) {
    let url = model.url();
    let text = format!(
        "providers:\n  - {{name: scripted, kind: openai-compatible, base_url: \"{url}\", model: m, timeout_seconds: 60}}\n"
    );
    fs::write(world.home().bot_config(), text).expect("the configuration can be written");
}

/// How many calls of tools left a receipt.
fn receipts(world: &World) -> usize {
    world.bot(&["receipt", "list", "--json"]).done().json_rows().len()
}

/// What one call of a tool comes to at `cl-bot mcp`.
fn mcp(world: &World, tool: &str) -> Value {
    let call =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}});
    let told = world.typed(Program::Bot, &["mcp"], &format!("{call}\n")).done();
    told.json()["result"].clone()
}

/// Terminal, pipe, door, completions, editor, client of MCP, a named call and a workflow: each answers the same sentence, and none
/// asks a model or calls a tool.
#[test]
fn every_door_refuses_and_none_asks_a_model_or_calls_a_tool() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_skill("learn to roll dice");
    let model = ModelServer::start(|_| Reply::text("Hello from the model."));
    asks(&world, &model);
    let folder = world.home().profile(&world.profile()).join("workspace/sops/hello");
    fs::create_dir_all(&folder).expect("a folder");
    let text = "name = \"hello\"\ndescription = \"d\"\n[[steps]]\nid = \"today\"\nkind = \"tool\"\ntool = \"time\"\n";
    fs::write(folder.join("SOP.toml"), text).expect("a workflow");
    limit(&world, &world.profile(), "  minutes_a_day: 60\n", "");
    assert_eq!(mcp(&world, "roll-dice.roll")["isError"], false);
    let (before, asked) = (receipts(&world), model.seen().len());
    for (limits, sentence) in [(quiet_now(), QUIET), ("  minutes_a_day: 5\n".to_owned(), OVER)] {
        limit(&world, &world.profile(), &limits, "");
        set(&world, "seconds", 5 * 60);
        world.bot(&["-m", "what time is it?"]).exited(3).prints(sentence);
        world.typed(Program::Bot, &["agent"], "hello\nlearn to count sheep\n").prints(sentence);
        world.bot(&["-m", "/call time {}"]).exited(3).prints(sentence);
        world.bot(&["tool", "run", "time"]).exited(3).says(sentence);
        world.bot(&["sop", "run", "hello"]).exited(3).says(sentence);
        let called = mcp(&world, "roll-dice.roll");
        assert_eq!(called["isError"], true, "{called}");
        assert!(
            called["content"][0]["text"].as_str().is_some_and(|text| text.contains(sentence)),
            "{called}"
        );
        let mut editor = Editor::start(&world, &[]);
        let session = editor.session();
        let told = editor.prompt(&session, "what time is it?");
        assert!(told.said.contains(sentence), "{}", told.said);
        editor.leave();
        let door = Door::open(&world, &[]);
        let answer = door.post("/chat", None, &json!({"message": "what time is it?"})).has(200).json();
        assert!(answer["reply"].as_str().is_some_and(|reply| reply.contains(sentence)), "{answer}");
        assert_eq!(answer["outcome"], "denied", "{answer}");
        let body = json!({"model": "m", "messages": [{"role": "user", "content": "what time is it?"}]});
        let answer = door.post("/v1/chat/completions", None, &body).has(200);
        assert!(answer.body.contains(sentence), "{answer:?}");
        let help = door.post("/chat", None, &json!({"message": "I want to kill myself"})).has(200);
        assert!(help.body.contains("988"), "{help:?}");
        door.end();
    }
    assert_eq!((receipts(&world), model.seen().len()), (before, asked));
    assert!(world.list().iter().all(|row| row["name"] != "count-sheep"), "something was proposed");
}

/// The same in a Matrix room.
#[test]
fn a_matrix_room_gets_the_same_sentence() {
    let (world, server) = (World::without_kit(), Homeserver::start());
    server.is_of(&world, "");
    let file = world.home().profile_file(&world.profile());
    let text = fs::read_to_string(&file).expect("a profile's file");
    fs::write(&file, format!("{text}talk:\n{}", quiet_now())).expect("it can be written");
    let room = server.room(&[tameclaw_tests::matrix::ANNA]);
    let channel = world.start(Program::Bot, &["matrix"]);
    server.is_polled();
    server.is_polled();
    let answer = server.answer(&room, "what is 12345 + 30000?");
    assert!(answer.contains(QUIET) && !answer.contains("42345"), "{answer}");
    assert!(server.answer(&room, "I want to kill myself").contains("988"));
    channel.signal(Signal::SIGTERM);
    channel.ended(PATIENCE).done();
}

/// A line is counted before it is answered, so that a kill gives nothing back but the answer's own time.
#[test]
fn a_kill_gives_no_minute_back() {
    let world = World::new();
    let model = ModelServer::start(|_| Reply::Hang);
    asks(&world, &model);
    limit(&world, &world.profile(), "  minutes_a_day: 1\n", "");
    let chat = world.start(Program::Bot, &["-m", "hello"]);
    eventually(PATIENCE, "the model is asked", || (!model.seen().is_empty()).then_some(()));
    kill(Pid::from_raw(chat.pid().cast_signed()), Signal::SIGKILL).expect("it runs");
    chat.ended(PATIENCE);
    assert_eq!(spent(&world)["seconds"], 60);
    world.bot(&["-m", "hello"]).exited(3).prints(OVER);
    assert_eq!(model.seen().len(), 1);
}

/// Two programs of a profile spend from one account.
#[test]
fn a_second_process_has_no_budget_of_its_own() {
    let world = World::new();
    let model = ModelServer::start(|_| Reply::text("Good day."));
    asks(&world, &model);
    limit(&world, &world.profile(), "  tokens_a_day: 30\n", "");
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect("> ", SOON);
    pty.line("hello");
    pty.expect("Good day.", SOON);
    // The program that was started first has 15 tokens left by its own count.
    world.bot(&["-m", "hello"]).done().prints("Good day.");
    pty.line("once more");
    pty.expect("what I may think with today", SOON);
    pty.line("exit");
    pty.ended(SOON);
    assert_eq!(model.seen().len(), 2);
}

/// A clock that was set back begins no day a second time; a variable of the environment moves no quiet hour.
#[test]
fn another_clock_gives_no_second_day_and_no_other_hour() {
    let world = World::new();
    limit(&world, &world.profile(), "  minutes_a_day: 5\n  time_zone: UTC\n", "");
    world.bot(&["-m", "hello"]).done();
    // As if the day's minutes had been used tomorrow, and the clock set back since.
    let now = Timestamp::now();
    let tomorrow = (now + 24.hours()).to_zoned(jiff::tz::TimeZone::UTC);
    set(&world, "day", tomorrow.date().to_string());
    set(&world, "last", tomorrow.timestamp().as_second());
    set(&world, "seconds", 5 * 60);
    world.bot(&["-m", "hello"]).exited(3).prints(OVER);
    // A clock that was years ahead locks nothing for years.
    set(&world, "day", "2099-01-01");
    world.bot(&["-m", "hello"]).exited(3).prints(OVER);
    assert_eq!(spent(&world)["day"], tomorrow.date().to_string());
    assert_eq!(spent(&world)["seconds"], 5 * 60);
    // Without a zone of the section it is the machine's; the person's own environment has no say.
    let machine = jiff::tz::TimeZone::tzif("Local", &fs::read("/etc/localtime").unwrap_or_default());
    let Ok(machine) = machine else { return tameclaw_tests::skip("there is no /etc/localtime") };
    let time = |at: Timestamp| at.to_zoned(machine.clone()).strftime("%H:%M").to_string();
    let quiet = format!("  quiet_hours: \"{}-{}\"\n", time(now - 60.minutes()), time(now + 60.minutes()));
    limit(&world, &world.profile(), &quiet, "");
    for zone in ["UTC", "Pacific/Kiritimati", "America/Los_Angeles"] {
        let mut command = world.command(Program::Bot, &["-m", "hello"]);
        command.env("TZ", zone);
        run(command, b"", SOON).exited(3).prints(QUIET);
    }
}

/// While the account cannot be read or written nobody is answered, and the sentence that a child gets names no path.
#[test]
fn an_account_that_cannot_be_kept_answers_nobody() {
    let world = World::new();
    limit(&world, &world.profile(), "  minutes_a_day: 5\n", "");
    world.bot(&["-m", "hello"]).done();
    let file = account(&world);
    for nonsense in ["", "{}", "{\"day\":\"x\"}"] {
        fs::write(&file, nonsense).expect("it can be written");
        world.bot(&["-m", "hello"]).exited(3).prints("is not an account of the day");
    }
    fs::remove_file(&file).expect("it is there");
    fs::create_dir(&file).expect("a folder in its place");
    world.bot(&["-m", "hello"]).exited(3).prints("I cannot note how much we talk today");
    world.bot(&["-m", "I want to kill myself"]).done().prints("988");
}
