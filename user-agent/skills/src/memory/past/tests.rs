use std::path::Path;

use memory::{Disk, Jsonl};

use super::*;

fn typed(content: &str) -> Turn {
    Turn { role: "user".into(), turn_id: "t".into(), content: content.into(), ..Turn::default() }
}

/// A line of an older version, which has no note, stands in a summary exactly where a noted one does.
#[test]
fn a_line_counts_alike_with_and_without_its_note() {
    let lines = [
        "hello",
        "plan a party for my sister",
        "my sister lives in Oslo",
        "thanks",
        "wo ist der Schlüssel?",
        "",
    ];
    // The counts are there already, so that this memory is not read.
    let memory = Jsonl::new(Disk::new(Path::new("/nonexistent")));
    let told = |facts| FactCounts {
        memory: &memory,
        counts: OnceCell::from(BTreeMap::from([("t".to_owned(), facts)])),
    };
    let about = |turns: &[Turn], told: &FactCounts<'_>| super::about(turns, told).unwrap();
    for facts in 0..2 {
        let told = told(facts);
        for line in lines {
            let old = typed(line);
            let mut noted = old.clone();
            note(&mut noted);
            assert!(noted.metadata[NOTE].is_u64() || noted.metadata[NOTE] == false, "{line}");
            assert_eq!(about(&[noted], &told), about(&[old], &told), "{line}");
        }
    }
    let told = told(1);
    assert!(about(&[typed(lines[1])], &told).is_some() && about(&[typed(lines[0])], &told).is_none());
}

/// A memory of many facts takes its time to read.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test makes the memory's folder")]
fn facts_are_read_only_for_a_line_that_told_some() {
    let folder = tempfile::tempdir().unwrap();
    // It opens, and cannot be read.
    std::fs::create_dir(folder.path().join(memory::jsonl::FACTS)).unwrap();
    let memory = Jsonl::new(Disk::new(folder.path()));
    let told = FactCounts { memory: &memory, counts: OnceCell::new() };
    let party = about(&[typed("plan a party for my sister")], &told);
    assert_eq!(party.unwrap().as_deref(), Some("plan a party for my sister"));
    assert!(about(&[typed("my sister lives in Oslo")], &told).is_err());
}

/// Other records keep their metadata as it is.
#[test]
fn only_what_the_person_typed_gets_a_note() {
    let untyped = Turn { metadata: json!({"untyped": true}), ..typed("plan a party") };
    let answer = Turn { role: "assistant".into(), metadata: json!({"offer": null}), ..typed("Fine.") };
    for turn in [untyped, answer] {
        let mut noted = turn.clone();
        note(&mut noted);
        assert_eq!(noted.metadata, turn.metadata);
    }
}
