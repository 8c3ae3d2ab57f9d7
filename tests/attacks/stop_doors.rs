//! The emergency stop at every door: each request that the service knows, and what the clock would start.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use tameclaw_tests::mcp::install;
use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World, workspace};

use crate::{forge, tiers};

const SOON: Duration = Duration::from_secs(60);
/// An identifier that nothing in a home has.
const ID: &str = "01930000-0000-7000-8000-000000000001";

/// The records of a home's journal.
pub(crate) fn records(world: &World) -> Vec<Value> {
    let walk = durable::replay(&world.home().journal()).expect("a home has a journal");
    walk.map(|record| record.expect("the chain holds").1).collect()
}

/// The kinds of request that the service itself names.
fn kinds(world: &World) -> Vec<String> {
    let answer = forge::ask(world, &json!({"ask": "nothing-like-this"}));
    let words = answer["failed"]["why"].as_str().expect("it says why").to_owned();
    let (_, listed) = words.split_once("expected").expect("it lists what it knows");
    let quoted: Vec<&str> = listed.split('`').skip(1).step_by(2).collect();
    assert!(quoted.len() > 10, "{words}");
    quoted.into_iter().map(str::to_owned).collect()
}

/// A request of every kind; some kinds have several.
fn requests(world: &World) -> BTreeMap<&'static str, Vec<Value>> {
    let signed = json!({"text": "{}", "signature": "x"});
    let digest = "0".repeat(64);
    let seen = json!({"source_sha256": digest, "module_sha256": digest, "report_sha256": digest,
                      "manifest_serial": 1, "recommendation": "APPROVE"});
    let installed = records(world).into_iter().find(|r| r["record"] == "plugin-installed");
    let installed = installed.expect("a plugin was installed");
    let mut new = forge::approvers(world).listed().to_vec();
    let people = |approvers: Value| {
        let text = json!({"serial": 2, "previous": digest, "approvers": approvers, "rules": [],
                          "signers": ["owner"], "at": "2026-02-07T14:30:00Z"});
        json!({"people": "change", "change": {"text": text.to_string(), "signatures": []},
               "countersigned": [], "codes": {}})
    };
    let less = people(json!(new));
    new.push(shared_types::approvers::Approver {
        id: "mallory".parse().expect("a name"),
        public_key: new[0].public_key.clone(),
    });
    let pairs = [("a".to_owned(), "b".to_owned())];
    let taught = json!({"id": ID, "kind": "skill", "name": "mallory", "description": "x", "capabilities": [],
                        "tools": shared_types::proposal::lesson::tools(&pairs), "profile_id": "default"});
    BTreeMap::from([
        ("approve", vec![json!({"decision": signed})]),
        ("allow-action", vec![json!({"decision": signed})]),
        ("edit", vec![json!({"id": ID, "by": "owner", "source": "x", "seen": seen})]),
        ("open-gate", vec![json!({"id": ID, "by": "owner"})]),
        ("roll-back-skill", vec![json!({"name": "dice", "to": 1, "by": "owner"})]),
        ("import-skill", vec![json!({"text": "x", "profile": "default", "by": "owner"})]),
        ("learn", vec![json!({"proposal": taught})]),
        (
            "install-plugin",
            vec![json!({"plugin": installed["plugin"], "facts": installed["facts"], "staged": null})],
        ),
        ("add-profile", vec![json!({"id": "mallory", "text": ""})]),
        ("run-schedule", vec![json!({"name": "minutely"})]),
        ("pin-schedule", vec![json!({"name": "minutely", "sha256": digest})]),
        (
            "people",
            vec![
                people(json!(new)),
                json!({"people": "add-page-token", "name": "mallory", "approver": "owner", "sha256": digest}),
                json!({"people": "remove-codes", "approver": "owner", "by": "owner", "signature": "x", "codes": {}}),
                less,
                json!({"people": "set-codes", "approver": "owner", "secret": "x", "code": "1", "signature": "x"}),
                json!({"people": "countersign", "countersigned": [], "codes": {}}),
                json!({"people": "remove-page-token", "name": "mallory"}),
            ],
        ),
        ("passphrase-set", vec![json!({"approver": "nobody"})]),
        ("reject", vec![json!({"id": ID, "by": "owner", "reason": "x"})]),
        ("reopen", vec![json!({"id": ID, "by": "owner"})]),
        ("remove-profile", vec![json!({"id": "mallory"})]),
        (
            "door",
            vec![
                json!({"door": "add-token", "profile": "default", "name": "mallory", "sha256": digest}),
                json!({"door": "listen", "profile": "default", "address": "127.0.0.1:8787"}),
                json!({"door": "remove-token", "profile": "default", "name": "mallory"}),
                json!({"door": "listen", "profile": "default", "address": null}),
            ],
        ),
        ("erase-profile", vec![json!({"id": "mallory", "files": 0})]),
        ("remove-skill", vec![json!({"removal": signed})]),
        ("remove-plugin", vec![json!({"removal": signed})]),
        ("remove-allowance", vec![json!({"id": ID, "by": "owner"})]),
        ("metrics", vec![json!({"open_metrics": true})]),
        ("note", vec![json!({"id": ID, "by": "owner", "text": "x"})]),
        ("acknowledge", vec![json!({"log": {"of": "admin"}, "by": "owner", "reason": "x"})]),
    ])
}

