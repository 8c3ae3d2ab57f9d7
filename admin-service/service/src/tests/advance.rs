use api::Request;
use base::config::Config;
use base::config::gates::Gates;
use compose::rules::Finding;
use ledger::attempt::Author;
use ledger::{Ledger, ProposalEvent, Reviewed};
use pipeline::advance::{advance, advance_by, edited, open_gate};
use review::package::read_report;
use shared_types::id::{Digest, ProposalId};
use shared_types::status::{Status, Wait};

use super::decision::{owner, package, signed, world};
use crate::Runtime;
use crate::requests::handle;

fn gates(human: &[&str]) -> Gates {
    let named: String = human.iter().map(|name| format!("  {name}: human\n")).collect();
    Config::parse("admin.yaml".as_ref(), &format!("gates:\n{named}")).unwrap().gates
}

/// The state as another process would read it from the journal.
fn replayed(shared: &Runtime, id: &ProposalId) -> (Status, Option<Wait>, Option<Status>) {
    let ledger = Ledger::read(&shared.home).unwrap();
    let ticket = ledger.ticket(id).unwrap();
    (ticket.status(), ticket.waits_for(), ticket.held().map(|h| h.to))
}

/// Sends a reviewed package back to agent-review, as an edit does, so that the program has something to move.
fn in_agent_review(shared: &Runtime) -> ProposalId {
    let id = package(shared, "dice", &[]);
    edited(&mut shared.ledger(), &id, &owner(), 1, Digest::of(b"edited")).unwrap();
    id
}

#[test]
fn at_a_persons_gate_the_program_holds_and_a_person_goes_on_by_one_step() {
    let (_place, shared) = world();
    let id = in_agent_review(&shared);
    shared.ledger().set_gates(&gates(&["agent_review_to_human_review"]));
    for _ in 0..2 {
        advance(&mut shared.ledger(), &id, Status::HumanReview, "review", None).unwrap();
        assert_eq!(
            replayed(&shared, &id),
            (Status::AgentReview, Some(Wait::Person), Some(Status::HumanReview))
        );
    }
    let words = handle(&shared, Request::OpenGate { id: id.clone(), by: owner() }).unwrap();
    assert!(words.contains("human-review"), "{words}");
    assert_eq!(replayed(&shared, &id), (Status::HumanReview, Some(Wait::Person), None));
    let again = handle(&shared, Request::OpenGate { id, by: owner() }).unwrap_err();
    assert_eq!(again.exit(), shared_types::exit::REFUSED, "{again}");
}

#[test]
fn what_the_program_would_reject_is_sent_back_for_one_more_attempt_or_rejected_by_a_person() {
    let (_place, shared) = world();
    let id = in_agent_review(&shared);
    shared.ledger().set_gates(&gates(&["agent_review_to_rejected"]));
    let spent = |max| shared.ledger().ticket(&id).unwrap().attempts_are_spent(max);
    let reject =
        || advance(&mut shared.ledger(), &id, Status::Rejected, "review", Some("three attempts".into()));
    let written = |attempt| {
        let source_sha256 = Digest::of(b"more");
        let author = Author::model("m", false);
        shared.ledger().append(ProposalEvent::Written { attempt, author, source_sha256 }.of(&id)).unwrap();
    };
    written(2);
    assert!(spent(0) && !spent(1));
    reject().unwrap();
    assert_eq!(replayed(&shared, &id), (Status::AgentReview, Some(Wait::Person), Some(Status::Rejected)));
    handle(&shared, Request::OpenGate { id: id.clone(), by: owner() }).unwrap();
    assert_eq!(replayed(&shared, &id), (Status::Implementation, None, None));
    assert!(!spent(0), "a person's word grants one more attempt");
    written(3);
    assert!(spent(0), "and only one");
    advance(&mut shared.ledger(), &id, Status::AgentReview, "implementer", None).unwrap();
    reject().unwrap();
    assert_eq!(replayed(&shared, &id).0, Status::AgentReview);
    let no = Request::Reject { id: id.clone(), by: owner(), reason: "enough".into() };
    handle(&shared, no).unwrap();
    assert_eq!(replayed(&shared, &id), (Status::Rejected, None, None));
}

#[test]
fn a_package_that_has_become_a_violation_can_be_rejected_or_edited_and_not_approved() {
    let (_place, shared) = world();
    let id = package(&shared, "dice", &[]);
    let signed_before = signed(&shared, &id);
    let mut report = read_report(&shared.home, &id).unwrap();
    report.findings.push(Finding { rule: "single".into(), text: "private and out".into(), violation: true });
    let text = documents::yaml::to_string(&report).unwrap();
    std::fs::write(shared.home.package(&id).join("report.yaml"), &text).unwrap();
    let review = Reviewed {
        report_sha256: Digest::of(text.as_bytes()),
        ..shared.ledger().ticket(&id).unwrap().review().unwrap().clone()
    };
    let mut ledger = shared.ledger();
    ledger.set_gates(&gates(&["human_review_to_rejected"]));
    ledger.append(ProposalEvent::Reviewed { review: review.clone() }.of(&id)).unwrap();
    advance(&mut ledger, &id, Status::Rejected, "review", Some("private and out".into())).unwrap();
    assert_eq!(ledger.ticket(&id).unwrap().status(), Status::HumanReview);
    assert!(ledger.ticket(&id).unwrap().waits_because().unwrap().contains("private and out"));
    let signer = base::keys::open(&base::keys::approver_key(&shared.home, &owner())).unwrap();
    let refused = review::decision::sign(
        &shared.home,
        ledger.ticket(&id).unwrap(),
        &owner(),
        &signer,
        &review,
        &Default::default(),
    );
    assert!(refused.unwrap_err().to_string().contains("violation"));
    assert!(open_gate(&mut ledger, &id, &owner()).is_err());
    drop(ledger);
    assert!(handle(&shared, Request::Approve { decision: signed_before, code: None }).is_err());
    // By default the program may do it.
    shared.ledger().set_gates(&Gates::default());
    advance(&mut shared.ledger(), &id, Status::Rejected, "review", Some("private and out".into())).unwrap();
    assert_eq!(replayed(&shared, &id).0, Status::Rejected);
}

#[test]
fn nobody_accepts_by_moving() {
    let (_place, shared) = world();
    let id = package(&shared, "dice", &[]);
    assert!(advance(&mut shared.ledger(), &id, Status::Accepted, "review", None).is_err());
    assert!(advance_by(&mut shared.ledger(), &id, Status::Accepted, &owner(), None).is_err());
    assert!(advance_by(&mut shared.ledger(), &id, Status::Implementation, &owner(), None).is_err());
    shared.ledger().set_gates(&Gates::closed());
    assert!(advance(&mut shared.ledger(), &id, Status::Accepted, "review", None).is_err());
    assert_eq!(replayed(&shared, &id), (Status::HumanReview, Some(Wait::Person), None));
}
