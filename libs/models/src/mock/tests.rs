use serde_json::json;

use super::*;

static GO: AtomicBool = AtomicBool::new(false);

#[test]
fn the_script_is_followed_and_its_last_step_repeats() {
    let script =
        "- tool_calls: [{name: dice.roll, arguments: {dice: 2d6}}]\n- {error: rate}\n- {text: done}\n";
    let mock = Mock::new("m", script).unwrap();
    let first = mock.chat(&Request::default(), &mut |_| {}, &GO).unwrap();
    assert_eq!(first.tool_calls, [ToolCall::new("mock-0-0", "dice.roll", json!({"dice": "2d6"}))]);
    assert!(matches!(mock.chat(&Request::default(), &mut |_| {}, &GO), Err(ModelError::Rate { .. })));
    for _ in 0..3 {
        assert_eq!(mock.chat(&Request::default(), &mut |_| {}, &GO).unwrap().text, "done");
    }
}

#[test]
fn a_script_that_cannot_be_followed_is_refused() {
    assert_eq!(Mock::new("m", "[]").unwrap_err(), ScriptError::Empty);
    assert!(matches!(Mock::new("m", "- {error: flood}"), Err(ScriptError::Unreadable(_))));
    assert_eq!(Mock::new("m", "- {endless: true, pieces: ['']}").unwrap_err(), ScriptError::Silent(1));
    assert!(matches!(Mock::new("m", "- {sing: 1}"), Err(ScriptError::Unreadable(_))));
}

fn pieces(script: &str, stop_after: usize) -> (Result<Response, ModelError>, Vec<String>) {
    let stop = AtomicBool::new(false);
    let mut told = Vec::new();
    let mut watch = |piece: Piece<'_>| {
        told.push(format!("{piece:?}"));
        stop.store(told.len() >= stop_after, Ordering::Relaxed);
    };
    let request = Request { messages: vec![crate::Message::user("the capital?")], ..Request::default() };
    let result = Mock::new("m", script).unwrap().chat(&request, &mut watch, &stop);
    (result, told)
}

#[test]
fn pieces_are_told_one_by_one_with_calls_and_usage() {
    let script = "- {pieces: [Hel, lo], text: '.', tool_calls: [{name: a.b}], usage: {input: 3, output: 2}}";
    let (result, told) = pieces(script, 99);
    let response = result.unwrap();
    assert_eq!((response.text.as_str(), response.usage), ("Hello.", Some(Usage { input: 3, output: 2 })));
    assert_eq!(told, [r#"Text("Hel")"#, r#"Text("lo")"#, r#"Text(".")"#, r#"Call("a.b")"#]);
}

#[test]
fn an_answer_may_break_off_and_an_endless_one_ends_by_cancel_or_by_length() {
    let (result, told) = pieces("- {pieces: [Hel], error: network}", 99);
    assert!(matches!(result, Err(ModelError::Network { .. })));
    assert_eq!(told.len(), 1);
    let (result, told) = pieces("- {pieces: [on, off], endless: true}", 5);
    assert_eq!((result, told.len()), (Err(ModelError::Cancelled { provider: "m".to_owned() }), 5));
    let long = format!("- {{pieces: ['{}'], endless: true}}", "x".repeat(100_000));
    assert!(matches!(pieces(&long, 99).0, Err(ModelError::TooLarge { .. })));
}

#[test]
fn a_wait_can_be_cancelled() {
    let mock = Mock::new("m", "- {text: late, delay_ms: 60000}").unwrap();
    static STOP: AtomicBool = AtomicBool::new(false);
    let start = std::time::Instant::now();
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_millis(100));
        STOP.store(true, Ordering::Relaxed);
    });
    let result = mock.chat(&Request::default(), &mut |_| {}, &STOP);
    assert!(matches!(result, Err(ModelError::Cancelled { .. })));
    assert!(start.elapsed() < Duration::from_secs(5));
    let (result, _) = pieces("- {pieces: [a], piece_delay_ms: 60000}", 1);
    assert!(matches!(result, Err(ModelError::Cancelled { .. })));
}

#[test]
fn a_line_that_the_script_does_not_expect_is_told() {
    assert!(pieces("- {text: Berlin, expect: capital}", 99).0.is_ok());
    let error = pieces("- {text: Berlin, expect: river}", 99).0.unwrap_err();
    assert!(error.to_string().contains("step 1 of the script expects `river`"), "{error}");
}
