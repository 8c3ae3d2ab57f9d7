use super::*;

#[test]
fn an_address_leads_to_the_queue_and_to_an_item() {
    let id: ProposalId = "0193e4a0-5b7c-7def-8123-456789abcdef".parse().unwrap();
    for (text, top) in [
        ("https://review.example.org", "https://review.example.org/"),
        ("https://review.example.org/", "https://review.example.org/"),
        ("https://review.example.org:8443", "https://review.example.org:8443/"),
        ("http://127.0.0.1:8788", "http://127.0.0.1:8788/"),
        ("http://localhost:8788", "http://localhost:8788/"),
        ("http://[::1]:8788", "http://[::1]:8788/"),
    ] {
        let page: PageAddress = text.parse().unwrap();
        assert_eq!(page.queue(), top);
        assert_eq!(page.item(&id), format!("{top}item/{id}"));
    }
}

#[test]
fn an_address_has_no_more_than_scheme_host_and_port() {
    for text in [
        "",
        "review.example.org",
        "//review.example.org",
        "ftp://review.example.org",
        "javascript://review.example.org",
        "https://",
        "https:///",
        "https://review.example.org/page",
        "https://review.example.org/?next=x",
        "https://review.example.org?x",
        "https://review.example.org#x",
        "https://anna@review.example.org",
        "https://anna:hunter2@review.example.org",
        "https://review.example.org:0",
        "https://review.example.org\\@evil.example",
        "https://review.example.org\r\nx-more: 1",
        "https://review.example.org\nhttps://evil.example",
        " https://review.example.org",
        "https://Review.example.org",
        "https://r\u{e9}view.example.org",
    ] {
        let error = text.parse::<PageAddress>().unwrap_err();
        assert_eq!(error, PageAddressError::Form, "{text}");
        assert!(!error.to_string().contains("hunter2"));
    }
    assert_eq!(
        "http://review.example.org".parse::<PageAddress>(),
        Err(PageAddressError::Plain("review.example.org".into()))
    );
}
