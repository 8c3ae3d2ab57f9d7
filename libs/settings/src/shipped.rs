//! A table as the file that is shipped: every key with its default, and its meaning as a comment.

use serde_json::Value;
use shared_types::settings::{Key, Kind, Shipped};

use crate::wrap::wrapped;

/// The longest line of a comment, in characters.
const WIDTH: usize = 120;

/// The text of a file that says no more than its defaults.
pub fn file(header: &str, keys: &[Key]) -> String {
    let mut text = comment(header, 0);
    for key in keys.iter().filter(|key| key.is_read()) {
        text.push('\n');
        text.push_str(&entry(key, 0));
    }
    text
}

fn entry(key: &Key, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let mut text = comment(key.doc, depth);
    text.push_str(&examples(key, depth));
    let name = key.name;
    let line = match (key.shipped, &key.kind) {
        (Shipped::As(value), _) => format!("{indent}{name}: {value}\n"),
        (Shipped::Comment, Kind::Keys(below)) => {
            let below: String =
                below.iter().map(|key| format!("#   {}: {}\n", key.name, key.example)).collect();
            format!("# {name}:\n{below}")
        }
        (Shipped::Default, Kind::Keys(below)) if below.iter().all(optional) => {
            format!("{indent}{name}: {{}}\n")
        }
        (Shipped::Default, Kind::Keys(below)) => {
            let below: String =
                below.iter().filter(|key| key.is_read()).map(|key| entry(key, depth + 1)).collect();
            format!("{indent}{name}:\n{below}")
        }
        (Shipped::Default, Kind::List { keys, .. }) if key.default() != Value::Array(vec![]) => {
            format!("{indent}{name}:\n{}", block(keys, &key.default(), &indent))
        }
        (Shipped::Default, _) if !optional(key) => format!("{indent}{name}: {}\n", flow(&key.default())),
        _ if key.default().is_null() => format!("{indent}# {name}: {}\n", key.example),
        _ => format!("{indent}# {name}: {}\n", flow(&key.default())),
    };
    text + &line
}

/// Mappings of a list, a line for each key.
fn block(keys: &[Key], items: &Value, indent: &str) -> String {
    let mut text = String::new();
    for item in items.as_array().into_iter().flatten() {
        let given = keys.iter().filter_map(|key| Some((key.name, item.get(key.name)?)));
        for (i, (name, value)) in given.enumerate() {
            let dash = if i == 0 { "- " } else { "  " };
            text.push_str(&format!("{indent}  {dash}{name}: {}\n", flow(value)));
        }
    }
    text
}

/// Whether a key is left out of the file: it has no default.
fn optional(key: &Key) -> bool {
    key.default().is_null()
}

/// Entries of a list, as a comment.
fn examples(key: &Key, depth: usize) -> String {
    let Kind::List { keys, .. } = &key.kind else { return String::new() };
    let lines: Vec<String> = if key.example.is_empty() {
        let mut lines = listed(keys, "  ");
        let shown = keys.iter().any(|key| !key.example.is_empty());
        if let Some(first) = lines.first_mut().filter(|_| shown) {
            first.replace_range(..2, "- ");
        }
        if shown { lines } else { vec![] }
    } else {
        key.example.lines().map(str::to_owned).collect()
    };
    lines.iter().map(|line| format!("{}#   {line}\n", "  ".repeat(depth))).collect()
}

/// Each key of an entry with an example or its default, and its meaning beside it.
fn listed(keys: &[Key], indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for key in keys {
        match &key.kind {
            Kind::Keys(below) => {
                lines.push(beside(&format!("{indent}{}:", key.name), key.doc));
                lines.extend(listed(below, &format!("{indent}  ")));
            }
            _ if !key.example.is_empty() => {
                lines.push(beside(&format!("{indent}{}: {}", key.name, key.example), key.doc));
            }
            _ if optional(key) => {}
            _ => lines.push(beside(&format!("{indent}{}: {}", key.name, flow(&key.default())), key.doc)),
        }
    }
    lines
}

fn beside(line: &str, doc: &str) -> String {
    format!("{line:<45} # {doc}")
}

fn comment(doc: &str, depth: usize) -> String {
    if doc.is_empty() {
        return String::new();
    }
    let indent = "  ".repeat(depth);
    let lines = wrapped(doc, WIDTH - indent.len() - 2);
    lines.iter().map(|line| format!("{indent}# {line}").trim_end().to_owned() + "\n").collect()
}

/// A value in YAML's flow style, which a person can read: plain words without quotation marks.
fn flow(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let pairs: Vec<String> =
                map.iter().map(|(name, value)| format!("{name}: {}", flow(value))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
        other => other.to_string(),
    }
}

/// Whether a text needs no quotation marks in a flow list.
fn is_plain(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || "-_. ".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(letter)
}
