use super::*;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and the rest";

fn large(size: usize) -> Vec<u8> {
    let mut bytes = PNG.to_vec();
    bytes.resize(size, 0);
    bytes
}

#[test]
fn a_picture_is_known_by_its_first_bytes_and_never_by_its_name() {
    for (bytes, kind) in [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0 and the rest", "image/jpeg"),
        (b"GIF87a and the rest", "image/gif"),
        (b"GIF89a and the rest", "image/gif"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
    ] {
        let picture = Attachment::beside(&[], "notes.txt", bytes.to_vec()).unwrap();
        assert_eq!(picture.media_type(), kind);
    }
    for bytes in
        [&b""[..], b"\x89PNG", b"\xff\xd8", b"GIF88a", b"RIFF\x10\0\0\0WAVEfmt ", b"<svg/>", b"%PDF-1.7"]
    {
        let refused = Attachment::beside(&[], "cat.png", bytes.to_vec()).unwrap_err();
        assert_eq!(refused, AttachmentError::NotAPicture { name: "cat.png".to_owned() });
    }
}

#[test]
fn a_message_takes_four_pictures_and_two_mebibytes_together() {
    let one = Attachment::beside(&[], "a.png", large(MOST_BYTES)).unwrap();
    assert_eq!(
        Attachment::beside(&[], "a.png", large(MOST_BYTES + 1)),
        Err(AttachmentError::TooLarge { name: "a.png".to_owned(), left: MOST_BYTES })
    );
    assert_eq!(
        Attachment::beside(&[one], "b.png", PNG.to_vec()),
        Err(AttachmentError::TooLarge { name: "b.png".to_owned(), left: 0 })
    );
    let mut several = vec![];
    for _ in 0..MOST_PICTURES {
        several.push(Attachment::beside(&several, "a.png", PNG.to_vec()).unwrap());
    }
    assert_eq!(
        Attachment::beside(&several, "e.png", PNG.to_vec()),
        Err(AttachmentError::TooMany { name: "e.png".to_owned() })
    );
}

#[test]
fn what_is_shown_of_a_picture_holds_no_bytes_and_no_escapes() {
    let picture = Attachment::beside(&[], "ca\u{1b}[2Jt.png", large(119_500)).unwrap();
    let (shown, debugged) = (picture.to_string(), format!("{picture:?}"));
    assert!(shown.ends_with("t.png, 120 KB") && !shown.contains('\u{1b}'), "{shown}");
    assert!(debugged.len() < 100 && debugged.contains("image/png"), "{debugged}");
    assert!(Attachment::beside(&[], "a", PNG.to_vec()).unwrap().base64().starts_with("iVBORw0KGgo"));
}
