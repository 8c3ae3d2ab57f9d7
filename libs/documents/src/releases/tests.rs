use std::io::Cursor;

use minisign::KeyPair;

use super::*;

fn sign(pair: &KeyPair, text: &str) -> String {
    minisign::sign(None, &pair.sk, Cursor::new(text), None, None).expect("it signs").into_string()
}

fn pair() -> (KeyPair, String) {
    let pair = KeyPair::generate_unencrypted_keypair().expect("a key");
    let key = pair.pk.to_base64();
    (pair, key)
}

fn index(serial: u64) -> Index {
    let file = |name: &str, architecture: Option<&str>| File {
        name: name.to_owned(),
        architecture: architecture.map(str::to_owned),
        bytes: 7,
        sha256: "00".repeat(32),
    };
    let files =
        vec![file("a.tar.gz", Some("x86_64")), file("b.tar.gz", Some("aarch64")), file("SHA256SUMS", None)];
    Index::new(serial, Timestamp::UNIX_EPOCH, Version::new(1, 2, 3), files)
}

#[test]
fn what_was_signed_is_read_and_a_lower_serial_is_refused() {
    let (pair, key) = pair();
    let text = index(5).to_text().expect("a text");
    let signature = sign(&pair, &text);
    assert_eq!(open(&text, &signature, &key, 5).expect("it holds"), index(5));
    let older = open(&text, &signature, &key, 6).expect_err("it is older");
    assert!(matches!(older, IndexError::Older { found: 5, seen: 6 }), "{older}");
}

#[test]
fn an_unsigned_change_is_refused_before_anything_is_read() {
    let (pair, key) = pair();
    let text = index(5).to_text().expect("a text");
    let signature = sign(&pair, &text);
    let broken = open("{", &signature, &key, 0).expect_err("nothing of it is read");
    assert!(matches!(broken, IndexError::Signature(_)), "{broken}");
    let (_, other) = self::pair();
    assert!(open(&text, &signature, &other, 0).is_err());
}

#[test]
fn a_signed_document_about_something_else_is_refused() {
    let (pair, key) = pair();
    let text = index(5).to_text().expect("a text");
    for (changed, words) in [
        (text.replace("\"tameclaw\"", "\"other\""), "product `other`"),
        (text.replace("\"format\": 1", "\"format\": 2"), "format 2"),
        (text.replace("a.tar.gz", "../a.tar.gz"), "forbidden characters"),
        (text.replace("a.tar.gz", "a\\u001b[2J"), "forbidden characters"),
        (text.replace("1.2.3", "newest"), "cannot be read"),
        (text.replace("\"serial\": 5", "\"serial\": -5"), "cannot be read"),
    ] {
        let fault = open(&changed, &sign(&pair, &changed), &key, 0).expect_err(words).to_string();
        assert!(fault.contains(words), "{fault}");
    }
}

#[test]
fn a_key_of_a_later_version_is_skipped() {
    let (pair, key) = pair();
    let text = index(5).to_text().expect("a text").replacen('{', "{\"news\": [1, 2],", 1);
    assert_eq!(open(&text, &sign(&pair, &text), &key, 0).expect("it is read"), index(5));
}

#[test]
fn files_are_those_for_the_processor_and_those_for_all() {
    let index = index(1);
    let names: Vec<&str> = index.files_for("aarch64").map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["b.tar.gz", "SHA256SUMS"]);
}
