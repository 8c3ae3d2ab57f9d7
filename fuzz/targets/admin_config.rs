//! `admin/admin.yaml`.

use std::path::Path;
use std::time::Duration;

use base::config::Config;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn an_admin_configuration_that_is_taken_keeps_within_its_bounds() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = Config::parse(Path::new("admin.yaml"), text);
    match &parsed {
        Ok(config) => {
            assert!((Duration::from_secs(1)..=Duration::from_secs(3600)).contains(&config.poll_interval));
            assert!(config.max_repairs <= 10);
            assert!(config.limits.compile_memory >= 1200 << 20);
            let known = |name: &String| {
                name == "templates" || config.providers.iter().any(|provider| &provider.name == name)
            };
            assert!(config.implementers.iter().all(known), "{:?}", config.implementers);
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&parsed)
}
