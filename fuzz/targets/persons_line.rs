//! A line that a person typed.

use language::{detect, draft, intent, looks_like_request, offers_to_learn, restate};

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
    read_otherwise(text);
    match intent(text) {
        Some(_) => Verdict::Taken,
        None => Verdict::Refused,
    }
}

/// Every other way in which the companion reads a line, beside a fact and a line before it that are as strange.
fn read_otherwise(text: &str) {
    let facts = [text.to_owned(), "the meeting is on 14 may at 3".to_owned()];
    for fact in &facts {
        let _ = (language::corrected(text, fact), restate::answers(text, fact), restate::day(fact));
    }
    let _ =
        (restate::near(text, text, &facts), restate::find(text, &facts), language::dated(text, &facts, &[]));
    let _ =
        (language::about(text), language::sought(text), language::ended(text), language::takes_back(text));
    let _ =
        (language::otherwise(text), language::of_last(text), language::refusal(language::asked_part(text)));
    let _ = language::sum::sum(text, &[text], detect(text));
}
