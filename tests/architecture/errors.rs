//! How many errors are free text. The bounds only go down: an error is a variant with fields, and its words are its `Display`.

use std::collections::BTreeMap;

use crate::tree::{code_of, sources};

/// The most `Result<_, String>` below each folder, tests aside; a crate that is not listed has none.
const FREE_TEXT: &[(&str, usize)] = &[("user-agent/", 2), ("xtask/", 4)];

/// How many results of a code have a text for their error.
fn free_texts(code: &str) -> usize {
    code.match_indices("Result<")
        .filter(|(at, opened)| second(&code[at + opened.len()..]) == "String")
        .count()
}

/// The second parameter of a type, from behind its opening angle bracket.
fn second(parameters: &str) -> &str {
    let (mut depth, mut comma) = (0_usize, parameters.len());
    let mut before = ' ';
    for (at, c) in parameters.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' if depth > 0 => depth -= 1,
            '>' | ')' | ']' => return parameters.get(comma + 1..at).unwrap_or_default().trim(),
            ',' if depth == 0 && comma == parameters.len() => comma = at,
            _ => {}
        }
        before = c;
    }
    ""
}

#[test]
fn errors_become_variants_and_never_again_free_text() {
    assert!(FREE_TEXT.is_sorted(), "the list is sorted");
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for source in sources() {
        let Some((of, inside)) = source.path.split_once("src/") else { continue };
        if inside.contains("tests") || of.contains("tests/") {
            continue;
        }
        let listed = FREE_TEXT.iter().find(|(start, _)| source.path.starts_with(start));
        let of = listed.map_or(of, |(start, _)| start).to_owned();
        *found.entry(of).or_default() += free_texts(&code_of(&source.text));
    }
    assert!(found.len() > 20, "only {} crates were found: this test no longer sees them", found.len());
    let bounds: BTreeMap<&str, usize> = FREE_TEXT.iter().copied().collect();
    found.retain(|of, count| *count > bounds.get(of.as_str()).copied().unwrap_or(0));
    assert!(found.is_empty(), "more results have a text for their error than are allowed: {found:?}");
}

#[test]
fn the_error_of_a_result_is_found_behind_any_value() {
    let with =
        ["fn a() -> Result<(), String> {", "Result<Vec<(u8, String)>, String>", "Result<\n T,\n String\n>"];
    for code in with {
        assert_eq!(free_texts(code), 1, "{code}");
    }
    for code in [
        "Result<String, Error>",
        "io::Result<String>",
        "Result<Map<u8, String>, Error>",
        "Result<T, StringError>",
    ] {
        assert_eq!(free_texts(code), 0, "{code}");
    }
    assert_eq!(free_texts("Result<Result<u8, String>, Error>"), 1);
    assert_eq!(free_texts("Result<Box<dyn Fn() -> Result<u8, String>>, Error>"), 1);
}
