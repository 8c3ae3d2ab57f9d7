//! A proposal, as the bot wrote it or as the mirror shows it.

use documents::proposal;
use documents::yaml;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_proposal_that_is_taken_keeps_its_bounds_and_reads_back_the_same() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = proposal::parse(text);
    match &parsed {
        Ok(document) => {
            let proposal = &document.proposal;
            assert!((1..=200).contains(&proposal.description.chars().count()));
            assert!(
                proposal.rationale.chars().count() <= 2_000 && proposal.user_context.chars().count() <= 2_000
            );
            assert!(
                proposal.tools.len() <= 8 && proposal.network.len() <= 8 && document.history.len() <= 100
            );
            let written = yaml::to_string(document).expect("a proposal can be written");
            if written.len() <= yaml::MAX_BYTES {
                assert_eq!(&proposal::parse(&written).expect("and read"), document);
            }
        }
        Err(faults) => {
            assert!(!faults.is_empty(), "a refusal says why");
            faults.iter().for_each(|fault| is_safe_to_show(&fault.to_string()));
        }
    }
    Verdict::of(&parsed)
}
