//! At a time of the admin's list a profile's workflow or message runs, with nobody to ask.

use std::fs;
use std::time::Duration;

use serde_json::Value;
use tameclaw_tests::eventually;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World};

use crate::notifiers::Inbox;
use crate::reminders::{kill_it, leave};
use crate::workflows::put;

const SOON: Duration = Duration::from_secs(100);
const DAILY: &str = "schedules:\n  - {name: morning, profile: default, cron: \"0 7 29 2 *\", zone: Europe/Berlin, workflow: hello}\n";
const HELLO: &str =
    "name = \"hello\"\ndescription = \"d\"\n[[steps]]\nid = \"today\"\nkind = \"tool\"\ntool = \"DATE\"\n";

/// Its step asks for what nobody here understands.
const FAILS: &str = "name = \"fails\"\ndescription = \"d\"\n[[steps]]\nid = \"ask\"\nkind = \"agent\"\nprompt = \"Frobnicate the flurbs\"\n";

fn configure(world: &World, text: &str) {
    fs::write(world.home().admin_config(), text).expect("it can be written");
}

fn chat(world: &World, profile: &str) -> Pty {
    let mut pty = Pty::start(world.command(Program::Bot, &["--profile", profile, "agent"]));
    pty.expect("> ", SOON);
    pty
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
    // Its answer, and nothing beside it.
    let answer = world.admin(&["schedule", "run", "morning"]).done().hides("is done").stdout;
    world.admin(&["schedule", "list"]).done().prints(&format!(": done: {}", answer.trim()));
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

/// As long as a run waits for a person no scheduled start begins another of the same text, and that is reported once.
#[test]
fn while_a_run_waits_for_a_person_its_schedule_begins_no_other() {
    let asking = "name = \"hello\"\ndescription = \"d\"\n[[steps]]\nid = \"sure\"\nkind = \"approval\"\nmessage = \"Shall I?\"\n";
    let world = World::new();
    configure(&world, DAILY);
    put(&world, "default", "hello", asking);
    world.admin(&["schedule", "pin", "morning", "--yes"]).done();
    world.admin(&["schedule", "run", "morning"]).exited(11).prints("waits for a person at the step `sure`");
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
    world.admin(&["schedule", "run", "morning"]).exited(11).prints("waits for a person at the step `sure`");
    assert_eq!(runs().len(), 3);
    // A run of a text that does not exist any more cannot continue, so it blocks nothing.
    put(&world, "default", "hello", &asking.replace("Shall I?", "Really?"));
    world.admin(&["schedule", "pin", "morning", "--yes"]).done();
    world.admin(&["schedule", "run", "morning"]).exited(11).prints("waits for a person at the step `sure`");
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
        .says("schedules[1].zone: `Mars/Base` is not a time zone")
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

/// The chat tells the person of a profile once what a scheduled run answered, that it failed, or that it waits: at the prompt, or at
/// the next start, and no kill of either program tells it again. No other profile hears it.
#[test]
fn what_a_scheduled_run_came_to_is_told_in_its_persons_chat_once() {
    let asking = "name = \"asks\"\ndescription = \"d\"\n[[steps]]\nid = \"sure\"\nkind = \"approval\"\nmessage = \"Shall I?\"\n";
    let world = World::new();
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    let schedule = |name: &str, what: &str| {
        format!("  - {{name: {name}, profile: default, cron: \"0 7 29 2 *\", {what}}}\n")
    };
    configure(
        &world,
        &format!(
            "schedules:\n{}{}{}",
            schedule("sum", "message: \"what is 2 + 40?\""),
            schedule("asks", "workflow: asks"),
            schedule("fails", "workflow: fails"),
        ),
    );
    put(&world, "default", "asks", asking);
    put(&world, "default", "fails", FAILS);
    for name in ["asks", "fails"] {
        world.admin(&["schedule", "pin", name, "--yes"]).done();
    }
    world.admin(&["schedule", "run", "sum"]).done();
    let mut pty = chat(&world, "default");
    pty.expect("the schedule `sum` answered", SOON);
    pty.expect("42", SOON);
    // One that ends while the chat waits is shown within a minute.
    world.admin(&["schedule", "run", "asks"]).exited(11);
    pty.expect("the schedule `asks` waits for a person", SOON);
    pty.expect("Shall I?", SOON);
    // It was marked before it was shown.
    kill_it(&mut pty);
    world.admin(&["schedule", "run", "fails"]).exited(1);
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    service.signal(nix::sys::signal::Signal::SIGKILL);
    service.ended(SOON);
    let other = leave(chat(&world, "anna"));
    assert!(!other.contains("schedule"), "{other}");
    let said = leave(chat(&world, "default"));
    assert!(said.contains("the schedule `fails` failed") && said.contains("step `ask` failed"), "{said}");
    assert!(!said.contains("`sum`") && !said.contains("`asks`"), "{said}");
    let said = leave(chat(&world, "default"));
    assert!(!said.contains("schedule"), "{said}");
    let list = world.admin(&["schedule", "list"]).done().stdout;
    for outcome in [
        ": done: ",
        ": waits for a person: cl-bot: waits for",
        ": failed (exit 1): cl-bot: step `ask` failed: ",
    ] {
        assert!(list.contains(outcome), "{outcome}: {list}");
    }
    // Of many runs the last three are shown, with how many there were before.
    for _ in 0..5 {
        world.admin(&["schedule", "run", "sum"]).done();
    }
    let said = leave(chat(&world, "default"));
    assert_eq!(said.matches("the schedule `sum` answered").count(), 3, "{said}");
    assert!(said.contains("(earlier runs not shown: 2)"), "{said}");
}

/// A world in which a workflow that asks a person is due each minute.
fn asking_each_minute() -> World {
    let asking = "name = \"hello\"\ndescription = \"d\"\n[[steps]]\nid = \"sure\"\nkind = \"approval\"\nmessage = \"Shall I?\"\n";
    let minutely =
        "schedules:\n  - {name: minutely, profile: default, cron: \"* * * * *\", workflow: hello}\n";
    let world = World::new();
    configure(&world, minutely);
    put(&world, "default", "hello", asking);
    world
}

/// How many records the journal has.
fn records(world: &World) -> usize {
    let walk = durable::replay(&world.home().journal()).expect("a home has a journal");
    let records: Vec<Value> = walk.map(|record| record.expect("the chain holds").1).collect();
    records.len()
}

/// More than a minute, in which the schedule was due once more.
const ONE_MORE: Duration = Duration::from_secs(65);

/// A schedule whose text nobody has seen is held at each minute, and one record says so.
#[test]
fn a_schedule_that_is_held_leaves_no_record_at_each_of_its_times() {
    let world = asking_each_minute();
    let _service = world.start(Program::Admin, &["run"]);
    eventually(SOON, "it is held", || (told(&world, "held") == 1).then_some(()));
    let before = records(&world);
    std::thread::sleep(ONE_MORE);
    assert_eq!((records(&world), told(&world, "held")), (before, 1));
}

/// A schedule that waits for a person at each minute has one record when the waiting begins, and none at each further time.
#[test]
fn a_schedule_that_waits_for_a_person_leaves_no_record_at_each_of_its_times() {
    let world = asking_each_minute();
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    world.admin(&["schedule", "pin", "minutely", "--yes"]).done();
    eventually(SOON, "it waits", || (told(&world, "ended") == 1).then_some(()));
    let before = records(&world);
    std::thread::sleep(ONE_MORE);
    assert_eq!(records(&world), before, "it waits still");
    assert_eq!(told(&world, "begun"), 1);
}

/// A restart of the service while a run waits for a person begins no other run, and counts no time as missed. After the yes the next one
/// runs.
#[test]
fn a_restart_begins_no_other_run_while_one_waits_for_a_person() {
    let world = asking_each_minute();
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    world.admin(&["schedule", "pin", "minutely", "--yes"]).done();
    eventually(SOON, "it waits", || (told(&world, "ended") == 1).then_some(()));
    drop(service);
    let service = world.start(Program::Admin, &["run"]);
    std::thread::sleep(ONE_MORE);
    assert_eq!((told(&world, "begun"), told(&world, "missed")), (1, 0), "{}", service.stderr.text());
    world.bot(&["sop", "approve", "last"]).done();
    eventually(SOON, "the next one runs", || (told(&world, "ended") == 2).then_some(()));
}

/// The notifiers say that a scheduled run ended, waits or failed, and whose it was, once, and never a word of it.
#[test]
fn the_notifiers_tell_that_a_scheduled_run_is_over_and_nothing_of_it() {
    let hook = Inbox::start(&[204]);
    let world = World::new();
    configure(
        &world,
        &format!(
            "digest_minutes: 0\nnotifiers:\n  - {{name: hook, kind: webhook, url: \"http://{}/hook\"}}\nschedules:\n  \
             - {{name: sum, profile: default, cron: \"0 7 29 2 *\", message: \"what is 30000000 + 12345678?\"}}\n  \
             - {{name: fails, profile: default, cron: \"0 7 29 2 *\", workflow: fails}}\n",
            hook.server.host()
        ),
    );
    put(&world, "default", "fails", FAILS);
    world.admin(&["schedule", "pin", "fails", "--yes"]).done();
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    let events = || -> Vec<String> {
        let seen = hook.seen();
        let bodies = seen.iter().map(|r| serde_json::from_slice::<Value>(&r.body).expect("it is JSON"));
        bodies.map(|body| body["event"].as_str().unwrap_or_default().to_owned()).collect()
    };
    world.admin(&["schedule", "run", "sum"]).done();
    eventually(SOON, "it is told", || (events() == ["schedule-ended"]).then_some(()));
    world.admin(&["schedule", "run", "fails"]).done();
    eventually(SOON, "it is told", || (events() == ["schedule-ended", "schedule-failed"]).then_some(()));
    for request in hook.seen() {
        let body = String::from_utf8_lossy(&request.body).into_owned();
        assert!(body.contains("\"profile\":\"default\""), "{body}");
        assert!(!["42345678", "30000000", "lurbs"].iter().any(|word| body.contains(word)), "{body}");
    }
    // A message that a killed service sent but did not note is sent again.
    let ledger = world.home().admin().join("notified/hook.json");
    let noted = || -> Option<()> {
        let kept: Value = serde_json::from_slice(&fs::read(&ledger).ok()?).ok()?;
        (kept["told"].as_array()?.len() == 2).then_some(())
    };
    eventually(SOON, "it is noted", noted);
    drop(service);
    let again = world.start(Program::Admin, &["run"]);
    again.stderr.wait_for(&["serving"], SOON).expect("it serves again");
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(events().len(), 2, "each is told once");
}
