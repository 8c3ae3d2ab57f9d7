use axum::http::header;

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

/// Another language says a kind of refusal in its own words, those of the program where they say more, and the page's own as they are.
#[test]
fn a_refusal_is_said_in_the_language_of_the_page() {
    let said = |words: &Words, code| {
        words.of_failure(&Failed::new(axum::http::StatusCode::BAD_REQUEST, code, "no reason"))
    };
    let (en, de) = (&ALL[0], Words::of("de").unwrap());
    assert_eq!(said(en, "not_found"), "no reason");
    assert_eq!(said(de, "not_found"), "Das gibt es hier nicht, oder nicht mehr.");
    assert_eq!(said(de, "failed"), "Das ist misslungen: no reason");
    let later = Failed::new(
        axum::http::StatusCode::TOO_MANY_REQUESTS,
        "later",
        "4 wrong PINs came from here: the next try is in 20 s",
    );
    assert_eq!(
        de.of_failure(&later),
        "Von hier kamen 4 falsche PINs. Der nächste Versuch ist in 20 s möglich."
    );
    for words in ALL.iter() {
        assert_eq!(said(words, IN_WORDS), "no reason");
        assert_ne!(said(words, "no_page"), "no reason");
    }
    assert!(en.of_ready(1).starts_with("One ") && de.of_ready(3).starts_with("3 "));
}
