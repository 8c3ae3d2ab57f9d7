//! What a configuration may say: a table of keys, each with its kind, default, bounds and meaning.

use serde_json::Value;

/// One key of a mapping.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it means, for the reference and the shipped file. A blank line begins a paragraph.
    pub doc: &'static str,
    /// What the shipped file and the reference show in place of a default; lines of YAML.
    pub example: &'static str,
    /// How the shipped file writes it.
    pub shipped: Shipped,
}

/// How the shipped file writes a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shipped {
    /// With its default; as a comment where it has none.
    Default,
    /// As a comment.
    Comment,
    /// With another value than the default, in YAML.
    As(&'static str),
}

/// What a key holds.
#[derive(Debug)]
pub enum Kind {
    /// `true` or `false`.
    Flag(bool),
    /// `on` or `off`; some readers of YAML take these for truth values.
    Switch(bool),
    /// A whole number within bounds.
    Number {
        /// Without one, the key may be absent.
        default: Option<u64>,
        /// The least.
        least: u64,
        /// The most.
        most: u64,
        /// The unit, for the reference.
        unit: &'static str,
    },
    /// A number within bounds; it may be absent.
    Decimal {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// One of a few words.
    Word {
        /// The empty text where the key may be absent.
        default: &'static str,
        /// The words.
        allowed: &'static [&'static str],
        /// Whether it must be there.
        needed: bool,
    },
    /// A text.
    Text {
        /// Without one, the key may be absent.
        default: Option<&'static str>,
        /// What to say when it is absent though it must be there, after `missing`.
        needed: Option<&'static str>,
    },
    /// A list of texts.
    Texts(&'static [&'static str]),
    /// A text or a whole number; it may be absent.
    Name,
    /// What another key holds, whose path is named: that one holds where this key is absent.
    Or(&'static Key, &'static str),
    /// Anything; the program that reads it checks it. What it is to be, for the reference.
    Any(&'static str),
    /// Nothing: a key that is known and not read. Why not, and the next step, after the key's name.
    Refused(&'static str),
    /// A mapping; an empty table stands for any keys.
    Keys(&'static [Key]),
    /// A list of mappings.
    List {
        /// The keys of each.
        keys: &'static [Key],
        /// The default, as JSON.
        default: &'static str,
        /// The most entries.
        most: usize,
    },
}

/// A key with its meaning.
pub const fn key(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, doc, example: "", shipped: Shipped::Default }
}

/// A whole number within bounds.
pub const fn number(default: u64, least: u64, most: u64, unit: &'static str) -> Kind {
    Kind::Number { default: Some(default), least, most, unit }
}

/// One of a few words.
pub const fn word(default: &'static str, allowed: &'static [&'static str]) -> Kind {
    Kind::Word { default, allowed, needed: false }
}

/// A text that may be absent.
pub const TEXT: Kind = Kind::Text { default: None, needed: None };

/// A text that must be there.
pub const NEEDED: Kind = Kind::Text { default: None, needed: Some("") };

impl Key {
    /// The same with an example.
    pub const fn example(self, example: &'static str) -> Key {
        Key { example, ..self }
    }

    /// The same as a comment in the shipped file.
    pub const fn commented(self) -> Key {
        Key { shipped: Shipped::Comment, ..self }
    }

    /// The same with another value in the shipped file.
    pub const fn shipped(self, value: &'static str) -> Key {
        Key { shipped: Shipped::As(value), ..self }
    }

    /// Whether a file may hold it.
    pub fn is_read(&self) -> bool {
        !matches!(self.kind, Kind::Refused(_))
    }

    /// What an absent key means; `null` where it means nothing.
    ///
    /// # Panics
    /// Where the default of a list is not JSON; a test reads every table.
    pub fn default(&self) -> Value {
        match &self.kind {
            Kind::Flag(on) => Value::from(*on),
            Kind::Switch(on) => Value::from(if *on { "on" } else { "off" }),
            Kind::Number { default, .. } => default.map_or(Value::Null, Value::from),
            Kind::Word { default: "", .. } => Value::Null,
            Kind::Word { default, .. } => Value::from(*default),
            Kind::Text { default, .. } => default.map_or(Value::Null, Value::from),
            Kind::Texts(default) => Value::from(default.to_vec()),
            Kind::Decimal { .. } | Kind::Name | Kind::Or(..) | Kind::Any(_) | Kind::Refused(_) => Value::Null,
            Kind::Keys(below) if below.iter().any(|key| key.needed().is_some()) => Value::Null,
            Kind::Keys(_) => Value::Object(serde_json::Map::new()),
            Kind::List { default, .. } => {
                serde_json::from_slice(default.as_bytes()).expect("a default is JSON")
            }
        }
    }

    /// Whether it must be there, and what to say where it is not.
    pub fn needed(&self) -> Option<String> {
        match &self.kind {
            Kind::Word { allowed, needed: true, .. } => {
                Some(format!("missing; allowed: {}", allowed.join(" ")))
            }
            Kind::Text { needed: Some(""), .. } => Some("missing".to_owned()),
            Kind::Text { needed: Some(hint), .. } => Some(format!("missing{hint}")),
            _ => None,
        }
    }

    /// A value of the right kind, as the reader takes it. What mappings and lists hold is not looked at.
    pub(super) fn accept(&self, value: &Value) -> Option<Value> {
        match (&self.kind, value) {
            (Kind::Or(key, _), _) => key.accept(value),
            (Kind::Flag(_), Value::Bool(_))
            | (Kind::Text { .. }, Value::String(_))
            | (Kind::Any(_), _)
            | (Kind::Keys(_), Value::Object(_)) => Some(value.clone()),
            (Kind::Switch(_), Value::Bool(on)) => Some(Value::from(if *on { "on" } else { "off" })),
            (Kind::Switch(_), Value::String(word)) if word == "on" || word == "off" => Some(value.clone()),
            (Kind::Number { least, most, .. }, _) => {
                value.as_u64().filter(|n| (least..=most).contains(&n)).map(Value::from)
            }
            (Kind::Decimal { least, most }, _) => {
                value.as_f64().filter(|n| (least..=most).contains(&n)).map(Value::from)
            }
            (Kind::Word { allowed, .. }, Value::String(word)) => {
                allowed.contains(&word.as_str()).then(|| value.clone())
            }
            (Kind::Texts(_), Value::Array(items)) => {
                items.iter().all(Value::is_string).then(|| value.clone())
            }
            (Kind::Name, Value::String(name)) if !name.is_empty() => Some(value.clone()),
            (Kind::Name, Value::Number(number)) if number.is_u64() => Some(Value::from(number.to_string())),
            (Kind::List { most, .. }, Value::Array(items)) => (items.len() <= *most).then(|| value.clone()),
            _ => None,
        }
    }

    /// What is wrong with a value that is not accepted.
    pub(super) fn wrong(&self, value: &Value) -> String {
        match &self.kind {
            Kind::Or(key, _) => key.wrong(value),
            Kind::Flag(_) => "must be `true` or `false`".into(),
            Kind::Switch(_) => format!("{value} is not allowed; allowed: on off"),
            Kind::Number { least, most, .. } => format!("must be a whole number from {least} to {most}"),
            Kind::Decimal { least, most } => format!("must be a number from {least} to {most}"),
            Kind::Word { allowed, .. } => format!("{value} is not allowed; allowed: {}", allowed.join(" ")),
            Kind::Text { .. } => "must be a text".into(),
            Kind::Any(what) => format!("must be {what}"),
            Kind::Refused(why) => (*why).into(),
            Kind::Texts(_) => "must be a list of texts".into(),
            Kind::Name => "must be a name or a number".into(),
            Kind::Keys(_) => "must be a mapping of keys to values".into(),
            Kind::List { most, .. } if value.is_array() => format!("at most {most} entries are allowed"),
            Kind::List { .. } => "must be a list".into(),
        }
    }
}
