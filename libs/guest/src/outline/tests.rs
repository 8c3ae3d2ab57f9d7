use super::*;

fn module(sections: &[u8]) -> Vec<u8> {
    [b"\0asm\x01\0\0\0".as_slice(), sections].concat()
}

#[test]
fn the_outline_counts_what_the_headers_say() {
    let bytes = module(&[0, 4, 3, b'a', b'b', b'c', 4, 1, 3, 5, 1, 2, 8, 1, 0, 0, 1, 0]);
    let found = outline(&bytes).unwrap();
    assert_eq!((found.start, found.memories, found.tables), (true, 2, 3));
    assert_eq!(found.custom_sections, ["abc", ""]);
}

#[test]
fn a_custom_section_may_not_have_a_name_beyond_its_end() {
    let bytes = module(&[0, 2, 5, b'a', 5, 3, 1, 0, 1]);
    assert_eq!(outline(&bytes), Err(LoadError::Malformed { at: 11, what: "a length points beyond the end" }));
}

#[test]
fn numbers_beyond_32_bits_are_refused() {
    for size in [&[0xff, 0xff, 0xff, 0xff, 0x1f][..], &[0x80, 0x80, 0x80, 0x80, 0x80, 0x00]] {
        let bytes = module(&[&[1], size].concat());
        assert!(matches!(outline(&bytes), Err(LoadError::Malformed { .. })));
    }
}

#[test]
fn the_bounds_are_what_the_sections_declare() {
    let bytes = module(&[
        3, 3, 2, 0, 0, // two functions
        4, 5, 1, 0x70, 1, 2, 9, // a table of 2 to 9 entries
        5, 3, 1, 0, 1, // a memory
        6, 6, 1, 0x7f, 0, 0x41, 0, 0x0b, // a global
        10, 3, 1, 1, 1, // code
        11, 2, 1, 1, // a piece of data
    ]);
    let expected = Bounds {
        functions: 2,
        globals: 1,
        table_min: 2,
        table_max: Some(9),
        data_segments: 1,
        code_bytes: 3,
        data_bytes: 2,
    };
    assert_eq!(outline(&bytes).unwrap().bounds, expected);
}

#[test]
fn a_table_of_something_else_than_functions_is_refused() {
    for kind in [[0x6f, 0], [0x70, 3], [0x70, 4]] {
        let bytes = module(&[4, 4, 1, kind[0], kind[1], 1]);
        assert!(matches!(outline(&bytes), Err(LoadError::Malformed { at: 11, .. })), "{kind:?}");
    }
}

#[test]
fn stripping_drops_every_custom_section_and_nothing_else() {
    let memory = [5, 3, 1, 0, 1];
    let notes = [&[0, 4, 3, b'a', b'b', b'c'][..], &memory, &[0, 1, 0], &[0, 0]].concat();
    let stripped = strip(&module(&notes)).unwrap();
    assert_eq!(stripped, module(&memory));
    assert_eq!(strip(&stripped).unwrap(), stripped);
    // A custom section whose own name lies about its length is dropped like the others.
    assert_eq!(strip(&module(&[&[0, 2, 200, 1][..], &memory].concat())).unwrap(), module(&memory));
}

#[test]
fn a_custom_section_of_ten_megabytes_is_dropped_and_a_large_rest_is_refused() {
    let large = |id: u8, bytes: usize| {
        let mut size = Vec::new();
        let mut rest = bytes;
        while rest > 0x7f {
            size.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        size.push(rest as u8);
        module(&[&[id], &size[..], &vec![0; bytes]].concat())
    };
    assert_eq!(strip(&large(0, 10 << 20)).unwrap(), module(&[]));
    assert!(matches!(strip(&large(11, 3 << 20)), Err(LoadError::TooLarge { limit: MAX_MODULE_BYTES, .. })));
}

#[test]
fn what_is_cut_off_or_no_module_is_not_stripped() {
    for bytes in
        [&b""[..], b"\0asm", b"\0asm\x02\0\0\0", b"\0asm\x01\0\0\0\x05", b"\0asm\x01\0\0\0\x05\x03\x01"]
    {
        assert!(matches!(strip(bytes), Err(LoadError::Malformed { .. })), "{bytes:?}");
    }
    let endless = module(&[5, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]);
    assert!(matches!(strip(&endless), Err(LoadError::Malformed { .. })));
}
