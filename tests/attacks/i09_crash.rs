//! Invariant 9: a kill at any step of any stage loses nothing and does nothing twice.
//!
//! A `cl-admin` with points kills itself at one of them; the shipped program then starts anew in the same home. Every point
//! there is stands in [`SCENARIOS`]. `cargo xtask check` tries one point of each scenario, `cargo xtask check --all` every point.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use tameclaw_tests::action::Ask;
use tameclaw_tests::door::{Door, Place};
use tameclaw_tests::points::{for_each, names};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::tls::fingerprint;
use tameclaw_tests::world::World;

/// The points that a run from no home to a home meets.
const INIT: [&str; 14] = [
    "init.folders",
    "init.manifest-key",
    "init.trust",
    "init.approver-key",
    "init.approvers",
    "start.opened",
    "start.builtins-recorded",
    "publish.manifest",
    "publish.signature",
    "publish.profile",
    "start.mirrored",
    "start.reserve",
    "head.before",
    "head.published",
];

/// Those from a wish to a source.
const EARLY: [&str; 15] = [
    "intake.before",
    "intake.kept",
    "intake.recorded",
    "intake.mirrored",
    "discover.before",
    "discover.moved",
    "drive.assigned",
    "drive.mirrored",
    "implement.before",
    "implement.source-kept",
    "implement.transcript-kept",
    "implement.trials-kept",
    "implement.recorded",
    "implement.moved",
    "wait.recorded",
];

/// Those from a source to a package that waits for a person.
const REVIEW: [&str; 9] = [
    "review.before",
    "review.work-folder",
    "review.compiled",
    "review.inspected",
    "review.source-kept",
    "review.module-kept",
    "review.report-kept",
    "review.recorded",
    "review.moved",
];

/// Those from a person's yes to an active skill.
const YES: [&str; 16] = [
    "decide.before",
    "decide.recorded",
    "decide.receipt",
    "install.proposal-kept",
    "install.source-kept",
    "install.report-kept",
    "install.decision-kept",
    "install.module-placed",
    "install.recorded",
    "publish.manifest",
    "publish.signature",
    "publish.profile",
    "decide.installed",
    "decide.activated",
    "decide.settled",
    "decide.mirrored",
];

const NO: [&str; 3] = ["reject.before", "reject.moved", "reject.mirrored"];
/// Those from a person's word that a skill must go to its going.
const REMOVED: [&str; 4] =
    ["remove.recorded", "remove.published", "remove.modules-dropped", "remove.mirrored"];
/// Those from a person's yes to a plugin to its place in the manifest.
const PLUGIN: [&str; 4] = ["plugin.before", "plugin.files-placed", "plugin.recorded", "plugin.published"];
const NO_PLUGIN: [&str; 2] = ["plugin.removal-recorded", "plugin.removal-published"];
const WEIGHED_AGAIN: [&str; 3] = ["weigh.before", "weigh.report-kept", "weigh.recorded"];
const WANTING: [&str; 3] = ["wanting.before", "wanting.recorded", "wanting.moved"];
const GARBAGE: [&str; 3] = ["garbage.recorded", "garbage.wanting", "garbage.moved"];
const NO_PROPOSAL: [&str; 1] = ["intake.faults-recorded"];

/// Those from a receipt to its signed head, and from an alarm to a person who takes note.
const EVIDENCE: [&str; 4] =
    ["receipts.head-kept", "receipts.head-published", "alarm.recorded", "acknowledge.recorded"];

/// Those from an action's file to its result.
const ACTION: [&str; 6] = [
    "action.before",
    "action.taken",
    "action.mirrored",
    "action.started",
    "action.result-kept",
    "action.done",
];
const ACTION_YES: [&str; 1] = ["action.decided"];
const ACTION_NO: [&str; 1] = ["action.rejected"];

/// The one between a made certificate and its record.
const DOOR: [&str; 1] = ["door.certificate-kept"];

/// Those of one run of a schedule.
const SCHEDULE: [&str; 3] = ["schedule.before", "schedule.begun", "schedule.ended"];

