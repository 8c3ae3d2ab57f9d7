//! Reads a configuration by its table of keys: defaults for absent keys, every fault in one pass, unknown keys named.
//!
//! A table of [`Key`]s says what a file may hold. [`Section::document`] checks the whole file against it; a reader then takes
//! values of the right kind and adds only what no table can say. The reference, the shipped file and what `config show`
//! prints are made from the same table.

use serde_json::{Map, Value};

use crate::proposal::Fault;
use crate::sorted;
use crate::text;

mod key;

pub use key::{Key, Kind, NEEDED, Shipped, TEXT, key, number, word};

/// One mapping of a configuration, being read.
///
/// Its methods panic for a key that is not in the table, or is of another kind there: that is a fault of the program.
#[derive(Debug)]
pub struct Section {
    path: String,
    keys: &'static [Key],
    /// The names that the file gives a value.
    given: Vec<String>,
    /// A value for each key; faulty ones have their default.
    values: Map<String, Value>,
    faults: Vec<Fault>,
}

impl Section {
    /// Starts with a whole document, or with why it could not be read; an empty one has every default.
    pub fn document<E: ToString>(keys: &'static [Key], read: Result<Value, E>) -> Section {
        let mut faults = Vec::new();
        let value = read.unwrap_or_else(|why| {
            faults.push(Fault::new("", why.to_string()));
            Value::Null
        });
        check(keys, "", &value, &mut faults);
        Section { faults, ..Section::below(keys, String::new(), &value) }
    }

    /// A mapping whose faults are known already.
    fn below(keys: &'static [Key], path: String, value: &Value) -> Section {
        let given = value.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
        let given = given.map(|(name, _)| name.clone()).collect();
        Section { path, keys, given, values: level(keys, "", value, &mut Vec::new()), faults: vec![] }
    }

    /// A whole number.
    pub fn number(&self, name: &str) -> u64 {
        self.optional_number(name).unwrap_or_default()
    }

    /// A whole number that may be absent.
    pub fn optional_number(&self, name: &str) -> Option<u64> {
        self.value(name).as_u64()
    }

    /// A number that may be absent.
    pub fn decimal(&self, name: &str) -> Option<f64> {
        self.value(name).as_f64()
    }

    /// A switch, written as `true` or `false`, or as `on` or `off`.
    pub fn flag(&self, name: &str) -> bool {
        let value = self.value(name);
        value.as_bool().unwrap_or(value == "on")
    }

    /// A text or a name, or nothing where it is absent.
    pub fn text(&self, name: &str) -> Option<String> {
        self.value(name).as_str().map(str::to_owned)
    }

    /// One of a few words; the empty text where it is absent.
    pub fn word(&self, name: &str) -> &str {
        self.value(name).as_str().unwrap_or_default()
    }

    /// A list of texts.
    pub fn texts(&self, name: &str) -> Vec<String> {
        let items = self.value(name).as_array().into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// A list of mappings, each as a section of its own; hand them back with [`Section::close`]. What is not a mapping has its
    /// fault already, and is left out.
    pub fn sections(&self, name: &str) -> Vec<Section> {
        let Kind::List { keys, .. } = &self.key(name).kind else { unreachable!("`{name}` is not a list") };
        let items = self.value(name).as_array().into_iter().flatten().enumerate();
        let mappings = items.filter(|(_, value)| value.is_object() || value.is_null());
        mappings.map(|(i, value)| Section::below(keys, format!("{}[{i}]", self.at(name)), value)).collect()
    }

    /// A mapping below this one; hand it back with [`Section::close`].
    pub fn section(&self, name: &str) -> Section {
        let Kind::Keys(keys) = &self.key(name).kind else { unreachable!("`{name}` is not a mapping") };
        Section::below(keys, self.at(name), self.value(name))
    }

    /// Whether the file gives a key a value.
    pub fn has(&self, name: &str) -> bool {
        self.given.iter().any(|given| given == name)
    }

    /// Whether a key may be absent.
    pub fn is_optional(&self, name: &str) -> bool {
        self.key(name).needed().is_none()
    }

    /// The value of a key as it stands there, or its default.
    pub fn value(&self, name: &str) -> &Value {
        let key = self.key(name);
        self.values.get(key.name).unwrap_or(&Value::Null)
    }

    /// Records a fault at a key of this section.
    pub fn fault(&mut self, name: &str, message: impl Into<String>) {
        let at = self.at(name);
        self.faults.push(Fault::new(at, message));
    }

    /// Records a fault at each key that the file gives and `allowed` does not name: it has no meaning `there`.
    pub fn only(&mut self, allowed: &[&str], there: &str) {
        let given = self.given.iter().filter(|name| self.keys.iter().any(|key| key.name == **name));
        let wrong: Vec<String> = given.filter(|name| !allowed.contains(&name.as_str())).cloned().collect();
        for name in wrong {
            self.fault(&name, format!("has no meaning for {there}; allowed: {}", allowed.join(" ")));
        }
    }

    /// Takes over the faults of a section below.
    pub fn close(&mut self, below: Section) {
        self.faults.extend(below.faults);
    }

    /// Ends the reading: every fault.
    pub fn finish(self) -> Vec<Fault> {
        self.faults
    }

    /// # Panics
    /// A key that is not in the table.
    fn key(&self, name: &str) -> &'static Key {
        self.keys.iter().find(|key| key.name == name).expect("a reader asks for keys of its table alone")
    }

