use proptest::prelude::*;

use super::*;

fn text(bytes: &[u8], content_type: &str) -> String {
    decode(bytes, content_type, false).unwrap()
}

#[test]
fn the_encoding_is_taken_from_the_mark_the_header_or_the_page() {
    let latin = b"caf\xe9 \x80";
    assert_eq!(text(latin, "text/html; charset=iso-8859-1"), "café €");
    assert_eq!(text(latin, "text/plain"), "café €", "no UTF-8, so Western");
    assert_eq!(text("café €".as_bytes(), "text/plain"), "café €");
    assert_eq!(text("\u{feff}café".as_bytes(), "text/html; charset=latin1"), "café");
    let page = b"<html><head><meta charset=\"windows-1252\"></head>\x96";
    assert!(text(page, "text/html").ends_with('–'));
    let old = b"<meta http-equiv=Content-Type content='text/html; charset=ISO-8859-1'>\xfc";
    assert!(text(old, "text/html").ends_with('ü'));
    assert!(text(b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xfc", "text/xml").ends_with('ü'));
    assert_eq!(text(b"a\xffb", "text/html; charset=utf-8"), "a\u{fffd}b");
}

#[test]
fn pages_of_every_script_are_read() {
    assert_eq!(text(b"\x93\xfa\x96\x7b", "text/html; charset=shift_jis"), "日本");
    assert_eq!(text(b"\xd6\xd0\xce\xc4", "text/html; charset=gb2312"), "中文");
    assert!(text(b"<meta charset=koi8-r>\xcd\xc9\xd2", "text/html").ends_with("мир"));
    assert_eq!(text(b"\xa4", "text/plain; charset=iso-8859-15"), "€");
    assert_eq!(text(b"\xff\xfea\0\xac\x20", "text/html"), "a€", "the mark of UTF-16");
    assert_eq!(text(b"\0a", "text/html; charset=utf-16be"), "a");
    assert!(
        text(b"<meta charset=utf-16>\xc3\xbc", "text/html").ends_with('ü'),
        "its own word cannot be true"
    );
}

#[test]
fn what_is_no_text_or_in_an_unknown_encoding_is_refused_by_name() {
    for (bytes, content_type, part) in [
        (&b"PK\0\x03"[..], "text/plain", "binary"),
        (b"\xff\xfeP\0\0\0K\0", "text/plain", "binary"),
        (b"abc", "text/html; charset=utf-7", "`utf-7`"),
        (b"<meta charset=iso-2022-kr>", "text/html", "`iso-2022-kr`"),
    ] {
        let why = decode(bytes, content_type, false).unwrap_err();
        assert!(why.to_string().contains(part), "{why}");
    }
}

#[test]
fn a_cut_within_a_character_leaves_no_trace() {
    let bytes = "aé".as_bytes();
    assert_eq!(decode(&bytes[..2], "", true).unwrap(), "a");
    assert_eq!(decode(&bytes[..2], "text/html; charset=utf-8", true).unwrap(), "a");
    assert_eq!(decode(b"\x93\xfa\x96", "text/html; charset=shift_jis", true).unwrap(), "日");
}

proptest! {
    #[test]
    fn no_control_character_comes_through_and_nothing_grows_beyond_a_frame(
        bytes in proptest::collection::vec(any::<u8>(), 0..3000),
        content_type in "(text/html)?(; charset=(utf-16|big5|gb18030|euc-kr|iso-2022-jp|[\"a-z0-9-]{0,12}))?",
    ) {
        if let Ok(text) = decode(&bytes, &content_type, true) {
            prop_assert!(text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')));
            prop_assert!(text.len() <= bytes.len() * 3);
        }
    }
}
