//! A line that a person typed.

use language::{detect, draft, intent, looks_like_request, offers_to_learn};

use crate::harness::{Verdict, target};

#[test]
fn any_line_has_a_language_and_makes_a_draft_within_the_bounds_of_a_proposal() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let drafted = draft(text);
    assert!((1..=200).contains(&drafted.description.chars().count()), "{drafted:?}");
    assert!(!drafted.description.chars().any(shared_types::text::is_refused), "{drafted:?}");
    let _ = (detect(text).code(), looks_like_request(text), offers_to_learn(text));
    match intent(text) {
        Some(_) => Verdict::Taken,
        None => Verdict::Refused,
    }
}
