//! Invariant 5 at the other end: only a person's signed word removes, and what was removed stays away.

use std::fs;

use serde_json::{Value, json};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

use crate::forge;

fn installed(world: &World) -> usize {
    forge::manifest(world).learned.len()
}

/// An attacker who reaches the service's socket, and even the admin's own key, removes nothing.
#[test]
fn a_removal_that_no_approver_signed_removes_nothing() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_skill("learn to roll dice");
    let entry = forge::manifest(&world).learned.remove(0);
    let serial = forge::manifest(&world).serial;
    let removal = |approver: &str, version: u32| {
        json!({"verdict": "remove", "name": entry.name, "version": version, "module_sha256": entry.module_sha256,
               "manifest_serial": serial, "reason": "x", "approver": approver, "decided_at": "2026-02-07T14:30:00Z"})
        .to_string()
    };
    let service = forge::serving(&world);
    let ask = |text: String, signature: String| -> Value {
        let request = json!({"ask": "remove-skill", "removal": {"text": text, "signature": signature}});
        forge::ask(&world, &request)
    };
    let text = removal("owner", 1);
    let attempts = [
        ("no signature", text.clone(), String::new()),
        ("the admin's key", text.clone(), forge::signed_by_admin(&world, &text)),
        ("an approval's signature", entry.decision.text.clone(), entry.decision.signature.clone()),
        ("a changed text", removal("owner", 2), forge::signed_by_approver(&world, &text)),
        (
            "somebody who is not listed",
            removal("mallory", 1),
            forge::signed_by_approver(&world, &removal("mallory", 1)),
        ),
        ("another version", removal("owner", 2), forge::signed_by_approver(&world, &removal("owner", 2))),
    ];
    for (what, text, signature) in attempts {
        let answer = ask(text, signature);
        assert_eq!(answer["failed"]["exit"], 3, "{what}: {answer}");
        assert_eq!(installed(&world), 1, "{what}");
    }
    let good = ask(text.clone(), forge::signed_by_approver(&world, &text));
    assert!(good.get("done").is_some(), "without this the attacks above prove nothing: {good}");
    assert_eq!(installed(&world), 0);
    let again = ask(text.clone(), forge::signed_by_approver(&world, &text));
    assert!(again.get("failed").is_some(), "a word counts once: {again}");
    drop(service);
}

/// An old manifest does not bring a removed skill back, not even to a bot that forgot which serial it saw.
#[test]
fn an_old_manifest_does_not_bring_a_removed_skill_back() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_skill("learn to roll dice");
    let home = world.home();
    let files = [home.manifest(), home.manifest_signature()];
    let old = files.each_ref().map(|path| fs::read(path).expect("it can be read"));
    world.admin(&["skill", "remove", "roll-dice", "--reason", "too loud"]).done();
    let answer = world.ask("roll 4d1+38");
    assert!(!answer.contains("42"), "{answer}");
    for (path, bytes) in files.iter().zip(&old) {
        fs::write(path, bytes).expect("it can be written");
    }
    world.bot(&["agent", "-m", "roll 4d1+38"]).exited(4);
    let mut forgotten = 0;
    for folder in [home.profile(&world.profile()), home.profile(&world.profile()).join("memory")] {
        forgotten += usize::from(fs::remove_file(folder.join("manifest_serial")).is_ok());
    }
    assert_eq!(forgotten, 1, "the serial that was seen lies where the bot may write");
    let ran = world.bot(&["agent", "-m", "roll 4d1+38"]);
    assert!(!ran.stdout.contains("42"), "its module is gone: {}", ran.report());
    world.admin(&["run", "--once"]).done();
    assert_eq!(installed(&world), 0, "the service writes the manifest of its journal again");
}
