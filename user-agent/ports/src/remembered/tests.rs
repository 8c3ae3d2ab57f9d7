#![expect(clippy::disallowed_methods, reason = "the tests build what the sandbox must refuse")]
use std::os::unix::fs::symlink;

use memory::{Fact, Turn};

use super::*;

fn world() -> (tempfile::TempDir, Arc<Folder>) {
    let outer = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(outer.path().join("memory")).unwrap();
    let folder = Arc::new(Folder::root(&outer.path().join("memory")).unwrap());
    (outer, folder)
}

fn fact(id: &str, text: &str) -> Fact {
    Fact { id: id.to_owned(), text: text.to_owned(), ..Fact::default() }
}

#[test]
fn both_backends_keep_and_find_beneath_the_folder() {
    for backend in [Backend::Jsonl, Backend::Sqlite] {
        let (_outer, folder) = world();
        let memory = store(folder.clone(), backend, Box::new(|_, _| {}));
        memory.add_fact(fact("1", "I like green tea")).unwrap();
        let turn = |n: u32| Turn {
            conversation_id: format!("c{n}"),
            role: "user".into(),
            content: "tea".into(),
            ..Turn::default()
        };
        memory.add_turns(&(0..300).map(turn).collect::<Vec<_>>()).unwrap();
        assert_eq!(memory.search_facts("TEA", 9).unwrap().len(), 1, "{backend:?}");
        assert_eq!(memory.conversation("c7", 9).unwrap().len(), 1);
        memory.clear().unwrap();
        assert_eq!(memory.facts(9).unwrap(), []);
        assert_eq!(memory.last_conversation().unwrap(), None);
    }
}

#[test]
fn a_link_in_the_place_of_a_log_the_lock_or_the_index_is_not_followed() {
    for name in ["facts.jsonl", "lock", "index", "memory.sqlite"] {
        let (outer, folder) = world();
        let outside = outer.path().join("outside");
        match name {
            "index" => std::fs::create_dir(&outside).unwrap(),
            _ => std::fs::write(&outside, "").unwrap(),
        }
        symlink(&outside, outer.path().join("memory").join(name)).unwrap();
        let backend = if name == "memory.sqlite" { Backend::Sqlite } else { Backend::Jsonl };
        let memory = store(folder, backend, Box::new(|_, _| {}));
        let lines: Vec<Turn> = (0..300)
            .map(|n| Turn { conversation_id: n.to_string(), role: "user".into(), ..Turn::default() })
            .collect();
        let stored = memory.add_fact(fact("1", "I like tea")).is_ok() && memory.add_turns(&lines).is_ok();
        assert_eq!(stored, name == "index", "without an index everything else works: {name}");
        let written = match name {
            "index" => std::fs::read_dir(&outside).unwrap().count() as u64,
            _ => std::fs::metadata(&outside).unwrap().len(),
        };
        assert_eq!(written, 0, "{name}");
    }
}
