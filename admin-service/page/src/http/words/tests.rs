use axum::http::{HeaderMap, header};

use super::*;

#[test]
fn the_language_is_the_one_that_a_browser_likes_best() {
    let mut headers = HeaderMap::new();
    assert_eq!(Words::accepted(&headers).code, "en");
    headers.insert(header::ACCEPT_LANGUAGE, "fr, de;q=0.5".parse().unwrap());
    assert_eq!(Words::accepted(&headers).code, "de");
    assert_eq!(Words::of("de").map(|words| words.code), Some("de"));
    assert!(Words::of("fr").is_none());
}

/// What is filled in is filled in once: a fact with braces stays as it is.
#[test]
fn no_brace_is_left() {
    for words in ALL.iter() {
        let all = [
            words.for_profile("anna"),
            words.asked_times(3),
            words.recommended("x"),
            words.silent("https://sign.example.org"),
            words.arguments("roll", "dice"),
            words.call("roll"),
            words.tried_by("roll"),
            words.wrong_host("x"),
        ];
        for said in all {
            assert!(!said.contains(['{', '}']), "{said}");
        }
        assert!(words.call("{tool}").contains("{tool}"));
    }
}

#[test]
fn every_state_is_said_in_words() {
    for words in ALL.iter() {
        for status in Status::ALL {
            for waits_for in Wait::ALL.map(Some).into_iter().chain([None]) {
                let item = Item { status, waits_for, ..super::super::item::tests::item() };
                let said = words.state(&item);
                assert!(said.contains(words.status(status)), "{said}");
            }
        }
    }
}
