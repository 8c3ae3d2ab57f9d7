//! Invariant 5 where passkeys alone decide: an attacker who owns the admin's user, with its key, its journal and its files,
//! installs nothing that no phone signed. The attacker of these tests writes anything that this user could write; the bot judges.

use std::fs;

use serde_json::{Value, json};
use shared_types::approvers::{ApproversFile, Change, SignedChange};
use shared_types::id::Digest;
use shared_types::manifest::{Learned, Manifest};
use shared_types::signed::Countersignature;
use tameclaw_tests::authenticator::{self as device, Assertion, Passkey, altered, challenge};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

use crate::forge;

const SITE: &str = "https://sign.family.example";
const AT: &str = "2026-02-07T14:30:00Z";

/// A home that mum's passkey and one in a drawer alone decide about, with a package that waits.
struct Household {
    world: World,
    mum: Passkey,
    drawer: Passkey,
    id: String,
}

impl Household {
    /// Nothing where skills cannot be compiled.
    fn new() -> Option<Household> {
        if compiler_is_missing() {
            return None;
        }
        let world = World::with_package("learn to roll dice");
        let (mum, drawer) = (Passkey::new(SITE), Passkey::new(SITE));
        world.adds_passkey("mum", &mum);
        world.adds_passkey("drawer", &drawer);
        world.admin_signed(&["approver", "passkeys", "--yes", "--approver", "mum"], &mum).done();
        let id = world.newest()["id"].as_str().expect("a row has an id").to_owned();
        Some(Household { world, mum, drawer, id })
    }

    /// With the skill installed, by mum's yes.
    fn with_skill() -> Option<Household> {
        let home = Household::new()?;
        home.approve(&home.mum).done().prints("is installed");
        home.world.bot(&["skill", "list"]).done().prints("roll-dice").hides("left out");
        Some(home)
    }

    fn approve(&self, key: &Passkey) -> tameclaw_tests::run::Ran {
        self.world.admin_signed(&["approve", &self.id, "--yes", "--approver", "mum"], key)
    }

    /// The installed entry.
    fn entry(&self) -> Learned {
        forge::manifest(&self.world).learned.remove(0)
    }

    /// Publishes a manifest, signed by the admin's key, in which the entry is another one, and asks the bot for its skills.
    fn offers(&self, change: impl FnOnce(&mut Manifest)) -> tameclaw_tests::run::Ran {
        let mut manifest = forge::manifest(&self.world);
        manifest.serial += 1;
        change(&mut manifest);
        forge::publish(&self.world, &manifest);
        self.world.bot(&["skill", "list"])
    }

    /// The bot leaves the skill out, and says why.
    #[track_caller]
    fn left_out(&self, why: &str, change: impl FnOnce(&mut Learned)) {
        let ran = self.offers(|manifest| change(&mut manifest.learned[0])).done();
        assert!(!ran.stdout.contains("roll-dice"), "{why}\n{}", ran.report());
        assert!(ran.stderr.contains("left out") && ran.stderr.contains(why), "{why}\n{}", ran.report());
    }

    fn chain(&self) -> ApproversFile {
        let text = fs::read_to_string(self.world.home().approvers()).expect("a list");
        documents::yaml::from_own(&text).expect("the list can be read")
    }

    fn write_chain(&self, file: &ApproversFile) {
        let text = documents::yaml::to_string(file).expect("a list can be written");
        fs::write(self.world.home().approvers(), text).expect("the list can be written");
    }
}

/// The whole way: the software keys go with their files, mum's touch installs, and nothing goes back.
#[test]
fn where_passkeys_alone_decide_no_key_of_this_machine_does() {
    let Some(home) = Household::new() else { return };
    let world = &home.world;
    world.admin(&["approver", "list"]).done().prints("passkeys alone decide").hides("owner");
    assert!(!world.home().keys().join("approver-owner.key").exists(), "the key of `init` is gone");
    let stranger = Passkey::new(SITE);
    home.approve(&stranger).exited(3).says("did not sign");
    assert_eq!(world.newest()["status"], "human-review");
    world.admin(&["approve", &home.id, "--yes"]).exited(3).says("is not an approver");
    // No approver can add a weaker kind of key again.
    let key = minisign::KeyPair::generate_unencrypted_keypair().expect("a key").pk.to_base64();
    let add = ["approver", "add", "owner", "--public-key", &key, "--approver", "mum"];
    world.admin_signed(&add, &home.mum).exited(3).says("passkey");
    home.approve(&home.mum).done().prints("is installed");
    world.ask("roll a die");
    world.bot(&["skill", "list"]).done().prints("roll-dice").hides("left out");
    // The phone is lost: the key in the drawer takes it off the list, and signs what mum had approved.
    let lost = ["approver", "remove", "mum", "--approver", "drawer"];
    world.admin_signed(&lost, &home.drawer).done().prints("signed anew");
    world.bot(&["skill", "list"]).done().prints("roll-dice").hides("left out");
}

