//! `config/skills_manifest.yaml`.

use documents::{manifest, yaml};
use shared_types::manifest::Manifest;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_manifest_reads_back_the_same_and_no_entry_holds_without_an_approver() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = manifest::read(text);
    match &parsed {
        Ok(read) => {
            let written = manifest::to_string(read).expect("a manifest can be written");
            assert_eq!(&manifest::read(&written).expect("and read"), read);
            assert_eq!(&yaml::from_own::<Manifest>(&written).expect("it is YAML as well"), read);
            assert_eq!(manifest::serial_of(&written), Some(read.serial));
            for entry in &read.learned {
                assert!(entry.verify(crate::approvers::genuine()).is_err());
            }
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&parsed)
}
