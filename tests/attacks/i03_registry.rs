//! Invariant 3: what runs is what was signed, by the admin and by the approver.

use std::fs;

use tameclaw_tests::skill::{compile, compiler_is_missing};
use tameclaw_tests::world::World;

use crate::forge::{self, Forced, SignedBy};

const PARROT: &str = r#"
use skill_sdk::prelude::*;
pub struct Skill;
impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Repeats").tool(
            Tool::new("say", "Repeats words").param(Param::text("words", "the words")).phrase("en", "parrot {words}"),
        )
    }
    fn call_tool(&mut self, call: &Call) -> Answer {
        Ok(format!("squawk: {} {}", call.text("words")?, 6 * 7))
    }
}
"#;

fn parrot<'a>(name: &'a str, module: &'a [u8], signed_by: SignedBy) -> Forced<'a> {
    let mut described = forge::described(&[("say", "parrot {words}")]);
    let words = serde_json::json!({
        "type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]
    });
    described.tools[0].parameters = words.try_into().expect("parameters");
    Forced { name, module, tokens: &[], signed_by, described }
}

/// A home with a parrot that was properly decided and signed, or `None` where skills cannot be compiled.
fn with_parrot() -> Option<World> {
    if compiler_is_missing() {
        return None;
    }
    let world = World::new();
    forge::force(&world, &parrot("parrot", &compile(PARROT), SignedBy::Approver));
    Some(world)
}

/// What both keys have signed runs; without this the attacks below would prove nothing.
#[test]
fn an_entry_that_is_signed_by_both_keys_runs() {
    let Some(world) = with_parrot() else { return };
    world.bot(&["agent", "-m", "parrot good morning"]).done().prints("squawk: good morning 42");
}

/// A module of which any one byte was changed is left out with a warning, and the bot continues.
#[test]
fn one_changed_byte_of_a_module_leaves_the_skill_out() {
    let Some(world) = with_parrot() else { return };
    let path = world.home().module(&"parrot".parse().expect("a name"), 1);
    let module = fs::read(&path).expect("the module is there");
    for place in [0, module.len() / 2, module.len() - 1] {
        let mut changed = module.clone();
        changed[place] ^= 1;
        fs::write(&path, changed).expect("it can be written");
        let ran = world.bot(&["agent", "-m", "parrot good morning"]).done();
        assert!(!ran.stdout.contains("squawk"), "byte {place}\n{}", ran.report());
        ran.says("parrot");
    }
    fs::write(&path, &module).expect("it can be written");
    world.bot(&["agent", "-m", "parrot again"]).done().prints("squawk: again 42");
}

/// A module that is missing, empty or far too large is left out as well.
#[test]
fn a_module_that_is_not_there_leaves_the_skill_out() {
    let Some(world) = with_parrot() else { return };
    let path = world.home().module(&"parrot".parse().expect("a name"), 1);
    for bytes in [Some(vec![]), Some(vec![0; 9 << 20]), None] {
        match bytes {
            Some(bytes) => fs::write(&path, bytes).expect("it can be written"),
            None => fs::remove_file(&path).expect("it can be removed"),
        }
        world.bot(&["agent", "-m", "parrot good morning"]).done().says("parrot").hides("squawk");
    }
}

/// Any changed byte of the manifest or of its signature means no start, with exit code 4.
#[test]
fn one_changed_byte_of_the_manifest_or_signature_means_no_start() {
    let world = World::new();
    for path in [world.home().manifest(), world.home().manifest_signature()] {
        let bytes = fs::read(&path).expect("it is there");
        // The first line of a signature is a comment that minisign does not cover.
        let first = bytes.iter().position(|b| *b == b'\n').expect("it has lines") + 1;
        let first = if path.extension().is_some_and(|e| e == "sig") { first } else { 0 };
        for place in [first, (first + bytes.len()) / 2, bytes.len() - 2] {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            fs::write(&path, changed).expect("it can be written");
            let ran = world.bot(&["agent", "-m", "hello"]).exited(4);
            assert!(ran.stdout.is_empty(), "nothing is answered\n{}", ran.report());
        }
        fs::write(&path, &bytes).expect("it can be written");
        world.bot(&["agent", "-m", "hello"]).done();
    }
}

