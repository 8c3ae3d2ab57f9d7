//! Invariant 5: who may decide changes only by the hand of one who may, and where two must say yes, two say it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use minisign::KeyPair;
use serde_json::{Value, json};
use shared_types::approvers::{Approver, Change};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

use crate::forge;

/// Another approver, whose key is in the folder without a passphrase.
fn join(world: &World, name: &str) -> KeyPair {
    let pair = KeyPair::generate_unencrypted_keypair().expect("a key");
    let path = world.home().keys().join(format!("approver-{name}.key"));
    fs::write(&path, pair.sk.to_box(None).expect("a box").into_string()).expect("it can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("a mode");
    world.admin(&["approver", "add", name, "--public-key", &pair.pk.to_base64()]).done();
    pair
}

/// The wishes, each waiting for a person; their ids in the order of the wishes.
fn waiting(world: &World, wishes: &[&str]) -> Vec<String> {
    let mut ids = vec![];
    for wish in wishes {
        world.ask(wish);
        ids.push(newest_file(world));
    }
    world.admin(&["run", "--once"]).done();
    ids.iter().map(|file| row(world, file)["id"].as_str().expect("an id").to_owned()).collect()
}

/// The id in the name of the newest file that the bot wrote.
fn newest_file(world: &World) -> String {
    let folder = world.home().proposals(&world.profile());
    let names = fs::read_dir(folder).expect("there are proposals");
    let names = names.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned());
    let ids = names.filter_map(|n| n.strip_suffix(".yaml").map(|n| n[n.len() - 36..].to_owned()));
    ids.max().expect("there is one")
}

fn row(world: &World, id: &str) -> Value {
    world.list().into_iter().find(|row| row["id"] == *id).expect("it is listed")
}

/// Past every verb: a change that no approver signed, or that does not follow on what holds, is refused by the service.
#[test]
fn the_service_refuses_every_change_that_no_approver_signed() {
    let world = World::new();
    let service = forge::serving(&world);
    let owner = "owner".parse().expect("a name");
    let present = forge::approvers(&world);
    let mallory = KeyPair::generate_unencrypted_keypair().expect("a key");
    let mut set = present.listed().to_vec();
    set.push(Approver { id: "mallory".parse().expect("a name"), public_key: mallory.pk.to_base64() });
    let good = present.next(set, vec![], vec![owner], "2026-02-07T14:30:00Z".into());
    let hand_in = |change: &Change, keys: &[&minisign::SecretKey]| {
        let text = change.text();
        let signatures: Vec<String> = keys.iter().map(|key| forge::sign(key, &text)).collect();
        let change = json!({"text": text, "signatures": signatures});
        let request =
            json!({"ask": "people", "people": "change", "change": change, "countersigned": [], "codes": {}});
        forge::ask(&world, &request)["failed"]["exit"].as_u64().unwrap_or(0)
    };
    let key = forge::approver_key(&world, &good.signers[0]);
    let before = fs::read(world.home().approvers()).expect("a list");
    assert_eq!(hand_in(&good, &[&forge::admin_key(&world)]), 3, "the admin's key");
    assert_eq!(hand_in(&good, &[&mallory.sk]), 3, "the newcomer's own key");
    assert_eq!(hand_in(&good, &[]), 3, "no signature");
    for (what, change) in [
        ("by the newcomer", Change { signers: vec!["mallory".parse().expect("a name")], ..good.clone() }),
        ("of nobody", Change { signers: vec![], ..good.clone() }),
        ("of another place", Change { serial: 3, ..good.clone() }),
        ("of another chain", Change { previous: None, ..good.clone() }),
        ("that leaves nobody", Change { approvers: vec![], ..good.clone() }),
    ] {
        assert_eq!(hand_in(&change, &[&key]), 3, "a change {what}");
    }
    assert_eq!(fs::read(world.home().approvers()).expect("a list"), before);
    assert_eq!(hand_in(&good, &[&key]), 0, "the same change, signed as it must be");
    assert_eq!(hand_in(&good, &[&key]), 3, "and once more");
    drop(service);
    world.admin(&["approver", "list"]).done().prints("mallory");
}

