use serde_json::json;

use super::*;

fn line(value: &Value) -> Vec<u8> {
    Record::after(0, NOTHING_BEFORE, value).unwrap().line
}

#[test]
fn a_line_is_read_back_by_the_bytes_of_its_value() {
    for value in [json!({"b": [1, 2.5, 1.0], "a": "ü\n\u{1}"}), json!(null), json!(u64::MAX), json!({})] {
        let line = line(&value);
        let link = Link::read(&line).unwrap();
        assert_eq!((link.seq, &*link.previous), (1, NOTHING_BEFORE));
        assert!(matches!(link.value, Cow::Borrowed(_)));
        assert_eq!(link.value::<Value>().unwrap(), value);
    }
}

#[test]
fn a_line_whose_hash_covers_the_canonical_form_is_read_too() {
    // `1.0` is `1` in the canonical form.
    let canonical = digest(1, NOTHING_BEFORE, b"{\"n\":1}");
    let text = format!(
        "{{\"seq\":1,\"previous_hash\":\"{NOTHING_BEFORE}\",\"value\":{{\"n\":1.0}},\"hash\":\"{canonical}\"}}\n"
    );
    let link = Link::read(text.as_bytes()).unwrap();
    assert!(matches!(link.value, Cow::Owned(_)));
    assert_eq!(link.value::<Value>().unwrap(), json!({"n": 1.0}));
}

#[test]
fn no_changed_byte_of_a_line_passes() {
    let good = line(&json!({"a": 1, "text": "words"}));
    for at in 0..good.len() - 1 {
        for flip in [1, 0x20, 0x80] {
            let mut bad = good.clone();
            bad[at] ^= flip;
            // Only what still says the same, such as a digit of the hash in the other case, could pass; nothing does.
            assert!(Link::read(&bad).is_err(), "byte {at}: {}", String::from_utf8_lossy(&bad));
        }
    }
}

#[test]
fn what_is_smuggled_in_behind_the_value_is_no_value() {
    let inner = b"1,\"more\":2";
    let hash = digest(1, NOTHING_BEFORE, inner);
    let text = format!(
        "{{\"seq\":1,\"previous_hash\":\"{NOTHING_BEFORE}\",\"value\":1,\"more\":2,\"hash\":\"{hash}\"}}\n"
    );
    let read = Link::read(text.as_bytes()).and_then(|link| link.value::<Value>());
    assert!(matches!(read, Err(Flaw::Form(_))));
}
