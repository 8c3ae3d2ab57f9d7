use std::fs;
use std::path::Path;

use api::Request;
use base::error::Error;
use base::home::Home;
use base::keys;
use documents::proposal;
use guest::Facts;
use ledger::{IntakeRecord, ProposalEvent, Received, Recommendation, Reviewed, SkillRecord, Store};
use pipeline::advance::{accept, advance};
use pipeline::decision::{HumanDecision, Yes};
use review::approvers;
use review::decision::sign;
use review::report::Report;
use shared_types::capability::{Token, TokenSet};
use shared_types::decision::Decision;
use shared_types::id::{ApproverId, Digest, ProposalId};
use shared_types::manifest::Manifest;
use shared_types::recipients::Recipients;
use shared_types::signed::Signed;
use shared_types::status::Status;

use crate::requests::handle;
use crate::{Runtime, init};

/// A fresh home with its service opened.
pub(crate) fn world() -> (tempfile::TempDir, Runtime) {
    let place = tempfile::tempdir().unwrap();
    let home = Home::new(place.path().join("home"), None);
    init::make(&home, None, &init::Region::of_locale()).unwrap();
    let shared = Runtime::open(&home, true).unwrap();
    (place, shared)
}

/// A package in human-review, as agent-review would leave it.
pub(crate) fn package(shared: &Store, name: &str, tokens: &[Token]) -> ProposalId {
    let id = ProposalId::generate();
    let text = format!(
        "proposal: {{id: {id}, kind: skill, name: {name}, description: Test, capabilities: [], profile_id: default}}"
    );
    let document = proposal::parse(&text).unwrap();
    let folder = shared.home.package(&id);
    base::folders::make_folder(&folder, 0o700).unwrap();
    let derived: TokenSet = tokens.iter().copied().collect();
    let report = Report {
        proposal_id: id.clone(),
        profile_id: "default".parse().unwrap(),
        name: name.parse().unwrap(),
        version: 1,
        base_version: 0,
        manifest_serial: shared.ledger().serial(),
        recommendation: Recommendation::Approve,
        sentence: String::new(),
        derived: derived.clone(),
        declared: derived.clone(),
        network: vec![],
        secrets: vec![],
        memory_scope: Default::default(),
        file_scope: Default::default(),
        emits_events: vec![],
        handles_events: vec![],
        findings: vec![],
        trials: vec![],
        module: Facts {
            imports: vec![],
            derived,
            emits: false,
            size: 6,
            memory_min_pages: 1,
            memory_max_pages: None,
            tables: 0,
            custom_sections: vec![],
            bounds: Default::default(),
            exports: vec![],
        },
        described: guest::Described {
            description: "Test".into(),
            tools: vec![],
            handles: vec![],
            emits: vec![],
        },
        author: "test".into(),
        attempt: 1,
        compiler: "none".into(),
        lines: 1,
        spec_sha256: Digest::of(text.as_bytes()),
        source_sha256: Digest::of(b"source"),
        module_sha256: Digest::of(b"module"),
    };
    let report_text = documents::yaml::to_string(&report).unwrap();
    for (file, bytes) in [
        ("proposal.yaml", text.as_bytes()),
        ("skill.rs", b"source"),
        ("skill.wasm", b"module"),
        ("report.yaml", report_text.as_bytes()),
    ] {
        fs::write(folder.join(file), bytes).unwrap();
    }
    let mut ledger = shared.ledger();
    ledger
        .append(IntakeRecord::Taken(Box::new(Received {
            proposal: document.proposal,
            profile: "default".parse().unwrap(),
            file: format!("{name}-{id}.yaml"),
            spec_sha256: report.spec_sha256.clone(),
            given: None,
        })))
        .unwrap();
    for to in [Status::Discovered, Status::Implementation, Status::AgentReview] {
        advance(&mut ledger, &id, to, "test", None).unwrap();
    }
    let review = Reviewed {
        source_sha256: report.source_sha256.clone(),
        module_sha256: report.module_sha256.clone(),
        report_sha256: Digest::of(report_text.as_bytes()),
        manifest_serial: report.manifest_serial,
        recommendation: Recommendation::Approve,
    };
    ledger.append(ProposalEvent::Reviewed { review }.of(&id)).unwrap();
    advance(&mut ledger, &id, Status::HumanReview, "test", None).unwrap();
    id
}

