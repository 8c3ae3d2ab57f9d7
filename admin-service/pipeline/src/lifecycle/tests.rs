use std::fs;
use std::sync::atomic::AtomicBool;

use base::home::Home;
use serde_json::json;
use shared_types::id::Digest;

use super::export::{self, Wrong};
use super::tally;

#[test]
fn calls_are_counted_by_skill_and_rubbish_counts_nothing() {
    let turn = |name: &str, failed: bool| {
        json!({"role": "assistant", "tool_calls": [{"id": "1", "name": name, "arguments": {}}],
               "tool_results": [{"id": "1", "content": "x", "failed": failed}]})
        .to_string()
    };
    let deep = "[".repeat(100_000);
    let lines = [
        turn("dice.roll", false),
        turn("dice.roll", true),
        turn("nodot", false),
        deep,
        "{}".into(),
        "not json".into(),
        json!({"tool_calls": "no list"}).to_string(),
        json!({"tool_calls": [{"name": "other.go"}]}).to_string(),
    ]
    .join("\n");
    let mut bytes = lines.into_bytes();
    bytes.extend(b"\n\xff\xfe\0\n");
    let found = tally::count(&bytes);
    assert_eq!(found["dice"], tally::Calls { calls: 2, failures: 1 });
    assert_eq!(found["other"], tally::Calls { calls: 1, failures: 0 });
    assert_eq!(found.len(), 2);
}

#[test]
fn a_link_in_the_place_of_the_conversations_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::new(folder.path().to_owned(), None);
    let memory = home.profile(&"default".parse().unwrap()).join("memory").unguarded_path();
    fs::create_dir_all(&memory).unwrap();
    fs::create_dir_all(home.proposals(&"default".parse().unwrap()).unguarded_path()).unwrap();
    fs::write(folder.path().join("secret"), "{}").unwrap();
    std::os::unix::fs::symlink(folder.path().join("secret"), memory.join("conversations.jsonl")).unwrap();
    assert!(tally::of_home(&home, &AtomicBool::new(false)).is_empty());
}

fn file() -> serde_json::Value {
    let spec = include_str!("../../../../fuzz/targets/__fuzz__/proposal/corpus/valid-dice.yaml");
    let name = documents::proposal::parse(spec).unwrap().proposal.name;
    let digest = |text: &str| json!(Digest::of(text.as_bytes()));
    json!({"format": export::FORMAT, "name": name, "version": 1, "spec": spec, "source": "source",
           "spec_sha256": digest(spec), "source_sha256": digest("source"), "module_sha256": digest("module"),
           "report_sha256": digest("report"), "approved_by": "owner", "approved_at": "2026-02-07T14:30:00Z"})
}

#[test]
fn an_exported_file_is_read_and_what_is_wrong_with_another_is_named() {
    assert!(export::parse(&file().to_string()).is_ok());
    let with = |key: &str, value: serde_json::Value| {
        let mut file = file();
        file[key] = value;
        export::parse(&file.to_string()).unwrap_err()
    };
    assert!(matches!(with("source", json!("other")), Wrong::Lies(what) if what.contains("source_sha256")));
    assert!(matches!(with("spec", json!("other")), Wrong::Lies(what) if what.contains("spec_sha256")));
    for (key, value) in [
        ("format", json!("another")),
        ("name", json!("other-name")),
        ("name", json!("../../etc")),
        ("extra", json!(1)),
        ("version", json!(-1)),
        ("source", json!("x".repeat(70_000))),
        ("examples", json!(vec![json!({"tool": "roll", "args": {}, "expect": ""}); 100])),
    ] {
        assert!(matches!(with(key, value), Wrong::Faults(_)), "{key}");
    }
    assert!(matches!(export::parse(&"[".repeat(200_000)), Err(Wrong::Faults(_))));
}