/// One touch, altered in each part that a hostile page, browser or admin could alter: the service refuses it, and so does the bot.
#[test]
fn a_signature_with_any_other_part_is_none() {
    type Alter = fn(&mut Assertion);
    let rows: [(&str, Alter); 11] = [
        ("another kind", |a| a.kind = "webauthn.create".into()),
        ("another challenge", |a| a.challenge = challenge(&[device::digest("another text")])),
        ("another site", |a| a.origin = "https://sign.family.example.evil.example".into()),
        ("another port", |a| a.origin = format!("{SITE}:8443")),
        ("a frame", |a| a.cross_origin = Some(true)),
        ("another party", |a| a.rp_id_hash = [7; 32]),
        ("nobody there", |a| a.flags = device::UV),
        ("nobody recognised", |a| a.flags = device::UP),
        ("a copy of a key that cannot be copied", |a| a.flags |= device::BE | device::BS),
        ("extensions", |a| {
            a.flags |= device::ED;
            a.extra = vec![0xa0];
        }),
        ("no flags at all", |a| a.flags = 0),
    ];
    let Some(home) = Household::with_skill() else { return };
    let honest = home.entry();
    let text = honest.decision.text.as_str();
    for (what, alter) in rows {
        let signature = home.mum.forge(&[text], alter);
        home.left_out("the signature does not hold", |entry| entry.decision.signature = signature.clone());
        let manifest = forge::manifest(&home.world);
        assert_eq!(manifest.learned[0].decision.signature, signature, "{what}");
    }
    for part in ["authenticatorData", "clientDataJSON", "signature"] {
        let signature = altered(&honest.decision.signature, part, |bytes| {
            if let Some(byte) = bytes.last_mut() {
                *byte ^= 1;
            }
        });
        home.left_out("the signature does not hold", |entry| entry.decision.signature = signature);
    }
    home.left_out("the signature does not hold", |entry| {
        entry.decision.signature = Passkey::new(SITE).sign(&[text])
    });
    home.left_out("the signature does not hold", |entry| {
        entry.decision.signature = forge::signed_by_admin(&home.world, &honest.decision.text);
    });
    let back = home.offers(|manifest| manifest.learned[0] = honest.clone()).done();
    back.prints("roll-dice").hides("left out");
}

/// The counter of a touch decides nothing, for the service and for the bot: it may rise, fall, stay or be zero, as it does on devices
/// that share a passkey or keep no count.
#[test]
fn a_counter_that_falls_or_stays_decides_nothing() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    let [mum, drawer, kid] = [Passkey::new(SITE), Passkey::new(SITE), Passkey::new(SITE)];
    world.adds_passkey("mum", &mum);
    world.adds_passkey("drawer", &drawer);
    let id = world.newest()["id"].as_str().expect("a row has an id").to_owned();
    let touched = |key: &Passkey, counter: u32, texts: &[&str]| {
        key.forge(texts, |assertion| assertion.counter = counter)
    };
    let signed = |world: &World, key: &Passkey, counter: u32, words: &[&str]| {
        world.admin_asks(words, |request| {
            touched(key, counter, &request.texts.iter().map(String::as_str).collect::<Vec<_>>())
        })
    };
    signed(&world, &mum, 10, &["approver", "passkeys", "--yes", "--approver", "mum"]).done();
    signed(&world, &mum, 9, &["approve", &id, "--yes", "--approver", "mum"]).done().prints("is installed");
    let file = world.outside().join("kid.passkey");
    fs::write(&file, kid.public_key() + "\n").expect("a file can be written");
    let add = ["approver", "add", "kid", "--passkey", &file.display().to_string(), "--approver", "mum"];
    signed(&world, &mum, 9, &add).done();
    signed(&world, &mum, 0, &["approver", "remove", "kid", "--approver", "mum"]).done();
    let home = Household { world, mum, drawer, id };
    let honest = home.entry();
    for counter in [10, 9, 9, 0, u32::MAX, 1] {
        let signature = touched(&home.mum, counter, &[&honest.decision.text]);
        let listed = home.offers(|manifest| manifest.learned[0].decision.signature = signature).done();
        listed.prints("roll-dice").hides("left out");
    }
}

