//! Tool names as the wire takes them, and back.

use std::collections::BTreeSet;

use crate::request::{ToolSpec, callable};

/// The names of the offered tools as the wire takes them: no dots, at most 64 characters, each once.
pub(crate) struct WireNames(Vec<(String, String)>);

impl WireNames {
    pub(crate) fn of(tools: &[ToolSpec], named: &[String]) -> Self {
        let mut taken = BTreeSet::new();
        let mut names = Vec::with_capacity(tools.len());
        for name in callable(tools, named) {
            let plain = wire_name(name);
            let mut wire = plain.clone();
            let mut n = 2;
            while !taken.insert(wire.clone()) {
                wire = format!("{}_{n}", plain.chars().take(58).collect::<String>());
                n += 1;
            }
            names.push((wire, name.to_owned()));
        }
        WireNames(names)
    }

    pub(crate) fn to_wire(&self, name: &str) -> String {
        let known = self.0.iter().find(|(_, own)| own == name);
        known.map_or_else(|| wire_name(name), |(wire, _)| wire.clone())
    }

    /// The tools that can be called, for a message to the model.
    pub(crate) fn offered(&self) -> String {
        let own: Vec<&str> = self.0.iter().map(|(_, own)| own.as_str()).collect();
        own.join(" ")
    }

    /// Whether no tool is offered.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn to_own(&self, wire: &str) -> Option<&str> {
        // Some models answer with the name as they saw it in a text.
        self.0.iter().find(|(w, own)| w == wire || own == wire).map(|(_, own)| own.as_str())
    }
}

fn wire_name(name: &str) -> String {
    let name = name.replace('.', "__");
    name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).take(64).collect()
}