    fn at(&self, name: &str) -> String {
        at(&self.path, name)
    }
}

/// The whole configuration with every default filled in, as the programs take it.
pub fn filled(keys: &[Key], value: &Value) -> Value {
    let mut values = level(keys, "", value, &mut Vec::new());
    for key in keys {
        let Some(value) = values.get_mut(key.name) else { continue };
        match (&key.kind, &mut *value) {
            (Kind::Keys(keys), Value::Object(_)) if !keys.is_empty() => *value = filled(keys, value),
            (Kind::List { keys, .. }, Value::Array(items)) => {
                items.iter_mut().for_each(|item| *item = filled(keys, item));
            }
            _ => {}
        }
    }
    Value::Object(values)
}

/// Finds every fault of a mapping and of all that it holds.
pub fn check(keys: &[Key], path: &str, value: &Value, faults: &mut Vec<Fault>) {
    level(keys, path, value, faults);
    for key in keys {
        let Some(value) = value.get(key.name) else { continue };
        match (&key.kind, value) {
            (Kind::Keys(keys), Value::Object(_)) if !keys.is_empty() => {
                check(keys, &at(path, key.name), value, faults)
            }
            (Kind::List { keys, .. }, Value::Array(items)) => {
                for (i, item) in items.iter().enumerate() {
                    check(keys, &format!("{}[{i}]", at(path, key.name)), item, faults);
                }
            }
            _ => {}
        }
    }
}

/// A value for each key of one mapping; what mappings and lists hold is not looked at.
fn level(keys: &[Key], path: &str, value: &Value, faults: &mut Vec<Fault>) -> Map<String, Value> {
    let empty = Map::new();
    let given = match value {
        Value::Object(map) => map,
        Value::Null => &empty,
        _ => {
            faults.push(Fault::new(path, "must be a mapping of keys to values"));
            return sorted::collected(keys.iter().map(|key| (key.name.to_owned(), key.default())));
        }
    };
    for name in given.keys().filter(|name| keys.iter().all(|key| key.name != **name)) {
        let known: Vec<&str> = keys.iter().filter(|key| key.is_read()).map(|key| key.name).collect();
        let near = text::nearest(name, known.iter().copied());
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let why = format!("this key is unknown; {near}allowed: {}", known.join(" "));
        faults.push(Fault::new(at(path, &text::cut(name, 40)), why));
    }
    let mut value = |key: &Key| match given.get(key.name).filter(|value| !value.is_null()) {
        Some(value) => key.accept(value).unwrap_or_else(|| {
            faults.push(Fault::new(at(path, key.name), key.wrong(value)));
            key.default()
        }),
        None => {
            faults.extend(key.needed().map(|why| Fault::new(at(path, key.name), why)));
            key.default()
        }
    };
    let values: Vec<_> = keys.iter().map(|key| (key, value(key))).collect();
    let read = values.into_iter().filter(|(key, _)| key.is_read());
    sorted::collected(read.map(|(key, value)| (key.name.to_owned(), value)))
}

fn at(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
