//! The log of facts, regardless of what a crash or a hand has left in it.

use std::fs;

use memory::{Disk, Jsonl, Recall};
use tempfile::TempDir;

use crate::harness::{Verdict, target};

#[test]
fn a_log_that_is_damaged_still_answers_with_the_facts_that_are_whole() {
    target!(bytes holds);
}

fn holds(log: &[u8]) -> Verdict {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("facts.jsonl"), log).expect("a file can be written");
    let store = Jsonl::new(Disk::new(folder.path()));
    let Ok(facts) = store.facts(100) else { return Verdict::Refused };
    let Ok(found) = store.search_facts("cat katze \u{732b} 1", 5) else { return Verdict::Refused };
    assert!(facts.len() <= 100 && found.len() <= 5);
    let Ok(all) = store.facts(usize::MAX) else { return Verdict::Refused };
    for fact in &found {
        assert!(all.contains(fact), "what is found is one of the facts");
    }
    if facts.is_empty() { Verdict::Refused } else { Verdict::Taken }
}
