use std::os::unix::fs::PermissionsExt;

use shared_types::{exit, signature};

use super::*;

fn secret(text: &str) -> Secret {
    Secret::new(text.to_owned())
}

/// A folder with a key; the public half.
fn key(passphrase: Option<&Secret>) -> (tempfile::TempDir, PathBuf, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.key");
    let public = make(&path, passphrase).unwrap().unwrap();
    (dir, path, public)
}

#[test]
fn a_key_stays_the_same_key_under_a_passphrase_and_under_the_next() {
    let (_dir, path, public) = key(None);
    assert!(!has_passphrase(&path).unwrap());
    set_passphrase(&path, None, &secret("correct horse")).unwrap();
    assert!(has_passphrase(&path).unwrap());
    set_passphrase(&path, Some(&secret("correct horse")), &secret("battery staple")).unwrap();
    let signed = unlock(&path, &secret("battery staple")).unwrap().sign(b"yes").unwrap();
    signature::verify(&public, &signed, b"yes").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_wrong_passphrase_opens_nothing_and_changes_nothing() {
    let (_dir, path, _) = key(Some(&secret("correct horse")));
    let before = fs::read(&path).unwrap();
    for wrong in ["", "correct hors", "correct horse ", "Correct horse"] {
        let error = unlock(&path, &secret(wrong)).err().unwrap();
        assert_eq!(error.exit(), exit::REFUSED, "{wrong:?}: {error}");
        assert!(set_passphrase(&path, Some(&secret(wrong)), &secret("battery staple")).is_err());
    }
    assert_eq!(open(&path).err().unwrap().exit(), exit::REFUSED);
    assert!(set_passphrase(&path, None, &secret("battery staple")).is_err());
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_key_without_a_passphrase_opens_whatever_is_given() {
    let (_dir, path, _) = key(None);
    assert!(unlock(&path, &secret("whatever")).is_ok());
}

#[test]
fn two_seals_of_one_key_and_passphrase_differ() {
    let (_dir, path, _) = key(None);
    set_passphrase(&path, None, &secret("correct horse")).unwrap();
    let first = fs::read(&path).unwrap();
    set_passphrase(&path, Some(&secret("correct horse")), &secret("correct horse")).unwrap();
    assert_ne!(fs::read(&path).unwrap(), first);
}

#[test]
fn a_key_that_others_may_read_is_refused() {
    let (_dir, path, _) = key(None);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(open(&path).err().unwrap().exit(), exit::REFUSED);
    assert!(has_passphrase(&path).is_err());
}

#[test]
fn a_file_that_is_no_key_is_told() {
    let (_dir, path, _) = key(None);
    for text in ["", "one line\n", "untrusted comment: x\nnot base64!\n", "untrusted comment: x\nRWRTY0Iy\n"]
    {
        fs::write(&path, text).unwrap();
        assert!(open(&path).is_err(), "{text:?}");
        assert!(unlock(&path, &secret("x")).is_err(), "{text:?}");
    }
}

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