/// A rule: one yes waits, the same person's second is refused, a package that was analysed anew begins again, and two
/// different people install.
#[test]
fn a_package_under_a_rule_needs_two_different_approvers() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    join(&world, "ben");
    let ids = waiting(&world, &["learn to keep a shopping list", "learn to roll dice"]);
    let (list, dice) = (&ids[0], &ids[1]);
    let tokens = world.admin(&["show", list, "--json"]).done().json()["report"]["derived"].clone();
    let tokens: Vec<&str> = tokens.as_array().expect("tokens").iter().filter_map(Value::as_str).collect();
    assert!(!tokens.is_empty(), "a list needs memory");
    world.admin(&["approver", "rule", "add", "--tokens", &tokens.join(",")]).done();
    let approve = |id: &str, who: &str| world.admin(&["approve", id, "--yes", "--approver", who]);
    approve(list, "owner").done().prints("waits for a second approver");
    assert_eq!(row(&world, list)["status"], "human-review");
    approve(list, "owner").exited(3).says("another approver");
    world.admin(&["show", list]).done().prints("second approver").prints("owner");
    // The other one falls under no rule; with it the first package is analysed anew.
    approve(dice, "ben").done().prints("is installed");
    world.admin(&["show", list]).done().prints("the first yes is void");
    approve(list, "ben").done().prints("waits for a second approver");
    assert!(forge::manifest(&world).learned.iter().all(|entry| entry.name.as_str() == "roll-dice"));
    // Past the verb: the second signature under the same name, and both at once by one hand.
    let service = forge::serving(&world);
    let decision = forge::right_decision(&world, list, "owner");
    let text = serde_json::to_string(&decision).expect("a text");
    let key = |name: &str| forge::approver_key(&world, &name.parse().expect("a name"));
    let both = json!({"ask": "approve", "decision": {"text": text, "signature": forge::sign(&key("owner"), &text),
        "others": [{"approver": "ben", "signature": forge::sign(&key("ben"), &text)}]}});
    assert_eq!(forge::ask(&world, &both)["failed"]["exit"], 3);
    assert_eq!(forge::hand_in(&world, &decision, &key("owner")), 3, "a decision of its own is no second yes");
    drop(service);
    approve(list, "owner").done().prints("is installed");
    let ran = world.bot(&["skill", "list"]).done().hides("left out");
    let name = row(&world, list)["name"].as_str().expect("a name").to_owned();
    // Who signed, and when: in the list, the history and the receipts.
    let signed = world.admin(&["skill", "show", &name, "--json"]).done().json()["signed"].clone();
    let names: Vec<&str> =
        signed.as_array().expect("a list").iter().filter_map(|s| s["by"].as_str()).collect();
    assert_eq!(names, ["ben", "owner"], "{signed}");
    let at = |who: usize| signed[who]["at"].as_str().expect("a time").to_owned();
    let words = format!("approved by ben at {} and owner at {}", at(0), at(1));
    world.admin(&["skill", "list"]).done().prints(&words);
    world.admin(&["skill", "show", &name]).done().prints(&words);
    let history = world.admin(&["show", list, "--page", "history"]).done();
    history.prints("human-review    ben").prints("the first of two yeses").prints("accepted        owner");
    let receipts = fs::read_to_string(world.home().admin().join("receipts.jsonl")).expect("receipts");
    let of = |tool: String| {
        let rows = receipts.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        rows.filter(|row| row["tool"] == tool.as_str())
            .map(|row| row["approved_by"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(format!("first-yes:{name}")), ["owner", "ben"]);
    assert_eq!(of(format!("approve:{name}")), ["ben+owner"]);
    assert!(ran.stdout.contains(&name), "{name}\n{}", ran.report());
    // What holds is loosened by two.
    world.admin(&["approver", "rule", "remove", "--tokens", &tokens.join(",")]).exited(3).says("--second");
    world.admin(&["approver", "remove", "ben"]).exited(3).says("two approvers");
    world.admin(&["approver", "rule", "remove", "--tokens", &tokens.join(","), "--second", "ben"]).done();
    world.admin(&["approver", "rule", "list"]).done().says("no rules");
}

/// An approver who leaves takes nothing along: what they approved is signed anew in the same step, and their key opens
/// nothing more.
#[test]
fn a_removed_approver_decides_nothing_more_and_what_they_approved_goes_on() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let ben = join(&world, "ben");
    let ids = waiting(&world, &["learn to roll dice", "learn to tell leap years"]);
    world.admin(&["approve", &ids[0], "--yes", "--approver", "ben"]).done();
    let old = forge::manifest(&world);
    // Ben alone cannot make his own decisions worthless either: nobody would be left who signed them.
    world.admin(&["approver", "remove", "ben", "--approver", "ben"]).exited(3).says("countersign");
    world.admin(&["approver", "remove", "ben"]).done().prints("signed anew").prints("roll-dice");
    world.bot(&["skill", "list"]).done().prints("roll-dice").hides("left out");
    world.admin(&["approve", &ids[1], "--yes", "--approver", "ben"]).exited(3).says("is not an approver");
    // The admin's key and Ben's together, with any date: nothing.
    let mut manifest = forge::manifest(&world);
    let mut entry = old.learned[0].clone();
    assert!(entry.decision.others.is_empty());
    entry.decision.signature = forge::sign(&ben.sk, &entry.decision.text);
    manifest.serial += 1;
    manifest.learned = vec![entry];
    forge::publish(&world, &manifest);
    let ran = world.bot(&["skill", "list"]).done();
    assert!(
        ran.stderr.contains("left out") && ran.stderr.contains("`ben` is not an approver"),
        "{}",
        ran.report()
    );
    world.admin(&["approver", "remove", "owner"]).exited(3).says("last approver");
}

