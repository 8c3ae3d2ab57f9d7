use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use models::ModelsConfig;
use serde_json::{Value, json};
use shared_types::home::Home;
use tempfile::TempDir;

use super::*;
use crate::records::RecordFiles;

fn provider(extra: Value) -> ProviderConfig {
    let mut entry = json!({"name": "p", "kind": "openai-compatible", "model": "m",
        "base_url": "https://models.example/v1"});
    entry.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    ModelsConfig::parse(json!({"providers": [entry]})).unwrap().providers.remove(0)
}

fn three_ways() -> ProviderConfig {
    provider(json!({"api_key": "${KEY}", "api_key_file": "k", "login": {
        "authorization_url": "http://127.0.0.1:9/a", "token_url": "http://127.0.0.1:9/t",
        "client_id": "c", "redirect_uri": "http://127.0.0.1:8123/"}}))
}

fn world() -> (TempDir, Home) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("data/credentials")).unwrap();
    let home = Home::new(dir.path().to_owned(), None);
    (dir, home)
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

fn asked(
    home: &Home,
    provider: &ProviderConfig,
    variable: Option<&str>,
) -> Result<Option<Key>, TransportError> {
    let credentials = Credentials::open(home, None).unwrap();
    let keys = Keys::read(std::slice::from_ref(provider), Some(credentials), |name| {
        variable.filter(|_| name == "KEY").map(str::to_owned)
    });
    let files = RecordFiles::open(home, &"default".parse().unwrap(), None).unwrap();
    let wire = Wire { client: Rc::new(Client::new(vec![])), records: Rc::new(Records::new(files)) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
    runtime.block_on(keys.key(&wire, provider))
}

fn sent(home: &Home, provider: &ProviderConfig, variable: Option<&str>) -> String {
    asked(home, provider, variable).unwrap().unwrap().secret.expose().to_owned()
}

#[test]
fn a_login_comes_before_a_file_and_a_file_before_the_environment() {
    let (_dir, home) = world();
    let provider = three_ways();
    assert_eq!(sent(&home, &provider, Some("of-env\n")), "of-env");
    write(&home.credentials().join("k"), "of-file\n");
    assert_eq!(sent(&home, &provider, Some("of-env")), "of-file");
    write(&home.credentials().join("p.login.json"), r#"{"access_token":"of-login","token_type":"Bearer"}"#);
    assert_eq!(sent(&home, &provider, Some("of-env")), "of-login");
}

#[test]
fn without_any_key_all_three_ways_are_named() {
    let (_dir, home) = world();
    for (provider, parts) in [
        (three_ways(), ["`cl-bot login p`", "data/credentials/k (mode 0600)", "set the variable KEY"]),
        (provider(json!({"api_key": "${KEY}"})), ["`login`", "`api_key_file`", "set the variable KEY"]),
    ] {
        for variable in [None, Some(""), Some("  ")] {
            let Err(TransportError::NoKey(why)) = asked(&home, &provider, variable) else { panic!() };
            assert!(parts.iter().all(|part| why.contains(part)), "{why}");
        }
    }
    assert!(
        asked(&home, &provider(json!({})), None).unwrap().is_none(),
        "none is configured, none is needed"
    );
}

#[test]
fn a_file_that_must_not_be_used_is_no_reason_to_take_the_next_way() {
    let (_dir, home) = world();
    let file = home.credentials().join("k");
    write(&file, "of-file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let Err(TransportError::NoKey(why)) = asked(&home, &three_ways(), Some("of-env")) else { panic!() };
    assert!(why.contains("0644"), "{why}");
}

#[test]
fn an_ended_login_without_a_refresh_token_says_what_to_do() {
    let (_dir, home) = world();
    let text = r#"{"access_token":"old","token_type":"Bearer","expires_at":1000}"#;
    write(&home.credentials().join("p.login.json"), text);
    let Err(TransportError::NoKey(why)) = asked(&home, &three_ways(), Some("of-env")) else { panic!() };
    assert!(why.contains("run `cl-bot login p`"), "{why}");
}

#[test]
fn a_renewal_that_reaches_nobody_keeps_the_login() {
    let (_dir, home) = world();
    let text = r#"{"access_token":"old","refresh_token":"rt","token_type":"Bearer","expires_at":1000}"#;
    write(&home.credentials().join("p.login.json"), text);
    let Err(TransportError::Network(why)) = asked(&home, &three_ways(), None) else { panic!() };
    assert!(why.contains("could not be renewed"), "{why}");
    assert_eq!(fs::read_to_string(home.credentials().join("p.login.json")).unwrap(), text);
}
