//! Gates that the configuration gives to a person: what waits there, and who lets it continue.

use std::fs;

use serde_json::Value;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

/// A home with these gates, and a wish for a dice roller.
fn asked(gates: &str) -> World {
    let world = World::new();
    configure(&world, gates);
    world.ask("learn to roll dice");
    world
}

fn configure(world: &World, gates: &str) {
    fs::write(world.home().admin_config(), gates).expect("it can be written");
}

/// Drives everything as far as it goes, and tells where the one proposal stands.
fn driven(world: &World) -> (String, String, Value) {
    world.admin(&["run", "--once"]).done();
    let row = world.newest();
    let word = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    (word("status"), word("waits_for"), row)
}

#[track_caller]
fn stands(world: &World, status: &str, waits_for: &str) -> Value {
    let (is, waits, row) = driven(world);
    assert_eq!((is.as_str(), waits.as_str()), (status, waits_for), "{row}");
    row
}

/// With a person at every gate, each step is one yes, and each yes is recorded with who said it.
#[test]
fn a_person_at_every_gate_lets_each_step_happen() {
    if compiler_is_missing() {
        return;
    }
    let world = asked(
        "gates: {new_to_discovered: human, discovered_to_implementation: human, \
         implementation_to_agent_review: human, agent_review_to_human_review: human}\n",
    );
    for status in ["new", "discovered", "implementation", "agent-review"] {
        for _ in 0..2 {
            let row = stands(&world, status, "person");
            assert!(row["reason"].as_str().is_some_and(|r| r.contains("is a person's")), "{row}");
        }
        // Nobody can be asked here, and no is what silence means.
        world.admin(&["approve", "roll-dice"]).exited(2).prints("GATE").says("--yes");
        let digest = "0".repeat(64);
        world.admin(&["approve", "roll-dice", "--digest", &digest, "--yes"]).exited(3);
        world.admin(&["show", "roll-dice"]).done().prints("GATE (a person's, by admin.yaml)");
        world.admin(&["approve", "roll-dice", "--yes"]).done().prints("continues").prints("cl-admin run");
    }
    stands(&world, "human-review", "person");
    let shown = world.admin(&["show", "roll-dice", "--json"]).done().json();
    let steps: Vec<&str> = shown["history"]
        .as_array()
        .expect("a history")
        .iter()
        .filter(|step| step["actor"] == "owner")
        .filter_map(|step| step["status"].as_str())
        .collect();
    assert_eq!(steps, ["discovered", "implementation", "agent-review", "human-review"]);
    world.admin(&["approve", "roll-dice", "--yes"]).done().prints("is installed");
}

/// What is held can be rejected, by the person who holds it, and then it is over.
#[test]
fn what_is_held_at_a_gate_can_be_rejected() {
    let world = asked("gates: {new_to_discovered: human}\n");
    stands(&world, "new", "person");
    world.admin(&["reject", "roll-dice", "--reason", "we have dice"]).done();
    let row = stands(&world, "rejected", "");
    assert!(row["reason"].as_str().is_some_and(|r| r.contains("we have dice")), "{row}");
    world.admin(&["approve", "roll-dice", "--yes"]).exited(3);
}

/// A gate that is opened in the configuration lets what was held there continue.
#[test]
fn a_gate_that_is_no_persons_any_more_holds_nothing() {
    let world = asked("gates: {new_to_discovered: human}\ncompiler: /no/such/rustc\n");
    stands(&world, "new", "person");
    configure(&world, "compiler: /no/such/rustc\n");
    stands(&world, "agent-review", "compiler");
}

/// What the program would reject waits for a person, who sends it back or rejects it.
#[test]
fn a_rejection_can_be_a_persons() {
    let world = World::new();
    configure(&world, "gates: {new_to_rejected: human}\n");
    let id = "01939999-0000-7000-8000-000000000001";
    let text = format!(
        "proposal: {{id: {id}, kind: skill, name: needy, description: Needs another, capabilities: [], \
         dependencies: [nobody], profile_id: default}}\nstatus: new\n"
    );
    fs::write(world.home().proposals(&world.profile()).join("needy.yaml"), text).expect("a proposal");
    for _ in 0..2 {
        let row = stands(&world, "new", "person");
        assert!(row["reason"].as_str().is_some_and(|r| r.contains("depends on `nobody`")), "{row}");
        // The obstacle is looked at once more; it is still there.
        world.admin(&["approve", "needy", "--yes"]).done();
    }
    stands(&world, "new", "person");
    world.admin(&["reject", "needy", "--reason", "no"]).done();
    stands(&world, "rejected", "");
}

/// A configuration that would take the person away from a skill's gate, or that names no gate, is refused.
#[test]
fn the_gate_of_a_skill_cannot_be_configured_away() {
    let world = asked("gates: {human_review_to_accepted: auto}\n");
    world.admin(&["run", "--once"]).exited(2).says("gates.human_review_to_accepted").says("signed decision");
    configure(&world, "gates: {new_to_accepted: human}\n");
    world
        .admin(&["run", "--once"])
        .exited(2)
        .says("gates.new_to_accepted")
        .says("agent_review_to_human_review");
    configure(&world, "gates: {new_to_discovered: perhaps}\n");
    world.admin(&["run", "--once"]).exited(2).says("allowed: auto human");
    assert!(world.list().iter().all(|row| row["id"].is_null()), "something was taken in");
}
