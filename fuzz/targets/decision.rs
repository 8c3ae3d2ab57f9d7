//! An approver's decision: the signed text.

use shared_types::decision::Decision;
use shared_types::signed::Signed;

use crate::harness::{Verdict, is_safe_to_show, target};
use crate::manifest_signature::{GENUINE, parts};

#[test]
fn a_decision_reads_back_the_same_and_proves_nothing_without_its_signature() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = serde_json::from_str::<Decision>(text);
    // A signature by a key of other bytes; the chain names `owner`, as the corpus does.
    let [_, signature, _] = parts(GENUINE);
    if let Ok(decision) = &parsed {
        let written = serde_json::to_string(decision).expect("a decision can be written");
        assert_eq!(&serde_json::from_str::<Decision>(&written).expect("and read"), decision);
    }
    for signature in ["", signature] {
        let signed = Signed::<Decision>::unchecked(text.to_owned(), signature.to_owned());
        let error = signed.verify(crate::approvers::genuine()).expect_err("nobody signed it");
        is_safe_to_show(&error.to_string());
    }
    Verdict::of(&parsed)
}
