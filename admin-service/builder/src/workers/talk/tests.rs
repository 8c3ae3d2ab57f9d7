use super::*;

#[test]
fn a_frame_reads_as_it_was_written_and_a_broken_one_is_refused() {
    let mut written = Vec::new();
    for frame in [&b"one"[..], b"", b"three"] {
        write_frame(&mut written, frame).unwrap();
    }
    let mut input = written.as_slice();
    for frame in [&b"one"[..], b"", b"three"] {
        assert_eq!(read_frame(&mut input).unwrap().unwrap(), frame);
    }
    assert!(read_frame(&mut input).unwrap().is_none());
    let too_long = u32::try_from(MOST_FRAME + 1).unwrap().to_le_bytes();
    for broken in [&b"\x05\0\0\0four"[..], b"\x05\0", &too_long] {
        assert!(read_frame(&mut { broken }).is_err(), "{broken:?}");
    }
    assert!(write_frame(&mut Vec::new(), &vec![0; MOST_FRAME + 1]).is_err());
}
