//! An approver's decision: the signed text.

use shared_types::approvers::Approvers;
use shared_types::decision::{Decision, SignedDecision};

use crate::harness::{Verdict, is_safe_to_show, target};
use crate::manifest_signature::{GENUINE, parts};

#[test]
fn a_decision_reads_back_the_same_and_proves_nothing_without_its_signature() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = serde_json::from_str::<Decision>(text);
    // A key, and a signature by that key of other bytes.
    let [key, signature, _] = parts(GENUINE);
    let mut approvers = Approvers::default();
    if let Ok(decision) = &parsed {
        let written = serde_json::to_string(decision).expect("a decision can be written");
        assert_eq!(&serde_json::from_str::<Decision>(&written).expect("and read"), decision);
        approvers.approvers.push(Approver {
            id: decision.approver.clone(),
            public_key: key.to_owned(),
            passphrase: false,
        });
    }
    for signature in ["", signature] {
        let signed = SignedDecision { text: text.to_owned(), signature: signature.to_owned() };
        let error = signed.verify(&approvers).expect_err("nobody signed it");
        is_safe_to_show(&error.to_string());
    }
    Verdict::of(&parsed)
}
