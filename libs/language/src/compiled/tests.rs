use super::*;
use crate::data::ALL;

/// Every pattern of a language, regardless of what a line begins with.
fn every_pattern(data: &'static Data) -> Vec<Compiled> {
    data.intents.iter().map(|(kind, pattern, take)| compile(kind, &pattern, take)).collect()
}

#[test]
fn every_pattern_parses() {
    for data in ALL {
        let patterns = every_pattern(data);
        assert!(patterns.len() > 50);
        for Compiled { pattern, take, .. } in patterns {
            match take {
                Take::Slot => assert!(pattern.slots().len() <= 4, "{pattern:?}"),
                Take::Text(template) => {
                    let places = |slot: &String| template.matches(&format!("{{{slot}}}")).count();
                    let filled: usize = pattern.slots().iter().map(places).sum();
                    assert_eq!(filled, template.matches('{').count(), "{template}");
                }
                Take::Line => {}
            }
        }
    }
}

#[test]
fn a_pattern_that_cannot_match_is_not_read() {
    for data in ALL {
        let all = every_pattern(data).len();
        assert!(
            data.patterns(&crate::readings("xyzzy"), |kind| kind < Kind::FollowUp).count() * 20 < all,
            "{}",
            data.code
        );
    }
}
