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
    for facts in 0..2 {
        let told = BTreeMap::from([("t".to_owned(), facts)]);
        for line in lines {
            let old = typed(line);
            let mut noted = old.clone();
            note(&mut noted);
            assert!(noted.metadata[NOTE].is_u64() || noted.metadata[NOTE] == false, "{line}");
            assert_eq!(about(&[noted], &told), about(&[old], &told), "{line}");
        }
    }
    let told = BTreeMap::from([("t".to_owned(), 1)]);
    assert!(about(&[typed(lines[1])], &told).is_some() && about(&[typed(lines[0])], &told).is_none());
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