/// All of them; each list has a test of its own, which insists that each of its points is reached.
const SCENARIOS: [&[&str]; 18] = [
    &SCHEDULE,
    &INIT,
    &EARLY,
    &REVIEW,
    &YES,
    &NO,
    &REMOVED,
    &WEIGHED_AGAIN,
    &WANTING,
    &GARBAGE,
    &NO_PROPOSAL,
    &EVIDENCE,
    &ACTION,
    &ACTION_YES,
    &ACTION_NO,
    &PLUGIN,
    &NO_PLUGIN,
    &DOOR,
];

/// The records of a home's journal, the chain verified.
fn records(world: &World) -> Vec<Value> {
    let walk = durable::replay(&world.home().journal()).expect("a home has a journal");
    walk.map(|record| record.expect("the chain holds").1).collect()
}

/// Insists on what must be so after every restart: nothing lost, nothing doubled, and the mirror says the truth.
#[track_caller]
fn whole(world: &World, proposals: usize) {
    let rows = world.list();
    assert_eq!(rows.len(), proposals, "{rows:?}");
    let mut seen = BTreeSet::new();
    let mut standing: BTreeMap<String, String> = BTreeMap::new();
    for record in records(world) {
        let word = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
        let id = match &record["proposal"]["id"] {
            Value::String(id) => id.clone(),
            _ => word("id"),
        };
        let kind = word("record");
        let once = match kind.as_str() {
            "taken" | "decided" | "installed" => id.clone(),
            "refused" => word("file"),
            "written" | "wanting" => format!("{id} {}", record["attempt"]),
            "reviewed" => format!("{id} {}", record["review"]["manifest_serial"]),
            "builtins" => String::new(),
            "moved" => {
                let stood = standing.insert(id.clone(), word("to")).unwrap_or_else(|| "new".into());
                assert_eq!(stood, word("from"), "{record}");
                continue;
            }
            "waits" => format!("{id} {}", record["why"]),
            // Of any other, at least the very same is not told twice.
            _ => {
                let mut untimed = record.clone();
                untimed.as_object_mut().expect("a record is an object").remove("at");
                untimed.to_string()
            }
        };
        assert!(seen.insert((kind.clone(), once.clone())), "twice in the journal: {kind} {once}");
    }
    let mut mirrors = 0;
    let folder = world.home().status(&world.profile());
    for entry in fs::read_dir(&folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a mirror is text");
        if path.ends_with("scheduled.jsonl") {
            let ended = records(world).iter().filter(|r| r["told"] == "ended").count();
            assert!(text.lines().count() <= ended.min(3), "no run that the journal does not know: {text}");
            continue;
        }
        let row = rows.iter().find(|row| text.contains(row["id"].as_str().expect("an id")));
        let status = row.expect("it mirrors a proposal")["status"].as_str().expect("a status").to_owned();
        assert!(text.contains(&format!("\nstatus: {status}\n")), "{status}: {text}");
        assert_eq!(text.matches("- timestamp:").count(), moves(world, row.expect("a row")) + 1, "{text}");
        mirrors += 1;
    }
    assert_eq!(mirrors, proposals, "each proposal has one mirror");
    let work = world.home().build().join("work");
    assert_eq!(fs::read_dir(work).map_or(0, Iterator::count), 0, "what a killed compilation left is swept");
    no_leavings(world.home().root());
}

fn moves(world: &World, row: &Value) -> usize {
    records(world).iter().filter(|r| r["record"] == "moved" && r["id"] == row["id"]).count()
}

/// No half-written file is left.
fn no_leavings(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder of the home") {
        let path = entry.expect("an entry").path();
        assert!(path.extension().is_none_or(|e| e != "tmp"), "{} was left behind", path.display());
        if path.is_dir() && !path.is_symlink() {
            no_leavings(&path);
        }
    }
}

#[track_caller]
fn stands(world: &World, status: &str) {
    let row = world.newest();
    assert_eq!(row["status"], status, "{row}");
}

/// The manifest that the bot verifies: its serial and how many skills were learned.
fn manifest(world: &World) -> (u64, usize) {
    world.bot(&["config", "validate"]).done();
    let text = fs::read_to_string(world.home().manifest()).expect("a manifest");
    let manifest = documents::manifest::read(&text).expect("it can be read");
    (manifest.serial, manifest.learned.len())
}

