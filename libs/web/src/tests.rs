use super::*;

#[test]
fn the_language_is_the_one_that_a_browser_likes_best() {
    let code = |wishes: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, wishes.parse().unwrap());
        ["en", "de"][accepted(&headers, &["en", "de"])]
    };
    for german in ["de", "DE-at", "fr, de;q=0.5", "en;q=0.3,de;q=0.7", "en;q=0, de;q=0.1"] {
        assert_eq!(code(german), "de", "{german}");
    }
    for english in ["", "en", "fr", "en,de", "de;q=0.2,en-GB;q=0.9", "de;q=0", ";;,;q=,", "deu;q=x"] {
        assert_eq!(code(english), "en", "{english}");
    }
    assert_eq!(accepted(&HeaderMap::new(), &["en", "de"]), 0);
}

/// What an answer itself says stays; what it does not say is added.
#[test]
fn every_answer_is_sealed() {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(html::POLICY));
    seal(&mut headers);
    assert_eq!(headers[header::CONTENT_SECURITY_POLICY], html::POLICY);
    assert_eq!(headers[header::CACHE_CONTROL], "no-store");
    assert_eq!(headers.len(), ALWAYS.len());
}
