//! What is missing makes a proposal wait, never lost; what is nonsense is rejected with its reason.

use std::fs;
use std::process::Command;

use nix::sys::signal::Signal;
use tameclaw_tests::eventually;
use tameclaw_tests::http::dead_port;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::skip;
use tameclaw_tests::world::{PATIENCE, Program, World};

use crate::settings::{admin_asks, as_source, asks_for_source, bot_asks, fixture};

fn state(world: &World) -> (String, String) {
    let row = world.newest();
    let word = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    (word("status"), word("waits_for"))
}

fn is(status: &str, waits_for: &str) -> (String, String) {
    (status.to_owned(), waits_for.to_owned())
}

/// A model that does not answer makes the proposal wait, and it continues automatically once the model is there.
#[test]
fn a_proposal_waits_for_a_model_that_is_down() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    admin_asks(&world, "scripted", &format!("http://127.0.0.1:{}/v1", dead_port()));
    world.ask("learn to tell leap years");
    for _ in 0..2 {
        world.admin(&["run", "--once"]).done();
        assert_eq!(state(&world), is("implementation", "model"));
    }
    let model = ModelServer::start(|chat| {
        if asks_for_source(chat) { as_source(&fixture("leap")) } else { Reply::Status(500) }
    });
    admin_asks(&world, "scripted", &model.url());
    world.admin(&["run", "--once"]).done();
    assert_eq!(state(&world), is("human-review", "person"));
}

/// A server that hangs, fails or talks another language makes the proposal wait too.
#[test]
fn a_proposal_waits_for_a_model_that_is_ill() {
    for reply in [Reply::Status(500), Reply::Status(429), Reply::Status(401), Reply::Hang] {
        let world = World::new();
        let shown = format!("{reply:?}");
        let model = ModelServer::start(move |_| reply.clone());
        admin_asks(&world, "scripted", &model.url());
        world.ask("learn to tell leap years");
        world.admin(&["run", "--once"]).done();
        assert_eq!(state(&world), is("implementation", "model"), "{shown}");
    }
}

/// Garbage from a model never stops the service: the proposal waits or is rejected with the reason, and is never lost.
#[test]
fn garbage_from_a_model_is_told_and_costs_nothing_else() {
    let replies = [
        Reply::text("I would rather talk about cats."),
        Reply::text(""),
        Reply::text("```rust\nfn main( {\n```"),
        Reply::text(format!("```rust\n{}\n```", "(".repeat(50_000))),
        Reply::text("```rust\n\u{1b}[2J\u{202e}\n```"),
        Reply::call("run_shell", serde_json::json!({"line": "rm -rf /"})),
        Reply::Body("{\"choices\": []}".into()),
        Reply::Body("{\"choices\": [{\"message\": null}]}".into()),
        Reply::Body("not json".into()),
        Reply::Body("[".repeat(100_000)),
        Reply::Body(format!("{{\"x\": \"{}\"}}", "y".repeat(3 << 20))),
        Reply::Garbage(b"\0\0\0\x17SSH-2.0-server\r\n".to_vec()),
        Reply::Garbage(vec![]),
    ];
    for reply in replies {
        let world = World::new();
        let shown: String = format!("{reply:?}").chars().take(80).collect();
        let model = ModelServer::start(move |_| reply.clone());
        admin_asks(&world, "scripted", &model.url());
        world.ask("learn to tell leap years");
        let ran = world.admin(&["run", "--once"]).done();
        let row = world.newest();
        let (status, waits_for) = state(&world);
        let waits = status == "implementation" && waits_for == "model";
        let rejected =
            status == "rejected" && row["reason"].as_str().is_some_and(|reason| !reason.is_empty());
        assert!(waits || rejected, "{shown}: {row}\n{}", ran.report());
        let id = row["id"].as_str().expect("a row has an id");
        let told = world.admin(&["show", id]).done().stdout;
        assert!(!told.contains('\u{1b}') && !told.contains('\u{202e}'), "{shown}: {told:?}");
    }
}

