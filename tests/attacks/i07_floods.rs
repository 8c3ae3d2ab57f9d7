//! Invariant 7: too much of anything waits, costs nobody else anything, and is not lost.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tameclaw_tests::action::Ask;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

use crate::i07_files::{set, spool, wish};
use crate::i07_intake::{id, proposal};

/// The rows with that status, or nothing in a field.
fn count(rows: &[Value], key: &str, value: &Value) -> usize {
    rows.iter().filter(|row| row[key] == *value).count()
}

fn pass(world: &World) -> Vec<Value> {
    world.admin(&["run", "--once"]).done();
    world.list()
}

/// What is over the rate stays in its folder, is listed as waiting, and is taken in later; another profile has its turn.
#[test]
fn a_flood_waits_in_its_folder_and_starves_no_other_profile() {
    let world = World::new();
    let rates = "flood: {burst: 6, profile_burst: 4, per_minute: 1, profile_per_minute: 1}\n";
    set(&world, &format!("compiler: /nowhere/rustc\n{rates}"));
    for n in 0..10 {
        wish(&world, &format!("flood-{n}"));
    }
    let quiet = world.home().all_proposals().join("quiet");
    fs::create_dir(&quiet).expect("a folder can be made");
    for n in 0..4 {
        let name = format!("name: quiet-{n}");
        write_for(&quiet, "quiet", &proposal(&id(), Some(("name: leap-years", &name))));
    }
    let rows = pass(&world);
    let waits = |rows: &[Value], profile: &str| {
        rows.iter().filter(|row| row["id"].is_null() && row["profile"] == profile).count()
    };
    assert_eq!(rows.len(), 14, "nothing is lost: {rows:?}");
    // Six for the user of both folders, in turn: each profile alone might have had four.
    assert_eq!((waits(&rows, "default"), waits(&rows, "quiet")), (7, 1), "{rows:?}");
    assert!(rows.iter().all(|row| !row["id"].is_null() || row["waits_for"] == "room"), "{rows:?}");
    world
        .admin(&["list"])
        .done()
        .prints("7 files of proposals wait for their turn in the folder of `default`");
    // A new start has full buckets: four for the one profile, although the user has room for six.
    let rows = pass(&world);
    assert_eq!((waits(&rows, "default"), waits(&rows, "quiet")), (3, 0), "{rows:?}");
    assert_eq!(count(&pass(&world), "id", &Value::Null), 0);
}

/// Writes a file of a proposal into another profile's folder.
fn write_for(folder: &Path, profile: &str, text: &str) {
    let text = text.replace("profile_id: default", &format!("profile_id: {profile}"));
    fs::write(folder.join(format!("{}.yaml", id())), text).expect("a file can be written");
}

/// One profile's junk spends that profile's share of the day, and no command; the others have theirs.
#[test]
fn a_profile_that_floods_the_day_with_junk_takes_nothing_from_the_others_and_nothing_from_commands() {
    let world = World::new();
    let rates = "flood: {burst: 10000, profile_burst: 10000, per_minute: 10000, profile_per_minute: 10000}\n";
    set(&world, &format!("compiler: /nowhere/rustc\n{rates}"));
    world.allow("autonomy: full\ngrants: {commands: [echo]}\n");
    world.allow_of("anna", "autonomy: full\ngrants: {commands: [echo]}\n");
    for n in 0..500 {
        fs::write(spool(&world).join(format!("junk-{n}.yaml")), "no proposal")
            .expect("a file can be written");
    }
    let junk = |rows: &[Value]| count(rows, "id", &Value::Null);
    assert_eq!(junk(&pass(&world)), 250, "half of the day's 500 is one of two profiles' share");
    let annas = world.home().all_proposals().join("anna");
    write_for(&annas, "anna", &proposal(&id(), None));
    let (own, hers) = (world.wants(&Ask::line("echo mine")), world.wants(&Ask::line("echo hers").of("anna")));
    wish(&world, "one-too-many");
    let rows = pass(&world);
    let status = |id: &str| rows.iter().find(|row| row["id"] == *id).map(|row| row["status"].clone());
    assert!(rows.iter().any(|row| row["name"] == "leap-years" && row["profile"] == "anna"), "{rows:?}");
    assert_eq!((status(&own), status(&hers)), (Some("accepted".into()), Some("accepted".into())), "{rows:?}");
    assert_eq!(junk(&rows), 251, "the rest waits, one more wish of that profile with it");
    world.admin(&["list"]).done().prints("today's budget of 250 proposals is spent");
}

