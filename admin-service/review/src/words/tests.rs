use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use unicode_width::UnicodeWidthStr;

use super::*;

/// The places of facts in a text.
fn slots(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

#[test]
fn every_language_has_the_same_words_with_the_same_facts() {
    let (_, default) = TABLES.iter().find(|(code, _)| *code == DEFAULT).expect("the default");
    for (code, table) in TABLES.iter() {
        assert!(table.keys().eq(default.keys()), "{code} has other words");
        for (name, text) in table {
            assert_eq!(slots(text), slots(&default[name]), "{code}: {name}");
        }
    }
    let codes: BTreeSet<&str> = TABLES.iter().map(|(code, _)| *code).collect();
    let known: BTreeSet<&str> = language::Language::all().map(language::Language::code).collect();
    assert_eq!(codes, known, "the assistant and the review speak the same languages");
}

/// The names in the sources of the layers that speak, and the names in the files.
#[test]
fn every_name_that_is_said_has_words_and_all_words_are_said() {
    let mut said = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of layers");
    let mut folders = ["review/src", "console/src", "cl-admin/src"].map(|folder| root.join(folder)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).expect("a source");
            for call in ["words.say(\"", "words.fill(\"", "label(\""] {
                let names = text.split(call).skip(1).filter_map(|rest| rest.split_once('"'));
                said.extend(names.map(|(name, _)| name.to_owned()));
            }
        }
    }
    let (_, default) = &TABLES[0];
    let named: BTreeSet<String> = default.keys().cloned().collect();
    assert_eq!(said, named);
}

#[test]
fn a_label_fits_its_column_and_a_button_row_the_window() {
    let labels = [
        "author",
        "tried",
        "held-back",
        "source",
        "needs",
        "goes-to",
        "replaces",
        "refused",
        "scan",
        "findings",
        "finding",
        "trials",
        "edges",
        "recommend",
        "granted",
        "in-short",
        "asked-for",
        "hosts",
        "secrets",
        "events",
        "skill",
        "profile",
        "secret",
        "sends",
        "receives",
        "action",
        "proposal",
        "stands-at",
        "note-that",
        "written-by",
        "module",
        "bounds",
        "exports",
        "sections",
        "digest",
        "version",
        "imports",
        "token",
        "tokens",
        "description",
        "asked-with",
        "because",
        "tool",
        "new",
        "versions",
        "rights",
        "granted-now",
        "reach",
        "tools",
        "described",
        "phrases",
        "gate",
        "the-program",
        "gate-yes",
        "gate-no",
        "said",
        "passed",
        "failed",
        "answers",
        "breaks",
    ];
    for (code, _) in FILES {
        let words = Words::of(code);
        for name in labels {
            assert!(words.say(name).width() <= 11, "{code}: {name}");
        }
        for name in ["prompt", "prompt-gate", "prompt-action", "hint-package", "hint-queue", "hint-form"] {
            assert!(words.say(name).width() < 80, "{code}: {name}");
        }
        // A heading is one row of the full screen.
        let table = &TABLES.iter().find(|(known, _)| known == code).expect("the language has a table").1;
        for (name, words) in table.iter().filter(|(name, _)| name.ends_with("-page")) {
            assert!(words.width() <= 80, "{code}: {name}");
        }
        let buttons = ["view", "approve", "reject", "edit", "try", "note", "skip", "quit"];
        let row: usize = buttons.iter().map(|name| words.say(&format!("{name}-button")).width() + 5).sum();
        assert!(row <= 80, "{code}: the buttons take {row} columns");
    }
}

#[test]
fn a_yes_is_understood_in_the_language_and_by_its_english_letter() {
    let (english, german) = (Words::DEFAULT, Words::of("de"));
    assert!(["y", "Y", "yes"].iter().all(|yes| english.is_yes(yes)) && !english.is_yes("j"));
    assert!(["y", "j", "J", "ja", "yes"].iter().all(|yes| german.is_yes(yes)));
    assert!(["", "n", "jaja", "nein"].iter().all(|no| !german.is_yes(no)));
}

#[test]
fn an_unknown_language_speaks_the_default() {
    assert_eq!(Words::of("xx"), Words::DEFAULT);
    assert_eq!(
        Words::of("de").fill("trials-passed", &[("passed", "1"), ("all", "2")]),
        "1 von 2 wie erwartet"
    );
}