/// A manifest without its signature, or signed by a key that is not the admin's, means no start.
#[test]
fn a_manifest_that_the_admin_did_not_sign_means_no_start() {
    let world = World::new();
    let manifest = forge::manifest(&world);
    forge::publish_with(&world, &manifest, &forge::stranger());
    world.bot(&["agent", "-m", "hello"]).exited(4);
    fs::remove_file(world.home().manifest_signature()).expect("it can be removed");
    world.bot(&["agent", "-m", "hello"]).exited(4);
    forge::publish(&world, &manifest);
    world.bot(&["agent", "-m", "hello"]).done();
    fs::remove_file(world.home().manifest()).expect("it can be removed");
    world.bot(&["agent", "-m", "hello"]).exited(4);
}

/// The admin's key alone installs nothing, and a stranger's still less.
#[test]
fn an_entry_that_the_approver_did_not_decide_is_left_out() {
    if compiler_is_missing() {
        return;
    }
    let module = compile(PARROT);
    for signed_by in [SignedBy::Admin, SignedBy::Stranger] {
        let world = World::new();
        forge::force(&world, &parrot("parrot", &module, signed_by));
        world.bot(&["agent", "-m", "parrot good morning"]).done().says("parrot").hides("squawk");
    }
}

/// Signatures are checked in one batch: beside one that holds, a decision whose text was changed afterwards does not.
#[test]
fn a_decision_that_was_changed_is_left_out_beside_one_that_holds() {
    if compiler_is_missing() {
        return;
    }
    let module = compile(PARROT);
    let world = World::new();
    let good = forge::entry(&world, &parrot("budgie", &module, SignedBy::Approver));
    let mut wider = forge::entry(&world, &parrot("parrot", &module, SignedBy::Approver));
    wider.capabilities.insert("network:read".parse().expect("a token"));
    wider.decision.text =
        wider.decision.text.replace("\"capabilities\":[]", "\"capabilities\":[\"network:read\"]");
    assert!(wider.decision.text.contains("network:read"), "the test changes the text");
    let mut manifest = forge::manifest(&world);
    manifest.serial += 1;
    manifest.learned = vec![good, wider];
    forge::publish(&world, &manifest);
    let ran = world.bot(&["skill", "list"]).done();
    assert!(ran.stdout.contains("budgie"), "{}", ran.report());
    assert!(ran.stderr.contains("the skill parrot is left out: the decision of `owner`"), "{}", ran.report());
    assert!(!ran.stderr.contains("budgie"), "{}", ran.report());
}

/// A decision covers the entry that it was made for: another module, name or token is not covered by it.
#[test]
fn a_decision_covers_its_own_entry_only() {
    if compiler_is_missing() {
        return;
    }
    let module = compile(PARROT);
    let other = compile(&PARROT.replace("squawk", "SQUAWK"));
    let world = World::new();
    let good = forge::entry(&world, &parrot("parrot", &module, SignedBy::Approver));
    let tokens = |mut e: shared_types::manifest::Learned| {
        e.capabilities.insert("network:read".parse().expect("a token"));
        e
    };
    let mut another_module = forge::entry(&world, &parrot("parrot", &other, SignedBy::Approver));
    another_module.decision = good.decision.clone();
    let mut another_name = forge::entry(&world, &parrot("budgie", &module, SignedBy::Approver));
    another_name.decision = good.decision.clone();
    let mut no_decision = good.clone();
    no_decision.decision.text = "{}".into();
    for (what, entry) in [
        ("another module", another_module),
        ("another name", another_name),
        ("more tokens", tokens(good.clone())),
        ("no decision", no_decision),
    ] {
        let mut manifest = forge::manifest(&world);
        manifest.serial += 1;
        manifest.learned = vec![entry];
        forge::publish(&world, &manifest);
        let ran = world.bot(&["agent", "-m", "parrot good morning"]).done();
        assert!(!ran.stdout.to_lowercase().contains("squawk"), "{what}\n{}", ran.report());
        assert!(ran.stderr.contains("left out"), "{what}\n{}", ran.report());
    }
}

/// A manifest that is older than one the bot has seen is refused, however well it is signed.
#[test]
fn an_older_manifest_is_refused() {
    let world = World::new();
    let old = forge::manifest(&world);
    let mut new = old.clone();
    new.serial += 1;
    forge::publish(&world, &new);
    world.bot(&["agent", "-m", "hello"]).done();
    forge::publish(&world, &old);
    let ran = world.bot(&["agent", "-m", "hello"]).exited(4);
    assert!(ran.stderr.contains("serial"), "{}", ran.report());
    forge::publish(&world, &new);
    world.bot(&["agent", "-m", "hello"]).done();
}

