//! A few steps in a file: checked, run, stopped at an approval, broken off, and taken up again.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use tameclaw_tests::eventually;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::world::{Program, World};

use crate::profiles::secret_file;
use crate::settings::bot_asks;

const SOON: Duration = Duration::from_secs(60);

const BRIEFING: &str = r#"
name = "briefing"
description = "What the morning brings"

[[steps]]
id = "today"
kind = "tool"
tool = "DATE"

[[steps]]
id = "sure"
kind = "approval"
message = "Shall I go on?"

[[steps]]
id = "greet"
kind = "agent"
prompt = "Greet me"
content_from = "today"
"#;

/// The name of the clock's tool, as this version calls it.
fn date(world: &World) -> String {
    let rows = world.bot(&["tool", "list", "--json"]).done().json_rows();
    let name = |row: &Value| row["name"].as_str().filter(|n| n.ends_with("date")).map(str::to_owned);
    rows.iter().find_map(name).expect("the clock tells the date")
}

/// Puts a workflow into the workspace of a profile.
pub(crate) fn put(world: &World, profile: &str, name: &str, text: &str) {
    let id = profile.parse().expect("a profile name");
    let folder = world.home().profile(&id).join("workspace/sops").join(name);
    fs::create_dir_all(&folder).expect("a folder can be made");
    fs::write(folder.join("SOP.toml"), text.replace("DATE", &date(world))).expect("it can be written");
}

fn log_of(world: &World, run: &str) -> PathBuf {
    world.home().profile(&world.profile()).join("logs/workflows").join(format!("{run}.jsonl"))
}

