//! `config/system_profile.yaml`.

use documents::yaml;
use shared_types::profile::SystemProfile;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_system_profile_reads_back_the_same() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = yaml::from_program::<SystemProfile>(text);
    match &parsed {
        Ok(profile) => {
            let written = yaml::to_string(profile).expect("a profile can be written");
            assert_eq!(&yaml::from_program::<SystemProfile>(&written).expect("and read"), profile);
            // The service reads it without the tree between.
            assert_eq!(&yaml::from_own::<SystemProfile>(&written).expect("and read"), profile);
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&parsed)
}