/// Actions have a budget of their own, which holds over restarts, and wishes continue when it is spent.
#[test]
fn the_days_budget_of_actions_holds_and_wishes_go_on() {
    let world = World::new();
    set(&world, "compiler: /nowhere/rustc\nbudgets: {actions: 2}\n");
    for n in 0..3 {
        world.wants(&Ask::line(&format!("echo {n}")));
    }
    assert_eq!(count(&pass(&world), "id", &Value::Null), 1);
    wish(&world, "leap-years");
    let rows = pass(&world);
    assert_eq!(count(&rows, "id", &Value::Null), 1, "{rows:?}");
    assert!(rows.iter().any(|row| row["name"] == "leap-years" && !row["id"].is_null()), "{rows:?}");
    set(&world, "compiler: /nowhere/rustc\nbudgets: {actions: 3}\n");
    assert_eq!(count(&pass(&world), "id", &Value::Null), 0, "what waited goes on by itself");
}

/// The same wish again is counted on the one that is open, regardless of its profile; when that is settled, a new one
/// is a proposal of its own.
#[test]
fn the_same_wish_again_is_counted_and_takes_no_place_of_its_own() {
    let world = World::new();
    set(&world, "compiler: /nowhere/rustc\n");
    let first = wish(&world, "leap-years");
    pass(&world);
    wish(&world, "leap-years");
    let quiet = world.home().all_proposals().join("quiet");
    fs::create_dir(&quiet).expect("a folder can be made");
    let text = proposal(&id(), Some(("profile_id: default", "profile_id: quiet")));
    fs::write(quiet.join("leap.yaml"), text).expect("a file can be written");
    for _ in 0..2 {
        let rows = pass(&world);
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert_eq!(rows[0]["id"], *first);
    }
    let journal = fs::read_to_string(world.home().journal()).expect("there is a journal");
    assert_eq!(journal.matches("\"record\":\"recurred\"").count(), 2, "each file once");
    world.admin(&["reject", &first, "--reason", "not now"]).done();
    let again = wish(&world, "leap-years");
    assert!(pass(&world).iter().any(|row| row["id"] == *again && row["status"] != "rejected"));
}

#[test]
fn the_days_budget_of_proposals_holds_over_restarts_and_profiles() {
    let world = World::new();
    set(&world, "compiler: /nowhere/rustc\nbudgets: {proposals: 3}\n");
    for n in 0..2 {
        wish(&world, &format!("wish-{n}"));
    }
    fs::write(spool(&world).join("nonsense.yaml"), "no proposal").expect("a file can be written");
    assert_eq!(count(&pass(&world), "id", &Value::Null), 0);
    wish(&world, "one-too-many");
    let rows = pass(&world);
    assert_eq!(count(&rows, "id", &Value::Null), 1, "{rows:?}");
    world.admin(&["list"]).done().prints("today's budget of 3 proposals is spent");
    set(&world, "compiler: /nowhere/rustc\nbudgets: {proposals: 4}\n");
    assert_eq!(count(&pass(&world), "id", &Value::Null), 0, "what waited goes on by itself");
}

#[test]
fn the_days_budget_of_the_compiler_lets_a_proposal_wait_for_room() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    set(&world, "budgets: {compile_seconds: 1}\n");
    let first = wish(&world, "leap-years");
    pass(&world);
    // What a compilation takes differs; what the journal says of it is what counts.
    let journal = fs::read_to_string(world.home().journal()).expect("there is a journal");
    assert!(journal.contains("\"record\":\"compiled\"") && journal.contains("\"millis\":"), "{journal}");
    let mut last = first;
    for n in 0..6 {
        last = wish(&world, &format!("leap-years-{n}"));
        let rows = pass(&world);
        let row = rows.iter().find(|row| row["id"] == *last).expect("it is listed").clone();
        if row["waits_for"] == "room" {
            assert!(row["reason"].as_str().is_some_and(|r| r.contains("compiler's time is spent")), "{row}");
            set(&world, "");
            let rows = pass(&world);
            let row = rows.iter().find(|row| row["id"] == *last).expect("it is listed");
            assert_eq!(row["status"], "human-review", "it goes on by itself: {row}");
            return;
        }
    }
    panic!("seven compilations of `{last}` and others took less than a second: {:?}", world.list());
}

#[test]
fn the_days_budget_of_model_tokens_lets_a_proposal_wait_for_room() {
    let world = World::new();
    let server =
        ModelServer::start(|_| Reply::text("INFEASIBLE-not: a long answer that is no source at all."));
    let provider = format!(
        "providers:\n  - {{name: local, kind: openai-compatible, base_url: \"{}\", model: scripted-1}}\n",
        server.url()
    );
    set(&world, &format!("implementers: [local]\n{provider}budgets: {{model_tokens: 10}}\n"));
    let wished = wish(&world, "story-teller");
    let rows = pass(&world);
    let row = rows.iter().find(|row| row["id"] == *wished).expect("it is listed");
    assert_eq!(row["waits_for"], "room", "{row}");
    assert!(row["reason"].as_str().is_some_and(|r| r.contains("model tokens is spent")), "{row}");
    assert_eq!(server.seen().len(), 1, "the first answer spent the budget; no repair was asked for");
    pass(&world);
    assert_eq!(server.seen().len(), 1, "a new start refills nothing");
}
