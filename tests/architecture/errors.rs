//! How many errors are free text. The bounds only go down: an error is a variant with fields, and its words are its `Display`.

use std::collections::BTreeMap;

use crate::tree::{Source, code_of, sources};

/// The most `Result<_, String>` below each folder, tests aside; a crate that is not listed has none.
const FREE_TEXT: &[(&str, usize)] = &[("user-agent/", 2), ("xtask/", 4)];

/// The kinds of the service's errors whose cause is any error.
const KINDS: [&str; 4] = ["failed", "integrity", "refused", "usage"];

/// How often an error of this kind is made of a text: of a literal, of `format!`, or of anything by `to_string`.
fn made_of_text(source: &str, kind: &str) -> usize {
    let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let made = format!("Error::{kind}(");
    let is_text = |argument: &str| {
        let argument = argument.trim_start();
        let plain = argument.split([')', '(', '{']).next().unwrap_or_default();
        ["\"", "format!(", "&format!("].iter().any(|start| argument.starts_with(start))
            || [".to_string", ".to_owned", "String::from"].iter().any(|end| plain.ends_with(end))
    };
    code.match_indices(&made).filter(|(at, made)| is_text(&code[at + made.len()..])).count()
}

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

#[test]
fn no_error_of_the_service_is_made_of_a_text() {
    let (mut made, mut found) = (0, Vec::new());
    for source in sources() {
        if !source.path.starts_with("admin-service/") || source.path.contains("tests") {
            continue;
        }
        for kind in KINDS {
            made += source.text.matches(&format!("Error::{kind}(")).count();
            if made_of_text(&source.text, kind) > 0 {
                found.push(format!("{}: Error::{kind}", source.path));
            }
        }
    }
    assert!(made > 200, "only {made} errors were found: this test no longer sees them");
    assert!(found.is_empty(), "an error is a variant with fields: {found:?}");
}

#[test]
fn an_error_that_is_made_of_a_text_is_found_in_any_form() {
    for made in [
        "Error::failed(\"no\")",
        "Error::failed(format!(\"{x}\"))",
        "Error::failed(\n    \"no\",\n)",
        "Error::failed(why.to_string())",
        "Error::failed(String::from(x))",
    ] {
        assert_eq!(made_of_text(made, "failed"), 1, "{made}");
    }
    for typed in ["Error::failed(Fault::Gone { path })", "Error::failed(fault)", "// Error::failed(\"no\")"] {
        assert_eq!(made_of_text(typed, "failed"), 0, "{typed}");
    }
}

/// What decides about an attempt are values that were read once: `Author::kind` and `Objection::check`. Their texts are for people
/// and models, and no decision looks at the beginning or the end of one. The fields are private, so `text()` is the one way to them.
#[test]
fn no_decision_reads_the_text_of_an_author_or_an_objection() {
    let mut texts = 0;
    for source in sources() {
        let Source { path, text } = source;
        if !path.starts_with("admin-service/")
            || path.contains("tests")
            || path == "admin-service/ledger/src/attempt.rs"
        {
            continue;
        }
        let code: String = code_of(&text).split_whitespace().collect();
        texts += code.matches(".text()").count();
        for way in ["starts_with(", "ends_with(", "strip_prefix(", "strip_suffix(", "split_once("] {
            for reader in [".text().", "author.to_string().", "objection.to_string()."] {
                let read = format!("{reader}{way}");
                assert!(!code.contains(&read), "{path}: `{read}`: match on the kind or the check instead");
            }
        }
    }
    assert!(texts > 3, "only {texts} texts are read: this test no longer sees them");
}
