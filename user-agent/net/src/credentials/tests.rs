use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use super::*;

struct Beneath {
    dir: tempfile::TempDir,
}

impl Beneath {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("data/credentials")).unwrap();
        fs::create_dir(dir.path().join("system")).unwrap();
        Beneath { dir }
    }

    fn home(&self) -> Home {
        Home::new(self.dir.path().to_owned(), None)
    }

    fn open(&self) -> Credentials {
        Credentials::open(&self.home(), Some(&self.dir.path().join("system"))).unwrap()
    }

    fn write(&self, name: &str, bytes: &[u8], mode: u32) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }
}

fn name(text: &str) -> CredentialName {
    text.parse().unwrap()
}

fn provider() -> ProviderConfig {
    let mut provider = ProviderConfig::embedded("p");
    provider.api_key_file = Some(name("k"));
    provider
}

fn grant() -> Grant {
    Grant {
        access_token: Secret::new("at".to_owned()),
        refresh_token: Some(Secret::new("rt".to_owned())),
        expires_at: Some(5),
        scope: Some("chat".to_owned()),
    }
}

#[test]
fn a_key_file_of_mode_0600_or_tighter_is_read_without_its_newline() {
    let place = Beneath::new();
    for mode in [0o600, 0o400] {
        place.write("data/credentials/k", b"sk-1\n", mode);
        assert_eq!(place.open().key(&name("k")).unwrap().unwrap().expose(), "sk-1");
        check(&place.home(), [&provider()]).unwrap();
        fs::remove_file(place.dir.path().join("data/credentials/k")).unwrap();
    }
    assert!(place.open().key(&name("k")).unwrap().is_none());
    check(&place.home(), [&provider()]).unwrap();
}

#[test]
fn a_file_that_others_may_use_is_refused_before_and_at_the_opening() {
    let place = Beneath::new();
    for mode in [0o640, 0o604, 0o660, 0o622, 0o644, 0o610] {
        place.write("data/credentials/k", b"sk-1", mode);
        assert!(matches!(place.open().key(&name("k")), Err(CredentialError::Wide { .. })), "{mode:o}");
        assert!(matches!(check(&place.home(), [&provider()]), Err(CredentialError::Wide { .. })), "{mode:o}");
        place.write("data/credentials/p.login.json", b"{}", mode);
        assert!(matches!(place.open().login("p"), Err(CredentialError::Wide { .. })), "{mode:o}");
    }
}

#[test]
fn a_link_a_folder_a_pipe_and_too_much_are_refused() {
    let place = Beneath::new();
    let real = place.write("real", b"sk-1", 0o600);
    let at = place.dir.path().join("data/credentials/k");
    symlink(real, &at).unwrap();
    assert!(place.open().key(&name("k")).is_err(), "a link");
    assert!(check(&place.home(), [&provider()]).is_err(), "a link");
    fs::remove_file(&at).unwrap();
    fs::create_dir(&at).unwrap();
    assert!(place.open().key(&name("k")).is_err(), "a folder");
    fs::remove_dir(&at).unwrap();
    nix::unistd::mkfifo(&at, nix::sys::stat::Mode::S_IRUSR | nix::sys::stat::Mode::S_IWUSR).unwrap();
    assert!(place.open().key(&name("k")).is_err(), "a pipe");
    fs::remove_file(&at).unwrap();
    place.write("data/credentials/k", &vec![b'a'; MOST_BYTES as usize + 1], 0o600);
    assert!(place.open().key(&name("k")).is_err(), "too much");
    assert!(check(&place.home(), [&provider()]).is_err(), "too much");
}

#[test]
fn what_is_no_key_is_refused_and_not_repeated() {
    let place = Beneath::new();
    for bytes in [&b""[..], b" \n", b"two words", b"k\xc3\xbcy", b"\xff\xfe", b"a\nb"] {
        place.write("data/credentials/k", bytes, 0o600);
        let error = place.open().key(&name("k")).unwrap_err().to_string();
        assert!(!error.contains("words"), "{error}");
    }
}

#[test]
fn the_service_managers_folder_comes_second_and_its_group_bits_are_a_mask() {
    let place = Beneath::new();
    place.write("system/k", b"from-systemd", 0o440);
    assert_eq!(place.open().key(&name("k")).unwrap().unwrap().expose(), "from-systemd");
    place.write("system/k", b"from-systemd", 0o444);
    assert!(matches!(place.open().key(&name("k")), Err(CredentialError::Wide { .. })));
    place.write("data/credentials/k", b"own", 0o600);
    assert_eq!(place.open().key(&name("k")).unwrap().unwrap().expose(), "own");
}

#[test]
fn a_login_is_stored_for_its_owner_only_read_back_and_forgotten() {
    let place = Beneath::new();
    let credentials = place.open();
    assert!(credentials.login("p").unwrap().is_none());
    credentials.store("p", &grant()).unwrap();
    let path = place.dir.path().join("data/credentials/p.login.json");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(credentials.login("p").unwrap(), Some(grant()));
    assert!(credentials.forget("p").unwrap());
    assert!(!credentials.forget("p").unwrap());
    assert!(credentials.login("p").unwrap().is_none());
}

#[test]
fn a_damaged_login_is_told_and_not_repeated() {
    let place = Beneath::new();
    for text in ["", "{}", "[1]", r#"{"access_token":"a b","token_type":"Bearer"}"#, "sekret"] {
        place.write("data/credentials/p.login.json", text.as_bytes(), 0o600);
        let error = place.open().login("p").unwrap_err().to_string();
        assert!(error.contains("log in again") && !error.contains("sekret"), "{error}");
    }
}

#[test]
fn one_at_a_time_may_change_a_login() {
    let place = Beneath::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let (one, other) = (place.open(), place.open());
        let held = one.alone("p", Duration::from_millis(50)).await.unwrap();
        assert!(other.alone("p", Duration::from_millis(50)).await.is_err());
        other.alone("q", Duration::from_millis(50)).await.unwrap();
        drop(held);
        other.alone("p", Duration::from_millis(50)).await.unwrap();
    });
}

#[test]
fn where_a_key_would_come_from_is_found_without_opening_a_file() {
    let place = Beneath::new();
    let value = serde_json::json!({"providers": [{"name": "p", "kind": "openai-compatible", "model": "m",
        "base_url": "https://x.example/v1", "api_key": "${KEY}", "api_key_file": "k", "login": {
        "authorization_url": "https://x.example/a", "token_url": "https://x.example/t", "client_id": "c",
        "redirect_uri": "http://127.0.0.1:1/"}}]});
    let provider = models::ModelsConfig::parse(value).unwrap().providers.remove(0);
    let system = place.dir.path().join("system");
    let find = |set: bool| find(&place.home(), Some(&system), &provider, |name| set && name == "KEY");
    assert_eq!(find(false).unwrap(), Found::Nowhere);
    assert_eq!(find(true).unwrap(), Found::Variable);
    place.write("system/k", b"k", 0o400);
    assert_eq!(find(true).unwrap(), Found::File);
    place.write("data/credentials/p.login.json", b"", 0o600);
    assert_eq!(find(true).unwrap(), Found::Login);
    place.write("data/credentials/k", b"k", 0o644);
    assert!(matches!(find(true), Err(CredentialError::Wide { .. })));
    let without = ProviderConfig::embedded("e");
    assert_eq!(super::find(&place.home(), None, &without, |_| true).unwrap(), Found::NotNeeded);
}