fn word(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// How often a record of this kind stands in the log for this step.
fn times(world: &World, run: &str, what: &str, step: &str) -> usize {
    let text = fs::read_to_string(log_of(world, run)).expect("a run has a log");
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a record"));
    records.filter(|r| r["what"] == what && r["step"] == step).count()
}

#[test]
fn a_workflow_stops_at_an_approval_until_a_person_gives_it() {
    let model = ModelServer::start(|_| Reply::text("Good morning."));
    let world = World::new();
    bot_asks(&world, &model.url(), None);
    world.bot(&["sop", "list"]).done();
    world.bot(&["sop", "status"]).done().says("no workflow has run yet");
    put(&world, "default", "briefing", BRIEFING);
    world.bot(&["sop", "list"]).done().prints("briefing").prints("workspace");
    world.bot(&["sop", "validate", "briefing"]).done().prints("3 step(s), no fault");
    let ran = world.bot(&["sop", "run", "briefing", "--json"]).done().json();
    assert_eq!((word(&ran, "state"), word(&ran, "step")), ("waiting".into(), "sure".into()), "{ran}");
    assert_eq!(word(&ran, "message"), "Shall I go on?");
    let run = word(&ran, "run");
    // Nothing but a yes takes it further.
    let again = world.bot(&["sop", "resume", &run, "--json"]).done().json();
    assert_eq!(word(&again, "state"), "waiting");
    assert!(model.seen().is_empty(), "the assistant is not asked before the yes");
    world.bot(&["sop", "approve", &run]).done().prints("Good morning.").says("is done");
    let asked = model.seen().last().expect("it was asked").text();
    assert!(asked.contains("Greet me") && asked.contains("material, not an instruction"), "{asked}");
    let status = world.bot(&["sop", "status", &run, "--json"]).done().json();
    assert_eq!(word(&status, "state"), "done");
    let steps = status["steps"].as_array().expect("a run has steps");
    let steps: Vec<String> = steps.iter().map(|step| word(step, "id")).collect();
    assert_eq!(steps, ["today", "sure", "greet"], "in the order of the workflow");
    assert_eq!(times(&world, &run, "done", "today"), 1);
    world.bot(&["sop", "approve", &run]).exited(2).says("is over: done");
    world.bot(&["sop", "status", "nothing"]).exited(2).says("there is no run `nothing`");
}

#[test]
fn a_step_whose_answer_is_no_answer_fails() {
    let refusals = [
        "I can't do that yet. Shall I ask to learn it?",
        "I can't do that: I have no mail, messages or telephone. I can only answer here.",
    ];
    for refusal in refusals {
        let model = ModelServer::start(move |_| Reply::text(refusal));
        let world = World::new();
        bot_asks(&world, &model.url(), None);
        put(&world, "default", "briefing", BRIEFING);
        world.bot(&["sop", "run", "briefing"]).done();
        let why = format!("step `greet` failed: {}", &refusal[..15]);
        world.bot(&["sop", "approve", "last"]).exited(1).says(&why);
        world.bot(&["sop", "status", "last"]).done().prints("failed");
    }
}

#[test]
fn a_no_ends_the_run_as_refused() {
    let world = World::new();
    put(&world, "default", "briefing", BRIEFING);
    world.bot(&["sop", "run", "briefing"]).done().says("Shall I go on?").says("cl-bot sop approve");
    world.bot(&["sop", "approve", "last", "--no"]).exited(3).says("is refused");
    world.bot(&["sop", "resume", "last"]).exited(2).says("is over: refused");
    world.bot(&["sop", "status", "last"]).done().prints("no").prints("by user");
}

#[test]
fn every_fault_of_a_workflow_is_told_at_once_and_nothing_runs() {
    let world = World::new();
    let bad = "name = \"bad\"\ndescription = \"d\"\n[[steps]]\nid = \"a\"\nkind = \"tool\"\ntool = \"rocket\"\n\
        [[steps]]\nid = \"a\"\nkind = \"agent\"\nprompt = \"p\"\ncontent_from = \"z\"\nspeed = 3\n";
    put(&world, "default", "bad", bad);
    for verb in ["validate", "run"] {
        world
            .bot(&["sop", verb, "bad"])
            .exited(2)
            .says("SOP.toml has 4 fault(s)")
            .says("steps[0].tool: there is no tool `rocket`")
            .says("steps[1].id: `a` is the id of an earlier step")
            .says("steps[1].content_from: `z` is not an earlier step")
            .says("steps[1].speed: this key is unknown");
    }
    world.bot(&["sop", "run", "nope"]).exited(2).says("there is no workflow `nope`; there is: bad");
    world.bot(&["sop", "status"]).done().says("no workflow has run yet");
}

#[test]
fn what_a_step_may_fail_at_is_passed_over_only_where_the_workflow_says_so() {
    let world = World::new();
    let text = |on_failure: &str| {
        format!(
            "name = \"two\"\ndescription = \"d\"\n[[steps]]\nid = \"first\"\nkind = \"agent\"\nprompt = \"Hello\"\n\
             on_failure = \"{on_failure}\"\n[[steps]]\nid = \"today\"\nkind = \"tool\"\ntool = \"DATE\"\n"
        )
    };
    let model = ModelServer::start(|_| Reply::Status(400));
    bot_asks(&world, &model.url(), None);
    let config = fs::read_to_string(world.home().bot_config()).expect("there is one");
    let alone = config.replace("  - {name: companion, kind: embedded}\n", "");
    fs::write(world.home().bot_config(), alone).expect("it can be written");
    put(&world, "default", "two", &text("abort"));
    let ran = world.bot(&["sop", "run", "two", "--json"]).exited(1);
    assert_eq!(ran.json()["steps"][1]["state"], "open", "{}", ran.report());
    put(&world, "default", "two", &text("continue"));
    let ran = world.bot(&["sop", "run", "two", "--json"]).done().json();
    assert_eq!(
        (word(&ran, "state"), word(&ran["steps"][1], "state")),
        ("done".into(), "done".into()),
        "{ran}"
    );
}

/// A kill in the middle of a step: what was done stays done, and what may have had its effect is not repeated unasked.
#[test]
fn a_killed_run_goes_on_without_doing_a_finished_step_twice() {
    let model = ModelServer::start(|_| Reply::Hang);
    let world = World::new();
    bot_asks(&world, &model.url(), None);
    put(
        &world,
        "default",
        "briefing",
        &BRIEFING.replace("kind = \"approval\"\nmessage", "kind = \"agent\"\nprompt"),
    );
    let running = world.start(Program::Bot, &["sop", "run", "briefing"]);
    eventually(SOON, "the model is asked", || (!model.seen().is_empty()).then_some(()));
    running.signal(nix::sys::signal::Signal::SIGKILL);
    running.ended(SOON);
    model.follow(|_| Reply::text("Here I am."));
    let state = world.bot(&["sop", "status", "--json"]).done().json();
    let run = word(&state, "run");
    assert_eq!(word(&state, "state"), "stopped");
    // A last line that was torn was never accepted.
    let mut text = fs::read_to_string(log_of(&world, &run)).expect("a run has a log");
    text.push_str("{\"at\":\"2026-");
    fs::write(log_of(&world, &run), text).expect("it can be written");
    let seen = model.seen().len();
    world.bot(&["sop", "resume", &run]).exited(3).says("was begun and not finished").says("--repeat");
    assert_eq!(model.seen().len(), seen, "nothing was done without a word");
    world.bot(&["sop", "resume", &run, "--repeat"]).done().prints("Here I am.");
    assert_eq!(times(&world, &run, "started", "today"), 1);
    assert_eq!(times(&world, &run, "done", "sure"), 1);
    assert_eq!(times(&world, &run, "resolved", "sure"), 1);
}

/// Cut off after the record that a step begins: a call of low risk is made again, since it does nothing but answer.
#[test]
fn a_call_of_low_risk_that_was_cut_off_is_made_again() {
    let world = World::new();
    put(&world, "default", "briefing", BRIEFING);
    let run = word(&world.bot(&["sop", "run", "briefing", "--json"]).done().json(), "run");
    let text = fs::read_to_string(log_of(&world, &run)).expect("a run has a log");
    let cut: String = text.split_inclusive('\n').take(2).collect();
    fs::write(log_of(&world, &run), cut).expect("it can be written");
    world
        .bot(&["sop", "resume", &run])
        .done()
        .says("was begun and not finished; again")
        .says("Shall I go on?");
    assert_eq!(times(&world, &run, "done", "today"), 1);
}

#[test]
fn a_workflow_that_changed_since_its_run_began_goes_no_further() {
    let world = World::new();
    put(&world, "default", "briefing", BRIEFING);
    world.bot(&["sop", "run", "briefing"]).done();
    put(&world, "default", "briefing", &BRIEFING.replace("Greet me", "Greet nobody"));
    world.bot(&["sop", "approve", "last"]).exited(3).says("was changed since the run");
    let state = world.bot(&["sop", "status", "last", "--json"]).done().json();
    assert_eq!(word(&state, "state"), "waiting", "the yes did not count: {state}");
}

#[test]
fn in_a_minors_profile_who_uses_it_cannot_say_yes() {
    let world = World::new();
    let file = secret_file(&world, "passphrase", "correct horse battery");
    world.admin(&["approver", "passphrase", "--passphrase-file", &file]).done();
    world.admin(&["profile", "add", "anna", "--audience", "child"]).done();
    put(&world, "anna", "briefing", BRIEFING);
    world.bot(&["--profile", "anna", "sop", "run", "briefing"]).done().says("waits for a person");
    world.bot(&["--profile", "anna", "sop", "approve", "last"]).exited(3).says("an approver says yes here");
    world.bot(&["--profile", "anna", "sop", "approve", "last", "--no"]).exited(3).says("is refused");
}

/// In a scheduled run nobody sits there: what would ask waits for the approver, and after a yes the same call runs once.
#[test]
fn what_would_ask_in_a_scheduled_run_waits_for_the_approver() {
    let world = World::new();
    let workspace = world.home().profile(&world.profile()).join("workspace");
    let folder = workspace.join("sops/writes");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let text = "name = \"writes\"\ndescription = \"Writes\"\n[[steps]]\nid = \"a\"\nkind = \"tool\"\n\
                tool = \"file_write\"\nargs = {path = \"n.txt\", content = \"x\"}\n";
    fs::write(folder.join("SOP.toml"), text).expect("it can be written");
    let run = || world.bot(&["sop", "run", "writes", "--scheduled"]);
    run().exited(3).says("waits for the approver");
    world.admin(&["run", "--once"]).done();
    let id = world.newest()["id"].as_str().expect("a row has an id").to_owned();
    world.admin(&["approve", &id, "--yes"]).done().prints("may make that one call").hides("cl-admin run");
    assert!(!workspace.join("n.txt").exists());
    run().done();
    assert_eq!(fs::read_to_string(workspace.join("n.txt")).expect("it is written"), "x");
    run().exited(3);
}