/// Without a compiler the proposal waits for one, and the chat says so in plain words.
#[test]
fn a_proposal_waits_for_a_compiler_that_is_missing() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    fs::write(world.home().admin_config(), "compiler: /no/such/rustc\n").expect("it can be written");
    world.ask("learn to tell leap years");
    world.admin(&["run", "--once"]).done();
    let (status, waits_for) = state(&world);
    assert_eq!(waits_for, "compiler", "in {status}");
    fs::write(world.home().admin_config(), "").expect("it can be written");
    world.admin(&["run", "--once"]).done();
    assert_eq!(state(&world), is("human-review", "person"));
}

/// One proposal that waits keeps no other from continuing.
#[test]
fn a_waiting_proposal_keeps_no_other_waiting() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let dead = format!("http://127.0.0.1:{}/v1", dead_port());
    admin_asks(&world, "templates, scripted", &dead);
    world.ask("learn to name the moons of Saturn");
    world.ask("learn to tell leap years");
    world.admin(&["run", "--once"]).done();
    let mut states: Vec<String> =
        world.list().iter().map(|row| row["waits_for"].as_str().unwrap_or_default().to_owned()).collect();
    states.sort();
    assert_eq!(states, ["model", "person"]);
}

/// A chat whose model is down falls back to the companion and says something useful.
#[test]
fn a_chat_goes_on_without_its_model() {
    let world = World::new();
    bot_asks(&world, &format!("http://127.0.0.1:{}/v1", dead_port()), None);
    let said = world.ask("hello");
    assert!(!said.trim().is_empty());
    let ran = world.bot(&["agent", "-m", "learn to tell leap years"]).done();
    let written = fs::read_dir(world.home().proposals(&world.profile())).expect("the folder").count();
    assert_eq!(written, 1, "{}", ran.report());
}

/// Answers of a chat model that make no sense are answered or told, never shown as they are.
#[test]
fn garbage_from_a_chat_model_is_answered_or_told() {
    for reply in [
        Reply::call("no.such.tool", serde_json::json!({"x": 1})),
        Reply::Calls(vec![("clock.now".into(), serde_json::json!("not a mapping")); 40]),
        Reply::Body("{}".into()),
        Reply::Garbage(b"\xff\xfe".to_vec()),
        Reply::text("\u{1b}]0;owned\u{7}\u{1b}[2Jhello\u{202e}"),
    ] {
        let world = World::new();
        let shown = format!("{reply:?}");
        let model = ModelServer::start(move |_| reply.clone());
        bot_asks(&world, &model.url(), None);
        let ran = world.bot(&["agent", "-m", "hello"]);
        assert!(ran.status == 0 || ran.status == 1, "{shown}: {}", ran.report());
        assert!(
            !ran.stdout.contains('\u{1b}') && !ran.stdout.contains('\u{202e}'),
            "{shown}: {}",
            ran.report()
        );
    }
}

/// A small disk over a folder; taken away when it is dropped.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn over(folder: std::path::PathBuf) -> Option<SmallDisk> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs"])
            .arg(&folder)
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(SmallDisk(folder));
        }
        skip("nothing can be mounted here");
        None
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

/// A disk without room for the compiler makes the proposal wait for room, and it continues when there is some.
#[test]
fn a_proposal_waits_for_room_on_the_disk() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let Some(disk) = SmallDisk::over(world.home().build()) else { return };
    world.ask("learn to tell leap years");
    world.admin(&["run", "--once"]).done();
    assert_eq!(state(&world), is("agent-review", "room"));
    drop(disk);
    world.admin(&["run", "--once"]).done();
    assert_eq!(state(&world), is("human-review", "person"));
}

/// `run --once` holds the home and takes no requests: a yes meanwhile is refused with what to do, and is made afterwards.
#[test]
fn a_yes_while_run_once_works_says_to_try_again_and_then_holds() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    world.ask("learn to tell leap years");
    let once = world.start(Program::Admin, &["run", "--once"]);
    let lock = world.home().admin().join("service.lock");
    eventually(PATIENCE, "it holds the home", || {
        fs::read_to_string(&lock).ok().filter(|pid| *pid == once.pid().to_string())
    });
    once.signal(Signal::SIGSTOP);
    let ran = world.admin(&["approve", "roll-dice", "--yes"]).exited(1);
    let _ =
        ran.says("takes no requests: `cl-admin run --once`").says("nothing was done").hides("service.sock");
    once.signal(Signal::SIGCONT);
    once.ended(PATIENCE).done();
    world.admin(&["approve", "roll-dice", "--yes"]).done().prints("is installed");
}