/// A new home with one wish; `settings` is the admin's configuration.
fn asked(settings: &str) -> World {
    let world = World::new();
    fs::write(world.home().admin_config(), settings).expect("it can be written");
    world.ask("learn to roll dice");
    world
}

/// A home whose package waits for a person; with a compiler only.
fn waiting() -> Option<World> {
    (!compiler_is_missing()).then(|| World::with_package("learn to roll dice"))
}

/// A point that no scenario reaches would be a step that nobody looks at.
#[test]
fn every_point_there_is_belongs_to_a_scenario() {
    let all: BTreeSet<String> = names().into_iter().collect();
    let tried: BTreeSet<String> = SCENARIOS.concat().into_iter().map(str::to_owned).collect();
    assert_eq!(all, tried);
}

#[test]
fn a_home_that_was_half_made_is_completed() {
    for_each(&INIT, |point| {
        let world = World::empty();
        world.killed_at(point, &["init"]);
        world.admin(&["init"]).done();
        whole(&world, 0);
        assert_eq!(manifest(&world), (1, 0));
        world.bot(&["agent", "-m", "hello"]).done();
    });
}

#[test]
fn a_kill_between_wish_and_source_neither_loses_nor_doubles_it() {
    let base = asked("compiler: /no/such/rustc\n");
    for_each(&EARLY, |point| {
        let world = base.copy();
        world.killed_at(point, &["run", "--once"]);
        world.admin(&["run", "--once"]).done();
        stands(&world, "agent-review");
        whole(&world, 1);
        let id = world.newest()["id"].as_str().expect("an id").parse().expect("an id");
        let package = world.home().package(&id);
        assert!(package.join("attempt-1.rs").is_file() && !package.join("attempt-2.rs").exists());
        // Once more, with nothing to do.
        let before = records(&world).len();
        world.admin(&["run", "--once"]).done();
        assert_eq!(records(&world).len(), before);
    });
}

#[test]
fn a_kill_while_a_package_is_made_leaves_one_package_that_can_be_approved() {
    if compiler_is_missing() {
        return;
    }
    let base = asked("");
    for_each(&REVIEW, |point| {
        let world = base.copy();
        world.killed_at(point, &["run", "--once"]);
        world.admin(&["run", "--once"]).done();
        stands(&world, "human-review");
        whole(&world, 1);
        world.admin(&["approve", "roll-dice", "--yes"]).done();
        whole(&world, 1);
        assert_eq!(manifest(&world), (2, 1));
    });
}

#[test]
fn a_kill_within_a_yes_installs_once() {
    let Some(waiting) = waiting() else { return };
    for_each(&YES, |point| {
        let world = waiting.copy();
        world.killed_at(point, &["approve", "roll-dice", "--yes"]);
        world.admin(&["run", "--once"]).done();
        if point == "decide.before" {
            stands(&world, "human-review");
            world.admin(&["approve", "roll-dice", "--yes"]).done();
        }
        installed_once(&world);
    });
}

/// The restart is killed as well, at one step after the other, each further than the one before.
#[test]
fn a_kill_at_every_step_in_turn_installs_once_too() {
    let Some(waiting) = waiting() else { return };
    let world = waiting.copy();
    world.killed_at("decide.recorded", &["approve", "roll-dice", "--yes"]);
    // The last one comes after the end: there is nothing left that a restart would do.
    for point in &YES[2..YES.len() - 1] {
        world.killed_at(point, &["run", "--once"]);
    }
    world.admin(&["run", "--once"]).done();
    installed_once(&world);
}

#[track_caller]
fn installed_once(world: &World) {
    stands(world, "accepted");
    whole(world, 1);
    assert_eq!(manifest(world), (2, 1));
    let versions = fs::read_dir(world.home().skills().join("roll-dice")).expect("it is placed").count();
    assert_eq!(versions, 1);
    let receipts = fs::read_to_string(world.home().admin().join("receipts.jsonl")).expect("a chain");
    for tool in ["approve:roll-dice", "activate:roll-dice"] {
        assert_eq!(receipts.matches(tool).count(), 1, "{tool}\n{receipts}");
    }
    world.admin(&["approve", "roll-dice", "--yes"]).exited(3);
    world.admin(&["reject", "roll-dice", "--reason", "too late"]).exited(3);
}

