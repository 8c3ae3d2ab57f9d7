//! `config/approvers.yaml`: the chain of signed changes.

use std::sync::OnceLock;

use documents::yaml;
use shared_types::approvers::{Approvers, ApproversFile};

use crate::harness::{Verdict, is_safe_to_show, target};

/// A chain of three changes that people really signed.
const GENUINE: &str = include_str!("__fuzz__/approvers/corpus/valid-chain.yaml");

/// The approvers of the genuine chain, for targets whose entries nobody of them signed.
pub(crate) fn genuine() -> &'static Approvers {
    static CHAIN: OnceLock<Approvers> = OnceLock::new();
    CHAIN.get_or_init(|| {
        let file: ApproversFile = yaml::from_program(GENUINE).expect("the chain can be read");
        file.verify().expect("the chain holds")
    })
}

#[test]
fn a_list_of_approvers_reads_back_the_same_and_holds_only_as_far_as_it_was_signed() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = yaml::from_program::<ApproversFile>(text);
    match &parsed {
        Ok(file) => {
            let written = yaml::to_string(file).expect("a list can be written");
            assert_eq!(&yaml::from_program::<ApproversFile>(&written).expect("and read"), file);
            // The service reads it without the tree between.
            assert_eq!(&yaml::from_own::<ApproversFile>(&written).expect("and read"), file);
            match file.verify() {
                Ok(_) => {
                    // Nobody else has signed anything, so what holds is the chain or its beginning.
                    let genuine: ApproversFile = yaml::from_program(GENUINE).expect("the chain can be read");
                    let texts = |file: &ApproversFile| -> Vec<String> {
                        file.changes.iter().map(|change| change.text.clone()).collect()
                    };
                    assert!(texts(&genuine).starts_with(&texts(file)), "{text}");
                }
                Err(error) => is_safe_to_show(&error.to_string()),
            }
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&parsed)
}
