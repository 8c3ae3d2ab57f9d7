//! `config/default.yaml`.

use std::path::Path;

use bot_base::config::Config;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_bot_configuration_means_the_same_when_it_is_dumped_and_read_again() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parse = |text: &str| Config::parse(Path::new("default.yaml"), text);
    let parsed = parse(text);
    match &parsed {
        Ok(config) => {
            assert!((1..=50).contains(&config.limits.max_tool_rounds));
            assert!(config.local.iter().all(|host| host.port().is_some()));
            let dump = bot_base::config::dump(Path::new("default.yaml"), text).expect("a configuration");
            let again = parse(&dump.to_string()).expect("a dump is a configuration");
            assert_eq!(&again, config);
        }
        Err(error) => is_safe_to_show(&error.report()),
    }
    Verdict::of(&parsed)
}