/// Homes from before the chain: sealed automatically where one key without a passphrase can, by `seal` otherwise.
#[test]
fn a_list_from_before_the_chain_is_sealed() {
    for passphrase in [false, true] {
        let world = World::new();
        let owner = forge::approvers(&world).listed()[0].public_key.clone();
        let file = world.outside().join("passphrase");
        fs::write(&file, "correct horse battery").expect("it can be written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("a mode");
        let file = file.to_string_lossy().into_owned();
        if passphrase {
            world.admin(&["approver", "passphrase", "--passphrase-file", &file]).done();
        }
        let journal = world.home().journal();
        fs::remove_file(&journal).expect("as before the first start");
        fs::remove_dir_all(world.home().admin().join("heads")).expect("nor was there a head");
        let old = format!("approvers: [{{id: owner, public_key: \"{owner}\", passphrase: {passphrase}}}]\n");
        fs::write(world.home().approvers(), old).expect("it can be written");
        world.bot(&["agent", "-m", "hello"]).exited(4).says("approver seal");
        if passphrase {
            world.admin(&["run", "--once"]).done();
            world.admin(&["doctor"]).exited(1).prints("approver seal");
            world.admin(&["approver", "seal"]).exited(3).says("--passphrase-file");
            world.admin(&["approver", "seal", "--passphrase-file", &file]).done();
        } else {
            world.admin(&["run", "--once"]).done();
        }
        assert_eq!(forge::approvers(&world).listed()[0].public_key, owner);
        world.bot(&["agent", "-m", "hello"]).done();
    }
}

/// A new approver's key is made under a passphrase, and nothing stays behind where the change is refused.
#[test]
fn an_approver_is_added_with_a_key_under_a_passphrase() {
    let world = World::new();
    let secret = |name: &str, text: &str| {
        let path = world.outside().join(name);
        fs::write(&path, text).expect("it can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("a mode");
        path.to_string_lossy().into_owned()
    };
    let (good, short) = (secret("good", "staple of the battery"), secret("short", "hunter2"));
    let key = world.home().keys().join("approver-ben.key");
    world.admin(&["approver", "add", "ben"]).exited(3).says("--new-passphrase-file");
    world.admin(&["approver", "add", "ben", "--new-passphrase-file", &short]).exited(2).says("at least 8");
    world.admin(&["approver", "add", "Ben!", "--new-passphrase-file", &good]).exited(2);
    world.admin(&["approver", "add", "ben", "--public-key", "no key"]).exited(2).says("minisign");
    world
        .admin(&["approver", "add", "ben", "--new-passphrase-file", &good, "--approver", "cleo"])
        .exited(2)
        .says("cleo");
    assert!(!key.exists(), "a key stayed behind");
    world.admin(&["approver", "add", "ben", "--new-passphrase-file", &good]).done();
    world.admin(&["approver", "add", "ben", "--new-passphrase-file", &good]).exited(2).says("already");
    let rows = world.admin(&["approver", "list", "--json"]).done().json_rows();
    assert_eq!(rows[1]["name"], "ben");
    assert_eq!(rows[1]["passphrase"], true);
    world.admin(&["approver", "remove", "owner", "--approver", "ben", "--passphrase-file", &short]).exited(3);
    world.admin(&["approver", "remove", "owner", "--approver", "ben", "--passphrase-file", &good]).done();
    world.admin(&["approver", "list"]).done().prints("ben").hides("owner");
}
