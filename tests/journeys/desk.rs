//! What a person at the gate can do besides yes and no: edit, try, leave a note.

use std::fs;

use serde_json::Value;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{Program, World};

/// A home with a dice roller that waits for a person, and its id.
pub fn waiting() -> Option<(World, String)> {
    if compiler_is_missing() {
        return None;
    }
    let world = World::new();
    world.ask("learn to roll dice");
    world.admin(&["run", "--once"]).done();
    let id = world.newest()["id"].as_str().expect("a row has an id").to_owned();
    Some((world, id))
}

fn shown(world: &World, id: &str) -> Value {
    world.admin(&["show", id, "--json"]).done().json()
}

fn hand_in(world: &World, id: &str, source: &str) -> tameclaw_tests::run::Ran {
    world.typed(Program::Admin, &["edit", id, "--file", "-"], source)
}

/// An edited source is scanned, compiled and tried like any other, and what is installed is the edited one.
#[test]
fn an_edited_source_takes_agent_review_again() {
    let Some((world, id)) = waiting() else { return };
    let before = shown(&world, &id);
    let source = before["source"].as_str().expect("a source").to_owned();
    hand_in(&world, &id, &source).exited(2).says("unchanged");

    // A slip of the finger costs nothing: the package that was there comes back, and the messages are told.
    hand_in(&world, &id, &format!("{source}\nfn broken( {{\n"))
        .done()
        .prints("attempt 2")
        .prints("cl-admin run");
    assert_eq!(world.newest()["status"], "agent-review");
    world.admin(&["approve", &id, "--yes"]).exited(3);
    world.admin(&["run", "--once"]).done();
    let back = shown(&world, &id);
    assert_eq!((&back["status"], &back["digest"]), (&before["status"], &before["digest"]));
    world.admin(&["show", &id]).done().prints("the edit (attempt 2) is dropped: scan:");

    // What the rules forbid stays forbidden, whoever writes it.
    hand_in(&world, &id, &format!("{source}\nfn f() {{ std::fs::remove_dir_all(\"/\").ok(); }}\n")).done();
    world.admin(&["run", "--once"]).done();
    assert_eq!(shown(&world, &id)["digest"], before["digest"]);

    let edited = source.replacen("rolled", "threw", 1);
    let edited =
        if edited == source { format!("{source}\nfn unused_addition() -> u8 {{ 7 }}\n") } else { edited };
    hand_in(&world, &id, &edited).done();
    world.admin(&["run", "--once"]).done();
    let after = shown(&world, &id);
    assert_eq!(after["status"], "human-review");
    assert_eq!(after["report"]["author"], "edited by owner");
    assert_eq!(after["report"]["attempt"], 4);
    assert_ne!(after["digest"], before["digest"]);
    let old = before["digest"].as_str().expect("a digest");
    world.admin(&["approve", &id, "--digest", old, "--yes"]).exited(3);
    world.admin(&["approve", &id, "--yes"]).done();
    let name = after["name"].as_str().expect("a name");
    let kept = world.home().record(&name.parse().expect("a name"), 1).join("skill.rs");
    let (kept, shown) =
        (fs::read_to_string(kept).expect("a record"), after["source"].as_str().expect("a source"));
    assert_eq!(kept.trim_end(), shown);
}

/// A tool can be called before anything is installed, and a note stays for the next person.
#[test]
fn a_package_can_be_tried_and_annotated() {
    let Some((world, id)) = waiting() else { return };
    world.admin(&["try", &id, "roll", "--json", "{\"dice\": \"3d1\"}"]).done().prints("3").prints("fuel");
    let run = world.admin(&["try", &id, "roll", "--json", "{\"dice\": \"3d1\"}", "--json-out"]).done().json();
    assert_eq!(run["passed"], true, "{run}");
    world.admin(&["try", &id, "roll", "--json", "[1]"]).exited(2).says("no JSON object");
    world.admin(&["try", &id, "fly"]).exited(2).says("roll");
    assert_eq!(world.newest()["status"], "human-review");

    world.admin(&["note", &id, "  "]).exited(2).says("empty");
    world.admin(&["note", &id, "ask Anna\u{1b}[2J first"]).done();
    world.admin(&["show", &id]).done().prints("ask Anna").hides("\u{1b}");
}
