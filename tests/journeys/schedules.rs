//! At a time of the admin's list a profile's workflow or message runs, with nobody to ask.

use std::fs;
use std::time::Duration;

use serde_json::Value;
use tameclaw_tests::eventually;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::world::{Program, World};

use crate::workflows::put;

const SOON: Duration = Duration::from_secs(100);
const DAILY: &str = "schedules:\n  - {name: morning, profile: default, cron: \"0 7 29 2 *\", zone: Europe/Berlin, workflow: hello}\n";
const HELLO: &str =
    "name = \"hello\"\ndescription = \"d\"\n[[steps]]\nid = \"today\"\nkind = \"tool\"\ntool = \"DATE\"\n";

fn configure(world: &World, text: &str) {
    fs::write(world.home().admin_config(), text).expect("it can be written");
}

fn row(world: &World, name: &str) -> Value {
    let rows = world.admin(&["schedule", "list", "--json"]).done().json_rows();
    rows.into_iter().find(|row| row["name"] == name).expect("the schedule is listed")
}

/// What the journal tells of a kind.
fn told(world: &World, kind: &str) -> usize {
    let walk = durable::replay(&world.home().journal()).expect("a home has a journal");
    let records = walk.map(|record| record.expect("the chain holds").1);
    records.filter(|r: &Value| r["record"] == "schedule" && r["told"] == kind).count()
}

#[test]
fn a_workflow_runs_only_as_the_text_that_a_person_saw() {
    let world = World::new();
    world.admin(&["schedule", "list"]).done().prints("no schedules");
    configure(&world, DAILY);
    world.admin(&["schedule", "run", "noon"]).exited(2).says("there: morning");
    world.admin(&["schedule", "pin", "morning"]).exited(1).says("has no workflow `hello`");
    put(&world, "default", "hello", HELLO);
    world.admin(&["schedule", "run", "morning"]).exited(3).says("nobody has seen the workflow");
    assert_eq!(told(&world, "begun"), 0);
    world.admin(&["schedule", "pin", "morning"]).exited(2).prints("[[steps]]").says("--yes");
    world.admin(&["schedule", "run", "morning"]).exited(3);
    world.admin(&["schedule", "pin", "morning", "--yes"]).done().prints("runs this text from now on");
    world.admin(&["schedule", "run", "morning"]).done().prints("is done");
    assert_eq!(row(&world, "morning")["exit"], 0);
    let run = world.bot(&["sop", "status", "--json"]).done().json();
    assert_eq!((&run["scheduled"], &run["state"]), (&Value::Bool(true), &Value::from("done")));
    // Somebody changes it, as a skill of the profile could.
    put(&world, "default", "hello", &HELLO.replace("\"d\"", "\"e\""));
    world.admin(&["schedule", "run", "morning"]).exited(3).says("was changed since a person saw it");
    assert!(row(&world, "morning")["waits"].as_str().is_some_and(|w| w.contains("changed")));
    world
        .admin(&["schedule", "pin", "morning"])
        .exited(2)
        .prints("-description = \"d\"")
        .prints("+description = \"e\"");
    assert_eq!(told(&world, "begun"), 1);
    world.admin(&["doctor"]).prints("morning waits").prints("was changed since");
    // The chat program looks for itself: what changes after the look runs no more than what changed before.
    let digest = "0".repeat(64);
    world.bot(&["sop", "run", "hello", "--scheduled", "--sha256", &digest]).exited(3).says("is another one");
}

/// As long as a run waits for a person no scheduled start begins another of the same text, and that is told once.
#[test]
fn while_a_run_waits_for_a_person_its_schedule_begins_no_other() {
    let asking = "name = \"hello\"\ndescription = \"d\"\n[[steps]]\nid = \"sure\"\nkind = \"approval\"\nmessage = \"Shall I?\"\n";
    let world = World::new();
    configure(&world, DAILY);
    put(&world, "default", "hello", asking);
    world.admin(&["schedule", "pin", "morning", "--yes"]).done();
    world.admin(&["schedule", "run", "morning"]).done().prints("waits for a person");
    let runs = || world.bot(&["sop", "status", "--json"]).done().json_rows();
    let first = runs()[0]["run"].as_str().expect("a run has an id").to_owned();
    let skipped = format!("skipped: the run {first} of hello waits for a person");
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    for count in 2..5 {
        world.admin(&["schedule", "run", "morning"]).done();
        eventually(SOON, "it is seen to", || (told(&world, "ended") == count).then_some(()));
        assert_eq!(runs().len(), 1, "{:?}", runs());
    }
    assert_eq!(service.stderr.text().matches(&skipped).count(), 1, "{}", service.stderr.text());
    world.admin(&["schedule", "list"]).done().prints(&skipped);
    world.admin(&["doctor"]).prints(&skipped);
    drop(service);
    world.admin(&["schedule", "run", "morning"]).exited(11).prints(&skipped);
    // A person may begin another one, and after their word the schedule does again.
    world.bot(&["sop", "run", "hello"]).done().says("waits for a person");
    assert_eq!(runs().len(), 2);
    for run in runs() {
        world.bot(&["sop", "approve", run["run"].as_str().expect("an id")]).done();
    }
    world.admin(&["schedule", "run", "morning"]).done().prints("waits for a person");
    assert_eq!(runs().len(), 3);
    // A run of a text that is there no more can go on no more, so it holds nothing up.
    put(&world, "default", "hello", &asking.replace("Shall I?", "Really?"));
    world.admin(&["schedule", "pin", "morning", "--yes"]).done();
    world.admin(&["schedule", "run", "morning"]).done().prints("waits for a person");
    assert_eq!(runs().len(), 4);
}

