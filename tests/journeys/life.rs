//! A skill after its installation: listed, verified, taken along, replaced, rolled back, removed.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use shared_types::id::Digest;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

/// A home with the dice, and their exported file; `None` where skills cannot be compiled.
fn with_dice() -> Option<(World, PathBuf)> {
    if compiler_is_missing() {
        return None;
    }
    let world = World::with_skill("learn to roll dice");
    let file = world.outside().join("dice.json");
    world.admin(&["skill", "export", "roll-dice", &file.display().to_string()]).done();
    Some((world, file))
}

/// The exported file with changes, its digests made true again.
fn changed(world: &World, file: &PathBuf, name: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(&fs::read_to_string(file).expect("the file")).expect("JSON");
    change(&mut value);
    for key in ["spec", "source"] {
        let digest = Digest::of(value[key].as_str().expect("a text").as_bytes());
        value[format!("{key}_sha256")] = json!(digest);
    }
    let path = world.outside().join(name);
    fs::write(&path, value.to_string()).expect("it can be written");
    path.display().to_string()
}

fn replace(value: &mut Value, key: &str, from: &str, to: &str) {
    let text = value[key].as_str().expect("a text");
    assert!(text.contains(from), "{key} lacks `{from}`:\n{text}");
    value[key] = json!(text.replace(from, to));
}

/// A source that says the same and is another one all the same.
fn another(value: &mut Value) {
    let source = value["source"].as_str().expect("a text");
    value["source"] = json!(format!("{source}\nconst ANOTHER: u32 = 7;\n"));
    replace(value, "source", "dice", "dices");
    replace(value, "source", "\"dices\"", "\"dice\"");
}

fn learned(world: &World) -> Vec<(String, u64)> {
    let rows = world.admin(&["skill", "list", "--json"]).done().json_rows();
    let row = |r: &Value| (r["name"].as_str().map(str::to_owned), r["version"].as_u64());
    rows.iter().map(row).filter_map(|(name, version)| Some((name?, version?))).collect()
}

/// The approval and the activation of a skill stand in the admin's own chain of receipts, under the approver's name.
#[test]
fn the_approval_and_the_activation_of_a_skill_leave_receipts() {
    let Some((world, _)) = with_dice() else { return };
    let text = fs::read_to_string(world.home().admin().join("receipts.jsonl")).expect("a chain");
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let id = world.newest()["id"].clone();
    let told: Vec<_> = rows.iter().map(|r| (&r["tool"], &r["status"], &r["approved_by"])).collect();
    let (allowed, owner) = (json!("allowed"), json!("owner"));
    let expected =
        [(&json!("approve:roll-dice"), &allowed, &owner), (&json!("activate:roll-dice"), &allowed, &owner)];
    assert_eq!(told, expected);
    assert!(rows.iter().all(|r| r["conversation_id"] == id), "{rows:?}");
    world.admin(&["run", "--once"]).done();
    world.admin(&["audit", "verify"]).done().prints("the admin's own receipts");
}