#[test]
fn a_kill_within_a_no_rejects_once() {
    let Some(waiting) = waiting() else { return };
    for_each(&NO, |point| {
        let world = waiting.copy();
        world.killed_at(point, &["reject", "roll-dice", "--reason", "not now"]);
        world.admin(&["run", "--once"]).done();
        if point == "reject.before" {
            stands(&world, "human-review");
            world.admin(&["reject", "roll-dice", "--reason", "not now"]).done();
        }
        stands(&world, "rejected");
        whole(&world, 1);
    });
}

#[test]
fn a_kill_within_a_removal_removes_once() {
    let Some(waiting) = waiting() else { return };
    let base = waiting.copy();
    base.admin(&["approve", "roll-dice", "--yes"]).done();
    for_each(&REMOVED, |point| {
        let world = base.copy();
        world.killed_at(point, &["skill", "remove", "roll-dice", "--reason", "too loud"]);
        world.admin(&["run", "--once"]).done();
        stands(&world, "removed");
        whole(&world, 1);
        assert_eq!(manifest(&world), (3, 0));
        assert!(!world.home().skills().join("roll-dice").exists(), "its module is gone");
        world.admin(&["skill", "remove", "roll-dice", "--reason", "again"]).exited(1);
    });
}

#[test]
fn a_kill_while_what_waits_is_analysed_again_leaves_it_approvable() {
    let Some(waiting) = waiting() else { return };
    let base = waiting.copy();
    base.ask("learn to tell leap years");
    base.admin(&["run", "--once"]).done();
    stands(&base, "human-review");
    for_each(&WEIGHED_AGAIN, |point| {
        let world = base.copy();
        world.killed_at(point, &["approve", "roll-dice", "--yes"]);
        world.admin(&["run", "--once"]).done();
        stands(&world, "human-review");
        whole(&world, 2);
        world.admin(&["approve", "tell-leap-years", "--yes"]).done();
        whole(&world, 2);
        assert_eq!(manifest(&world), (3, 2));
    });
}

/// A model that answers every question with these words, as the admin's configuration.
fn answers(world: &World, words: &str) -> String {
    let script = world.outside().join("script.yaml");
    fs::write(&script, serde_json::json!([{"text": words}]).to_string()).expect("it can be written");
    format!(
        "implementers: [scripted]\nmax_repairs: 1\nproviders:\n  - {{name: scripted, kind: mock, model: \"{}\"}}\n",
        script.display()
    )
}

#[test]
fn a_kill_while_a_source_is_sent_back_makes_no_more_attempts_than_allowed() {
    let place = World::empty();
    for (points, words) in
        [(&WANTING, "```rust\nfn main( {\n```"), (&GARBAGE, "I would rather talk about cats.")]
    {
        let base = asked(&answers(&place, words));
        for_each(points, |point| {
            let world = base.copy();
            world.killed_at(point, &["run", "--once"]);
            world.admin(&["run", "--once"]).done();
            stands(&world, "rejected");
            whole(&world, 1);
            let attempts = records(&world).iter().filter(|r| r["record"] == "written").count();
            assert_eq!(attempts, 2, "one attempt and one repair");
        });
    }
}

#[test]
fn a_kill_after_a_file_was_refused_refuses_it_once() {
    let base = World::new();
    let folder = base.home().proposals(&base.profile());
    fs::create_dir_all(&folder).expect("the folder can be made");
    fs::write(folder.join("nonsense.yaml"), "just words\n").expect("it can be written");
    for_each(&NO_PROPOSAL, |point| {
        let world = base.copy();
        world.killed_at(point, &["run", "--once"]);
        world.admin(&["run", "--once"]).done();
        assert_eq!(records(&world).iter().filter(|r| r["record"] == "refused").count(), 1);
    });
}

