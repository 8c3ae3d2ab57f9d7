use serde_json::json;

use super::*;

#[test]
fn what_each_waits_for_is_said_in_words() {
    let words = |status: &str, waits: Value| in_words(&json!({"status": status, "waits_for": waits}));
    assert_eq!(words("human-review", json!("person")), "waits for a person's yes");
    assert_eq!(words("implementation", json!("model")), "waits for a model");
    assert_eq!(words("agent-review", json!("compiler")), "waits for the compiler");
    assert_eq!(words("implementation", json!("room")), "waits for room");
    assert_eq!(words("new", Value::Null), "waits to be picked up by the admin service");
    assert_eq!(words("discovered", Value::Null), "is being worked on");
    assert_eq!(words("accepted", Value::Null), "installed");
    let row = json!({"status": "rejected", "reason": "too\u{1b}[2J greedy"});
    assert_eq!(in_words(&row), "was refused (too\\u{1b}[2J greedy)");
}

#[test]
fn what_is_nearest_to_its_end_comes_first() {
    let row = |id: u8, status: &str| json!({"id": id, "status": status});
    let rows = vec![
        row(1, "accepted"),
        row(2, "new"),
        row(3, "human-review"),
        row(4, "rejected"),
        row(5, "implementation"),
        row(6, "human-review"),
        row(7, "unheard-of"),
    ];
    let order: Vec<u64> = nearest_first(rows).iter().filter_map(|row| row["id"].as_u64()).collect();
    assert_eq!(order, [3, 6, 5, 2, 1, 4, 7]);
    assert!(is_open(&row(1, "new")) && !is_open(&row(1, "accepted")) && !is_open(&row(1, "unheard-of")));
}
