use serde_json::{Value, json};

use super::*;

/// A row of a wish, with fields of its own.
fn row(fields: &Value) -> ProposalRow {
    let mut row = json!({"id": "018e0b0c-0000-7000-8000-000000000001", "kind": "skill", "name": "dice", "description": "Rolls",
        "capabilities": [], "generated_at": "2026-02-07T14:30:00Z", "cut": false, "ms": 0});
    row.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    serde_json::from_value(row).unwrap()
}

#[test]
fn what_each_waits_for_is_said_in_words() {
    let words = |status: &str, waits: Value| in_words(&row(&json!({"status": status, "waits_for": waits})));
    assert_eq!(words("human-review", json!("person")), "waits for a person's yes");
    assert_eq!(words("implementation", json!("model")), "waits for a model");
    assert_eq!(words("agent-review", json!("compiler")), "waits for the compiler");
    assert_eq!(words("implementation", json!("room")), "waits for room");
    assert_eq!(words("new", Value::Null), "waits to be picked up by the admin service");
    assert_eq!(words("discovered", Value::Null), "is being worked on");
    assert_eq!(words("accepted", Value::Null), "installed");
    let rejected = row(&json!({"status": "rejected", "reason": "too\u{1b}[2J greedy"}));
    assert_eq!(in_words(&rejected), "was refused (too\\u{1b}[2J greedy)");
}

#[test]
fn what_came_of_an_action_is_said_in_words() {
    let words = |kind: &str, result: Value| {
        let action = json!({"type": kind, "what": "ls"});
        let fields = json!({"kind": "action", "status": "accepted", "action": action, "result": result});
        in_words(&row(&fields))
    };
    let ended = |exit: Value, ended: Value| json!({"exit": exit, "ended": ended, "cut": false, "ms": 3});
    assert_eq!(words("shell", ended(json!(2), Value::Null)), "ran: exit 2");
    assert_eq!(words("shell", ended(Value::Null, json!("time limit"))), "did not end on its own: time limit");
    assert_eq!(words("shell", Value::Null), "runs");
    assert_eq!(words("permit", Value::Null), "a person said yes");
}

#[test]
fn what_is_nearest_to_its_end_comes_first() {
    let named = |name: &str, status: &str| row(&json!({"name": name, "status": status}));
    let rows = vec![
        named("skill-a", "accepted"),
        named("skill-b", "new"),
        named("skill-c", "human-review"),
        named("skill-d", "rejected"),
        named("skill-e", "implementation"),
        named("skill-f", "human-review"),
    ];
    let order: Vec<String> = nearest_first(rows).iter().map(|row| row.name.to_string()).collect();
    assert_eq!(order, ["c", "f", "e", "b", "a", "d"].map(|name| format!("skill-{name}")));
}