#[test]
fn a_kill_while_evidence_is_signed_or_acknowledged_signs_it_and_alarms_once() {
    let base = World::new();
    base.ask("what time is it?");
    for_each(&EVIDENCE, |point| {
        let world = base.copy();
        let log = world.home().logs(&world.profile()).join("receipts.jsonl");
        if point.starts_with("receipts.") {
            world.killed_at(point, &["run", "--once"]);
            world.admin(&["run", "--once"]).done().hides("ALARM about");
        } else {
            world.admin(&["run", "--once"]).done();
            let good = fs::read(&log).expect("a receipt");
            fs::write(&log, "").expect("it can be emptied");
            match point {
                "alarm.recorded" => world.killed_at(point, &["run", "--once"]),
                _ => {
                    world.admin(&["run", "--once"]).done().says("ALARM");
                    world.killed_at(point, &["audit", "acknowledge", "default", "--reason", "a test"]);
                }
            }
            world.admin(&["run", "--once"]).done().hides("ALARM about");
            let alarms = records(&world).iter().filter(|r| r["record"] == "alarm").count();
            assert_eq!(alarms, 1);
            let open = world.admin(&["audit", "list"]).done().stdout.lines().count();
            assert_eq!(open, usize::from(point == "alarm.recorded"));
            if open == 1 {
                fs::write(&log, good).expect("it can be put back");
                world.admin(&["audit", "acknowledge", "default", "--reason", "put back"]).done();
            } else {
                world.ask("what time is it?");
                world.admin(&["run", "--once"]).done();
            }
        }
        world.bot(&["receipt", "verify"]).done().prints("1 receipt holds").prints("all of them are signed");
        world.admin(&["audit", "verify"]).done();
    });
}

/// Each step of an action stands in the journal at most once.
#[track_caller]
fn acted_once(world: &World) {
    let mut seen = BTreeSet::new();
    for record in records(world) {
        let kind = record["record"].as_str().unwrap_or_default().to_owned();
        let id = record["id"].as_str().or(record["proposal"]["id"].as_str()).unwrap_or_default().to_owned();
        if kind.starts_with("action-") {
            assert!(seen.insert((kind.clone(), id)), "twice in the journal: {kind}");
        }
    }
    no_leavings(world.home().root());
}

#[test]
fn a_kill_while_an_action_is_done_never_does_it_twice_and_says_so() {
    let base = World::new();
    base.allow("autonomy: full\ngrants: {commands: [echo]}\n");
    let id = base.wants(&Ask::line("echo done >> count.txt"));
    for_each(&ACTION, |point| {
        let world = base.copy();
        world.killed_at(point, &["run", "--once"]);
        world.admin(&["run", "--once"]).done();
        let shown = world.shown(&id);
        let count = world.home().runs(&world.profile()).join(&id).join("count.txt");
        let count = fs::read_to_string(count).unwrap_or_default();
        let result = &shown["result"];
        if matches!(point, "action.started" | "action.result-kept") {
            assert!(result["ended"].as_str().is_some_and(|ended| ended.contains("interrupted")), "{shown}");
        } else {
            assert_eq!((&result["exit"], count.as_str()), (&Value::from(0), "done\n"), "{shown}");
        }
        assert_eq!(count, if point == "action.started" { "" } else { "done\n" });
        let mirror = world.mirror(&id);
        assert!(mirror.contains("\nstatus: accepted\n") && mirror.contains("\nresult:\n"), "{mirror}");
        acted_once(&world);
    });
}

/// How many plugins the manifest names, and how many trees of files there are.
fn plugins(world: &World) -> (usize, usize) {
    world.bot(&["config", "validate"]).done();
    let text = fs::read_to_string(world.home().manifest()).expect("a manifest");
    let trees = world.home().admin().join("plugins").join("word-count");
    (text.matches("\"facts_sha256\":").count(), fs::read_dir(trees).map_or(0, Iterator::count))
}

