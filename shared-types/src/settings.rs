//! Reads a configuration key by key: defaults for absent keys, every fault in one pass, unknown keys named.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::proposal::Fault;
use crate::text;

/// One mapping of a configuration, being read.
#[derive(Debug)]
pub struct Section {
    path: String,
    map: Map<String, Value>,
    known: Vec<&'static str>,
    faults: Vec<Fault>,
}

impl Section {
    /// Starts with a whole document, or with why it could not be read; an empty one has every default.
    pub fn document<E: ToString>(read: Result<Value, E>) -> Section {
        let (value, fault) = read.map_or_else(|why| (Value::Null, Some(why)), |value| (value, None));
        let mut section = Section::of("", value);
        section.faults.extend(fault.map(|why| Fault::new("", why.to_string())));
        section
    }

    /// Starts with a value that stands at `path`.
    pub fn of(path: &str, value: Value) -> Section {
        let mut section = Section { path: path.to_owned(), map: Map::new(), known: vec![], faults: vec![] };
        match value {
            Value::Object(map) => section.map = map,
            Value::Null => {}
            _ => section.faults.push(Fault::new(path, "must be a mapping of keys to values")),
        }
        section
    }

    /// A whole number within a range.
    pub fn number(&mut self, key: &'static str, default: u64, range: RangeInclusive<u64>) -> u64 {
        match self.take(key) {
            None => default,
            Some(value) => match value.as_u64().filter(|n| range.contains(n)) {
                Some(n) => n,
                None => {
                    self.fault(
                        key,
                        format!("must be a whole number from {} to {}", range.start(), range.end()),
                    );
                    default
                }
            },
        }
    }

    /// A switch.
    pub fn flag(&mut self, key: &'static str, default: bool) -> bool {
        match self.take(key) {
            None => default,
            Some(value) => value.as_bool().unwrap_or_else(|| {
                self.fault(key, "must be `true` or `false`");
                default
            }),
        }
    }

    /// A text, or nothing when the key is absent.
    pub fn text(&mut self, key: &'static str) -> Option<String> {
        match self.take(key)? {
            Value::String(text) => Some(text),
            _ => {
                self.fault(key, "must be a text");
                None
            }
        }
    }

    /// One of a few words.
    pub fn word(
        &mut self,
        key: &'static str,
        default: &'static str,
        allowed: &[&'static str],
    ) -> &'static str {
        let Some(value) = self.take(key) else { return default };
        let found = value.as_str().and_then(|v| allowed.iter().find(|a| **a == v));
        match found {
            Some(word) => word,
            None => {
                self.fault(key, format!("{value} is not allowed; allowed: {}", allowed.join(" ")));
                default
            }
        }
    }

    /// A list of texts; absent is empty.
    pub fn texts(&mut self, key: &'static str) -> Option<Vec<String>> {
        let value = self.take(key)?;
        let texts = value
            .as_array()
            .map(|l| l.iter().map(|v| v.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>());
        match texts {
            Some(Some(texts)) => Some(texts),
            _ => {
                self.fault(key, "must be a list of texts");
                None
            }
        }
    }

    /// A list of mappings, each as a section of its own; hand them back with [`Section::close`].
    pub fn sections(&mut self, key: &'static str) -> Vec<Section> {
        match self.take(key) {
            None => vec![],
            Some(Value::Array(items)) => {
                let at = self.at(key);
                items.into_iter().enumerate().map(|(i, v)| Section::of(&format!("{at}[{i}]"), v)).collect()
            }
            Some(_) => {
                self.fault(key, "must be a list");
                vec![]
            }
        }
    }

    /// A mapping below this one; hand it back with [`Section::close`].
    pub fn section(&mut self, key: &'static str) -> Section {
        let at = self.at(key);
        let value = self.take(key).unwrap_or(Value::Null);
        Section::of(&at, value)
    }

    /// Whether a key is there and has a value.
    pub fn has(&self, key: &str) -> bool {
        self.map.get(key).is_some_and(|v| !v.is_null())
    }

    /// Gives a key a value, as if it stood in the file.
    pub fn preset(&mut self, key: &str, value: Value) {
        self.map.insert(key.to_owned(), value);
    }

    /// A raw value, marked as known.
    pub fn take(&mut self, key: &'static str) -> Option<Value> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.map.remove(key).filter(|v| !v.is_null())
    }

    /// Records a fault at a key of this section.
    pub fn fault(&mut self, key: &str, message: impl Into<String>) {
        let at = self.at(key);
        self.faults.push(Fault::new(at, message));
    }

    /// Takes over the faults of a section below.
    pub fn close(&mut self, below: Section) {
        self.faults.extend(below.finish());
    }

    /// Ends the reading: every fault, unknown keys included.
    pub fn finish(mut self) -> Vec<Fault> {
        let left: Vec<String> = self.map.keys().cloned().collect();
        for key in left {
            let allowed = self.known.join(" ");
            let near = text::nearest(&key, self.known.iter().copied());
            let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
            self.fault(&key, format!("this key is unknown; {near}allowed: {allowed}"));
        }
        self.faults
    }

    fn at(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}
