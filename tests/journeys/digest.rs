//! The week of a child, in numbers: shown to the child first, and then to the approver.

use std::fs;
use std::time::Duration;

use jiff::Timestamp;
use nix::sys::signal::Signal;
use serde_json::Value;
use tameclaw_tests::digest::{ends_soon, told, until, with_children};
use tameclaw_tests::eventually;
use tameclaw_tests::pty::{CTRL_D, Pty};
use tameclaw_tests::world::{Program, World};

use crate::notifiers::{Inbox, configure};

const SOON: Duration = Duration::from_secs(100);

/// A week that ends while the service does not run is one digest once it runs again, and no kill and no restart makes a second one.
/// The child is shown it before the approver gets it or a notice of it, and the notifiers hear no count.
#[test]
fn a_week_is_counted_once_and_shown_to_the_child_before_the_approver() {
    let hook = Inbox::start(&[204]);
    let world = with_children(&["anna"]);
    let anna = "anna".parse().expect("a name");
    world.admin(&["digest"]).done().prints("no digest; `weekly_digest:");
    let hooks = format!(
        "digest_minutes: 0\nnotifiers:\n  - {{name: hook, kind: webhook, url: \"http://{}/hook\"}}\n",
        hook.server.host()
    );
    let schedule =
        "schedules:\n  - {name: sum, profile: anna, cron: \"0 7 29 2 *\", message: \"what is 2 + 40?\"}\n";
    let end = ends_soon(&world, "anna", &(hooks + schedule));
    let service = world.start(Program::Admin, &["run"]);
    eventually(SOON, "the counting begins", || (told(&world, "digest-begins").len() == 1).then_some(()));
    world.admin(&["digest"]).done().prints("no digest yet");
    world.bot(&["--profile", "anna", "-m", "learn to roll dice"]);
    eventually(SOON, "the request comes in", || (world.list().len() == 1).then_some(()));
    world.admin(&["schedule", "run", "sum"]).done();
    eventually(SOON, "the run is over", || (told(&world, "ended").len() == 1).then_some(()));
    service.signal(Signal::SIGKILL);
    service.ended(SOON);
    assert!(Timestamp::now() < end, "this machine is too slow for the test");
    until(end);
    let service = world.start(Program::Admin, &["run"]);
    eventually(SOON, "it is made", || (told(&world, "digest-made").len() == 1).then_some(()));
    // Killed between the record and what is shown of it.
    service.signal(Signal::SIGKILL);
    service.ended(SOON);
    let mirror = world.home().status(&anna).join("scheduled.jsonl");
    let _ = fs::remove_file(&mirror);
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    let is_there =
        || fs::read_to_string(&mirror).is_ok_and(|text| text.contains("weekly-digest")).then_some(());
    eventually(SOON, "it is handed to the chat", is_there);
    world.admin(&["digest"]).done().prints("its person sees it first").hides("asked for");
    assert_eq!(world.admin(&["digest", "--json"]).done().json()["counts"], Value::Null);
    let events = || {
        let bodies = hook.seen().into_iter().map(|r| String::from_utf8_lossy(&r.body).into_owned());
        bodies.filter(|body| body.contains("digest-ready")).collect::<Vec<_>>()
    };
    std::thread::sleep(Duration::from_secs(2));
    assert!(events().is_empty(), "the approver is told before the child");
    let noted = || {
        let text = fs::read_to_string(world.home().admin().join("notified/hook.json")).unwrap_or_default();
        serde_json::from_str::<Value>(&text).map_or(0, |file| file["told"].as_array().map_or(0, Vec::len))
    };
    let before = noted();
    let mut pty = Pty::start(world.command(Program::Bot, &["--profile", "anna", "agent"]));
    pty.expect("Your week in numbers", SOON);
    pty.expect("skills that were asked for: 1", SOON);
    pty.keys(CTRL_D);
    assert_eq!(pty.ended(SOON), 0);
    world
        .admin(&["digest", "anna"])
        .done()
        .prints("skills that were asked for: 1; approved: 0")
        .prints("scheduled runs: 1");
    world.admin(&["digest", "ben"]).done().hides("asked for");
    let row = world.admin(&["digest", "--json"]).done().json();
    assert_eq!((&row["counts"]["skills"]["asked"], &row["shown"]), (&Value::from(1), &Value::Bool(true)));
    eventually(SOON, "the approver is told", || (events().len() == 1).then_some(()));
    assert!(events()[0].contains("cl-admin digest") && events()[0].contains("\"profile\":\"anna\""));
    assert!(!events()[0].contains("asked"), "{}", events()[0]);
    // What was sent is written down once the server has answered.
    eventually(SOON, "it is written down", || (noted() > before).then_some(()));
    drop(service);
    let again = world.start(Program::Admin, &["run"]);
    again.stderr.wait_for(&["serving"], SOON).expect("it serves again");
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!((told(&world, "digest-made").len(), events().len()), (1, 1));
    // Taken off the list, nothing is counted any more; the digests stay.
    configure(&world, "");
    eventually(SOON, "the counting ends", || (told(&world, "digest-ends").len() == 1).then_some(()));
    world.admin(&["digest"]).done().prints("skills that were asked for: 1");
}

/// Nobody's week is counted but a child's or a teenager's: the configuration of any other profile is refused by name, and the running
/// service counts nothing of it.
#[test]
fn a_grown_ups_week_is_not_counted() {
    let world = with_children(&["anna"]);
    world.admin(&["profile", "add", "eve", "--audience", "work"]).done();
    configure(&world, "weekly_digest: {profiles: [anna, default, eve, nobody]}\n");
    world
        .admin(&["config", "validate"])
        .exited(2)
        .says("weekly_digest.profiles: `default` is a profile of audience adult")
        .says("`eve` is a profile of audience work")
        .says("there is no profile `nobody`")
        .hides("`anna`");
    world.admin(&["digest"]).exited(2).says("a weekly digest is made for child and teen alone");
    world.admin(&["doctor"]).prints("`eve` is a profile of audience work");
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["`default` is a profile of audience adult"], SOON).expect("it is said");
    eventually(SOON, "the counting begins", || (!told(&world, "digest-begins").is_empty()).then_some(()));
    let begun = told(&world, "digest-begins");
    assert!(begun.iter().all(|record| record["profile"] == "anna"), "{begun:?}");
    // A child that grows up.
    let file = world.home().profile_file(&"anna".parse().expect("a name"));
    let text = fs::read_to_string(&file).expect("a profile has a file");
    fs::write(&file, text.replace("audience: child", "audience: adult")).expect("it can be written");
    eventually(SOON, "the counting ends", || (!told(&world, "digest-ends").is_empty()).then_some(()));
}

#[test]
fn every_fault_of_the_digests_section_is_named_with_its_key() {
    let world = World::new();
    configure(
        &world,
        "weekly_digest: {profiles: [\"A b\"], day: someday, time: \"7\", colour: red}\nschedules:\n  \
         - {name: weekly-digest, profile: default, cron: \"0 7 * * *\", message: hi}\n",
    );
    world
        .admin(&["config", "validate"])
        .exited(2)
        .says("weekly_digest.profiles: ")
        .says("weekly_digest.day: \"someday\" is not allowed")
        .says("weekly_digest.time: allowed: \"HH:MM\"")
        .says("weekly_digest.colour: this key is unknown")
        .says("schedules[0].name: `weekly-digest` is the name of the weekly digest");
}
