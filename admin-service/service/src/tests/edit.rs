use api::Request;
use base::error::Error;
use base::package::{Package, Part};
use ledger::attempt::{Author, Objection};
use ledger::{Ledger, ProposalEvent, Reviewed, Store};
use pipeline::edit::{LONGEST_NOTE, drop_edit, hand_in, note};
use review::source::LARGEST;
use shared_types::id::{Digest, ProposalId};
use shared_types::status::Status;

use super::decision::{owner, package, signed, world};
use crate::requests::handle;

fn seen(shared: &Store, id: &ProposalId) -> Reviewed {
    shared.ledger().ticket(id).unwrap().review().unwrap().clone()
}

fn edit(shared: &Store, id: &ProposalId, source: &str) -> Result<String, Error> {
    hand_in(shared, id, &owner(), source, &seen(shared, id))
}

/// A package whose source was written by an implementer, as every real one is.
fn written(shared: &Store) -> ProposalId {
    let id = package(shared, "dice", &[]);
    let source_sha256 = Digest::of(b"source");
    let author = Author::template("dice");
    shared.ledger().append(ProposalEvent::Written { attempt: 1, author, source_sha256 }.of(&id)).unwrap();
    id
}

#[test]
fn an_edit_is_the_next_attempt_and_no_repair() {
    let (_place, shared) = world();
    let id = written(&shared);
    edit(&shared, &id, "fn edited() {}\n").unwrap();
    let ledger = Ledger::read(&shared.home).unwrap();
    let ticket = ledger.ticket(&id).unwrap();
    let attempt = ticket.attempt().unwrap();
    assert_eq!((ticket.status(), attempt.number, attempt.tries), (Status::AgentReview, 2, 1));
    assert_eq!((attempt.author.text(), &attempt.edited_by), ("edited by owner", &Some(owner())));
    let kept = Package::of(&shared.home, &id).text(Part::Attempt(2)).unwrap();
    assert_eq!(kept, "fn edited() {}\n");
}

#[test]
fn an_edit_that_is_found_wanting_gives_the_package_before_it_back() {
    let (_place, shared) = world();
    let id = written(&shared);
    let before = seen(&shared, &id);
    for round in 0..3 {
        edit(&shared, &id, &format!("fn edited{round}() {{}}\n")).unwrap();
        let attempt = shared.ledger().ticket(&id).unwrap().attempt().unwrap().clone();
        drop_edit(&shared.home, &mut shared.ledger(), &id, &attempt, vec![Objection::scan("no")]).unwrap();
        let ledger = Ledger::read(&shared.home).unwrap();
        let ticket = ledger.ticket(&id).unwrap();
        assert_eq!((ticket.status(), ticket.review()), (Status::HumanReview, Some(&before)));
        let counts = ticket.attempt().unwrap();
        assert_eq!((counts.number, counts.tries), (1, 1), "edits cost no repair");
        assert_eq!(ticket.attempts().len(), round + 2, "nothing is forgotten");
    }
    // What was signed for the package is good for it again.
    handle(&shared, Request::Approve { decision: signed(&shared, &id), code: None }).unwrap();
}

#[test]
fn a_package_whose_files_were_touched_is_made_again_from_its_attempt() {
    let (_place, shared) = world();
    let id = written(&shared);
    edit(&shared, &id, "fn edited() {}\n").unwrap();
    std::fs::write(shared.home.package(&id).join("skill.rs"), "half written").unwrap();
    let attempt = shared.ledger().ticket(&id).unwrap().attempt().unwrap().clone();
    drop_edit(&shared.home, &mut shared.ledger(), &id, &attempt, vec![Objection::scan("no")]).unwrap();
    let ledger = Ledger::read(&shared.home).unwrap();
    let ticket = ledger.ticket(&id).unwrap();
    assert_eq!((ticket.status(), ticket.attempt().unwrap().number), (Status::AgentReview, 1));
}

#[test]
fn an_edit_of_another_package_or_of_nothing_is_refused_and_changes_nothing() {
    let (_place, shared) = world();
    let id = written(&shared);
    let journal = || std::fs::read(shared.home.journal()).unwrap();
    let before = journal();
    let other = Reviewed { report_sha256: Digest::of(b"another"), ..seen(&shared, &id) };
    assert!(
        hand_in(&shared, &id, &owner(), "fn f() {}", &other).unwrap_err().to_string().contains("changed")
    );
    let large = "x".repeat(LARGEST + 1);
    for (source, told) in [
        ("source", "unchanged"),
        (" \n", "empty"),
        (large.as_str(), "at most"),
        ("fn a() {}\nfn \u{202e}b() {}", "line 2"),
        ("fn a() {}\u{1b}[2J", "line 1"),
    ] {
        let error = edit(&shared, &id, source).unwrap_err();
        assert!(error.to_string().contains(told), "{told}: {error}");
    }
    let nowhere = ProposalId::generate();
    assert!(matches!(hand_in(&shared, &nowhere, &owner(), "fn f() {}", &other), Err(Error::NotFound(_))));
    assert_eq!(journal(), before);
    handle(&shared, Request::Reject { id: id.clone(), by: owner(), reason: "no".into() }).unwrap();
    assert!(edit(&shared, &id, "fn f() {}").unwrap_err().to_string().contains("rejected"));
}

#[test]
fn a_note_stays_with_the_proposal_and_an_empty_or_endless_one_is_refused() {
    let (_place, shared) = world();
    let id = written(&shared);
    note(&shared, &id, &owner(), "ask Anna").unwrap();
    for text in ["", "  ", &"x".repeat(LONGEST_NOTE + 1)] {
        assert_eq!(note(&shared, &id, &owner(), text).unwrap_err().exit(), shared_types::exit::USAGE);
    }
    let ledger = Ledger::read(&shared.home).unwrap();
    let notes = ledger.ticket(&id).unwrap().notes();
    assert_eq!(notes.len(), 1);
    assert_eq!((notes[0].text.as_str(), &notes[0].by), ("ask Anna", &owner()));
}
