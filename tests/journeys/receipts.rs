//! Every attempted call of a tool leaves a receipt; the admin signs how far they go; who changes one is found out.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::{Value, json};
use tameclaw_tests::eventually;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::world::{PATIENCE, Program, World};

/// A model that calls the clock, calls it wrongly, and calls what is not there; then it answers.
fn three_calls() -> ModelServer {
    ModelServer::start(|chat| match chat.last().0.as_str() {
        "tool" => Reply::text("done"),
        _ => {
            let names = chat.tools();
            let time = names.iter().find(|name| name.contains("time")).expect("the clock is offered").clone();
            Reply::Calls(vec![
                (time.clone(), json!({})),
                (time, json!({"zone": 3})),
                ("no_such_tool".to_owned(), json!({})),
            ])
        }
    })
}

fn settings(model: &ModelServer, more: &str) -> String {
    format!(
        "providers: [{{name: m, kind: openai-compatible, base_url: \"{}\", model: m}}]\n{more}",
        model.url()
    )
}

/// A home in which three calls were attempted.
fn lived_in(more: &str) -> World {
    let (world, model) = (World::new(), three_calls());
    fs::write(world.home().bot_config(), settings(&model, more)).expect("it can be written");
    assert!(world.ask("what time is it?").contains("done"));
    world
}

fn receipts(world: &World) -> PathBuf {
    world.home().logs(&world.profile()).join("receipts.jsonl")
}

#[test]
fn every_attempt_leaves_a_receipt_that_is_listed_signed_and_verified() {
    let world = World::new();
    world.bot(&["receipt", "list"]).done().says("no call of a tool that fits is on record");
    world.bot(&["receipt", "verify"]).done().prints("0 receipts hold");
    let world = lived_in("");
    let rows = world.bot(&["receipt", "list", "--json"]).done().json_rows();
    let mut seen: Vec<(&str, &str)> = rows
        .iter()
        .map(|r| (r["tool"].as_str().expect("a tool"), r["status"].as_str().expect("a status")))
        .collect();
    seen.sort_unstable();
    assert_eq!(seen, [("no_such_tool", "denied"), ("time", "allowed"), ("time", "denied")]);
    for row in &rows {
        let mut members: Vec<&String> = row.as_object().expect("an object").keys().collect();
        members.sort();
        let all = [
            "approved_by",
            "args_hash",
            "conversation_id",
            "id",
            "previous_hash",
            "receipt_hash",
            "result_hash",
            "risk",
            "status",
            "timestamp",
            "tool",
        ];
        assert_eq!(members, all);
    }
    assert_eq!(rows[0]["previous_hash"], "0".repeat(64));
    assert_eq!(rows[1]["previous_hash"], rows[0]["receipt_hash"]);
    let listed = |arguments: &[&str]| {
        let words: Vec<&str> = ["receipt", "list"].iter().chain(arguments).copied().collect();
        world.bot(&words).done().stdout.lines().count()
    };
    assert_eq!(listed(&["--tool", "time"]), 2);
    assert_eq!(listed(&["--status", "denied"]), 2);
    assert_eq!(listed(&["--limit", "1"]), 1);
    world.bot(&["receipt", "list", "--status", "lost"]).exited(2).says("allowed, denied, failed");

    world
        .bot(&["receipt", "verify"])
        .done()
        .prints("3 receipts hold")
        .prints("none is signed by the admin yet");
    world.admin(&["run", "--once"]).done();
    world.bot(&["receipt", "verify"]).done().prints("all of them are signed by the admin");
    let told = world.bot(&["receipt", "verify", "--json"]).done().json();
    assert_eq!((&told["holds"], &told["receipts"], &told["signed"]), (&json!(true), &json!(3), &json!(3)));
    world.admin(&["audit", "verify"]).done().prints("the receipts of `default`: 3 records, 3 of them signed");
    world.admin(&["audit", "list"]).done().says("no alarm is open");
}

#[test]
fn tampering_of_the_second_of_three_receipts_is_reported_at_2() {
    let world = lived_in("");
    let text = fs::read_to_string(receipts(&world)).expect("there are receipts");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 3);
    lines[1] = lines[1].replace("\"risk\":\"low\"", "\"risk\":\"high\"");
    fs::write(receipts(&world), lines.join("\n") + "\n").expect("it can be written");
    world
        .bot(&["receipt", "verify"])
        .exited(4)
        .prints("receipt 2 (receipts.jsonl, line 2): its content does not have its hash");
    let told = world.bot(&["receipt", "verify", "--json"]).exited(4).json();
    assert_eq!((&told["receipt"], &told["line"], &told["holds"]), (&json!(2), &json!(2), &json!(false)));
}