#[test]
fn a_kill_within_a_yes_to_a_plugin_installs_it_once_or_not_at_all() {
    let base = World::new();
    let folder = crate::plugins::word_count();
    let page = base.admin(&["plugin", "install", &folder]).exited(3);
    let digest = tameclaw_tests::mcp::digest(&page);
    let install = ["plugin", "install", &folder, "--yes", "--digest", &digest];
    for_each(&PLUGIN, |point| {
        let world = base.copy();
        world.killed_at(point, &install);
        world.admin(&["run", "--once"]).done();
        whole(&world, 0);
        if matches!(point, "plugin.before" | "plugin.files-placed") {
            assert_eq!(plugins(&world), (0, 0), "files without a record are swept");
            world.admin(&install).done();
        }
        assert_eq!(plugins(&world), (1, 1));
        world.admin(&["plugin", "verify"]).done().prints("stands");
        assert_eq!(records(&world).iter().filter(|r| r["record"] == "plugin-installed").count(), 1);
    });
}

#[test]
fn a_kill_within_a_decision_about_an_action_decides_once() {
    let base = World::new();
    base.allow("grants: {commands: ['true']}\n");
    let id = base.wants(&Ask::line("true"));
    base.admin(&["run", "--once"]).done();
    for_each(&[ACTION_YES[0], ACTION_NO[0]], |point| {
        let world = base.copy();
        if point == ACTION_YES[0] {
            world.killed_at(point, &["approve", &id, "--yes"]);
            world.admin(&["run", "--once"]).done();
            assert_eq!(world.shown(&id)["result"]["exit"], 0);
        } else {
            world.killed_at(point, &["reject", &id, "--reason", "not now"]);
            world.admin(&["run", "--once"]).done();
            assert_eq!(world.shown(&id)["status"], "rejected");
        }
        world.admin(&["approve", &id, "--yes"]).exited(3);
        acted_once(&world);
    });
}

#[test]
fn a_kill_within_the_removal_of_a_plugin_removes_it_once() {
    let base = World::new();
    tameclaw_tests::mcp::install(&base, &[&crate::plugins::word_count()]);
    for_each(&NO_PLUGIN, |point| {
        let world = base.copy();
        world.killed_at(point, &["plugin", "remove", "word-count", "--reason", "enough"]);
        world.admin(&["run", "--once"]).done();
        assert_eq!(plugins(&world), (0, 0));
        assert_eq!(records(&world).iter().filter(|r| r["record"] == "plugin-removed").count(), 1);
        world.admin(&["plugin", "remove", "word-count", "--reason", "again"]).exited(1);
    });
}

/// A certificate that replaces another one comes with its key, also where the replacement was cut off before its record.
#[test]
fn a_kill_within_the_making_of_a_certificate_leaves_it_with_its_key() {
    let listen = ["door", "listen", "127.0.0.1:8787", "--tls-made"];
    let base = World::new();
    base.admin(&listen).done();
    let old = fingerprint(&base.home().made_certificate(&base.profile()));
    for_each(&DOOR, |point| {
        let world = base.copy();
        world.killed_at(point, &listen);
        let new = fingerprint(&world.home().made_certificate(&world.profile()));
        assert_ne!(new, old);
        let door = Door::at_port(&world, &[]);
        assert!(matches!(door.place(), Place::Tls(_, shown) if *shown == new), "{:?}", door.place());
        door.get("/health", None).has(200);
        drop(door);
        assert_eq!(records(&world).iter().filter(|r| r["record"] == "door-address-set").count(), 1);
        world.admin(&listen).done().hides(&new);
        assert_eq!(records(&world).iter().filter(|r| r["record"] == "door-address-set").count(), 2);
    });
}

/// A time that was begun counts as done, regardless of the result; one that was not may still begin.
#[test]
fn a_kill_within_a_run_of_a_schedule_runs_it_once() {
    let base = World::new();
    let schedule = "schedules:\n  - {name: morning, profile: default, cron: \"0 7 * * *\", message: hello}\n";
    fs::write(base.home().admin_config(), schedule).expect("it can be written");
    for_each(&SCHEDULE, |point| {
        let world = base.copy();
        world.killed_at(point, &["schedule", "run", "morning"]);
        world.admin(&["run", "--once"]).done();
        whole(&world, 0);
        let told = |kind: &str| records(&world).iter().filter(|r| r["told"] == kind).count();
        assert_eq!(told("begun"), usize::from(point != "schedule.before"));
        assert_eq!(told("ended"), usize::from(point == "schedule.ended"));
        world.admin(&["schedule", "run", "morning"]).done();
        whole(&world, 0);
    });
}
