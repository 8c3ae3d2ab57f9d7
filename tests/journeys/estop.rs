//! The emergency stop: tools end, words continue, and a person lets everything continue again.

use std::fs;
use std::time::Duration;

use serde_json::json;
use tameclaw_tests::eventually;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

use crate::settings::{admin_asks, bot_asks};

/// A model that asks for the time first and then says what it got.
fn curious() -> ModelServer {
    ModelServer::start(|chat| match chat.last() {
        (role, content) if role == "tool" => Reply::text(format!("I was told: {content}")),
        _ => {
            let names = chat.tools();
            let time = names.iter().find(|name| name.contains("time")).expect("the clock is offered");
            Reply::Calls(vec![(time.clone(), json!({}))])
        }
    })
}

/// While a stop holds, regardless of who set it, no tool runs and the assistant still answers in words; each clears only
/// their own.
#[test]
fn no_tool_runs_while_a_stop_holds_and_the_assistant_still_answers() {
    let model = curious();
    let world = World::new();
    bot_asks(&world, &model.url(), None);
    world.bot(&["agent", "-m", "how late is it?"]).done().prints("I was told").hides("emergency stop");
    world.bot(&["estop", "--reason", "painters in the kitchen"]).done().prints("stopped");
    let told = world.bot(&["agent", "-m", "how late is it?"]).exited(3);
    assert!(told.stdout.contains("emergency stop holds (painters in the kitchen)"), "{}", told.report());
    assert!(told.stdout.contains("cl-bot estop --clear"), "{}", told.report());
    world.admin(&["estop"]).done();
    world.bot(&["estop", "--clear"]).exited(3).says("cl-admin estop --clear");
    world.bot(&["agent", "-m", "how late is it?"]).exited(3).prints("cl-admin estop --clear");
    world.admin(&["estop", "--clear"]).done().prints("cleared");
    world.bot(&["agent", "-m", "how late is it?"]).done().hides("emergency stop");
    world.admin(&["estop", "--clear"]).done().prints("there was no emergency stop");
    // A stop file that cannot be read is a stop as well.
    fs::create_dir(world.home().stop()).expect("a folder can be made");
    world.bot(&["agent", "-m", "how late is it?"]).exited(3).prints("emergency stop holds");
}

/// The stop needs neither a configuration nor a manifest that holds.
#[test]
fn the_bot_can_be_stopped_when_nothing_else_works() {
    let world = World::new();
    fs::write(world.home().bot_config(), "providers: 7\n").expect("the configuration can be written");
    fs::write(world.home().manifest(), "serial: 7\n").expect("the manifest can be written");
    world.bot(&["estop"]).done().prints("stopped");
    assert!(world.home().profile_stop(&world.profile()).is_file());
    world.bot(&["estop", "--clear"]).done().prints("tools run again");
}

/// A stop ends what the service does, lets nothing begin, and refuses a yes; cleared, everything continues automatically.
#[test]
fn a_stop_ends_the_work_of_the_service_and_what_waited_goes_on_later() {
    let world = World::new();
    let model = ModelServer::start(|_| Reply::Hang);
    admin_asks(&world, "scripted", &model.url());
    let service = world.start(Program::Admin, &["run"]);
    world.ask("learn to tell leap years");
    eventually(PATIENCE, "the model is asked", || (!model.seen().is_empty()).then_some(()));
    world.admin(&["estop", "--reason", "a drill"]).done();
    let told = service.stderr.expect("the emergency stop holds (a drill)", PATIENCE);
    assert!(!told.contains("human-review"), "{told}");
    world.admin(&["doctor"]).prints("the emergency stop holds");
    world.ask("learn to roll dice");
    std::thread::sleep(Duration::from_secs(3));
    let rows = world.list();
    assert!(rows.iter().filter(|row| !row["id"].is_null()).count() <= 1, "{rows:?}");
    let id = rows[0]["id"].as_str().expect("the first proposal has an id").to_owned();
    world.admin(&["approve", &id, "--yes"]).exited(3);
    let asked = model.seen().len();
    world.admin(&["estop", "--clear"]).done();
    eventually(PATIENCE, "the other proposal is taken in", || {
        (world.list().iter().filter(|row| !row["id"].is_null()).count() == 2).then_some(())
    });
    eventually(PATIENCE, "the model is asked again", || (model.seen().len() > asked).then_some(()));
    let mut service = service;
    assert!(service.runs());
    world.admin(&["estop"]).done();
    service.signal(nix::sys::signal::Signal::SIGTERM);
    service.ended(PATIENCE);
    world.admin(&["run", "--once"]).exited(3).says("emergency stop");
}

