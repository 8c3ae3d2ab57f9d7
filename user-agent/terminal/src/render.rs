//! Lines of commands and the prompt: what was asked for to standard output, everything else to standard error.

use std::io::{Write, stdout};

use bot_base::output::Output;
use ports::tongue::Tongue;
use shared_types::text;

use super::wrap::{columns_of, wrapped};

/// Shows what was asked for.
pub(super) fn show(answer: &str) {
    // A reader that has gone away wants no more answers; the end of the input comes soon.
    let _ = writeln!(Output, "{}", wrapped(answer, columns_of(&stdout())));
    let _ = Output.flush();
}

/// Writes without a line's end.
pub(super) fn raw(written: &str) {
    let _ = write!(Output, "{written}");
    let _ = Output.flush();
}

/// A text of a skill, under its name.
pub(super) fn labelled(name: &str, said: &str) -> String {
    said.lines().map(|line| format!("[{}] {line}", text::cut(name, 63))).collect::<Vec<_>>().join("\n")
}

/// Says something beside the conversation.
pub(super) fn notice(message: &str) {
    aside(&format!("({message})"));
}

/// Writes a line to standard error; nobody reading it is not a failure.
pub(super) fn aside(line: &str) {
    let mut err = std::io::stderr();
    let _ = writeln!(err, "{}", wrapped(line, columns_of(&err)));
}

/// JSON as lines that a person reads: a key and its value each, what is nested deeper indented, all of it safe to show.
pub(super) fn outline(value: &serde_json::Value, tongue: Tongue) -> String {
    let mut lines = Vec::new();
    outline_into(value, 0, tongue, &mut lines);
    lines.join("\n")
}

fn outline_into(value: &serde_json::Value, depth: usize, tongue: Tongue, lines: &mut Vec<String>) {
    use serde_json::Value;
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                let key = text::line(key);
                let key = tongue.say(&key);
                match simple(inner, tongue) {
                    Some(word) => lines.push(format!("{indent}{key:<18} {word}").trim_end().to_owned()),
                    None => {
                        lines.push(format!("{indent}{key}"));
                        outline_into(inner, depth + 1, tongue, lines);
                    }
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                match (simple(item, tongue), item.as_object()) {
                    (Some(word), _) => lines.push(format!("{indent}- {word}")),
                    // A record of plain words is one line.
                    (None, Some(record)) if record.values().all(|v| simple(v, tongue).is_some()) => {
                        let words: Vec<String> = record
                            .iter()
                            .filter_map(|(key, v)| {
                                Some(format!("{} {}", tongue.say(&text::line(key)), simple(v, tongue)?))
                            })
                            .collect();
                        lines.push(format!("{indent}- {}", words.join(", ")));
                    }
                    (None, _) => {
                        lines.push(format!("{indent}-"));
                        outline_into(item, depth + 1, tongue, lines);
                    }
                }
            }
        }
        other => lines.extend(simple(other, tongue).map(|word| format!("{indent}{word}"))),
    }
}

/// A value that fits into a line, among them a list of words.
fn simple(value: &serde_json::Value, tongue: Tongue) -> Option<String> {
    use serde_json::Value;
    match value {
        Value::Null => Some("-".to_owned()),
        Value::Bool(yes) => Some(tongue.say(if *yes { "yes" } else { "no" }).to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(words) => {
            let words = text::line(words);
            // A word alone may be somebody's name.
            let is_said = words.contains(' ') || matches!(words.as_str(), "runs" | "asks");
            Some(if is_said { tongue.say(&words).to_owned() } else { words })
        }
        Value::Array(items) if items.is_empty() => Some(tongue.say("none").to_owned()),
        Value::Array(items)
            if items.iter().all(|i| i.is_string() && i.as_str().is_some_and(|s| !s.contains(' '))) =>
        {
            Some(items.iter().filter_map(Value::as_str).map(text::line).collect::<Vec<_>>().join(" "))
        }
        Value::Object(fields) if fields.is_empty() => Some(tongue.say("none").to_owned()),
        _ => None,
    }
}
