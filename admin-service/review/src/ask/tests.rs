use std::fs;
use std::os::unix::fs::PermissionsExt;

use shared_types::exit;

use super::*;

fn file(dir: &tempfile::TempDir, bytes: &[u8], mode: u32) -> PathBuf {
    let path = dir.path().join("secret");
    fs::write(&path, bytes).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path
}

#[test]
fn a_new_secret_from_a_file_is_checked_and_not_repeated_in_the_message() {
    let dir = tempfile::tempdir().unwrap();
    let source = Source::passphrase(Some(file(&dir, b"hunter2\n", 0o600)));
    let error = source.new_one("new passphrase", check_passphrase).unwrap_err();
    assert_eq!(error.exit(), exit::USAGE);
    assert!(error.to_string().contains("at least 8") && !error.to_string().contains("hunter2"), "{error}");
    let source = Source::passphrase(Some(file(&dir, b"hunter22\n", 0o600)));
    assert_eq!(source.new_one("new passphrase", check_passphrase).unwrap().expose(), "hunter22");
}