/// Approvers whom nobody signed in, another root, and a chain that was cut short: the bot does not start.
#[test]
fn a_chain_of_approvers_that_proves_nothing_or_less_than_before_is_refused() {
    let (world, other) = (World::new(), World::new());
    let path = world.home().approvers();
    let first = fs::read_to_string(&path).expect("a home has approvers");
    let pair = minisign::KeyPair::generate_unencrypted_keypair().expect("a key");
    world.admin(&["approver", "add", "ben", "--public-key", &pair.pk.to_base64()]).done();
    let second = fs::read_to_string(&path).expect("the chain has grown");
    assert_ne!(first, second);
    let key = pair.pk.to_base64();
    let another = fs::read_to_string(other.home().approvers()).expect("a home has approvers");
    world.bot(&["agent", "-m", "hello"]).done();
    for (what, list, says) in [
        ("an unsigned list", format!("approvers: [{{id: owner, public_key: \"{key}\"}}]\n"), "approver seal"),
        ("nobody", "approvers: []\n".to_owned(), "nobody is an approver"),
        ("one letter of a change", second.replacen("\\\"ben\\\"", "\\\"bem\\\"", 1), "change 2"),
        ("another home's chain", another, "was seen before"),
        ("the chain before Ben", first, "was seen before"),
        ("rubbish", "approvers: {".to_owned(), "approvers.yaml"),
    ] {
        assert_ne!(list, second, "{what} changed nothing");
        fs::write(&path, list).expect("it can be written");
        let ran = world.bot(&["agent", "-m", "hello"]).exited(4);
        assert!(ran.stderr.contains(says), "{what}\n{}", ran.report());
    }
    fs::remove_file(&path).expect("it can be removed");
    world.bot(&["agent", "-m", "hello"]).exited(4);
    // The journal knows better.
    world.admin(&["run", "--once"]).done();
    assert_eq!(fs::read_to_string(&path).expect("it is there again"), second);
    world.bot(&["agent", "-m", "hello"]).done();
}

/// Tokens under a two-person rule with one signature, and a decision of somebody who left: left out with a warning.
#[test]
fn an_entry_without_enough_present_approvers_is_left_out() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let pair = minisign::KeyPair::generate_unencrypted_keypair().expect("a key");
    world.admin(&["approver", "add", "ben", "--public-key", &pair.pk.to_base64()]).done();
    let module = compile(PARROT);
    let mut forced = parrot("parrot", &module, SignedBy::Approver);
    forced.tokens = &["memory:read"];
    let mut entry = forge::entry(&world, &forced);
    let publish = |entry: &shared_types::manifest::Learned| {
        let mut manifest = forge::manifest(&world);
        manifest.serial += 1;
        manifest.learned = vec![entry.clone()];
        forge::publish(&world, &manifest);
    };
    publish(&entry);
    world.bot(&["skill", "list"]).done().prints("parrot").hides("left out");
    world.admin(&["approver", "rule", "add", "--tokens", "memory:read"]).done();
    publish(&entry);
    let ran = world.bot(&["skill", "list"]).done();
    assert!(
        ran.stderr.contains("parrot is left out") && ran.stderr.contains("two approvers"),
        "{}",
        ran.report()
    );
    let countersign = |name: &str, key: &minisign::SecretKey| shared_types::signed::Countersignature {
        approver: name.parse().expect("a name"),
        signature: forge::sign(key, &entry.decision.text),
    };
    let (own, bens) = (forge::approver_key(&world, &"owner".parse().expect("a name")), &pair.sk);
    for (what, other) in [
        ("the same twice", countersign("owner", &own)),
        ("the same under another name", countersign("ben", &own)),
        ("a stranger", countersign("cleo", &forge::stranger())),
    ] {
        let mut forged = entry.clone();
        forged.decision.others = vec![other];
        publish(&forged);
        let ran = world.bot(&["skill", "list"]).done();
        assert!(ran.stderr.contains("parrot is left out"), "{what}\n{}", ran.report());
    }
    entry.decision.others = vec![countersign("ben", bens)];
    publish(&entry);
    world.bot(&["skill", "list"]).done().prints("parrot").hides("left out");
}
