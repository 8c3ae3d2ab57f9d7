//! Commands through the admin service: from the bot's file to what came of it.

use std::fs;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::Value;
use tameclaw_tests::action::Ask;
use tameclaw_tests::eventually;
use tameclaw_tests::world::{Program, World};

const SOON: Duration = Duration::from_secs(60);

fn world(settings: &str) -> World {
    let world = World::new();
    world.allow(settings);
    fs::write(world.workspace("notes.txt"), "one\ntwo\n").expect("a file can be written");
    fs::write(world.workspace("-n"), "three\n").expect("a file can be written");
    world
}

fn word<'a>(of: &'a Value, key: &str) -> &'a str {
    of[key].as_str().unwrap_or_default()
}

const SOME: &str = "grants: {commands: [cat, ls, echo, 'true', 'false', sort, wc, sleep, head]}\n";

/// What a line means is what a shell would have made of it, but for what it may reach.
#[test]
fn with_full_autonomy_lines_run_at_once_and_their_results_are_in_the_mirror() {
    let world = world(&format!("autonomy: full\n{SOME}"));
    let lines = [
        ("cat notes.txt", "one\ntwo\n", 0),
        ("cat notes.txt | sort -r | head -n 1", "two\n", 0),
        ("echo 'two  words' '$' '*'", "two  words $ *\n", 0),
        ("false && echo no; echo yes", "yes\n", 0),
        ("false || echo rescued", "rescued\n", 0),
        ("true && false", "", 1),
        ("cat *.txt", "one\ntwo\n", 0),
        ("cat *n", "three\n", 0),
        ("cat no-such.txt 2>&1 | wc -l", "1\n", 0),
        ("echo kept > out.txt; sort < out.txt", "kept\n", 0),
        ("cat < notes.txt 2> /dev/null", "one\ntwo\n", 0),
    ];
    let asks: Vec<Ask<'_>> = lines.iter().map(|(line, ..)| Ask::line(line)).collect();
    for (shown, (line, out, code)) in world.acts(&asks).iter().zip(lines) {
        let result = &shown["result"];
        assert_eq!((word(result, "stdout"), result["exit"].as_i64()), (out, Some(code)), "{line}: {shown}");
        let mirror = world.mirror(word(shown, "id"));
        assert!(mirror.contains("\nstatus: accepted\n") && mirror.contains("\nresult:\n"), "{mirror}");
    }
    let shown = world.act(&Ask::shell("cat", "stdin: 'given along'"));
    assert_eq!(word(&shown["result"], "stdout"), "given along");
    let late = world.act(&Ask::shell("sleep 30", "timeout_s: 1"));
    assert!(word(&late["result"], "ended").contains("longer than 1 s"), "{late}");
    // Skills and actions do not meet: an action's name is nobody's.
    world.admin(&["list"]).done().prints("done: exit code 0");
}

#[test]
fn under_supervision_a_person_sees_what_would_run_and_says_yes_or_no() {
    let world = world(SOME);
    let ids = [
        world.wants(&Ask::line("cat  'notes.txt'|sort")),
        world.wants(&Ask::line("echo twice")),
        world.wants(&Ask::line("echo twice")),
        world.wants(&Ask::line("ls")),
    ];
    world.admin(&["run", "--once"]).done().says("waits for a person");
    assert!(world.mirror(&ids[0]).contains("\nwaits_for: person\n"));
    world
        .admin(&["show", &ids[0]])
        .done()
        .prints("RUNS           cat notes.txt\n")
        .prints("|  sort\n")
        .prints("network     none")
        .prints("medium: cat notes.txt")
        .prints("  | asked with  please");
    // Without a terminal and without --yes nobody has looked at it.
    world.admin(&["approve", &ids[0]]).exited(2);
    world.admin(&["approve", &ids[0], "--yes"]).done().prints("is allowed").prints("cl-admin run");
    world.admin(&["run", "--once"]).done();
    assert_eq!(word(&world.shown(&ids[0])["result"], "stdout"), "one\ntwo\n");
    // The same asked for twice is one question, and one no.
    let ran = world.typed(Program::Admin, &["review"], "r not now\nw 3\ny\n");
    ran.done()
        .prints("2 waiting")
        .prints("also asked")
        .prints("is rejected, 2 times")
        .prints("always allowed until");
    assert_eq!(
        (word(&world.shown(&ids[1]), "status"), word(&world.shown(&ids[2]), "status")),
        ("rejected", "rejected")
    );
    world.admin(&["grant", "list"]).done().prints("profile default, until").prints("\n    ls\n");
    assert_eq!(word(&world.act(&Ask::line("ls"))["judgement"], "rule"), "always-allowed");
}

