//! A learned skill's module.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use guest::{Engine as _, Grants, Limits, LoadError, Module, Wasmi, describe, strip};

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn any_bytes_are_refused_as_a_module_or_describe_themselves_within_the_limits() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let loaded = Wasmi::new().load(bytes);
    stripped_is_the_same(bytes, &loaded);
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

/// What never runs can be taken out of every module that loads, and the rest is the same module.
fn stripped_is_the_same(bytes: &[u8], loaded: &Result<Box<dyn Module>, LoadError>) {
    let Ok(stripped) = strip(bytes) else {
        return assert!(loaded.is_err(), "what loads can be stripped");
    };
    assert!(stripped.len() <= bytes.len());
    assert_eq!(strip(&stripped).as_ref(), Ok(&stripped), "twice is once");
    if let Ok(module) = loaded {
        let again = Wasmi::new().load(&stripped).expect("what loads, loads without its notes");
        let (noted, bare) = (module.facts(), again.facts());
        assert!(bare.custom_sections.is_empty());
        assert_eq!(
            (&bare.imports, &bare.exports, &bare.bounds),
            (&noted.imports, &noted.exports, &noted.bounds)
        );
    }
}
