#![expect(clippy::disallowed_methods, reason = "the test reads the sources of the programs")]

use std::fs;
use std::path::Path;

use super::{FILES, Tongue};

/// The text of every source below a folder, tests left out.
fn sources(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).expect("the folder of sources can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            into.push_str(&fs::read_to_string(&path).expect("a source can be read"));
        }
    }
}

/// A string that continues in the next line is one sentence.
fn joined(source: &str) -> String {
    let mut parts = source.split("\\\n");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.trim_start())
}

#[test]
fn a_sentence_is_said_in_the_language_and_a_strange_one_in_english() {
    let german = Tongue::of(Some("de"));
    assert_eq!(german.say("thinking"), "denkt nach");
    assert_eq!(german.say("no line begins so"), "no line begins so");
    for english in [Tongue::of(None), Tongue::of(Some("en")), Tongue::of(Some("xx"))] {
        assert_eq!(english.say("thinking"), "thinking");
    }
}

/// A translation of a sentence that no source holds any more would never be said.
#[test]
fn each_translation_is_of_a_sentence_that_a_source_holds() {
    let mut all = String::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace is above");
    for part in
        ["user-agent/ports", "user-agent/terminal", "user-agent/skills", "user-agent/cl-bot", "shared-types"]
    {
        sources(&root.join(part).join("src"), &mut all);
    }
    let all = joined(&all);
    for (code, words) in FILES {
        for line in words.lines() {
            let (english, translation) =
                line.split_once(" = ").unwrap_or_else(|| panic!("{code}: `{line}` has no translation"));
            let written = english.replace('\\', "\\\\").replace('"', "\\\"");
            // The name of a field is said where its value is shown.
            let is_said = all.contains(&format!("\"{written}\"")) || all.contains(&format!("pub {english}:"));
            assert!(is_said, "{code}: no source says `{english}`");
            let slots = |text: &str| text.matches('{').count();
            assert_eq!(slots(english), slots(translation), "{code}: {line}");
        }
    }
}