#[test]
fn what_was_taken_back_in_time_is_not_run() {
    let world = world(SOME);
    let id = world.wants(&Ask::line("true"));
    let full = world.wants(&Ask::line("echo never"));
    world.admin(&["run", "--once"]).done();
    let withdraw = |id: &str| {
        let path = world.home().proposals(&world.profile()).join(format!("shell-{id}.withdrawn"));
        fs::write(path, "").expect("a file can be written");
    };
    withdraw(&id);
    world.admin(&["run", "--once"]).done().says("is withdrawn");
    assert_eq!(word(&world.shown(&id), "status"), "rejected");
    // Allowed already, and not started yet.
    world.admin(&["approve", &full, "--yes"]).done();
    withdraw(&full);
    world.admin(&["run", "--once"]).done();
    let result = &world.shown(&full)["result"];
    assert!(word(result, "ended").contains("withdrawn before it was started"), "{result}");
}

#[test]
fn a_permission_is_recorded_with_its_approver_and_runs_nothing() {
    let world = world("autonomy: full\n");
    let action = "{type: permit, tool: file_write, args: {path: a.txt}, risk: medium, reason: \"it writes\"}";
    let shown = world.act(&Ask { profile: "default", action: action.to_owned() });
    let id = word(&shown, "id").to_owned();
    assert_eq!(word(&shown, "status"), "human-review", "{shown}");
    world.admin(&["approve", &id, "--yes", "--always"]).exited(3);
    world.admin(&["approve", &id, "--yes"]).done().prints("may make that one call");
    world.admin(&["run", "--once"]).done();
    let shown = world.shown(&id);
    let last = shown["history"].as_array().and_then(|steps| steps.last()).expect("a history");
    assert_eq!((word(last, "status"), word(last, "actor")), ("accepted", "owner"), "{shown}");
    assert!(shown["result"].is_null(), "{shown}");
}

/// A running service takes an action up at once, runs several beside each other, and ends what runs with itself.
#[test]
fn a_running_service_answers_at_once_and_leaves_nothing_running() {
    let world = world(&format!("autonomy: full\n{SOME}"));
    let mut service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    let mark = format!("2{:07}", std::process::id() % 10_000_000);
    let slow = world.wants(&Ask::shell(&format!("sleep {mark}"), "timeout_s: 600"));
    let begun = Instant::now();
    let quick = world.wants(&Ask::line("echo quick"));
    let done = |id: &str| world.mirror(id).contains("\nresult:\n").then_some(());
    eventually(SOON, "the quick one is done beside the slow one", || done(&quick));
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "it did not wait for the next look: {:?}",
        begun.elapsed()
    );
    let runs = || world.admin(&["show", &slow]).done().stdout.contains("it runs now").then_some(());
    eventually(SOON, "the slow one runs", runs);
    assert!(service.runs());
    service.signal(Signal::SIGTERM);
    service.ended(SOON).done();
    let ended = world.shown(&slow);
    assert!(word(&ended["result"], "ended").contains("stopped before its end"), "{ended}");
}

#[test]
fn a_file_of_an_action_is_judged_before_it_is_asked_for() {
    let world = world(SOME);
    let path = world.outside().join("action.yaml");
    let check = |line: &str| {
        let id = shared_types::id::ProposalId::generate().to_string();
        fs::write(&path, Ask::line(line).text(&id)).expect("a file can be written");
        world.admin(&["proposal", "check", path.to_str().expect("a path")])
    };
    check("ls").done().prints("waits for a person: medium-risk");
    check("rm -rf /").exited(3).prints("blocked");
    check("ls $HOME").exited(3).prints("unparsed");
}
