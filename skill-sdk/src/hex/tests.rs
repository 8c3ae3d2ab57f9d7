use std::vec::Vec;

use super::*;

#[test]
fn bytes_survive_the_round_trip_in_either_case() {
    let bytes: Vec<u8> = (0..=255).collect();
    let text = encode(&bytes);
    assert_eq!((text.len(), &text[..8], &text[508..]), (512, "00010203", "feff"));
    assert_eq!(decode(&text).unwrap(), bytes);
    assert_eq!(decode(text.to_uppercase()).unwrap(), bytes);
    assert_eq!((encode(""), decode("").unwrap()), (String::new(), Vec::new()));
}

#[test]
fn a_text_is_its_utf_8() {
    assert_eq!(encode("Grüße"), "4772c3bcc39f65");
    assert_eq!(decode("47 72 c3bc\nC39F65").unwrap(), "Grüße".as_bytes());
}

#[test]
fn what_is_not_hex_is_refused_with_the_sign() {
    for (text, why) in [
        ("4g", "`g` does not occur in hex"),
        ("0x41", "`x` does not occur in hex"),
        ("ä0", "`ä` does not occur in hex"),
        ("414", "the hex is cut off"),
    ] {
        assert_eq!(decode(text).map_err(String::from), Err(why.into()), "{text}");
    }
    assert!(decode([0xff]).is_err());
}
