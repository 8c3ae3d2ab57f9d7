use super::*;

fn leads(from: &str, to: &str) -> bool {
    let [from, to] = [from, to].map(|address| Address::parse(address).unwrap());
    followed(&from, to).is_ok()
}

#[test]
fn a_file_is_followed_from_https_to_https_alone() {
    assert!(leads("https://hub.example/a", "https://store.example/b?sig=1"));
    assert!(!leads("https://hub.example/a", "http://store.example/b"));
    assert!(!leads("http://127.0.0.1:8000/a", "https://store.example/b"));
    assert!(!leads("http://127.0.0.1:8000/a", "http://127.0.0.1:8001/b"));
}

#[test]
fn a_part_must_say_where_it_begins() {
    let of =
        |value: &str| range(&HeaderMap::from_iter([(CONTENT_RANGE, HeaderValue::from_str(value).unwrap())]));
    let begins = |offset, total| Some(Arriving::Begins { offset, total });
    assert_eq!(of("bytes 10-99/100"), begins(10, Some(100)));
    assert_eq!(of("bytes 10-99/*"), begins(10, None));
    for odd in ["bytes */100", "items 1-2/3", "bytes -5/100", "bytes 1", ""] {
        assert_eq!(of(odd), None, "{odd}");
    }
}