fn approve(decision: Signed<Decision>) -> Request {
    Request::Approve { decision, code: None }
}

pub(crate) fn owner() -> ApproverId {
    "owner".parse().unwrap()
}

pub(crate) fn signed(shared: &Store, id: &ProposalId) -> Signed<Decision> {
    let ledger = shared.ledger();
    let ticket = ledger.ticket(id).unwrap();
    let signer = keys::open(&keys::approver_key(&shared.home, &owner())).unwrap();
    sign(&shared.home, ticket, &owner(), &signer, ticket.review().unwrap(), &Recipients::default()).unwrap()
}

fn manifest(home: &Home) -> Manifest {
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    documents::manifest::open(
        &read(&home.manifest()),
        &read(&home.manifest_signature()),
        &read(&home.trust()),
        0,
    )
    .unwrap()
}

#[test]
fn an_approved_package_is_installed_with_its_decision() {
    let (_place, shared) = world();
    let id = package(&shared, "alpha", &[Token::MemoryRead]);
    let decision = signed(&shared, &id);
    handle(&shared, approve(decision)).unwrap();
    assert_eq!(shared.ledger().ticket(&id).unwrap().status(), Status::Accepted);
    let manifest = manifest(&shared.home);
    assert_eq!(manifest.learned[0].verify(&approvers::read(&shared.home).unwrap()), Ok(()));
    assert_eq!(fs::read(shared.home.module(&"alpha".parse().unwrap(), 1)).unwrap(), b"module");
}

#[test]
fn a_decision_that_differs_in_any_field_is_refused() {
    let (_place, shared) = world();
    let id = package(&shared, "alpha", &[]);
    let good = signed(&shared, &id);
    let signer = keys::open(&keys::approver_key(&shared.home, &owner())).unwrap();
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&good.text).unwrap();
    for (field, other) in [
        ("module_sha256", serde_json::json!(Digest::of(b"other"))),
        ("source_sha256", serde_json::json!(Digest::of(b"other"))),
        ("report_sha256", serde_json::json!(Digest::of(b"other"))),
        ("described_sha256", serde_json::json!(Digest::of(b"other"))),
        ("spec_sha256", serde_json::json!(Digest::of(b"other"))),
        ("capabilities", serde_json::json!(["network:read"])),
        ("network", serde_json::json!(["evil.example"])),
        ("version", serde_json::json!(2)),
        ("base_version", serde_json::json!(1)),
        ("manifest_serial", serde_json::json!(99)),
        ("memory_scope", serde_json::json!("profile")),
        ("emits_events", serde_json::json!(["a.b"])),
        ("profile_id", serde_json::json!("other")),
        ("name", serde_json::json!("other")),
        ("approver", serde_json::json!("stranger")),
    ] {
        let mut changed = fields.clone();
        changed.insert(field.into(), other);
        let text = serde_json_canonicalizer::to_string(&changed).unwrap();
        let signature = signer.sign(&text).unwrap();
        let refused = handle(&shared, approve(Signed::unchecked(text, signature)));
        assert!(matches!(refused, Err(Error::Refused(_))), "{field}: {refused:?}");
    }
    assert!(manifest(&shared.home).learned.is_empty());
}

#[test]
fn the_admins_own_key_decides_nothing() {
    let (_place, shared) = world();
    let id = package(&shared, "alpha", &[]);
    let mut decision = signed(&shared, &id);
    decision.signature =
        keys::open(&keys::manifest_key(&shared.home)).unwrap().sign(decision.text.as_bytes()).unwrap();
    assert!(matches!(handle(&shared, approve(decision)), Err(Error::Refused(_))));
}

