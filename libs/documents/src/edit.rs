//! Changes one place of a YAML text and leaves every other byte as it is: comments, order, the person's own layout.
//!
//! The parser says where each value stands, so nothing is guessed from the look of a line. The result is parsed again and
//! compared with what was meant: a text that cannot be changed so is refused with the lines to write by hand.

use serde_json::{Map, Value};

use crate::yaml;
use tree::{Kind, Node, Place};

mod tree;

/// What becomes of a place.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The place has this value.
    Put(Value),
    /// The list begins with this value.
    First(Value),
    /// The list ends with this value.
    Last(Value),
    /// The key, or the item of the list, is gone. A list or a mapping that held nothing else stays, and is empty.
    Remove,
}

/// A text that is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this program cannot change it safely; write by hand:\n{by_hand}")]
pub struct NotEdited {
    /// The lines that a person would write.
    pub by_hand: String,
}

/// Changes the place that the pointer names: keys, and the numbers of items, each after a `/`. Keys that are missing on the
/// way are made.
///
/// # Errors
/// A text that is not YAML, or that is written so that the change cannot be made in place.
pub fn edit(text: &str, pointer: &str, change: &Change) -> Result<String, NotEdited> {
    let refused = || NotEdited { by_hand: by_hand(pointer, change) };
    let before: Value = yaml::from_own(text).map_err(|_| refused())?;
    if *change == Change::Remove && before.pointer(pointer).is_none() {
        return Ok(text.to_owned());
    }
    let path: Vec<&str> = pointer.split('/').skip(1).collect();
    let meant = meant(before.clone(), &path, change).ok_or_else(refused)?;
    if meant == before {
        return Ok(text.to_owned());
    }
    let written = Writer { text }.change(&path, change).ok_or_else(refused)?;
    match yaml::from_own::<Value>(&written) {
        Ok(value) if value == meant => Ok(written),
        _ => Err(refused()),
    }
}

/// What the text must say afterwards.
fn meant(value: Value, path: &[&str], change: &Change) -> Option<Value> {
    let Some((first, rest)) = path.split_first() else {
        let list = |value| match value {
            Value::Null => Some(vec![]),
            Value::Array(list) => Some(list),
            _ => None,
        };
        return match change {
            Change::Put(new) => Some(new.clone()),
            Change::First(new) => {
                list(value).map(|list| std::iter::once(new.clone()).chain(list).collect::<Vec<_>>().into())
            }
            Change::Last(new) => {
                list(value).map(|list| list.into_iter().chain([new.clone()]).collect::<Vec<_>>().into())
            }
            Change::Remove => None,
        };
    };
    match value {
        Value::Array(mut list) => {
            let at = first.parse::<usize>().ok()?;
            let item = list.get_mut(at)?;
            if rest.is_empty() && *change == Change::Remove {
                list.remove(at);
            } else {
                *item = meant(item.take(), rest, change)?;
            }
            Some(list.into())
        }
        Value::Null => meant(Map::new().into(), path, change),
        Value::Object(mut map) => {
            if rest.is_empty() && *change == Change::Remove {
                map.remove(*first);
            } else {
                let below = map.get_mut(*first).map(Value::take).unwrap_or_default();
                map.insert((*first).to_owned(), meant(below, rest, change)?);
            }
            Some(map.into())
        }
        _ => None,
    }
}

struct Writer<'a> {
    text: &'a str,
}

