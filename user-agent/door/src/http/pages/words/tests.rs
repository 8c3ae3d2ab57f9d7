use super::*;

#[test]
fn the_language_is_the_one_that_a_browser_likes_best() {
    let code = |accepted: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
        Words::accepted(&headers).code
    };
    for german in ["de", "DE-at", "fr, de;q=0.5", "en;q=0.3,de;q=0.7", "en;q=0, de;q=0.1"] {
        assert_eq!(code(german), "de", "{german}");
    }
    for english in ["", "en", "fr", "en,de", "de;q=0.2,en-GB;q=0.9", "de;q=0", ";;,;q=,", "deu;q=x"] {
        assert_eq!(code(english), "en", "{english}");
    }
    assert_eq!(Words::accepted(&HeaderMap::new()).code, "en");
    assert_eq!(Words::of("de").map(|words| words.code), Some("de"));
    assert!(Words::of("fr").is_none());
}
