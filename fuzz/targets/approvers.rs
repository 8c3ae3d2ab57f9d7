//! `config/approvers.yaml`.

use shared_types::decision::Approvers;
use shared_types::yaml;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_list_of_approvers_reads_back_the_same() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = yaml::from_own::<Approvers>(text);
    match &parsed {
        Ok(approvers) => {
            let written = yaml::to_string(approvers).expect("a list can be written");
            assert_eq!(&yaml::from_own::<Approvers>(&written).expect("and read"), approvers);
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&parsed)
}
