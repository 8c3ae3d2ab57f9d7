use serde_json::json;
use shared_types::id::ProposalId;

use super::*;
use crate::Left;

fn wish(pairs: &[(&str, &str)]) -> Proposal {
    let pairs: Vec<(String, String)> =
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let wish = json!({
        "id": ProposalId::generate(), "kind": "skill", "name": "my-rule", "description": "Does what examples show",
        "capabilities": [], "tools": lesson::tools(&pairs), "profile_id": "default",
    });
    serde_json::from_value(wish).unwrap()
}

fn written(pairs: &[(&str, &str)]) -> Answer {
    let proposal = wish(pairs);
    assert!(Examples::takes(&proposal));
    let assignment = Assignment { proposal: &proposal, feedback: None, installed: None, left: Left::ENDLESS };
    Examples.write(&assignment, &AtomicBool::new(false)).unwrap()
}

#[test]
fn a_rule_becomes_a_source_without_the_examples_in_it() {
    let pairs = [("1", "I"), ("4", "IV"), ("9", "IX"), ("7", "VII"), ("5", "V"), ("40", "XL")];
    let Answer::Written(written) = written(&pairs) else { panic!("no source") };
    assert!(written.source.contains("let the_roman = roman(the_number)?;"), "{}", written.source);
    assert!(!written.source.contains("VII"), "{}", written.source);
    assert_eq!(written.author.text(), "examples (6 pairs)");
    assert!(builder::scan::scan(&written.source).is_ok(), "{:?}", builder::scan::scan(&written.source).err());
}

#[test]
fn three_examples_are_answered_with_a_question_and_a_muddle_with_its_reason() {
    let reason = |answer: Answer| match answer {
        Answer::Infeasible { reason, .. } => reason,
        other => panic!("{other:?}"),
    };
    let three = reason(written(&[("1", "I"), ("4", "IV"), ("9", "IX")]));
    assert!(three.starts_with("one more example is needed: what is `"), "{three}");
    let muddle = reason(written(&[("cat", "7"), ("dog", "blue"), ("sun", "?"), ("tree", "no")]));
    assert!(muddle.starts_with("I found no rule for all of them"), "{muddle}");
}

#[test]
fn a_wish_in_words_is_for_others() {
    let mut proposal = wish(&[("1", "I")]);
    proposal.tools.clear();
    assert!(!Examples::takes(&proposal));
}

/// The emergency stop and the end of the service set the flag.
#[test]
fn a_cancelled_search_is_no_answer_about_the_examples() {
    let proposal = wish(&[("cat", "7"), ("dog", "blue"), ("sun", "?"), ("tree", "no")]);
    let assignment = Assignment { proposal: &proposal, feedback: None, installed: None, left: Left::ENDLESS };
    let Err(unavailable) = Examples.write(&assignment, &AtomicBool::new(true)) else { panic!("an answer") };
    assert!(unavailable.0.contains("stopped"), "{unavailable:?}");
}
