use axum::http::HeaderName;

use super::super::words::ALL;
use super::*;

fn status(method: &Method, headers: &[(HeaderName, &str)]) -> Option<u16> {
    let rules = Rules {
        address: Some("127.0.0.1:8788".parse().unwrap()),
        hosts: vec!["home.ts.net".into()],
        is_tls: false,
        proxies: vec![],
    };
    let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
    check(&rules, &ALL[0], method, &headers).err().map(|failed| failed.status.as_u16())
}

#[test]
fn a_request_names_this_server() {
    for host in ["127.0.0.1:8788", "localhost:8788", "home.ts.net"] {
        assert_eq!(status(&Method::GET, &[(header::HOST, host)]), None, "{host}");
    }
    assert_eq!(status(&Method::GET, &[(header::HOST, "evil.example")]), Some(421));
    assert_eq!(status(&Method::GET, &[]), Some(421));
}

/// A page of another site can send a form with the cookie, and cannot take its own name from it.
#[test]
fn what_changes_something_comes_from_a_page_of_this_server() {
    let host = (header::HOST, "home.ts.net");
    let origin = |origin| (header::ORIGIN, origin);
    assert_eq!(status(&Method::POST, &[host.clone(), origin("https://home.ts.net")]), None);
    assert_eq!(status(&Method::POST, std::slice::from_ref(&host)), Some(403));
    for stranger in ["https://evil.example", "null"] {
        assert_eq!(status(&Method::POST, &[host.clone(), origin(stranger)]), Some(403), "{stranger}");
        assert_eq!(status(&Method::GET, &[host.clone(), origin(stranger)]), Some(403), "{stranger}");
    }
}
