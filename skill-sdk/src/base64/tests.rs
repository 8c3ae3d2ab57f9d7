use std::vec::Vec;

use super::*;

/// RFC 4648, section 10.
const KNOWN: [(&str, &str); 7] = [
    ("", ""),
    ("f", "Zg=="),
    ("fo", "Zm8="),
    ("foo", "Zm9v"),
    ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
];

#[test]
fn the_vectors_of_the_standard_are_written_and_read() {
    for (text, signs) in KNOWN {
        assert_eq!(encode(text), signs);
        assert_eq!(decode(signs).unwrap(), text.as_bytes());
        assert_eq!(decode(signs.trim_end_matches('=')).unwrap(), text.as_bytes());
    }
    assert_eq!(encode("Grüße 🐌"), "R3LDvMOfZSDwn5CM");
    assert_eq!(decode("-_-_").unwrap(), decode("+/+/").unwrap());
    assert_eq!(decode(" Zm9v\n YmFy ").unwrap(), b"foobar");
}

#[test]
fn every_length_and_byte_survives_the_round_trip() {
    let bytes: Vec<u8> = (0..=255).collect();
    for length in 0..=bytes.len() {
        for part in [&bytes[..length], &bytes[bytes.len() - length..]] {
            assert_eq!(decode(encode(part)).unwrap(), part);
        }
    }
}

#[test]
fn what_is_not_base64_is_refused_with_the_sign() {
    for (text, why) in [
        ("Zm9v!", "`!` does not occur in base64"),
        ("Zäh=", "`ä` does not occur in base64"),
        ("Zg==Zg==", "`Z` follows the end of the base64"),
        ("Z", "the base64 is cut off"),
        ("Zm9vY", "the base64 is cut off"),
        ("Zg=", "the base64 is cut off"),
        ("Zm9v=", "the base64 is cut off"),
        ("====", "the base64 is cut off"),
        // The bits behind the last byte must be 0, so that each text has one form.
        ("Zh==", "the base64 is cut off"),
    ] {
        assert_eq!(decode(text).map_err(String::from), Err(why.into()), "{text}");
    }
    assert!(decode([0xff]).is_err());
}