/// The whole story beside a running service: signed within seconds, an alarm within ten, acknowledged, signed again.
#[test]
fn a_running_service_signs_raises_an_alarm_and_goes_on_once_a_person_took_note() {
    let world = lived_in("");
    let service = world.start(Program::Admin, &["run"]);
    let head = world.home().published_heads().join("default.receipts");
    eventually(PATIENCE, "the receipts are signed", || head.exists().then_some(()));
    let signed = |count: u64| {
        eventually(std::time::Duration::from_secs(10), "the head follows", || {
            let text = fs::read_to_string(&head).ok()?;
            let heads = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            heads.map(|head| head["end"]["count"].clone()).any(|end| end == count).then_some(())
        });
    };
    signed(3);
    let text = fs::read_to_string(receipts(&world)).expect("receipts");
    let kept: String = text.split_inclusive('\n').take(2).collect();
    fs::write(receipts(&world), &kept).expect("it can be cut");
    let patience = std::time::Duration::from_secs(10);
    service
        .stderr
        .wait_for(&["ALARM about the receipts of `default`"], patience)
        .expect("within ten seconds");
    world.admin(&["list"]).done().says("ALARM about the receipts of `default`");
    world.admin(&["doctor"]).prints("fail  evidence");
    let alarms = world.admin(&["audit", "list", "--json"]).done().json_rows();
    assert!(alarms[0]["what"].as_str().is_some_and(|what| what.contains("shorter than its signed head")));
    world.bot(&["receipt", "verify"]).exited(4).prints("receipt 3 (of 3 that were signed) is missing");
    world.admin(&["audit", "acknowledge", "default", "--reason", " "]).exited(2);
    world.admin(&["audit", "acknowledge", "other", "--reason", "a try"]).exited(2).says("no alarm");
    world.admin(&["audit", "acknowledge", "default", "--reason", "a test of ours"]).done();
    world.admin(&["audit", "list"]).done().says("no alarm is open");
    world.bot(&["receipt", "verify"]).done().prints("2 receipts hold");
    let text = fs::read_to_string(receipts(&world)).expect("receipts");
    fs::write(receipts(&world), text.replace("\"low\"", "\"high\"")).expect("it can be written");
    service.stderr.wait_for(&["does not have its hash"], patience).expect("a second alarm");
    // What is there is accepted as it is, and what follows is watched.
    world
        .admin(&["audit", "acknowledge", "default", "--reason", "another one"])
        .exited(3)
        .says("it is not a receipt");
    fs::write(receipts(&world), text).expect("put right");
    world.admin(&["audit", "acknowledge", "default", "--reason", "put right"]).done();
    let model = three_calls();
    fs::write(world.home().bot_config(), settings(&model, "")).expect("it can be written");
    world.ask("and now?");
    signed(5);
    world.bot(&["receipt", "verify"]).done().prints("5 receipts hold");
}

/// How often the thread that watches the receipts went to sleep so far.
#[track_caller]
fn sleeps_of_the_watch(pid: u32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("it runs");
    let of = |task: &std::path::Path| {
        let name = fs::read_to_string(task.join("comm")).ok()?;
        let status = fs::read_to_string(task.join("status")).ok().filter(|_| name.trim() == "audit")?;
        status
            .lines()
            .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")?.trim().parse::<u64>().ok())
    };
    tasks.filter_map(|task| of(&task.ok()?.path())).next().expect("a thread of that name")
}

/// Half a minute after the last change the service looks at the receipts each minute only, and a change raises the alarm at once.
#[test]
fn a_service_at_rest_looks_seldom_and_still_raises_the_alarm_at_once() {
    let world = lived_in("");
    let service = world.start(Program::Admin, &["run"]);
    let head = world.home().published_heads().join("default.receipts");
    eventually(PATIENCE, "the receipts are signed", || head.exists().then_some(()));
    std::thread::sleep(std::time::Duration::from_secs(38));
    let before = sleeps_of_the_watch(service.pid());
    std::thread::sleep(std::time::Duration::from_secs(16));
    // A look sleeps twice; three would be due within this time at the pace of five seconds.
    let looked = sleeps_of_the_watch(service.pid()) - before;
    assert!(looked < 4, "{looked}");
    let text = fs::read_to_string(receipts(&world)).expect("receipts");
    fs::write(receipts(&world), text.split_inclusive('\n').take(2).collect::<String>())
        .expect("it can be cut");
    let patience = std::time::Duration::from_secs(10);
    let told = service.stderr.wait_for(&["ALARM about the receipts of `default`"], patience);
    assert!(told.is_some(), "{}", service.stderr.text());
}

/// With `hmac: true` a receipt that somebody else made is distinguished from the bot's own, although its hashes hold.
#[test]
fn a_code_of_the_profiles_key_tells_the_bots_receipts_from_others() {
    let world = lived_in("receipts: {hmac: true}\n");
    let key = world.home().profile(&world.profile()).join("receipts.key");
    let facts = fs::metadata(&key).expect("a key was made");
    assert_eq!((facts.len(), facts.permissions().mode() & 0o777), (32, 0o600));
    world.bot(&["receipt", "verify"]).done().prints("3 carry a code of the profile's key");
    fs::write(&key, [7; 32]).expect("another key");
    world.bot(&["receipt", "verify"]).exited(4).prints("receipt 1").prints("its hmac was not made");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).expect("its mode can be set");
    world.bot(&["receipt", "verify"]).exited(1).says("others may read it");
}
