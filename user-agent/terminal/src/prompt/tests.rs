use super::*;

fn typed_ahead(bytes: &[u8]) -> Result<String, Vec<String>> {
    let mut ahead = Ahead::default();
    ahead.push(bytes);
    queued(&mut ahead, false)
}

#[test]
fn a_line_that_goes_on_waits_for_the_next_one_unless_the_person_left() {
    assert_eq!(typed_ahead(b"one\rtwo\r"), Ok("one".to_owned()));
    assert_eq!(typed_ahead(b"one \\\rtwo\r"), Ok("one \ntwo".to_owned()));
    assert_eq!(typed_ahead(b"one \\\r"), Err(vec!["one \\".to_owned()]));
    assert_eq!(typed_ahead(b"\"\"\"\rone\rtw"), Err(vec!["\"\"\"".to_owned(), "one".to_owned()]));
    assert_eq!(typed_ahead(b"one \\\r\x04"), Ok("one ".to_owned()));
    assert_eq!(typed_ahead(b""), Err(vec![]));
}
