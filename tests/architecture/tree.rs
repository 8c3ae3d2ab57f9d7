//! The source tree, read as text.

use std::fs;
use std::path::{Path, PathBuf};

use tameclaw_tests::world::workspace;

/// A source file with its path from the workspace's root.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Every Rust file of the workspace; material that tests only read is not source.
pub(crate) fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for path in files_below(workspace()) {
        let relative = path.strip_prefix(workspace()).expect("it was found there").display().to_string();
        if path.extension().is_some_and(|e| e == "rs") && !relative.contains("/fixtures/") {
            found.push(Source { path: relative, text: fs::read_to_string(&path).expect("source is UTF-8") });
        }
    }
    assert!(found.len() > 50, "the walk found only {} files", found.len());
    found
}

/// Every file below a folder, but for what is built and what belongs to git.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && !path.is_symlink() {
            if name != "target" && !name.starts_with('.') {
                found.extend(files_below(&path));
            }
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The code of a Rust text: comments, strings and characters are blanked, lines stay where they are.
pub(crate) fn code_of(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let skipped = match bytes[at] {
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => block_comment(rest),
            b'b' | b'c' | b'r' => raw_string(rest).unwrap_or(0),
            b'"' => quoted(rest, b'"'),
            b'\'' => character(rest).unwrap_or(0),
            // What a formatted text has most of.
            b' ' => {
                let blanks = bytes[at..].iter().take_while(|byte| **byte == b' ').count();
                code.push_str(&rest[..blanks]);
                at += blanks;
                continue;
            }
            _ => 0,
        };
        if skipped == 0 {
            let next = rest.chars().next().expect("there is a rest");
            code.push(next);
            at += next.len_utf8();
            // A raw string begins only where a word begins: the rest of a word is taken in one piece.
            if next.is_alphanumeric() || next == '_' {
                let word =
                    text[at..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len() - at);
                code.push_str(&text[at..at + word]);
                at += word;
            }
        } else {
            code.push_str(&"\n".repeat(rest[..skipped].matches('\n').count()));
            code.push(' ');
            at += skipped;
        }
    }
    code
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest.as_bytes()[at..].starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.as_bytes()[at..].starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

fn raw_string(rest: &str) -> Option<usize> {
    let after =
        rest.strip_prefix("br").or_else(|| rest.strip_prefix("cr")).or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let start = rest.len() - body.len();
    Some(body.find(&end).map_or(rest.len(), |at| start + at + end.len()))
}

fn quoted(rest: &str, quote: u8) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b if b == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// A character in quotes; a lifetime has no closing quote.
fn character(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('\'')?;
    if inner.starts_with('\\') {
        return Some(quoted(rest, b'\''));
    }
    let first = inner.chars().next()?;
    inner[first.len_utf8()..].starts_with('\'').then(|| first.len_utf8() + 2)
}

#[test]
fn comments_strings_and_characters_are_no_code() {
    let text = "let a = \"un\\\"safe\"; // unsafe\n/* unsafe /* x */ */ let r = r#\"unsafe \" \"#; let q = '\"'; fn f<'a>() {}";
    let code = code_of(text);
    assert!(!code.contains("unsafe"), "{code}");
    assert!(code.contains("fn f<'a>() {}"), "{code}");
    assert_eq!(code.matches('\n').count(), 1);
    assert!(code_of("unsafe { attr\"x\" }").contains("unsafe"));
}
