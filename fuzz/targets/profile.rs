//! `config/profiles/<id>.yaml`.

use std::path::Path;

use bot_base::config::profile;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_profiles_file_is_read_or_refused_in_text_that_is_safe_to_show() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = profile(Path::new("default.yaml"), text, 0);
    match &parsed {
        Ok(profile) => assert!(matches!(profile.language.as_deref(), None | Some("en" | "de"))),
        Err(error) => is_safe_to_show(&error.report()),
    }
    Verdict::of(&parsed)
}
