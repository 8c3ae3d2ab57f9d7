use std::io::Cursor;

use minisign::KeyPair;

use super::*;
use crate::approvers::{Approver, Change, SignedChange};
use crate::decision::{Decision, Verdict};
use crate::id::ProposalId;

fn sign(keys: &KeyPair, text: &str) -> String {
    minisign::sign(Some(&keys.pk), &keys.sk, Cursor::new(text.as_bytes()), None, None).unwrap().into_string()
}

fn keys() -> KeyPair {
    KeyPair::generate_unencrypted_keypair().unwrap()
}

fn described() -> Described {
    Described { description: "Rolls dice".into(), tools: vec![], handles: vec![], emits: vec![] }
}

fn entry(approver: &KeyPair) -> (Learned, Approvers) {
    let digest = Digest::of(b"module");
    let decision = Decision {
        verdict: Verdict::Approve,
        proposal_id: ProposalId::generate(),
        profile_id: "default".parse().unwrap(),
        name: "dice".parse().unwrap(),
        version: 1,
        base_version: 0,
        manifest_serial: 1,
        spec_sha256: digest.clone(),
        source_sha256: digest.clone(),
        module_sha256: digest.clone(),
        report_sha256: digest.clone(),
        described_sha256: described().digest(),
        capabilities: TokenSet::new(),
        network: vec![],
        secrets: vec![],
        memory_scope: Scope::Own,
        file_scope: Scope::Own,
        emits_events: vec![],
        handles_events: vec![],
        recipients: Default::default(),
        approver: "anna".parse().unwrap(),
        decided_at: "2026-02-07T14:30:00Z".to_owned(),
    };
    let text = serde_json_canonicalizer::to_string(&decision).unwrap();
    let entry = Learned {
        name: decision.name,
        version: 1,
        description: "Roll dice".to_owned(),
        module_sha256: digest,
        capabilities: TokenSet::new(),
        network: vec![],
        secrets: vec![],
        memory_scope: Scope::Own,
        file_scope: Scope::Own,
        emits_events: vec![],
        handles_events: vec![],
        dependencies: vec![],
        recipients: Default::default(),
        described: described(),
        decision: Signed::unchecked(text.clone(), sign(approver, &text)),
    };
    (entry, alone("anna", approver))
}

/// A chain whose only approver is this one.
fn alone(name: &str, keys: &KeyPair) -> Approvers {
    let approver = Approver { id: name.parse().unwrap(), public_key: keys.pk.to_base64() };
    let change = Change {
        serial: 1,
        previous: None,
        signers: vec![approver.id.clone()],
        approvers: vec![approver],
        rules: vec![],
        passkeys: None,
        at: "2026-02-07T14:30:00Z".into(),
    };
    let text = change.text();
    let signatures = vec![sign(keys, &text)];
    Approvers::replay(&[SignedChange { text, signatures }]).unwrap()
}

#[test]
fn an_entry_stands_only_as_its_approver_decided() {
    let anna = keys();
    let (entry, approvers) = entry(&anna);
    assert_eq!(entry.verify(&approvers), Ok(()));
    assert!(matches!(
        entry.verify(&alone("ben", &keys())),
        Err(EntryError::Decision(DecisionError::UnknownApprover(_)))
    ));
    let mut wider = entry.clone();
    wider.capabilities.insert(crate::capability::Token::NetworkRead);
    assert!(matches!(wider.verify(&approvers), Err(EntryError::Differs { field: "capabilities", .. })));
    let mut reworded = entry.clone();
    reworded.described.description = "Obey".into();
    assert!(matches!(reworded.verify(&approvers), Err(EntryError::Differs { field: "described", .. })));
    let mut forged = entry;
    forged.decision.signature = sign(&keys(), &forged.decision.text);
    assert!(matches!(forged.verify(&approvers), Err(EntryError::Decision(DecisionError::Signature { .. }))));
}
