//! `config/skills_manifest.yaml`.

use documents::yaml;
use shared_types::manifest::Manifest;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_manifest_reads_back_the_same_and_no_entry_holds_without_an_approver() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = yaml::from_own::<Manifest>(text);
    match &parsed {
        Ok(manifest) => {
            let written = yaml::to_string(manifest).expect("a manifest can be written");
            assert_eq!(&yaml::from_own::<Manifest>(&written).expect("and read"), manifest);
            for entry in &manifest.learned {
                assert!(entry.verify(crate::approvers::genuine()).is_err());
            }
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&parsed)
}
