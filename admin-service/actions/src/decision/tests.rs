use ledger::Received;
use ledger::judgement::{Judged, Verdict as Judgement};
use serde_json::json;
use shared_types::id::{Digest, ProposalId};

use super::*;

fn case(network: bool) -> ActionTicket {
    let proposal = serde_json::from_value(json!({
        "id": ProposalId::generate(), "kind": "action", "name": "shell", "description": "Runs", "capabilities": [],
        "action": {"type": "shell", "line": "true | cat", "network": network}, "profile_id": "default",
    }))
    .unwrap();
    let judged = Judged {
        verdict: Judgement::Asks,
        risk: shared_types::risk::Risk::Medium,
        rule: "medium-risk".into(),
        why: "it asks".into(),
        parts: vec![],
        plan: None,
        allowance: None,
    };
    let profile = "default".parse().unwrap();
    let taken =
        Received { proposal, profile, file: "a.yaml".into(), spec_sha256: Digest::of(b"a"), given: None };
    ActionTicket::new(taken, judged, "2026-02-07T14:30:00Z")
}

#[test]
fn what_holds_for_longer_is_bounded_and_never_has_the_network() {
    for days in [0, MAX_DAYS + 1] {
        assert!(matches!(always(&case(false), days), Err(Error::Usage(_))), "{days}");
    }
    let found = always(&case(false), 30).unwrap();
    assert_eq!(found.programs.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["true", "cat"]);
    assert!(found.until.parse::<Timestamp>().unwrap() > Timestamp::now());
    let refused = always(&case(true), 30).unwrap_err();
    assert!(matches!(refused.cause(), Some(StatementError::NetworkOnceOnly)), "{refused}");
}

#[test]
fn a_judgement_that_differs_is_another_thing_to_see() {
    let one = case(false);
    let mut other = ActionTicket::new(one.taken().clone(), one.judged().clone(), "2026-02-07T14:30:00Z");
    assert_eq!(Seen::of(&one), Seen::of(&other));
    let judged = Judged { why: "it is harmless".into(), ..one.judged().clone() };
    other = ActionTicket::new(one.taken().clone(), judged, "2026-02-07T14:30:00Z");
    assert_ne!(Seen::of(&one), Seen::of(&other));
}
