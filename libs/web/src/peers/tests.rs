use axum::http::HeaderValue;

use super::*;

fn of(connected: &str, proxies: &[&str], forwarded: &[&'static str]) -> String {
    let mut headers = HeaderMap::new();
    for value in forwarded {
        headers.append(FORWARDED, HeaderValue::from_static(value));
    }
    let proxies: Vec<IpAddr> = proxies.iter().map(|text| text.parse().unwrap()).collect();
    sender(connected.parse().unwrap(), &proxies, &headers).to_string()
}

/// All addresses of a /64 are one, and an address of IPv4 is the same in both spellings.
#[test]
fn a_network_of_ipv6_is_one_peer() {
    assert_eq!(of("2001:db8:1:2:3:4:5:6", &[], &[]), "2001:db8:1:2::");
    assert_eq!("2001:db8:1:2::9".parse::<Peer>(), "2001:db8:1:2:ffff::".parse::<Peer>());
    assert_ne!("2001:db8:1:3::9".parse::<Peer>(), "2001:db8:1:2::9".parse::<Peer>());
    assert_eq!(of("::ffff:192.0.2.7", &[], &[]), "192.0.2.7");
}

/// What a request says of its sender counts where a proxy that is named has added it, and no further.
#[test]
fn a_proxy_that_is_named_says_who_came_and_nobody_else_does() {
    assert_eq!(of("192.0.2.7", &[], &["203.0.113.1"]), "192.0.2.7");
    assert_eq!(of("192.0.2.7", &["127.0.0.1"], &["203.0.113.1"]), "192.0.2.7");
    let proxy = &["127.0.0.1"];
    assert_eq!(of("127.0.0.1", proxy, &["203.0.113.1"]), "203.0.113.1");
    assert_eq!(of("::ffff:127.0.0.1", proxy, &["203.0.113.1"]), "203.0.113.1");
    assert_eq!(of("127.0.0.1", proxy, &["198.51.100.1, 203.0.113.1"]), "203.0.113.1");
    assert_eq!(of("127.0.0.1", proxy, &["198.51.100.1", "203.0.113.1"]), "203.0.113.1");
    let two = &["127.0.0.1", "203.0.113.1"];
    assert_eq!(of("127.0.0.1", two, &["192.0.2.9, 198.51.100.1,203.0.113.1"]), "198.51.100.1");
    for unfit in ["", "unknown", "203.0.113.1:4711", "198.51.100.1, "] {
        assert_eq!(of("127.0.0.1", proxy, &[unfit]), "127.0.0.1", "{unfit}");
    }
}