impl Writer<'_> {
    fn change(&self, path: &[&str], change: &Change) -> Option<String> {
        let Some(root) = tree::read(self.text)? else { return Some(self.appended(&block(path, change, 0)?)) };
        let mut node = &root;
        // The key that has the node for its value.
        let mut of = None;
        for (depth, step) in path.iter().enumerate() {
            let rest = &path[depth..];
            let removes = rest.len() == 1 && *change == Change::Remove;
            match &node.kind {
                Kind::Map { entries, .. } => match entries.iter().position(|entry| entry.key == *step) {
                    Some(at) if removes => return self.without(of, node, at),
                    Some(at) => {
                        let entry = &entries[at];
                        if entry.value.is_empty() {
                            return self.below(entry, &rest[1..], change);
                        }
                        (of, node) = (Some(entry), &entry.value);
                    }
                    None => return self.new_key(path.get(..depth)?, &root, node, rest, change),
                },
                Kind::List { items, .. } => {
                    let at = step.parse::<usize>().ok()?;
                    if removes {
                        return self.without(of, node, at);
                    }
                    (of, node) = (None, items.get(at)?);
                }
                Kind::Scalar => return None,
            }
        }
        match (change, &node.kind) {
            (Change::Put(value), _) => self.replaced(node, value),
            (Change::First(value), Kind::List { items, is_flow }) => self.first(node, items, *is_flow, value),
            (Change::Last(value), Kind::List { items, is_flow }) => self.last(node, items, *is_flow, value),
            _ => None,
        }
    }

    /// A value on one line gives way to another one; a block would take its comments along.
    fn replaced(&self, node: &Node, value: &Value) -> Option<String> {
        let is_block =
            matches!(node.kind, Kind::Map { is_flow: false, .. } | Kind::List { is_flow: false, .. });
        (!is_block).then(|| self.with(node.start, node.end, &flow(value)))
    }

    fn first(&self, list: &Node, items: &[Node], is_flow: bool, value: &Value) -> Option<String> {
        if is_flow {
            let comma = if items.is_empty() { "" } else { ", " };
            return Some(self.with(list.start + 1, list.start + 1, &format!("{}{comma}", flow(value))));
        }
        let dash = self.dash(list)?;
        let at = self.line_start(dash);
        Some(self.with(at, at, &format!("{}- {}\n", " ".repeat(dash - at), flow(value))))
    }

    fn last(&self, list: &Node, items: &[Node], is_flow: bool, value: &Value) -> Option<String> {
        match items.last() {
            Some(last) if is_flow => Some(self.with(last.end, last.end, &format!(", {}", flow(value)))),
            None if is_flow => self.first(list, items, true, value),
            last => {
                let dash = self.dash(list)?;
                let indent = " ".repeat(dash - self.line_start(dash));
                Some(self.line_after(last?.end, &format!("{indent}- {}", flow(value))))
            }
        }
    }

    /// Where the dash of a block's first item stands, if nothing but blanks stand before it.
    fn dash(&self, list: &Node) -> Option<usize> {
        let first = list.items().first()?.start;
        let line = self.line_start(first);
        let blanks = self.text[line..first].bytes().take_while(|b| *b == b' ').count();
        // An item may itself be a list, and its own dash then follows.
        self.text[line + blanks..].starts_with("- ").then_some(line + blanks)
    }

    /// A key without a value gets one.
    fn below(&self, entry: &Place, rest: &[&str], change: &Change) -> Option<String> {
        let colon = self.colon(entry)?;
        if rest.is_empty() {
            let value = match change {
                Change::Put(value) => flow(value),
                Change::First(value) | Change::Last(value) => format!("[{}]", flow(value)),
                Change::Remove => return None,
            };
            return Some(self.with(colon, colon, &format!(" {value}")));
        }
        let indent = entry.key_start - self.line_start(entry.key_start) + 2;
        Some(self.line_after(colon, block(rest, change, indent)?.trim_end_matches('\n')))
    }

    /// A mapping gets a key: behind a comment that shows it, or else at its end.
    fn new_key(
        &self,
        above: &[&str],
        root: &Node,
        map: &Node,
        rest: &[&str],
        change: &Change,
    ) -> Option<String> {
        let Kind::Map { entries, is_flow } = &map.kind else { return None };
        if *is_flow {
            let comma = if entries.is_empty() { "" } else { ", " };
            let new = format!("{}{comma}", in_flow(rest, change)?);
            return Some(self.with(map.start + 1, map.start + 1, &new));
        }
        let (first, last) = (entries.first()?, entries.last()?);
        let indent = first.key_start - self.line_start(first.key_start);
        let lines = block(rest, change, indent)?;
        let lines = lines.trim_end_matches('\n');
        let top = if above.is_empty() { 0 } else { map.start };
        let from = tree::key_of(root, above).map_or(top, |entry| entry.key_start);
        if let Some(at) = self.shown(from, indent, rest.first()?) {
            return Some(self.line_after(at, lines));
        }
        if above.is_empty() {
            return Some(self.appended(&format!("{lines}\n")));
        }
        Some(self.line_after(last.value.end.max(last.key_end), lines))
    }

    /// The comment of a section that shows how the key is written: `# key: value`.
    fn shown(&self, from: usize, indent: usize, key: &str) -> Option<usize> {
        let mut at = self.line_start(from);
        for (number, line) in self.text[at..].split_inclusive('\n').enumerate() {
            let bare = line.trim_start();
            let deep = line.len() - bare.len();
            if number > 0 && !bare.is_empty() && !bare.starts_with('#') && deep < indent {
                return None;
            }
            let comment = bare.strip_prefix("# ").and_then(|rest| rest.strip_prefix(key));
            if deep == indent && comment.is_some_and(|rest| rest.starts_with(": ") || rest.trim_end() == ":")
            {
                return Some(at);
            }
            at += line.len();
        }
        None
    }

    /// A mapping or a list without one of its entries, with the key that has it for its value.
    fn without(&self, of: Option<&Place>, node: &Node, at: usize) -> Option<String> {
        let (parts, is_flow, dash, empty): (Vec<(usize, usize)>, _, _, _) = match &node.kind {
            Kind::Map { entries, is_flow } => {
                let part = |entry: &Place| (entry.key_start, entry.value.end.max(entry.key_end));
                (entries.iter().map(part).collect(), *is_flow, "", "{}")
            }
            Kind::List { items, is_flow } => {
                (items.iter().map(|item| (item.start, item.end)).collect(), *is_flow, "-", "[]")
            }
            Kind::Scalar => return None,
        };
        let (start, end) = *parts.get(at)?;
        if is_flow {
            let before = at.checked_sub(1).and_then(|before| parts.get(before));
            let (from, to, new) = match (before, parts.get(at + 1)) {
                (_, Some(next)) => (start, next.0, ""),
                (Some(before), None) => (before.1, end, ""),
                (None, None) => (node.start, node.end, empty),
            };
            // A comment beside it would be lost, or be left to another entry.
            let is_bare = |from, to| self.text.get(from..to).is_some_and(|beside| !beside.contains('#'));
            return (is_bare(from, start) && is_bare(end, to)).then(|| self.with(from, to, new));
        }
        let line = self.line_start(start);
        let after = self.line_end(end);
        if self.text[line..start].trim_matches(' ') != dash {
            return None;
        }
        if parts.len() > 1 {
            return Some(self.with(line, after, ""));
        }
        let colon = self.colon(of?)?;
        Some(format!("{} {empty}{}{}", &self.text[..colon], self.text.get(colon..line)?, &self.text[after..]))
    }

    /// The place behind the colon of a key.
    fn colon(&self, entry: &Place) -> Option<usize> {
        Some(entry.key_end + self.text[entry.key_end..].find(':')? + 1)
    }

    fn with(&self, from: usize, to: usize, new: &str) -> String {
        format!("{}{new}{}", &self.text[..from], &self.text[to..])
    }

    /// New lines below the one in which that place is.
    fn line_after(&self, at: usize, lines: &str) -> String {
        let end = self.line_end(at);
        let gap = if self.text[..end].ends_with('\n') { "" } else { "\n" };
        self.with(end, end, &format!("{gap}{lines}\n"))
    }

    fn appended(&self, lines: &str) -> String {
        let gap = if self.text.is_empty() || self.text.ends_with('\n') { "" } else { "\n" };
        format!("{}{gap}{lines}", self.text)
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |end| at + end + 1)
    }
}

