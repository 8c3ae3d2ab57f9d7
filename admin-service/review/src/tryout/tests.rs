use super::*;

#[test]
fn arguments_are_a_json_object_or_the_message_shows_one() {
    assert!(arguments("{}").is_ok());
    assert!(arguments(" {\"dice\": \"2d6\"} ").is_ok());
    for text in ["", "[]", "1", "{", "{\"a\":1} {\"b\":2}", "dice=2d6"] {
        let error = arguments(text).unwrap_err();
        assert_eq!(error.exit(), shared_types::exit::USAGE);
        assert!(error.to_string().contains("{\"dice\": \"2d6\"}"), "{error}");
    }
    assert!(arguments(&format!("{{\"a\": \"{}\"}}", "x".repeat(LARGEST_ARGS))).is_err());
}

#[test]
fn an_answer_steers_no_terminal_and_tells_what_it_called() {
    let run = TrialRun {
        held_back: false,
        sentence: String::new(),
        tool: "roll".into(),
        args: serde_json::json!({}),
        expect: String::new(),
        answer: "three\u{1b}[2J\nlines".into(),
        passed: true,
        host_calls: vec![("http_get".into(), 2)],
        fuel: 1_234,
        memory: 65_537,
        kind: Default::default(),
        ms: 0,
        did: vec![],
        steers: None,
    };
    let text = words(&run);
    assert!(!text.contains('\u{1b}') && text.contains("three\\u{1b}[2J\nlines"), "{text}");
    assert!(text.contains("http_get 2x") && text.contains("1234 units") && text.contains("65 KiB"), "{text}");
}
