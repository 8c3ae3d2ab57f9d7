//! Invariant 5: only a person's yes to exactly this package installs a skill.

use std::fs;

use serde_json::{Value, json};
use shared_types::home::Home;
use shared_types::id::{Digest, ProposalId};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

use crate::forge;

/// A home with a proposal that waits for a person, or `None` where skills cannot be compiled.
fn waiting() -> Option<(World, String)> {
    if compiler_is_missing() {
        return None;
    }
    let world = World::with_package("learn to roll dice");
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
    assert!(!world.home().skills().join("roll-dice").exists());
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

/// A key in the folder that the signed chain does not name decides nothing, regardless of what the list is made to say.
#[test]
fn a_key_that_no_list_names_decides_nothing() {
    let Some((world, id)) = waiting() else { return };
    let pair = minisign::KeyPair::generate_unencrypted_keypair().expect("a key");
    let key = world.home().keys().join("approver-mallory.key");
    fs::write(&key, pair.sk.to_box(None).expect("a box").into_string()).expect("it can be written");
    fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("a mode");
    let path = world.home().approvers();
    let listed = fs::read_to_string(&path).expect("a home has approvers");
    let by_hand = format!("approvers: [{{id: mallory, public_key: \"{}\"}}]\n", pair.pk.to_base64());
    for list in [listed.clone(), by_hand, "approvers: []\n".into(), "no: list\n".into()] {
        fs::write(&path, &list).expect("it can be written");
        world.admin(&["approve", &id, "--yes", "--approver", "mallory"]).exited(3).says("is not an approver");
        assert_eq!(
            fs::read_to_string(&path).expect("it is there"),
            listed,
            "the list follows from the journal"
        );
    }
    assert_eq!(status(&world, &id), "human-review");
}

/// With every key at hand, and past every verb: a decision that is not for exactly this package, now, is refused by the
/// service itself, and a right one counts once.
#[test]
fn the_service_refuses_every_decision_but_the_one_for_this_package_now() {
    let Some((world, id)) = waiting() else { return };
    world.ask("learn to tell leap years");
    world.ask("learn to convert units");
    world.admin(&["run", "--once"]).done();
    let others: Vec<String> = world
        .list()
        .iter()
        .filter(|row| row["status"] == "human-review" && row["id"] != *id)
        .map(|row| row["id"].as_str().expect("an id").to_owned())
        .collect();
    assert_eq!(others.len(), 2, "two more wait");
    let service = forge::serving(&world);
    let owner = forge::approver_key(&world, &"owner".parse().expect("a name"));
    let right = forge::right_decision(&world, &id, "owner");
    let digest = Digest::of(b"other");
    for (field, other) in [
        ("proposal_id", json!(others[0])),
        ("proposal_id", json!(ProposalId::generate())),
        ("profile_id", json!("other")),
        ("name", json!("other")),
        ("version", json!(2)),
        ("base_version", json!(1)),
        ("manifest_serial", json!(0)),
        ("manifest_serial", json!(99)),
        ("spec_sha256", json!(digest)),
        ("source_sha256", json!(digest)),
        ("module_sha256", json!(digest)),
        ("report_sha256", json!(digest)),
        ("described_sha256", json!(digest)),
        ("capabilities", json!(["network:write"])),
        ("network", json!(["evil.example"])),
        ("secrets", json!(["KEY"])),
        ("memory_scope", json!("profile")),
        ("file_scope", json!("profile")),
        ("emits_events", json!(["roll-dice.rolled"])),
        ("handles_events", json!(["user_input"])),
        ("approver", json!("nobody")),
        ("verdict", json!("reject")),
        ("extra", json!(true)),
    ] {
        let mut changed = right.clone();
        changed.insert(field.into(), other);
        assert_ne!(forge::hand_in(&world, &changed, &owner), 0, "another {field} was taken");
    }
    assert_eq!(
        forge::hand_in(&world, &right, &forge::admin_key(&world)),
        3,
        "the admin's key decides nothing"
    );
    assert_eq!(forge::hand_in(&world, &right, &forge::stranger()), 3, "nor does a stranger's");
    assert!(forge::manifest(&world).learned.is_empty(), "something was installed");
    // Signed before another skill came, and before a no.
    let stale = forge::right_decision(&world, &others[0], "owner");
    let rejected = forge::right_decision(&world, &others[1], "owner");
    world.admin(&["reject", &others[1], "--reason", "not today"]).done();
    assert_eq!(forge::hand_in(&world, &rejected, &owner), 3, "after a no");
    assert_eq!(forge::hand_in(&world, &right, &owner), 0, "the right one");
    assert_eq!(forge::hand_in(&world, &right, &owner), 3, "the right one again");
    assert_eq!(forge::hand_in(&world, &stale, &owner), 3, "one for the manifest before");
    let names: Vec<String> = forge::manifest(&world).learned.iter().map(|e| e.name.to_string()).collect();
    assert_eq!(names, ["roll-dice"]);
    drop(service);
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
    let serial = forge::manifest(&world).serial;
    let line = format!("manifest_serial: {serial}");
    assert!(report.contains(&line), "the other was not analysed again against manifest {serial}:\n{report}");
    world.admin(&["approve", &second, "--yes"]).done();
    assert_eq!(forge::manifest(&world).learned.len(), 2);
}
