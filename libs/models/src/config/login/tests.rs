use serde_json::{Value, json};
use settings::models::PROVIDER;
use shared_types::proposal::Fault;

use super::*;

/// The login of a provider, or every fault of the entry.
fn login(login: Value) -> Result<LoginConfig, Vec<Fault>> {
    let entry = json!({"name": "a", "kind": "embedded", "login": login});
    let mut provider = Section::document(PROVIDER, Ok::<_, String>(entry));
    let mut section = provider.section("login");
    let login = read(&mut section);
    provider.close(section);
    let faults = provider.finish();
    if faults.is_empty() { Ok(login.expect("a login without a fault")) } else { Err(faults) }
}

fn good() -> Value {
    json!({
        "authorization_url": "https://login.example/o/authorize",
        "token_url": "https://login.example/o/token/",
        "client_id": "mine",
        "scopes": ["chat", "models:read"],
        "redirect_uri": "http://127.0.0.1:8123/callback",
    })
}

#[test]
fn a_complete_entry_is_taken_and_a_closing_slash_stays() {
    let login = login(good()).unwrap();
    assert_eq!(login.token_url.as_str(), "https://login.example/o/token/");
    assert_eq!(login.token_url.endpoint().host(), "login.example");
    assert_eq!(login.scopes, ["chat", "models:read"]);
    assert_eq!(login.revocation_url, None);
}

#[test]
fn each_missing_or_wrong_key_is_named() {
    let wrong = [
        ("authorization_url", json!("http://login.example/"), "plain http"),
        ("token_url", json!("https://login.example/?a=b"), "must be https"),
        ("token_url", Value::Null, "missing"),
        ("revocation_url", json!("ftp://x"), "must be https"),
        ("client_id", json!("two words"), "printable ASCII"),
        ("client_id", Value::Null, "missing"),
        ("redirect_uri", json!("https://x/#f"), "must be https"),
        ("scopes", json!(["a b"]), "without spaces"),
        ("scopes", json!("chat"), "list"),
        ("client_secret", json!("s3cret"), "public clients"),
        ("clientid", json!("x"), "unknown"),
    ];
    for (key, value, part) in wrong {
        let mut entry = good();
        entry[key] = value;
        let faults = login(entry).unwrap_err();
        assert!(
            faults.iter().any(|f| f.key == format!("login.{key}") && f.message.contains(part)),
            "{key}: {faults:?}"
        );
        assert!(!format!("{faults:?}").contains("s3cret"));
    }
    assert!(login(json!("yes")).is_err());
}
