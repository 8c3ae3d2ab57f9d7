//! What a skill says about itself.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::Value;

/// What a skill offers: its tools and its events.
#[derive(Debug, Clone)]
pub struct Description {
    about: String,
    tools: Vec<Tool>,
    handles: Vec<String>,
    emits: Vec<String>,
}

impl Description {
    /// Starts a description with one sentence.
    pub fn new(about: &str) -> Description {
        Description { about: about.to_owned(), tools: Vec::new(), handles: Vec::new(), emits: Vec::new() }
    }

    /// Adds a tool.
    pub fn tool(mut self, tool: Tool) -> Description {
        self.tools.push(tool);
        self
    }

    /// Names an event type that the skill handles.
    pub fn handles(mut self, kind: &str) -> Description {
        self.handles.push(kind.to_owned());
        self
    }

    /// Names an event type that the skill sends.
    pub fn emits(mut self, kind: &str) -> Description {
        self.emits.push(kind.to_owned());
        self
    }

    pub(crate) fn into_value(self) -> Value {
        Value::map([
            ("description", self.about.into()),
            ("tools", Value::list(self.tools)),
            ("handles", Value::list(self.handles)),
            ("emits", Value::list(self.emits)),
        ])
    }
}

/// One thing that a skill can do.
#[derive(Debug, Clone)]
pub struct Tool {
    name: String,
    about: String,
    params: Vec<Param>,
    phrases: Vec<(String, String)>,
    examples: Vec<String>,
}

impl Tool {
    /// Starts a tool: a name of lower-case letters, digits, `_` and `-`, and one sentence.
    pub fn new(name: &str, about: &str) -> Tool {
        Tool {
            name: name.to_owned(),
            about: about.to_owned(),
            params: Vec::new(),
            phrases: Vec::new(),
            examples: Vec::new(),
        }
    }

    /// Adds a parameter.
    pub fn param(mut self, param: Param) -> Tool {
        self.params.push(param);
        self
    }

    /// Adds a sentence pattern that calls the tool; `{name}` is a slot that fills the parameter.
    pub fn phrase(mut self, language: &str, pattern: &str) -> Tool {
        self.phrases.push((language.to_owned(), pattern.to_owned()));
        self
    }

    /// Adds a whole sentence that the tool should answer.
    pub fn example(mut self, line: &str) -> Tool {
        self.examples.push(line.to_owned());
        self
    }
}

impl From<Tool> for Value {
    fn from(tool: Tool) -> Value {
        let (mut properties, mut required, mut phrases) = (Vec::new(), Vec::new(), Vec::new());
        for param in tool.params {
            if param.required {
                required.push(param.name.as_str().into());
            }
            properties.push((param.name, Value::Map(param.schema)));
        }
        for (language, pattern) in tool.phrases {
            phrases.push(Value::map([("language", language.into()), ("pattern", pattern.into())]));
        }
        Value::map([
            ("name", tool.name.into()),
            ("description", tool.about.into()),
            (
                "parameters",
                Value::map([
                    ("type", "object".into()),
                    ("properties", Value::Map(properties)),
                    ("required", Value::List(required)),
                    ("additionalProperties", false.into()),
                ]),
            ),
            ("phrases", Value::List(phrases)),
            ("examples", Value::list(tool.examples)),
        ])
    }
}

/// One parameter of a tool; required unless it is made optional.
#[derive(Debug, Clone)]
pub struct Param {
    name: String,
    schema: Vec<(String, Value)>,
    required: bool,
}

impl Param {
    /// A text.
    pub fn text(name: &str, about: &str) -> Param {
        Param::new(name, about, "string")
    }

    /// A whole number.
    pub fn int(name: &str, about: &str) -> Param {
        Param::new(name, about, "integer")
    }

    /// A number.
    pub fn number(name: &str, about: &str) -> Param {
        Param::new(name, about, "number")
    }

    /// A yes or no.
    pub fn flag(name: &str, about: &str) -> Param {
        Param::new(name, about, "boolean")
    }

    /// Several texts.
    pub fn texts(name: &str, about: &str) -> Param {
        Param::new(name, about, "array").set("items", Value::map([("type", "string".into())]))
    }

    /// Lets the parameter be left out.
    pub fn optional(mut self) -> Param {
        self.required = false;
        self
    }

    /// Allows these texts only.
    pub fn one_of(self, allowed: &[&str]) -> Param {
        self.set("enum", Value::list(allowed.iter().copied()))
    }

    /// Sets the least number allowed.
    pub fn min(self, least: impl Into<Value>) -> Param {
        self.set("minimum", least.into())
    }

    /// Sets the greatest number allowed.
    pub fn max(self, greatest: impl Into<Value>) -> Param {
        self.set("maximum", greatest.into())
    }

    fn new(name: &str, about: &str, kind: &str) -> Param {
        let schema = vec![("type".to_owned(), kind.into()), ("description".to_owned(), about.into())];
        Param { name: name.to_owned(), schema, required: true }
    }

    fn set(mut self, key: &str, value: Value) -> Param {
        self.schema.retain(|(name, _)| name != key);
        self.schema.push((key.to_owned(), value));
        self
    }
}
