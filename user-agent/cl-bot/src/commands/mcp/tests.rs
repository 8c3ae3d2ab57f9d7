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
fn only_the_running_call_is_called_off() {
    let ears = Ears { running: Arc::new(Mutex::new(Some(json!("7")))), cancel: Arc::default() };
    let cancel =
        |id: Value| json!({"method": "notifications/cancelled", "params": {"requestId": id}}).to_string();
    for other in [
        cancel(json!(7)),
        cancel(json!("8")),
        r#"{"method":"ping","params":{"requestId":"7"}}"#.into(),
        "x".into(),
    ] {
        assert!(!ears.cancels(other.as_bytes()) && !ears.cancel.load(Ordering::Relaxed), "{other}");
    }
    assert!(ears.cancels(cancel(json!("7")).as_bytes()) && ears.cancel.load(Ordering::Relaxed));
}