/// What takes away, or adds nothing, is asked under a stop as ever; this many of a kind's requests are refused, the first ones.
fn refused(kind: &str) -> usize {
    match kind {
        "approve" | "allow-action" | "edit" | "reopen" | "open-gate" | "roll-back-skill" | "import-skill" => {
            1
        }
        "learn" | "install-plugin" | "add-profile" | "run-schedule" | "pin-schedule" => 1,
        "people" => 3,
        "door" => 2,
        _ => 0,
    }
}

/// Under the emergency stop every request that brings something is refused, and what takes away is still done.
#[test]
fn under_the_stop_no_door_of_the_service_brings_anything() {
    let world = World::new();
    fs::write(
        world.home().admin_config(),
        "compiler: /nowhere/rustc\nschedules:\n  - {name: minutely, profile: default, cron: \"0 0 1 1 *\", message: hello}\n",
    )
    .expect("it can be written");
    install(&world, &[&workspace().join("examples/plugins/word-count").display().to_string()]);
    let service = forge::serving(&world);
    let requests = requests(&world);
    // What the service records automatically at its start is there before anything is compared.
    tameclaw_tests::eventually(SOON, "the clock knows the schedule", || {
        (told(&world, "known") > 0).then_some(())
    });
    world.admin(&["estop", "--reason", "a drill"]).done();
    for kind in kinds(&world) {
        let asked = requests.get(kind.as_str()).unwrap_or_else(|| panic!("`{kind}` has no request here"));
        for (number, request) in asked.iter().enumerate() {
            let mut request = request.clone();
            request["ask"] = json!(kind);
            let before = records(&world);
            let answer = forge::ask(&world, &request);
            let why = answer["failed"]["why"].as_str().unwrap_or_default();
            assert!(!why.contains("request cannot be read"), "{kind}: the request itself is wrong: {answer}");
            if number < refused(&kind) {
                assert_eq!(answer["failed"]["exit"], 3, "{kind} {number}: {answer}");
                assert!(why.contains("emergency stop holds (a drill)"), "{kind} {number}: {answer}");
                assert_eq!(before, records(&world), "{kind} {number}: nothing is recorded");
            } else {
                assert!(!why.contains("emergency stop"), "{kind} {number}: {answer}");
            }
        }
    }
    // The verbs that start something themselves ask as well.
    let folder = workspace().join("examples/plugins/word-count").display().to_string();
    world.admin(&["plugin", "install", &folder]).exited(3).says("emergency stop");
    world.admin(&["plugin", "try", "word-count", "count", "--json", r#"{"text": "one two"}"#]).exited(3);
    world.admin(&["door", "add", "mallory"]).exited(3).says("emergency stop").hides("tameclaw_");
    world.admin(&["door", "listen", "127.0.0.1:8787"]).exited(3).says("emergency stop");
    world.admin(&["door", "listen", "off"]).done();
    world.admin(&["plugin", "remove", "word-count", "--reason", "enough"]).done();
    world.admin(&["estop", "--clear"]).done();
    install(&world, &[&folder]);
    drop(service);
}

/// A time that comes under a stop starts no bot, is said once, and is made up for when the stop is cleared soon after.
#[test]
fn a_time_that_comes_under_a_stop_starts_nothing_and_is_said_once() {
    for stop in ["home", "profile", "halt"] {
        let world = World::new();
        fs::write(
            world.home().admin_config(),
            "compiler: /nowhere/rustc\ndata_limit: {files: 60}\nschedules:\n  - {name: minutely, profile: default, cron: \"* * * * *\", message: hello}\n",
        )
        .expect("it can be written");
        // The service saw it three minutes ago for the last time, so that a time is due at once.
        let known = json!({"at": three_minutes_ago(), "record": "schedule", "name": "minutely", "told": "known",
                           "times": "* * * * * UTC"});
        forge::append(&world, &known);
        match stop {
            "home" => drop(world.admin(&["estop"]).done()),
            "profile" => drop(world.bot(&["estop"]).done()),
            _ => crowd(&world),
        }
        let service = forge::serving(&world);
        tameclaw_tests::eventually(SOON, "it is said", || (told(&world, "held") > 0).then_some(()));
        drop(service);
        // A second start says nothing more, and nothing shows when it has looked.
        let service = forge::serving(&world);
        std::thread::sleep(Duration::from_secs(1));
        drop(service);
        assert_eq!((told(&world, "begun"), told(&world, "held")), (0, 1), "{stop}");
        let list = world.admin(&["schedule", "list"]).done();
        list.prints("waits: ");
        world.admin(&["schedule", "run", "minutely"]).exited(3);
        assert_eq!((told(&world, "begun"), told(&world, "held")), (0, 1), "{stop}: not by hand either");
        match stop {
            "home" => drop(world.admin(&["estop", "--clear"]).done()),
            "profile" => drop(world.bot(&["estop", "--clear"]).done()),
            _ => fs::remove_dir_all(crowded(&world)).expect("it can be removed"),
        }
        let service = world.start(Program::Admin, &["run"]);
        tameclaw_tests::eventually(SOON, "it runs now", || (told(&world, "ended") > 0).then_some(()));
        drop(service);
        world.admin(&["schedule", "list"]).done().hides("waits: ");
    }
}

/// More files than the limit, so that the service halts the bot automatically.
fn crowd(world: &World) {
    fs::create_dir(crowded(world)).expect("a folder can be made");
    for n in 0..80 {
        fs::write(crowded(world).join(n.to_string()), "x").expect("a file can be written");
    }
    fs::write(world.home().halt(), "data/ is full\n").expect("it can be written");
}

fn crowded(world: &World) -> PathBuf {
    world.home().profile(&world.profile()).join("workspace/crowd")
}

fn three_minutes_ago() -> String {
    let said = std::process::Command::new("date").args(["-u", "-d", "-3 minutes", "+%FT%TZ"]).output();
    String::from_utf8_lossy(&said.expect("date runs").stdout).trim().to_owned()
}

/// A bot that let go of its lock, and shares its user with the admin or has one of its own, is ended all the same; the chat of
/// another home is left alone.
#[test]
fn the_hard_stop_ends_a_bot_that_let_go_of_its_lock() {
    let mut worlds = vec![World::new()];
    worlds.extend(tiers::shared());
    for (number, world) in worlds.iter().enumerate() {
        if number == 1 {
            fs::write(world.home().bot_config(), format!("security: {{user: {}}}\n", tiers::USER))
                .expect("it can be written");
        }
        let other = World::new();
        let mut neighbour = Pty::start(other.command(Program::Bot, &[]));
        let mut chat = Pty::start(world.command(Program::Bot, &[]));
        neighbour.expect("/help", SOON);
        chat.expect("/help", SOON);
        let lock = world.home().chat_lock(&world.profile());
        fs::rename(&lock, world.outside().join("away")).expect("it can be moved");
        fs::write(&lock, "").expect("it can be written");
        world.admin(&["estop", "--hard"]).done().prints("1 process");
        chat.ended(SOON);
        assert!(neighbour.runs(), "the chat of another home goes on");
    }
}

fn told(world: &World, kind: &str) -> usize {
    records(world).iter().filter(|r| r["record"] == "schedule" && r["told"] == kind).count()
}
