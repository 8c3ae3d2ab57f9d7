//! A learned skill's module.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use guest::{Engine as _, Grants, Limits, Wasmi, describe};

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn any_bytes_are_refused_as_a_module_or_describe_themselves_within_the_limits() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let loaded = Wasmi::new().load(bytes);
    match &loaded {
        Ok(module) => {
            let facts = module.facts();
            assert_eq!(facts.size, bytes.len());
            assert!(facts.tables <= 1);
            let limits = Limits {
                fuel: 200_000,
                fuel_slice: 50_000,
                memory_bytes: 2 << 20,
                wall: Duration::from_secs(1),
                host_wall: Duration::from_secs(1),
                host_calls: 10,
                ..Limits::default()
            };
            // A module that imports more than nothing does not link without a grant; with it, it is called.
            let bare = describe(&**module, &Grants::default(), &limits, &AtomicBool::new(false));
            assert!(bare.is_err() || (facts.derived.is_empty() && !facts.emits));
            let _ = describe(&**module, &Grants::of(facts), &limits, &AtomicBool::new(false));
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&loaded)
}