#[test]
fn a_decision_for_an_older_manifest_is_refused_and_the_package_is_analysed_again() {
    let (_place, shared) = world();
    let (first, second) = (package(&shared, "alpha", &[]), package(&shared, "beta", &[]));
    let late = signed(&shared, &second);
    let decision = signed(&shared, &first);
    handle(&shared, approve(decision)).unwrap();
    assert!(matches!(handle(&shared, approve(late)), Err(Error::Refused(_))));
    let serial = shared.ledger().serial();
    assert_eq!(shared.ledger().ticket(&second).unwrap().review().unwrap().manifest_serial, serial);
    let decision = signed(&shared, &second);
    handle(&shared, approve(decision)).unwrap();
    assert_eq!(manifest(&shared.home).learned.len(), 2);
}

/// Report and review are those that the person saw; only the journal's serial has gone on.
#[test]
fn a_decision_for_the_manifest_before_is_refused_though_the_package_is_the_same() {
    let (_place, shared) = world();
    let id = package(&shared, "alpha", &[]);
    let decision = signed(&shared, &id);
    let mut ledger = shared.ledger();
    let builtin = ledger.builtin().to_vec();
    ledger.append(SkillRecord::Builtins { builtin }).unwrap();
    let refused = HumanDecision::mint(&shared.home, &ledger, &decision).unwrap_err().to_string();
    assert!(refused.contains("is in force"), "{refused}");
}

#[test]
fn bytes_swapped_after_the_review_are_not_installed() {
    let (_place, shared) = world();
    let id = package(&shared, "alpha", &[]);
    let decision = signed(&shared, &id);
    fs::write(shared.home.package(&id).join("skill.wasm"), b"swapped").unwrap();
    assert!(matches!(handle(&shared, approve(decision)), Err(Error::Integrity(_))));
    assert!(manifest(&shared.home).learned.is_empty());
}

#[test]
fn an_acceptance_cut_off_at_any_step_is_ended_once_by_the_next_start() {
    for cut_after in ["decision", "installation", "manifest"] {
        let (_place, shared) = world();
        let id = package(&shared, "alpha", &[]);
        let proof = signed(&shared, &id);
        let Yes::Whole(decision) = HumanDecision::mint(&shared.home, &shared.ledger(), &proof).unwrap()
        else {
            panic!("one yes is enough here")
        };
        {
            let mut ledger = shared.ledger();
            let acceptance = accept(&mut ledger, *decision).unwrap();
            if cut_after != "decision" {
                pipeline::install::install(&shared.home, &mut ledger, &acceptance).unwrap();
            }
            if cut_after == "installation" {
                // As if the crash came between the journal's record and the manifest.
                fs::remove_file(shared.home.manifest()).unwrap();
            }
        }
        let home = shared.home.clone();
        drop(shared);
        let shared = Runtime::open(&home, true).unwrap();
        let never = std::sync::atomic::AtomicBool::new(false);
        pipeline::driver::Driver::default().pass(&shared, &shared.intake, &never).unwrap();
        assert_eq!(shared.ledger().ticket(&id).unwrap().status(), Status::Accepted, "{cut_after}");
        assert_eq!(manifest(&home).learned.len(), 1, "{cut_after}");
        assert_eq!(shared.ledger().highest_version(&"alpha".parse().unwrap()), 1, "{cut_after}");
        let text = fs::read_to_string(home.journal()).unwrap();
        assert_eq!(text.matches("\"installed\"").count(), 1, "{cut_after}");
    }
}

#[test]
fn acceptance_without_a_decision_is_no_move_at_all() {
    let (_place, shared) = world();
    let id = package(&shared, "alpha", &[]);
    let refused = advance(&mut shared.ledger(), &id, Status::Accepted, "anybody", None);
    assert!(matches!(refused, Err(Error::IllegalMove(_))));
}