/// The keys as lines, the value on the last one.
fn block(path: &[&str], change: &Change, indent: usize) -> Option<String> {
    let (key, rest) = path.split_first()?;
    let blanks = " ".repeat(indent);
    let key = word(key);
    Some(match (rest, change) {
        ([], Change::Put(value)) => format!("{blanks}{key}: {}\n", flow(value)),
        ([], Change::First(value) | Change::Last(value)) => {
            format!("{blanks}{key}:\n{blanks}  - {}\n", flow(value))
        }
        ([], Change::Remove) => return None,
        _ => format!("{blanks}{key}:\n{}", block(rest, change, indent + 2)?),
    })
}

fn in_flow(path: &[&str], change: &Change) -> Option<String> {
    let (key, rest) = path.split_first()?;
    let key = word(key);
    Some(match (rest, change) {
        ([], Change::Put(value)) => format!("{key}: {}", flow(value)),
        ([], Change::First(value) | Change::Last(value)) => format!("{key}: [{}]", flow(value)),
        ([], Change::Remove) => return None,
        _ => format!("{key}: {{{}}}", in_flow(rest, change)?),
    })
}

/// The lines that a person would write for a change.
fn by_hand(pointer: &str, change: &Change) -> String {
    let path: Vec<&str> = pointer.split('/').skip(1).collect();
    if let Some(lines) = block(&path, change, 0) {
        return lines;
    }
    match path.split_last().and_then(|(last, list)| Some((last.parse::<usize>().ok()?, list))) {
        Some((at, list)) => {
            format!("(`{}` without its entry number {})\n", list.join("."), at.saturating_add(1))
        }
        None => format!("(no key `{}`)\n", path.join(".")),
    }
}

/// A value on one line.
fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => word(text),
        Value::Array(list) => format!("[{}]", list.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            // What an entry is called and what it is come first, as a person writes it.
            let rank = |key: &String| ["name", "kind"].iter().position(|first| first == key).unwrap_or(2);
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| rank(key));
            let entries = entries.iter().map(|(key, value)| format!("{}: {}", word(key), flow(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

/// A text, in quotes where a reader could take it for something else.
fn word(text: &str) -> String {
    const TAKEN: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
        && !TAKEN.contains(&text.to_ascii_lowercase().as_str());
    if plain { text.to_owned() } else { Value::String(text.to_owned()).to_string() }
}

#[cfg(test)]
mod tests;
