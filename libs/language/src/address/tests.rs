use super::*;

#[test]
fn an_address_is_found_in_a_line() {
    for (line, url, host) in [
        (
            "learn to read the news from https://example.org/feed.xml",
            "https://example.org/feed.xml",
            "example.org",
        ),
        ("lerne, die Nachrichten von „https://example.org“ zu lesen.", "https://example.org", "example.org"),
        ("news (http://127.0.0.1:8080/a?b=c).", "http://127.0.0.1:8080/a?b=c", "127.0.0.1:8080"),
    ] {
        assert_eq!(of(line), Some(Address { url, host }), "{line}");
    }
}

#[test]
fn what_is_no_plain_address_is_none() {
    let long = format!("https://example.org/{}", "a".repeat(300));
    for line in [
        "",
        "example.org",
        "ftp://example.org",
        "https://",
        "https://a@example.org/",
        "https://example.org/\u{202e}x",
        &long,
    ] {
        assert_eq!(of(line), None, "{line}");
    }
}