/// What is installed is listed with all that was granted, and everything that is kept of it holds.
#[test]
fn an_installed_skill_is_listed_shown_and_verified() {
    let Some((world, _)) = with_dice() else { return };
    world.ask("roll 2d6");
    let rows = world.admin(&["skill", "list", "--json"]).done().json_rows();
    let dice = rows.iter().find(|r| r["name"] == "roll-dice").expect("the dice are listed");
    assert_eq!((&dice["version"], &dice["by"]), (&json!(1), &json!("owner")), "{dice}");
    assert_eq!((&dice["calls"], &dice["failures"]), (&json!(1), &json!(0)), "the call was counted: {dice}");
    world.admin(&["skill", "list"]).done().prints("called 1 times").prints("cli  built in");
    let shown = world.admin(&["skill", "show", "roll-dice"]).done();
    shown.prints("version 1: approved by owner").prints("secrets:  none");
    world.admin(&["skill", "show", "nobody-knows"]).exited(1).says("skill list");
    world.admin(&["skill", "verify"]).done().prints("holds   manifest").prints("holds   roll-dice");

    let home = world.home();
    let name = "roll-dice".parse().expect("a name");
    let record = home.record(&name, 1);
    let kept = ["skill.rs", "report.yaml", "proposal.yaml", "decision.json"].map(|f| record.join(f));
    for path in kept.into_iter().chain([home.module(&name, 1), home.manifest()]) {
        let bytes = fs::read(&path).expect("it is kept");
        let mut broken = bytes.clone();
        let middle = broken.len() / 2;
        broken[middle] ^= 1;
        fs::write(&path, broken).expect("it can be written");
        let ran = world.admin(&["skill", "verify"]).exited(4);
        assert!(ran.stdout.contains(&path.display().to_string()), "the culprit is named: {}", ran.report());
        fs::write(&path, bytes).expect("it can be written");
    }
    world.admin(&["skill", "verify", "roll-dice"]).done();
}

/// Only a person's signed word removes; the bot has it no more, and what was removed comes back by the whole way alone.
#[test]
fn a_skill_is_removed_and_brought_back() {
    let Some((world, _)) = with_dice() else { return };
    for (arguments, code, says) in [
        (vec!["reject", "roll-dice", "--reason", "too loud"], 3, "`cl-admin skill remove roll-dice`"),
        (vec!["remove", "memory", "--reason", "why not"], 3, "part of the bot"),
        (vec!["skill", "remove", "nobody-knows", "--reason", "gone"], 1, "nobody-knows"),
        (vec!["skill", "remove", "roll-dice", "--reason", " "], 2, "--reason"),
        (vec!["skill", "remove", "roll-dice", "--reason", "x", "--approver", "mallory"], 3, "mallory"),
        (vec!["skill", "rollback", "roll-dice"], 3, "no version before 1"),
        (vec!["skill", "rollback", "roll-dice", "--to", "1"], 3, "is installed"),
        (vec!["skill", "rollback", "roll-dice", "--to", "9"], 1, "no version 9"),
        (vec!["skill", "rollback", "cli"], 3, "part of the bot"),
    ] {
        world.admin(&arguments).exited(code).says(says);
    }
    assert_eq!(learned(&world), [("roll-dice".to_owned(), 1)], "nothing that was refused removed anything");

    world.admin(&["skill", "remove", "roll-dice", "--reason", "too loud"]).done().prints("is removed");
    assert_eq!(learned(&world), []);
    let row = world.newest();
    assert_eq!((&row["status"], row["name"].as_str()), (&json!("removed"), Some("roll-dice")), "{row}");
    assert!(!world.home().skills().join("roll-dice").exists(), "its module lies there no more");
    world.bot(&["skill", "list"]).done().hides("roll-dice");
    world.admin(&["skill", "verify"]).done().prints("holds   manifest");
    world.admin(&["skill", "show", "roll-dice"]).done().prints("not installed any more").prints("too loud");
    world.admin(&["skill", "remove", "roll-dice", "--reason", "again"]).exited(1);

    world.admin(&["skill", "rollback", "roll-dice"]).done().prints("waits for a person");
    assert_eq!(learned(&world), [], "asking again is no yes");
    world.grow();
    assert_eq!(learned(&world), [("roll-dice".to_owned(), 2)]);
    let answer = world.ask("roll 4d1+38");
    assert!(answer.contains("42"), "{answer}");
}

