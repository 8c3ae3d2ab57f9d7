//! Invariant 5: only a person's yes to exactly this package installs a skill.

use std::fs;

use serde_json::Value;
use shared_types::home::Home;
use shared_types::id::ProposalId;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

/// A home with a proposal that waits for a person, or `None` where skills cannot be compiled.
fn waiting() -> Option<(World, String)> {
    if compiler_is_missing() {
        return None;
    }
    let world = World::new();
    world.ask("learn to roll dice");
    world.admin(&["run", "--once"]).done();
    let row = world.newest();
    assert_eq!(row["status"], "human-review", "{row}");
    assert_eq!(row["waits_for"], "person", "{row}");
    let id = row["id"].as_str().expect("a row has an id").to_owned();
    Some((world, id))
}

fn package(home: &Home, id: &str) -> std::path::PathBuf {
    home.package(&id.parse::<ProposalId>().expect("an id"))
}

fn status(world: &World, id: &str) -> Value {
    world.list().into_iter().find(|row| row["id"] == *id).expect("it is listed")["status"].clone()
}

/// Nothing is installed before the yes, and the yes installs.
#[test]
fn nothing_is_installed_without_a_yes() {
    let Some((world, id)) = waiting() else { return };
    let before = fs::read(world.home().manifest()).expect("a home has a manifest");
    world.admin(&["run", "--once"]).done();
    assert_eq!(fs::read(world.home().manifest()).expect("a manifest"), before, "waiting is no yes");
    assert!(!world.home().skills().join("dice-roller").exists());
    world.admin(&["approve", &id, "--yes"]).done();
    assert_ne!(fs::read(world.home().manifest()).expect("a manifest"), before);
    assert_eq!(status(&world, &id), "accepted");
}

/// Without `--yes`, and without a person who types it, the answer is no.
#[test]
fn silence_is_no_yes() {
    let Some((world, id)) = waiting() else { return };
    let ran = world.admin(&["approve", &id]);
    assert_ne!(ran.status, 0, "{}", ran.report());
    assert_eq!(status(&world, &id), "human-review");
}

/// A yes that names another digest than that of the package is refused.
#[test]
fn approval_of_another_digest_is_refused() {
    let Some((world, id)) = waiting() else { return };
    let other = "0".repeat(64);
    world.admin(&["approve", &id, "--digest", &other, "--yes"]).exited(3);
    assert_eq!(status(&world, &id), "human-review");
}

/// A file of the package that was changed after the analysis makes the yes worthless.
#[test]
fn a_package_that_changed_after_its_analysis_is_not_installed() {
    let Some((world, id)) = waiting() else { return };
    let folder = package(&world.home(), &id);
    let mut tried = 0;
    for entry in fs::read_dir(&folder).expect("a package has files") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !["skill.rs", "skill.wasm", "report.yaml", "proposal.yaml"].contains(&name.as_str()) {
            continue;
        }
        tried += 1;
        let bytes = fs::read(&path).expect("it can be read");
        let mut changed = bytes.clone();
        let middle = changed.len() / 2;
        changed[middle] ^= 1;
        fs::write(&path, changed).expect("it can be written");
        let ran = world.admin(&["approve", &id, "--yes"]);
        assert_ne!(ran.status, 0, "{name} was changed\n{}", ran.report());
        assert_ne!(status(&world, &id), "accepted", "{name} was changed");
        fs::write(&path, bytes).expect("it can be written");
    }
    assert!(tried >= 3, "only {tried} files of the package were found in {}", folder.display());
    world.admin(&["approve", &id, "--yes"]).done();
}

/// An approver who is not listed decides nothing, whatever key lies in the folder.
#[test]
fn a_key_that_no_list_names_decides_nothing() {
    let Some((world, id)) = waiting() else { return };
    let path = world.home().approvers();
    let listed = fs::read_to_string(&path).expect("a home has approvers");
    fs::write(&path, "approvers: []\n").expect("it can be written");
    let ran = world.admin(&["approve", &id, "--yes"]);
    assert_ne!(ran.status, 0, "{}", ran.report());
    fs::write(&path, listed).expect("it can be written");
    assert_eq!(status(&world, &id), "human-review");
}

/// What was decided cannot be decided again, and what was rejected does not come back.
#[test]
fn a_decision_is_made_once() {
    let Some((world, id)) = waiting() else { return };
    world.admin(&["reject", &id, "--reason", "not today"]).done();
    assert_eq!(status(&world, &id), "rejected");
    let again = world.admin(&["approve", &id, "--yes"]);
    assert_ne!(again.status, 0, "{}", again.report());
    world.admin(&["run", "--once"]).done();
    assert_eq!(status(&world, &id), "rejected");
    world.admin(&["show", &id]).done().prints("not today");
}

/// Two packages wait; the yes to one moves the manifest on, and the other is analysed again before its own yes counts.
#[test]
fn each_yes_is_for_the_manifest_that_was_looked_at() {
    let Some((world, first)) = waiting() else { return };
    world.ask("learn to tell leap years");
    world.admin(&["run", "--once"]).done();
    let second = world.newest()["id"].as_str().expect("an id").to_owned();
    assert_ne!(first, second);
    world.admin(&["approve", &first, "--yes"]).done();
    let report = package(&world.home(), &second).join("report.yaml");
    let report = fs::read_to_string(report).expect("a package has a report");
    let serial = crate::forge::manifest(&world).serial;
    let line = format!("manifest_serial: {serial}");
    assert!(report.contains(&line), "the other was not analysed again against manifest {serial}:\n{report}");
    world.admin(&["approve", &second, "--yes"]).done();
    assert_eq!(crate::forge::manifest(&world).learned.len(), 2);
}
