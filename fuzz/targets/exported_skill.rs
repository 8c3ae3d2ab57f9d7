//! A skill in one file, as `cl-admin skill import` takes it.

use pipeline::lifecycle::export::{self, Wrong};
use shared_types::id::Digest;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_skill_that_is_taken_is_what_its_digests_say() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = export::parse(text);
    match &parsed {
        Ok(checked) => {
            assert_eq!(Digest::of(checked.file.source.as_bytes()), checked.file.source_sha256);
            assert_eq!(Digest::of(checked.file.spec.as_bytes()), checked.file.spec_sha256);
            assert_eq!(checked.file.name, checked.proposal.name);
        }
        Err(Wrong::Lies(what)) => is_safe_to_show(what),
        Err(Wrong::Faults(faults)) => {
            assert!(!faults.is_empty());
            faults.iter().for_each(|fault| is_safe_to_show(&fault.to_string()));
        }
    }
    Verdict::of(&parsed)
}