/// An imported skill is a proposal like any other: it replaces nothing before a yes, and going back is a decision too.
#[test]
fn an_upgrade_waits_beside_the_old_version_and_is_rolled_back() {
    let Some((world, file)) = with_dice() else { return };
    let again = file.display().to_string();
    world.admin(&["skill", "import", &again]).done();
    world.admin(&["run", "--once"]).done();
    let row = world.newest();
    assert_eq!(row["status"], "rejected", "the same skill again changes nothing: {row}");
    assert!(row["reason"].as_str().is_some_and(|r| r.contains("is this same skill")), "{row}");

    let other = changed(&world, &file, "other.json", another);
    world.admin(&["skill", "import", &other]).done();
    world.admin(&["skill", "import", &other]).exited(3).says("open proposal");
    world.admin(&["run", "--once"]).done();
    assert_eq!(learned(&world), [("roll-dice".to_owned(), 1)], "the old version stays until the yes");
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    let shown = world.admin(&["show", &id]).done();
    shown.prints("2 (replaces 1)").prints("imported, version 1 there").prints("built-differently");
    world.grow();
    assert_eq!(learned(&world), [("roll-dice".to_owned(), 2)]);

    world.admin(&["skill", "rollback", "roll-dice"]).done().prints("version 1 of roll-dice");
    world.grow();
    assert_eq!(learned(&world), [("roll-dice".to_owned(), 3)]);
    let shown = world.admin(&["skill", "show", "roll-dice", "--json"]).done().json();
    assert_eq!(shown["versions"].as_array().map(Vec::len), Some(3), "{shown}");
    assert_eq!(shown["versions"][0]["module_sha256"], shown["versions"][2]["module_sha256"], "{shown}");
    world.admin(&["skill", "verify"]).done();
}

/// A file with wrong digests, or one that asks for what no proposal may, is refused before anything is made of it.
#[test]
fn a_bad_file_is_not_imported() {
    let Some((world, file)) = with_dice() else { return };
    let before = world.list().len();
    let text = fs::read_to_string(&file).expect("the file");
    let write = |name: &str, text: &str| {
        let path = world.outside().join(name);
        fs::write(&path, text).expect("it can be written");
        path.display().to_string()
    };
    let lying = write("lying.json", &text.replace("pub struct Skill", "pub struct  Skill"));
    world.admin(&["skill", "import", &lying]).exited(4).says("source_sha256");
    let built_in = changed(&world, &file, "builtin.json", |v| {
        replace(v, "spec", "name: roll-dice", "name: memory");
        v["name"] = json!("memory");
    });
    world.admin(&["skill", "import", &built_in]).exited(3).says("part of the bot");
    let other_name = changed(&world, &file, "name.json", |v| v["name"] = json!("other-name"));
    world.admin(&["skill", "import", &other_name]).exited(3).says("other-name");
    for (name, text) in [
        ("empty.json", String::new()),
        ("deep.json", "[".repeat(100_000)),
        ("key.json", text.replace("\"format\"", "\"formats\"")),
        ("large.json", "x".repeat(400 * 1024)),
    ] {
        world.admin(&["skill", "import", &write(name, &text)]).exited(3);
    }
    world.admin(&["skill", "import", "/no/such/file"]).exited(1).says("/no/such/file");
    world.admin(&["skill", "import", &lying, "--profile", "nobody"]).exited(4);
    world
        .admin(&["skill", "import", &file.display().to_string(), "--profile", "nobody"])
        .exited(2)
        .says("nobody");
    world.admin(&["skill", "export", "roll-dice", &file.display().to_string()]).exited(1);
    world.admin(&["skill", "export", "nobody-knows"]).exited(1);
    assert_eq!(world.list().len(), before, "nothing that was refused became a proposal");

    let hostile = changed(&world, &file, "hostile.json", |v| {
        let source = v["source"].as_str().expect("a text").to_owned();
        v["source"] = json!(format!("{source}\nfn out() {{ std::process::exit(1) }}\n"));
    });
    world.admin(&["skill", "import", &hostile]).done();
    world.admin(&["run", "--once"]).done();
    let row = world.newest();
    assert_eq!(row["status"], "rejected", "{row}");
    assert!(row["reason"].as_str().is_some_and(|r| r.contains("std::process")), "{row}");
}
