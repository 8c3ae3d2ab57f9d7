use axum::http::HeaderValue;

use super::*;

fn rules(address: Option<&str>, hosts: &[&str]) -> Rules {
    Rules {
        address: address.map(|text| text.parse().unwrap()),
        hosts: hosts.iter().map(|host| (*host).to_owned()).collect(),
        is_tls: false,
        proxies: vec![],
    }
}

fn headers(rows: &[(&str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in rows {
        headers
            .append(HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap());
    }
    headers
}

/// A server is called by its address with its port, by `localhost` on this machine, or by a name of the configuration.
#[test]
fn a_request_for_another_name_is_not_for_this_door() {
    let rules = rules(Some("127.0.0.1:8787"), &["companion.lan"]);
    for host in ["127.0.0.1:8787", "localhost:8787", "LOCALHOST:8787", "companion.lan", "Companion.lan:443"] {
        assert!(rules.is_for_us(Some(host)), "{host}");
    }
    for host in ["evil.example:8787", "127.0.0.1", "127.0.0.1:8788", "localhost", "127.0.0.2:8787", "", "?"] {
        assert!(!rules.is_for_us(Some(host)), "{host}");
    }
    assert!(!rules.is_for_us(None));
}

#[test]
fn an_address_of_ipv6_stands_in_brackets() {
    let rules = rules(Some("[::1]:8787"), &[]);
    assert!(rules.is_for_us(Some("[::1]:8787")) && rules.is_for_us(Some("localhost:8787")));
    assert!(!rules.is_for_us(Some("[::2]:8787")) && !rules.is_for_us(Some("[::1]")));
}

/// An address that others can reach is not `localhost`.
#[test]
fn only_an_address_of_this_machine_is_called_localhost() {
    let rules = rules(Some("192.168.1.5:80"), &[]);
    assert!(rules.is_for_us(Some("192.168.1.5")) && !rules.is_for_us(Some("localhost")));
}

/// A server that answers by TLS itself has pages of that scheme alone, is called without a port at 443, and its cookies are for TLS.
#[test]
fn a_server_with_tls_knows_its_scheme() {
    let plain = rules(Some("127.0.0.1:443"), &["companion.lan"]);
    let tls = Rules { is_tls: true, ..plain.clone() };
    let sent = |scheme: &str| {
        headers(&[("host", "companion.lan"), ("origin", &format!("{scheme}://companion.lan"))])
    };
    assert!(tls.check(&sent("https")).is_ok() && tls.check(&sent("http")).is_err());
    assert!(plain.check(&sent("https")).is_ok() && plain.check(&sent("http")).is_ok());
    assert!(tls.is_for_us(Some("127.0.0.1")) && !plain.is_for_us(Some("127.0.0.1")));
    let none = HeaderMap::new();
    assert!(tls.is_secure(&none) && !plain.is_secure(&none) && plain.is_secure(&sent("https")));
}

/// A page of another origin is refused, regardless of its name; two headers of a kind count as none.
#[test]
fn a_page_of_another_origin_is_refused() {
    let rules = rules(Some("127.0.0.1:8787"), &["companion.lan"]);
    let fine = [
        vec![("host", "127.0.0.1:8787")],
        vec![("host", "127.0.0.1:8787"), ("origin", "http://127.0.0.1:8787")],
        vec![("host", "companion.lan"), ("origin", "https://companion.lan")],
    ];
    for rows in fine {
        assert!(rules.check(&headers(&rows)).is_ok(), "{rows:?}");
    }
    let wrong = [
        vec![("host", "127.0.0.1:8787"), ("origin", "http://evil.example")],
        vec![("host", "127.0.0.1:8787"), ("origin", "null")],
        vec![("host", "127.0.0.1:8787"), ("origin", "http://127.0.0.1:8787.evil.example")],
        vec![
            ("host", "127.0.0.1:8787"),
            ("origin", "http://127.0.0.1:8787"),
            ("origin", "http://evil.example"),
        ],
        vec![("host", "127.0.0.1:8787"), ("host", "evil.example")],
        vec![],
    ];
    for rows in wrong {
        assert!(rules.check(&headers(&rows)).is_err(), "{rows:?}");
    }
}
