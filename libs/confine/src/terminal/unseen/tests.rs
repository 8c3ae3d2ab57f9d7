use super::*;

fn typed(keys: &[u8]) -> Result<String, io::ErrorKind> {
    read_line(&mut &keys[..]).map_err(|e| e.kind())
}

#[test]
fn a_line_ends_with_the_return_key_and_keeps_its_spaces() {
    assert_eq!(typed(b"correct horse \rmore"), Ok("correct horse ".to_owned()));
    assert_eq!(typed(b"\n"), Ok(String::new()));
}

#[test]
fn keys_can_be_taken_back_whole() {
    assert_eq!(typed("Bär\u{7f}\u{7f}oot\r".as_bytes()), Ok("Boot".to_owned()));
    assert_eq!(typed(b"\x7f\x08abc\x15def\n"), Ok("def".to_owned()));
}

#[test]
fn ctrl_c_and_an_end_give_no_answer() {
    assert_eq!(typed(b"secret\x03\r"), Err(io::ErrorKind::Interrupted));
    assert_eq!(typed(b"\x04"), Err(io::ErrorKind::UnexpectedEof));
    assert_eq!(typed(b"cut off"), Err(io::ErrorKind::UnexpectedEof));
    assert_eq!(typed(b"a\x04b\r"), Ok("ab".to_owned()));
}

#[test]
fn what_is_no_text_is_refused_and_a_flood_is_cut() {
    assert_eq!(typed(b"\xff\xfe\r"), Err(io::ErrorKind::InvalidData));
    let flood = [vec![b'x'; 5000], b"\r".to_vec()].concat();
    assert_eq!(typed(&flood).map(|line| line.len()), Ok(MOST));
}
