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