/// A wish for a run that comes while the same wish is not taken up yet is the same wish.
#[test]
fn two_wishes_for_a_run_while_none_is_taken_up_run_it_once() {
    let world = World::new();
    let model = ModelServer::start(|_| {
        std::thread::sleep(Duration::from_secs(4));
        Reply::text("Good morning.")
    });
    let provider = format!(
        "providers:\n  - {{name: slow, kind: openai-compatible, base_url: \"{}\", model: m}}\n",
        model.url()
    );
    fs::write(world.home().bot_config(), provider).expect("it can be written");
    configure(
        &world,
        "schedules:\n  - {name: slow, profile: default, cron: \"0 7 29 2 *\", message: write me a poem}\n",
    );
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    world.admin(&["schedule", "run", "slow"]).done();
    eventually(SOON, "the first is taken up", || (told(&world, "begun") == 1).then_some(()));
    for _ in 0..2 {
        world.admin(&["schedule", "run", "slow"]).done();
    }
    assert_eq!(told(&world, "ended"), 0, "the first still runs, so the two others wait");
    eventually(SOON, "they run", || (told(&world, "ended") == 2).then_some(()));
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(told(&world, "begun"), 2, "two wishes are one run");
}

#[test]
fn every_fault_of_a_schedule_is_named_with_its_key() {
    let world = World::new();
    configure(
        &world,
        "schedules:\n  - {name: a1, profile: default, cron: \"0 7 * *\", message: hi}\n  \
         - {name: b1, profile: default, cron: \"0 7 * * *\", zone: Mars/Base, workflow: hello}\n  \
         - {name: c1, cron: \"0 7 * * *\", message: hi, workflow: hello, colour: red, missed: maybe}\n",
    );
    world
        .admin(&["schedule", "list"])
        .exited(2)
        .says("schedules[0].cron: has 4 field(s)")
        .says("schedules[1].zone: `Mars/Base` is no time zone")
        .says("schedules[2].profile: missing")
        .says("schedules[2].workflow: a schedule names either")
        .says("schedules[2].missed: \"maybe\" is not allowed; allowed: skip once")
        .says("schedules[2].colour: this key is unknown");
}

/// The service itself sees to a time when it comes, once, and a restart within the same minute does not see to it again.
#[test]
fn the_service_runs_what_is_due_and_no_restart_runs_it_twice() {
    let world = World::new();
    configure(
        &world,
        "schedules:\n  - {name: minutely, profile: default, cron: \"* * * * *\", message: hello}\n",
    );
    let service = world.start(Program::Admin, &["run"]);
    eventually(SOON, "the time comes", || (told(&world, "ended") > 0).then_some(()));
    service.signal(nix::sys::signal::Signal::SIGKILL);
    service.ended(SOON);
    let (begun, at) = (told(&world, "begun"), row(&world, "minutely"));
    assert_eq!((begun, &at["exit"]), (1, &Value::from(0)), "{at}");
    let again = world.start(Program::Admin, &["run"]);
    again.stderr.wait_for(&["serving"], SOON).expect("it serves again");
    // A person's wish is done by the service that runs.
    world.admin(&["schedule", "run", "minutely"]).done().prints("the service runs minutely now");
    eventually(SOON, "it ran by hand", || (told(&world, "ended") > 1).then_some(()));
    let times: Vec<Value> = durable::replay(&world.home().journal())
        .expect("a home has a journal")
        .map(|record| record.expect("the chain holds").1)
        .filter(|r: &Value| r["told"] == "begun" && r["by_hand"].is_null())
        .map(|r| r["due"].clone())
        .collect();
    let mut once = times.clone();
    once.dedup();
    assert_eq!(times, once, "no time is seen to twice");
}

/// A schedule that was written after the service read its configuration is known to it, and one that may not run is refused
/// where the person asks, not in a list that is read later.
#[test]
fn the_running_service_knows_a_new_schedule_and_says_why_one_waits() {
    let world = World::new();
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    configure(&world, DAILY);
    put(&world, "default", "hello", HELLO);
    world.admin(&["schedule", "run", "morning"]).exited(3).says("nobody has seen the workflow");
    world.admin(&["schedule", "pin", "morning", "--yes"]).done();
    world.admin(&["schedule", "run", "morning"]).done().prints("the service runs morning now");
    eventually(SOON, "it ran", || (told(&world, "ended") > 0).then_some(()));
    assert_eq!(row(&world, "morning")["exit"], 0);
}