/// A profile's own stop ends the stage of its proposal that is under way; cleared, the stage begins anew.
#[test]
fn a_stop_of_a_profile_ends_the_stage_that_is_under_way() {
    let world = World::new();
    let model = ModelServer::start(|_| Reply::Hang);
    admin_asks(&world, "scripted", &model.url());
    // The silence alone ends the request long after the test.
    let text = fs::read_to_string(world.home().admin_config()).expect("it was written");
    fs::write(world.home().admin_config(), text.replace("timeout_seconds: 2", "timeout_seconds: 250"))
        .expect("it can be written");
    let _service = world.start(Program::Admin, &["run"]);
    world.ask("learn to tell leap years");
    eventually(PATIENCE, "the model is asked", || (!model.seen().is_empty()).then_some(()));
    world.bot(&["estop"]).done();
    std::thread::sleep(Duration::from_secs(1));
    let asked = model.seen().len();
    world.bot(&["estop", "--clear"]).done();
    eventually(Duration::from_secs(90), "the model is asked again", || {
        (model.seen().len() > asked).then_some(())
    });
}

/// The hard stop ends the bot's own process, since a bot that somebody owns does not look at files.
#[test]
fn the_hard_stop_ends_a_running_chat() {
    let world = World::new();
    let mut chat = Pty::start(world.command(Program::Bot, &[]));
    chat.expect("/help", PATIENCE);
    world.admin(&["estop", "--hard"]).done().prints("1 process");
    chat.ended(PATIENCE);
}

/// A stop that comes while a command runs ends the command, and the assistant tells so at once.
#[test]
fn a_stop_ends_a_command_that_runs() {
    for admins in [false, true] {
        let model = ModelServer::start(|chat| match chat.last() {
            (role, content) if role == "tool" => Reply::text(format!("I was told: {content}")),
            _ => Reply::call("shell", json!({"command": "sleep 97", "timeout_s": 100})),
        });
        let world = World::new();
        bot_asks(&world, &model.url(), None);
        fs::write(
            world.home().profile_file(&world.profile()),
            "autonomy: full\ngrants: {commands: [sleep]}\n",
        )
        .expect("the profile can be written");
        let _service = world.start(Program::Admin, &["run"]);
        let asked = world.start(Program::Bot, &["-m", "wait a while"]);
        eventually(PATIENCE, "the command runs", || sleeps().then_some(()));
        match admins {
            false => world.bot(&["estop"]).done(),
            true => world.admin(&["estop"]).done(),
        };
        eventually(Duration::from_secs(5), "the command is gone", || (!sleeps()).then_some(()));
        let told = asked.ended(PATIENCE);
        assert!(told.stdout.contains("emergency stop"), "{}", told.report());
    }
}

/// Whether a process runs that no other test starts.
fn sleeps() -> bool {
    let entries = fs::read_dir("/proc").expect("processes can be listed").flatten();
    let command = |entry: fs::DirEntry| fs::read(entry.path().join("cmdline")).unwrap_or_default();
    entries.map(command).any(|line| line.ends_with(b"sleep\x0097\0"))
}

/// A yes that comes while a stop holds installs nothing; the same yes does once the stop is cleared.
#[test]
fn a_yes_installs_nothing_while_a_stop_holds() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    let id = world.newest()["id"].as_str().expect("a proposal has an id").to_owned();
    world.admin(&["estop"]).done();
    world.admin(&["approve", &id, "--yes"]).exited(3).says("emergency stop");
    world.admin(&["note", &id, "later"]).done();
    world.admin(&["estop", "--clear"]).done();
    world.admin(&["approve", &id, "--yes"]).done().prints("is installed");
}
