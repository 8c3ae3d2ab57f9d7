//! The look at a line that does not parse and therefore never runs: what it would do at worst, reported as blocked.
//!
//! Quotes and backslashes are taken away, expansions are guessed, and every sign of a shell begins a new command. That
//! finds too much rather than too little, which is harmless here: nothing is allowed by it.

use shared_types::text::{cut, is_unsafe};

use super::destroy;
use super::finding::Finding;
use super::interpreters::{self, runs_its_input};
use super::names::{base, downloads};
use super::wrappers;

/// Words of a shell before which a command can stand all the same.
const PASSED: &[&str] = &[
    "!", "case", "coproc", "do", "elif", "else", "function", "if", "in", "select", "then", "time", "until",
    "while",
];

/// What is never done, if it stands anywhere in a line where a command could begin.
pub(super) fn suspect(text: &str, forbidden: &[String]) -> Option<Finding> {
    if let Some(name) = bomb(text) {
        let why = format!("`{}` starts itself again and again", cut(name, 20));
        return Some(Finding::blocked("fork-bomb", why));
    }
    let plain = expanded(text);
    let files =
        plain.split('>').skip(1).map(|after| after.trim_start_matches(['>', '|', '&', ' ', '\t', '"', '\'']));
    let mut files =
        files.filter_map(|after| after.split(|c: char| c.is_whitespace() || ";&|\"')".contains(c)).next());
    if let Some(path) = files.find(|path| destroy::is_a_device(path)) {
        let why = format!("it would write into the device or kernel file `{}`", cut(path, 60));
        return Some(Finding::blocked("destructive", why));
    }
    let mut heads = Vec::new();
    for quotes_part in [false, true] {
        for groups_part in [false, true] {
            for segment in segments(&plain, quotes_part, groups_part) {
                if let Some(found) = begins(&segment, forbidden, &mut heads) {
                    return Some(found);
                }
            }
        }
    }
    let source = heads.iter().find(|name| downloads(name))?;
    let runner = heads.iter().find(|name| runs_its_input(name))?;
    Some(Finding::piped(source, runner))
}

/// What one command would do, at its own place and behind words that start another.
fn begins(words: &[String], forbidden: &[String], heads: &mut Vec<String>) -> Option<Finding> {
    let variable = |word: &String| word.contains('=') && !word.starts_with('=');
    let first = words.iter().position(|word| !PASSED.contains(&word.as_str()) && !variable(word))?;
    let name = base(&words[first]);
    let starts = interpreters::starts_others(&name) || wrappers::is_one(&name) || name == "find";
    let last = if starts { words.len() - 1 } else { first };
    (first..=last).find_map(|at| {
        heads.push(base(&words[at]));
        destroy::blocked(&words[at], &words[at + 1..], forbidden)
    })
}

/// The commands of a text as words. Quotes part words, or vanish; braces and commas part words, or are text.
fn segments(text: &str, quotes_part: bool, groups_part: bool) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut words = vec![String::new()];
    let mut end = |words: &mut Vec<String>| {
        words.retain(|word| !word.is_empty());
        // Behind a redirect's sign stands a file first, and then perhaps the command.
        if words.len() > 1 {
            found.push(words[1..].to_vec());
        }
        if !words.is_empty() {
            found.push(std::mem::take(words));
        }
        words.clear();
        words.push(String::new());
    };
    for c in text.chars() {
        match c {
            '\\' => {}
            '\'' | '"' if !quotes_part => {}
            ';' | '&' | '|' | '!' | '(' | ')' | '`' | '\n' | '\r' | '<' | '>' | '\'' | '"' => end(&mut words),
            '{' | '}' => end(&mut words),
            ',' if groups_part => words.push(String::new()),
            c if c.is_whitespace() => words.push(String::new()),
            c if is_unsafe(c) => {}
            c => words.last_mut().into_iter().for_each(|word| word.push(c)),
        }
    }
    end(&mut words);
    found
}

/// A text with its variables guessed: `$IFS` is a blank, a default value is itself, any other is nothing.
fn expanded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(inside) = rest.strip_prefix('{') {
            let (name, after) = inside.split_once('}').unwrap_or((inside, ""));
            let default =
                name.find([':', '-', '=', '+']).map(|at| name[at..].trim_start_matches([':', '-', '=', '+']));
            plain.push_str(if name.starts_with("IFS") { " " } else { default.unwrap_or_default() });
            rest = after;
        } else {
            let name =
                rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
            // One that is not a name is one character: `$@`, `$*`. Before quotes and brackets the sign alone goes.
            let sign = usize::from(name == 0 && rest.starts_with(['@', '*', '#', '?', '!', '-']));
            plain.push_str(if rest[..name].starts_with("IFS") { " " } else { "" });
            rest = &rest[name + sign..];
        }
    }
    plain.push_str(rest);
    plain
}

/// The name of a function that starts itself beside itself.
fn bomb(text: &str) -> Option<&str> {
    text.match_indices(['{', '(']).find_map(|(brace, _)| {
        let before = text[..brace].trim_end();
        let named = before.strip_suffix(')').map(|b| b.trim_end()).and_then(|b| b.strip_suffix('('));
        let before = named.unwrap_or(before).trim_end();
        let start = before.rfind(|c: char| c.is_whitespace() || ";&|(){}".contains(c)).map_or(0, |at| at + 1);
        let (name, body) = (before.get(start..)?, &text[brace + 1..]);
        let function = named.is_some() || before[..start].trim_end().ends_with("function");
        let again = body.matches(name).count() > 1 && body.contains(['|', '&']);
        (function && !name.is_empty() && again).then_some(name)
    })
}
