use std::fs;

use base::home::Home;
use base::keys::{self, Signer};
use ledger::{IntakeRecord, Ledger, ProposalEvent, SkillRecord};
use pipeline::removal::{HumanRemoval, removable, sign};
use serde_json::json;
use shared_types::capability::TokenSet;
use shared_types::described::Described;
use shared_types::id::{ApproverId, Digest};
use shared_types::manifest::Learned;
use shared_types::proposal::Scope;
use shared_types::signed::Signed;

/// A home with one approver, and a ledger in which `dice` is installed.
fn installed() -> (tempfile::TempDir, Home, Ledger, Signer) {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::new(folder.path().to_owned(), None);
    crate::init::make(&home, None, &crate::init::Region::of_locale()).unwrap();
    let signer = keys::open(&keys::approver_key(&home, &owner())).unwrap();
    let mut ledger = Ledger::open(&home).unwrap();
    install(&mut ledger, dice(1));
    (folder, home, ledger, signer)
}

/// Takes a proposal the whole way, as the journal tells it.
fn install(ledger: &mut Ledger, entry: Learned) {
    use shared_types::status::Status::{AgentReview, Discovered, HumanReview, Implementation, New};
    let id = shared_types::id::ProposalId::generate();
    let text = format!(
        "proposal: {{id: {id}, kind: skill, name: dice, description: Test, capabilities: [], profile_id: default}}"
    );
    let proposal = documents::proposal::parse(&text).unwrap().proposal;
    let (profile, spec_sha256) = ("default".parse().unwrap(), Digest::of(b"spec"));
    let taken = ledger::Received { proposal, profile, file: String::new(), spec_sha256, given: None };
    ledger.append(IntakeRecord::Taken(Box::new(taken))).unwrap();
    for way in [New, Discovered, Implementation, AgentReview, HumanReview].windows(2) {
        let (from, to, actor) = (way[0], way[1], "test".to_owned());
        ledger.append(ProposalEvent::Moved { from, to, actor, reason: None }.of(&id)).unwrap();
    }
    ledger.append(ProposalEvent::Decided { decision: entry.decision.clone() }.of(&id)).unwrap();
    ledger.append(ProposalEvent::Installed { entry: Box::new(entry) }.of(&id)).unwrap();
}

fn dice(version: u32) -> Learned {
    Learned {
        name: "dice".parse().unwrap(),
        version,
        description: "rolls".into(),
        module_sha256: Digest::of(&version.to_le_bytes()),
        capabilities: TokenSet::new(),
        network: vec![],
        secrets: vec![],
        memory_scope: Scope::Own,
        file_scope: Scope::Own,
        emits_events: vec![],
        handles_events: vec![],
        dependencies: vec![],
        recipients: Default::default(),
        described: Described { description: "rolls".into(), tools: vec![], handles: vec![], emits: vec![] },
        decision: Signed::unchecked(String::new(), String::new()),
    }
}

fn owner() -> ApproverId {
    "owner".parse().unwrap()
}

#[test]
fn a_removal_is_for_this_version_under_this_manifest_by_a_listed_approver() {
    let (_folder, home, mut ledger, signer) = installed();
    let name = "dice".parse().unwrap();
    let good = sign(&ledger, &name, "loud", &owner(), &signer).unwrap();
    assert_eq!(HumanRemoval::mint(&ledger, &good).unwrap().subject(), (name.clone(), 1));

    // Every key of the signed text counts: an attacker who changes one has no signature for it.
    for (key, value) in [
        ("reason", json!("quiet")),
        ("version", json!(2)),
        ("manifest_serial", json!(9)),
        ("approver", json!("other")),
    ] {
        let mut text: serde_json::Value = serde_json::from_str(&good.text).unwrap();
        text[key] = value;
        let forged = Signed::unchecked(text.to_string(), good.signature.clone());
        assert!(HumanRemoval::mint(&ledger, &forged).is_err(), "{key}");
    }
    let stranger = keys::make(&home.keys().join("stranger.key"), None).unwrap();
    assert!(stranger.is_some());
    let theirs = keys::open(&home.keys().join("stranger.key")).unwrap();
    let forged = sign(&ledger, &name, "loud", &owner(), &theirs).unwrap();
    assert!(HumanRemoval::mint(&ledger, &forged).is_err(), "another key decides nothing");

    // An upgrade since then: the word was for another module.
    install(&mut ledger, dice(2));
    let error = HumanRemoval::mint(&ledger, &good).unwrap_err().to_string();
    assert!(error.contains("decide again"), "{error}");
}

#[test]
fn an_approval_is_no_removal() {
    let (_folder, _, ledger, signer) = installed();
    let text = json!({"verdict": "approve", "name": "dice"}).to_string();
    let signature = signer.sign(&text).unwrap();
    assert!(HumanRemoval::mint(&ledger, &Signed::unchecked(text, signature)).is_err());
}

#[test]
fn what_is_not_installed_or_is_a_part_of_the_bot_is_named_and_refused() {
    let (_folder, home, mut ledger, _) = installed();
    let builtin = ledger::manifest::shipped_builtin().unwrap();
    ledger.append(SkillRecord::Builtins { builtin: builtin.clone() }).unwrap();
    for part in builtin {
        let error = removable(&ledger, &part.name).unwrap_err().to_string();
        assert!(error.contains("part of the bot"), "{error}");
    }
    assert!(removable(&ledger, &"nobody".parse().unwrap()).is_err());
    assert!(fs::read(home.journal()).is_ok());
}
