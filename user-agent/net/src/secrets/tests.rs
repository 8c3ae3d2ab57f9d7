use std::fs;
use std::os::unix::fs::PermissionsExt;

use models::http::Method;
use proptest::prelude::*;

use super::*;

struct Beneath {
    dir: tempfile::TempDir,
    granted: Vec<SecretName>,
}

impl Beneath {
    fn new(host: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("secrets")).unwrap();
        let place = Beneath { dir, granted: vec!["WEATHER".parse().unwrap(), "UNSET".parse().unwrap()] };
        let bound = BoundSecret::new(host.parse().unwrap(), &Secret::new("k/ey-1234".to_owned())).unwrap();
        place.write("WEATHER", &serde_json::to_string(&bound).unwrap(), 0o640);
        place.write("OTHER", &serde_json::to_string(&bound).unwrap(), 0o640);
        place
    }

    fn write(&self, name: &str, text: &str, mode: u32) {
        let path = self.dir.path().join(format!("secrets/{name}.json"));
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn fill(&self, fetch: &mut Fetch) -> Result<Filled, String> {
        let home = Home::new(self.dir.path().to_owned(), None);
        let filled = Secrets::open(&home, nix::unistd::geteuid().as_raw()).fill(&self.granted, fetch);
        filled.map_err(|why| why.to_string())
    }
}

fn get(url: &str, header: &str) -> Fetch {
    let headers = vec![("authorization".to_owned(), header.to_owned())];
    Fetch { method: Method::Get, url: url.to_owned(), headers, body: vec![] }
}

#[test]
fn a_granted_secret_is_put_into_headers_and_query_of_its_host() {
    let place = Beneath::new("api.example.org");
    let mut fetch =
        get("https://api.example.org/now?key={{secret:WEATHER}}&town=Ulm", "Key {{secret:WEATHER}}!");
    let filled = place.fill(&mut fetch).unwrap();
    assert_eq!(fetch.url, "https://api.example.org/now?key=k%2Fey-1234&town=Ulm");
    assert_eq!(fetch.headers[0].1, "Key k/ey-1234!");
    let mut answer = Exchange { status: 200, body: b"you sent k/ey-1234 and k%2Fey-1234".to_vec() };
    filled.blank(&mut answer);
    assert_eq!(answer.body, b"you sent ********* and ***********");
}

#[test]
fn a_request_without_a_secret_stays_as_it_is() {
    let place = Beneath::new("api.example.org");
    for url in ["https://other.example/?q={{x}}", "http://127.0.0.1:8/", "nonsense"] {
        let mut fetch = get(url, "plain");
        place.fill(&mut fetch).unwrap();
        assert_eq!(fetch, get(url, "plain"));
    }
}

#[test]
fn a_secret_goes_nowhere_else() {
    let place = Beneath::new("api.example.org");
    let cases = [
        ("https://evil.example/?k={{secret:WEATHER}}", "for api.example.org only"),
        ("https://api.example.org.evil.example/?k={{secret:WEATHER}}", "for api.example.org only"),
        ("https://api.example.org:8443/?k={{secret:WEATHER}}", "for api.example.org only"),
        ("https://api.example.org@evil.example/?k={{secret:WEATHER}}", "not a URL with a host"),
        ("http://api.example.org/?k={{secret:WEATHER}}", "https only"),
        ("https://api.example.org/{{secret:WEATHER}}", "nowhere else"),
        ("https://{{secret:WEATHER}}.evil.example/?", "nowhere else"),
        ("https://api.example.org/?k={{secret:OTHER}}", "not granted"),
        ("https://api.example.org/?k={{secret:../../x}}", "not granted"),
        ("https://api.example.org/?k={{secret:UNSET}}", "cl-admin secret set UNSET"),
        ("https://api.example.org/?k={{secret:WEATHER", "without its"),
    ];
    for (url, part) in cases {
        let error = place.fill(&mut get(url, "plain")).unwrap_err();
        assert!(error.contains(part), "{url}: {error}");
        assert!(!error.contains("ey-1234"));
    }
    let mut in_body = get("https://api.example.org/", "plain");
    in_body.body = b"{{secret:WEATHER}}".to_vec();
    assert!(place.fill(&mut in_body).unwrap_err().contains("nowhere else"));
    let mut in_name = get("https://api.example.org/", "plain");
    in_name.headers[0].0 = "x-{{secret:WEATHER}}".to_owned();
    assert!(place.fill(&mut in_name).unwrap_err().contains("nowhere else"));
}

#[test]
fn a_file_that_everybody_may_read_or_that_is_damaged_is_not_used() {
    let place = Beneath::new("api.example.org");
    let url = "https://api.example.org/?k={{secret:WEATHER}}";
    for (text, mode, part) in
        [("{}", 0o640, "damaged"), ("sekret", 0o640, "damaged"), ("{}", 0o644, "0644"), ("{}", 0o660, "0660")]
    {
        place.write("WEATHER", text, mode);
        let error = place.fill(&mut get(url, "plain")).unwrap_err();
        assert!(error.contains(part) && !error.contains("sekret"), "{error}");
    }
}

#[test]
fn what_could_not_be_blanked_or_sent_is_no_secret() {
    let host = || "a.example".parse().unwrap();
    for value in ["", "short", "has a space", "k\u{fc}-1234567", &"x".repeat(1025)] {
        assert!(BoundSecret::new(host(), &Secret::new(value.to_owned())).is_none(), "{value:?}");
    }
    let bound = BoundSecret::new(host(), &Secret::new("long-enough".to_owned())).unwrap();
    assert!(!format!("{bound:?}").contains("long-enough"));
}

proptest! {
    #[test]
    fn no_text_makes_it_panic_or_brings_a_secret_to_another_host(url in "\\PC{0,80}", header in "\\PC{0,60}") {
        let place = Beneath::new("api.example.org");
        let mut fetch = get(&format!("https://evil.example/?{url}{{{{secret:WEATHER}}}}"), &header);
        prop_assert!(place.fill(&mut fetch).is_err());
        let shown = format!("{fetch:?}");
        prop_assert!(!shown.contains("ey-1234"));
    }
}
