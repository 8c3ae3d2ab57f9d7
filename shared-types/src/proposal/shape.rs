//! The form of a document, key by key: every key that is missing, unknown or of the wrong kind is reported in one pass.

use serde_json::{Map, Value};

use super::validate::{Document, Fault, RawDocument};
use crate::sorted;
use crate::status::{Status, Wait};

/// What may stand at a key.
enum Shape {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// Anything; it is checked elsewhere.
    Any,
    /// A word of [`Status`].
    Status,
    /// A word of [`Wait`].
    Wait,
    /// A mapping.
    Map(&'static [Field]),
    /// A list of mappings.
    Maps(&'static [Field]),
}

struct Field {
    key: &'static str,
    shape: Shape,
    required: bool,
}

const fn must(key: &'static str, shape: Shape) -> Field {
    Field { key, shape, required: true }
}

const fn may(key: &'static str, shape: Shape) -> Field {
    Field { key, shape, required: false }
}

const DOCUMENT: Shape = Shape::Map(&[
    must("proposal", Shape::Map(PROPOSAL)),
    may("status", Shape::Text),
    may("waits_for", Shape::Wait),
    may("history", Shape::Maps(HISTORY)),
    may("result", Shape::Any),
]);

const PROPOSAL: &[Field] = &[
    must("id", Shape::Text),
    must("kind", Shape::Text),
    must("name", Shape::Text),
    must("description", Shape::Text),
    must("capabilities", Shape::Texts),
    may("emits_events", Shape::Texts),
    may("handles_events", Shape::Texts),
    may("dependencies", Shape::Texts),
    may("tools", Shape::Maps(TOOL)),
    may("network", Shape::Texts),
    may("secrets", Shape::Texts),
    may("memory_scope", Shape::Text),
    may("file_scope", Shape::Text),
    may("requirements", Shape::Map(&[may("system_capabilities", Shape::Texts)])),
    may("action", Shape::Any),
    may("rationale", Shape::Text),
    may("user_context", Shape::Text),
    may("generated_by", Shape::Text),
    may("generated_at", Shape::Text),
    must("profile_id", Shape::Text),
];

const TOOL: &[Field] = &[
    must("name", Shape::Text),
    must("description", Shape::Text),
    may("parameters", Shape::Any),
    may("examples", Shape::Maps(&[must("args", Shape::Any), may("expect", Shape::Text)])),
];

const HISTORY: &[Field] = &[
    must("timestamp", Shape::Text),
    must("status", Shape::Status),
    must("actor", Shape::Text),
    may("reason", Shape::Text),
];

/// Reads a value that did not fit at once: what does not fit is reported and left out, the rest is checked as ever. A
/// key without a value counts as left out.
///
/// # Errors
/// Every fault; `otherwise` alone, where the form has none that this table knows.
pub(super) fn read(mut value: Value, otherwise: &str, wish: bool) -> Result<Document, Vec<Fault>> {
    let mut found = Found::default();
    let fits = found.mend(&DOCUMENT, &mut value, "");
    let content = match crate::json::read::<RawDocument>(&value) {
        Ok(raw) if fits => raw.validate(wish),
        Ok(_) | Err(_) if !found.faults.is_empty() => Err(vec![]),
        Ok(_) | Err(_) => Err(vec![Fault::new("", otherwise)]),
    };
    let content = match content {
        Ok(document) if found.faults.is_empty() && found.unquoted.is_empty() => return Ok(document),
        Ok(_) => vec![],
        Err(faults) => faults,
    };
    let known = |fault: &Fault| {
        found.faults.iter().any(|f| {
            let below = fault.key.strip_prefix(f.key.as_str());
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    };
    let content: Vec<Fault> = content.into_iter().filter(|fault| !known(fault)).collect();
    let mut faults = found.faults;
    faults.extend(content);
    Err(if faults.is_empty() { found.unquoted } else { faults })
}

#[derive(Default)]
struct Found {
    faults: Vec<Fault>,
    /// Numbers where a text belongs; how they were written is not known here.
    unquoted: Vec<Fault>,
}

impl Found {
    /// Makes a value fit its shape and tells what did not; whether it is of the right kind at all.
    fn mend(&mut self, shape: &Shape, value: &mut Value, at: &str) -> bool {
        match shape {
            Shape::Any => true,
            Shape::Text => {
                if matches!(value, Value::Number(_) | Value::Bool(_)) {
                    self.unquoted.push(Fault::new(at, "write this text in quotes"));
                    *value = Value::String(value.to_string());
                }
                self.kind(value.is_string(), at, "must be a text")
            }
            Shape::Status => self.word(value, at, &Status::ALL.map(Status::as_str)),
            Shape::Wait => self.word(value, at, &Wait::ALL.map(Wait::as_str)),
            Shape::Texts => self.list(value, at, "must be a list of texts", &Shape::Text),
            Shape::Maps(fields) => match value.as_array_mut() {
                Some(items) => {
                    let mut kept = Vec::new();
                    for (i, mut item) in std::mem::take(items).into_iter().enumerate() {
                        if self.map(fields, &mut item, &format!("{at}[{i}]")) {
                            kept.push(item);
                        }
                    }
                    *items = kept;
                    true
                }
                None => self.kind(false, at, "must be a list of mappings"),
            },
            Shape::Map(fields) => self.map(fields, value, at),
        }
    }

    fn list(&mut self, value: &mut Value, at: &str, kind: &str, of: &Shape) -> bool {
        let Some(items) = value.as_array_mut() else { return self.kind(false, at, kind) };
        let mut kept = Vec::new();
        for (i, mut item) in std::mem::take(items).into_iter().enumerate() {
            if self.mend(of, &mut item, &format!("{at}[{i}]")) {
                kept.push(item);
            }
        }
        *items = kept;
        true
    }

    fn map(&mut self, fields: &[Field], value: &mut Value, at: &str) -> bool {
        let Some(map) = value.as_object_mut() else {
            return self.kind(false, at, "must be a mapping of keys to values");
        };
        let place = |key: &str| if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
        self.unknown(fields, map, &place);
        for Field { key, shape, required } in fields {
            let fits = match map.get_mut(*key) {
                Some(value) if !value.is_null() => self.mend(shape, value, &place(key)),
                _ if *required && !matches!(shape, Shape::Any) => self.kind(false, &place(key), "missing"),
                _ => false,
            };
            if !fits {
                match required {
                    true => map.insert((*key).to_owned(), shape.empty()),
                    false => map.remove(*key),
                };
            }
        }
        true
    }

    fn unknown(&mut self, fields: &[Field], map: &mut Map<String, Value>, place: &dyn Fn(&str) -> String) {
        let names: Vec<String> =
            map.keys().filter(|k| fields.iter().all(|f| f.key != **k)).cloned().collect();
        let allowed = || fields.iter().map(|f| f.key).collect::<Vec<_>>().join(" ");
        for name in names {
            let shown = crate::text::cut(&name, 40);
            self.faults.push(Fault::new(place(&shown), format!("unknown key; allowed: {}", allowed())));
            map.remove(&name);
        }
    }

    fn word(&mut self, value: &Value, at: &str, allowed: &[&str]) -> bool {
        let fits = value.as_str().is_some_and(|word| allowed.contains(&word));
        self.kind(fits, at, &format!("allowed: {}", allowed.join(" ")))
    }

    fn kind(&mut self, fits: bool, at: &str, what: &str) -> bool {
        if !fits {
            self.faults.push(Fault::new(at, what));
        }
        fits
    }
}

impl Shape {
    /// What stands for a value that was not given, so that the others can be checked.
    fn empty(&self) -> Value {
        match self {
            Shape::Text | Shape::Status | Shape::Wait => Value::String(String::new()),
            Shape::Texts | Shape::Maps(_) => Value::Array(vec![]),
            Shape::Any => Value::Null,
            Shape::Map(fields) => {
                let required = fields.iter().filter(|f| f.required);
                Value::Object(sorted::collected(required.map(|f| (f.key.to_owned(), f.shape.empty()))))
            }
        }
    }
}
