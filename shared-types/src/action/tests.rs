use super::*;

fn shell(line: &str, timeout_s: u32) -> Action {
    Action::Shell { line: line.to_owned(), stdin: String::new(), timeout_s, network: false }
}

#[test]
fn an_action_names_every_field_that_is_beyond_its_limits() {
    assert!(shell("ls", 15).faults().is_empty());
    let keys: Vec<&str> = shell("ls\n", 0).faults().into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["timeout_s", "line"]);
    let args = Value::String("x".into());
    let permit = Action::Permit { tool: String::new(), args, risk: Risk::Medium, reason: "x".repeat(501) };
    let keys: Vec<&str> = permit.faults().into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["tool", "reason", "args"]);
}

#[test]
fn an_action_is_read_as_it_was_written_and_knows_no_other_key() {
    let written = serde_json::to_value(shell("ls -l", 20)).unwrap();
    assert_eq!(written, serde_json::json!({"type": "shell", "line": "ls -l", "timeout_s": 20}));
    assert_eq!(serde_json::from_value::<Action>(written).unwrap(), shell("ls -l", 20));
    assert!(
        serde_json::from_value::<Action>(serde_json::json!({"type": "shell", "line": "ls", "env": {}}))
            .is_err()
    );
    assert!(serde_json::from_value::<Action>(serde_json::json!({"type": "exec", "line": "ls"})).is_err());
}