/// What was signed for one package counts for no other, nor for more than was shown, nor for another statement.
#[test]
fn what_mum_signed_counts_for_nothing_else() {
    let Some(home) = Household::with_skill() else { return };
    let honest = home.entry();
    // Another module under the digest that was signed, and under its own.
    let module = home.world.home().skills().join("roll-dice/1/skill.wasm");
    let bytes = fs::read(&module).expect("a module");
    fs::write(&module, [&bytes[..], &[0, 1, 0]].concat()).expect("it can be written");
    let ran = home.world.bot(&["skill", "list"]).done();
    assert!(ran.stderr.contains("not the one that was approved"), "{}", ran.report());
    let other = Digest::of(&fs::read(&module).expect("a module"));
    home.left_out("module_sha256", |entry| entry.module_sha256 = other.clone());
    fs::write(&module, &bytes).expect("it can be written");
    // More tokens, another version, other hosts than she saw.
    home.left_out("capabilities", |entry| {
        *entry = Learned { capabilities: "network:write".parse().into_iter().collect(), ..honest.clone() };
    });
    home.left_out("version", |entry| *entry = Learned { version: 7, ..honest.clone() });
    // The text changed with it: then it is not what she signed.
    home.left_out("it is for another text", |entry| {
        *entry = honest.clone();
        entry.decision.text = honest.decision.text.replace("\"version\":1", "\"version\":7");
        entry.version = 7;
    });
    // The same yes in a spelling that another reader takes for something else, properly signed.
    home.left_out("the decision cannot be read", |entry| {
        *entry = honest.clone();
        let text = honest.decision.text.replace("\"verdict\":\"approve\"", "\"verdict\":{\"approve\":null}");
        entry.decision.signature = home.mum.sign(&[&text]);
        entry.decision.text = text;
    });
    // A touch for something else: a removal that she signed is not a yes, and her yes is not a change of the approvers.
    let removal = home.mum.sign(&[r#"{"verdict":"remove"}"#]);
    home.left_out("it is for another text", |entry| {
        *entry = honest.clone();
        entry.decision.signature = removal;
    });
    // Hers in the name of the drawer's: two persons are two keys.
    home.left_out("the signature does not hold", |entry| {
        let by = Countersignature {
            approver: "drawer".parse().expect("a name"),
            signature: honest.decision.signature.clone(),
        };
        *entry = honest.clone();
        (entry.decision.signature, entry.decision.others) = (String::new(), vec![by]);
    });
}

/// The service takes no yes twice, none for a package that was analysed anew since, and none for what was shown before an edit.
#[test]
fn a_yes_is_for_the_package_as_it_was_shown_and_once() {
    let Some(home) = Household::new() else { return };
    let world = &home.world;
    let service = forge::serving(world);
    let decision = forge::right_decision(world, &home.id, "mum");
    let text = serde_json::to_string(&decision).expect("a text");
    let hand_in = |text: &str, signature: &str| {
        let request = json!({"ask": "approve", "decision": {"text": text, "signature": signature}});
        forge::ask(world, &request)["failed"]["exit"].as_u64().unwrap_or(0)
    };
    for (key, value) in [
        ("manifest_serial", json!(99)),
        ("source_sha256", json!("0".repeat(64))),
        ("report_sha256", json!("0".repeat(64))),
        ("capabilities", json!(["network:write"])),
        ("network", json!(["evil.example"])),
    ] {
        let mut other = decision.clone();
        other.insert(key.into(), value);
        let text = serde_json::to_string(&other).expect("a text");
        assert_eq!(hand_in(&text, &home.mum.sign(&[&text])), 3, "a decision with another {key}");
    }
    let signature = home.mum.sign(&[&text]);
    assert_eq!(hand_in(&text, &home.drawer.sign(&[&text])), 3, "the drawer's key in mum's name");
    assert_eq!(hand_in(&text, &signature), 0, "what mum signed");
    assert_eq!(hand_in(&text, &signature), 3, "and once more");
    drop(service);
}

/// The chain itself: a key exchanged, a way down, an older chain, another one from its root: each keeps the bot from starting.
#[test]
fn no_other_list_of_approvers_is_believed() {
    let Some(home) = Household::with_skill() else { return };
    let honest = home.chain();
    let refused = |file: &ApproversFile, why: &str| {
        home.write_chain(file);
        home.world.bot(&["skill", "list"]).exited(4).says(why);
    };
    let mallory = Passkey::new(SITE);
    let last = honest.changes.last().expect("a change");
    let present: Change = serde_json::from_str(&last.text).expect("a change");
    // A key exchanged in the last change; the signature was for another text.
    let mut swapped = honest.clone();
    let mut change = present.clone();
    change.approvers[0].public_key = mallory.public_key();
    swapped.changes.last_mut().expect("a change").text = change.text();
    refused(&swapped, "approvers");
    // The same, signed by the newcomer.
    let signed = |change: &Change, key: &Passkey| {
        let text = change.text();
        let signatures = change.signers.iter().map(|_| key.sign(&[&text])).collect();
        SignedChange { text, signatures }
    };
    *swapped.changes.last_mut().expect("a change") = signed(&change, &mallory);
    refused(&swapped, "approvers");
    // One more change: signed by nobody who may, or by mum for what cannot be.
    let next = Change {
        serial: present.serial + 1,
        previous: Some(Digest::of(last.text.as_bytes())),
        at: AT.into(),
        signers: vec!["mum".parse().expect("a name")],
        ..present.clone()
    };
    let with = |change: SignedChange| {
        let mut file = honest.clone();
        file.changes.push(change);
        file
    };
    let mut joins = next.clone();
    joins.approvers[0].public_key = mallory.public_key();
    refused(&with(signed(&joins, &mallory)), "does not belong to this passkey");
    let down = Change { passkeys: None, ..next.clone() };
    refused(&with(signed(&down, &home.mum)), "never taken back");
    let mut software = next.clone();
    let key = minisign::KeyPair::generate_unencrypted_keypair().expect("a key");
    software.approvers[0].public_key = key.pk.to_base64();
    refused(&with(signed(&software, &home.mum)), "alone may decide");
    // The chain as it was before passkeys alone decided, when a key of this machine did.
    let mut older = honest.clone();
    older.changes.pop();
    refused(&older, "was seen before");
    // Another one from its root.
    let root = forge::stranger();
    let public = minisign::PublicKey::from_secret_key(&root).expect("a key").to_base64();
    let first = json!({"serial": 1, "previous": null, "approvers": [{"id": "owner", "public_key": public}], "rules": [],
        "signers": ["owner"], "at": AT});
    let text = serde_json::to_string(&first).expect("a text");
    let signatures = vec![forge::sign(&root, &text)];
    let other =
        ApproversFile { changes: vec![SignedChange { text, signatures }], ..ApproversFile::default() };
    refused(&other, "was seen before");
    // A profile that never started believes no other list than those that did.
    let profile: Value = json!({"audience": "adult"});
    fs::write(world_profile(&home.world, "fresh"), profile.to_string()).expect("it can be written");
    home.write_chain(&other);
    home.world.bot(&["--profile", "fresh", "skill", "list"]).exited(4).says("seen before");
    home.write_chain(&honest);
    home.world.bot(&["skill", "list"]).done().prints("roll-dice").hides("left out");
}

fn world_profile(world: &World, name: &str) -> std::path::PathBuf {
    world.home().profile_file(&name.parse().expect("a name"))
}

/// An office asks for keys that cannot be copied: a synced passkey is not an approver then, and passkeys begin by a passkey's
/// word.
#[test]
fn a_synced_passkey_is_none_that_cannot_be_copied() {
    let world = World::without_kit();
    let [first, second] = [Passkey::new(SITE), Passkey::new(SITE)];
    let phone = Passkey::synced(SITE);
    world.adds_passkey("first", &first);
    world.adds_passkey("phone", &phone);
    fn only<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["approver", "passkeys", "--yes"], more].concat()
    }
    world.admin(&only(&["--one-device"])).exited(3).says("two approvers need such a passkey");
    world.admin(&only(&[])).exited(3).says("signed by such a passkey");
    world
        .admin_signed(&["approver", "passkeys", "--approver", "phone"], &phone)
        .exited(2)
        .says("never taken back");
    world.admin_signed(&only(&["--approver", "phone"]), &phone).done();
    let file = world.outside().join("second.passkey");
    fs::write(&file, second.public_key()).expect("a file");
    let add = ["approver", "add", "second", "--passkey", &file.display().to_string(), "--approver", "phone"];
    world.admin_signed(&add, &phone).done();
    world.admin_signed(&only(&["--one-device", "--approver", "phone"]), &phone).exited(3);
    world
        .admin_signed(&only(&["--one-device", "--approver", "first"]), &first)
        .done()
        .prints("`phone` approves no more");
    world.admin(&["approver", "list"]).done().hides("phone").prints("on one device");
    // What was given up is not asked for again by a weaker word.
    world.admin(&only(&["--approver", "first"])).done().prints("already");
}
