use super::*;

fn lines(mut input: &[u8]) -> Vec<Line> {
    std::iter::from_fn(|| next(&mut input).expect("bytes of memory can be read")).collect()
}

#[test]
fn a_line_is_a_message_and_one_that_is_too_long_is_dropped_whole() {
    let long = [vec![b'x'; 3 * MOST as usize], b"\nafter\n".to_vec()].concat();
    assert_eq!(lines(&long), [None, Some(b"after\n".to_vec())]);
    assert_eq!(lines(b"a\n\nb"), [Some(b"a\n".to_vec()), Some(b"\n".to_vec()), Some(b"b".to_vec())]);
    assert_eq!(lines(&vec![b'x'; MOST as usize]), [Some(vec![b'x'; MOST as usize])]);
    assert_eq!(lines(&vec![b'x'; MOST as usize + 1]), [None]);
    assert!(lines(b"").is_empty());
}

#[test]
fn only_an_object_of_the_version_with_a_method_is_heard() {
    let method = |line: &str| matches!(heard(Some(line.as_bytes())), Heard::Method { .. });
    assert!(method(r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#));
    assert!(method(r#"{"jsonrpc":"2.0","method":"a"}"#));
    assert_eq!(heard(Some(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#)), Heard::Nothing);
    assert_eq!(heard(Some(b" \n")), Heard::Nothing);
    for (line, code) in [
        ("x", NO_JSON),
        ("[]", NO_REQUEST),
        ("{\"id\":1,\"method\":\"a\"}", NO_REQUEST),
        (r#"{"jsonrpc":"2.0"}"#, NO_REQUEST),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"a"}"#, NO_REQUEST),
    ] {
        let Heard::Refused(answer) = heard(Some(line.as_bytes())) else { panic!("{line}") };
        assert_eq!((&answer["id"], answer["error"]["code"].as_i64()), (&Value::Null, Some(code)), "{line}");
    }
    let Heard::Refused(answer) = heard(None) else { panic!("a line that is too long") };
    assert_eq!(answer["error"]["code"], NO_REQUEST);
}
