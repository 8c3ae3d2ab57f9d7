use super::*;

fn module(sections: &[u8]) -> Vec<u8> {
    [b"\0asm\x01\0\0\0".as_slice(), sections].concat()
}

#[test]
fn names_are_unique_and_found_again() {
    for function in HostFn::ALL {
        assert_eq!(HostFn::named(function.name()), Some(function));
        assert_eq!(serde_json::to_string(&function).unwrap(), format!("\"{function}\""));
    }
    assert_eq!(HostFn::named("exec"), None);
}

#[test]
fn every_token_with_a_host_function_is_reached_and_only_three_need_none() {
    let free: Vec<HostFn> =
        HostFn::ALL.into_iter().filter(|function| function.token() == Need::Nothing).collect();
    assert_eq!(free, [HostFn::Log, HostFn::Now, HostFn::Random]);
    let reached: TokenSet = HostFn::ALL
        .into_iter()
        .filter_map(|function| match function.token() {
            Need::Token(token) => Some(token),
            _ => None,
        })
        .collect();
    let drivers = [Token::AudioRead, Token::AudioWrite, Token::GpioRead, Token::GpioWrite];
    assert!(Token::ALL.into_iter().all(|token| reached.contains(token) != drivers.contains(&token)));
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
