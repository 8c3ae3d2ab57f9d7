use std::fs;

use shared_types::exit;

use super::*;

fn file(dir: &tempfile::TempDir, bytes: &[u8], mode: u32) -> PathBuf {
    let path = dir.path().join("secret");
    fs::write(&path, bytes).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path
}

#[test]
fn a_secret_is_the_files_content_without_the_last_lines_end() {
    let dir = tempfile::tempdir().unwrap();
    for (bytes, secret) in
        [(&b"correct horse \n"[..], "correct horse "), (b"two\nlines\n\n", "two\nlines\n"), (b"", "")]
    {
        assert_eq!(from_file(&file(&dir, bytes, 0o600)).unwrap().expose(), secret);
    }
}

#[test]
fn a_file_that_others_may_read_or_that_is_no_secret_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for mode in [0o640, 0o604, 0o620, 0o644] {
        let error = from_file(&file(&dir, b"correct horse", mode)).unwrap_err();
        assert_eq!(error.exit(), exit::REFUSED, "{mode:o}");
        assert!(error.to_string().contains("chmod 600"), "{error}");
    }
    assert_eq!(from_file(&file(&dir, &[b'x'; 1025], 0o600)).unwrap_err().exit(), exit::USAGE);
    assert!(from_file(&file(&dir, b"\xff\xfe", 0o600)).is_err());
    assert!(from_file(&dir.path().join("none")).is_err());
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
