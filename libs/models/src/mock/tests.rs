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
    assert!(matches!(Mock::new("m", "- {sing: 1}"), Err(ScriptError::Unreadable(_))));
}
