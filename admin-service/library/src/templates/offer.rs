//! The tools and parameters that a proposal names, mapped to those of a family.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use shared_types::id::ToolName;
use shared_types::proposal::ToolWish;

/// A tool that a template can offer.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToolShape {
    /// The name in the template, and the name offered when the proposal names none.
    pub(super) key: &'static str,
    /// Whether it is offered when the proposal names none.
    pub(super) standard: bool,
    /// Words that the name or the description of such a tool may contain.
    pub(super) words: &'static [&'static str],
    /// The ways to give its parameters; the first is the usual one.
    pub(super) ways: &'static [&'static [ParamShape]],
}

/// A parameter that a template can take.
#[derive(Debug, Clone, Copy)]
pub(super) struct ParamShape {
    key: &'static str,
    required: bool,
    words: &'static [&'static str],
}

/// A tool offered unasked.
pub(super) const fn tool(
    key: &'static str,
    words: &'static [&'static str],
    ways: &'static [&'static [ParamShape]],
) -> ToolShape {
    ToolShape { key, standard: true, words, ways }
}

/// A parameter that must be given.
pub(super) const fn needed(key: &'static str, words: &'static [&'static str]) -> ParamShape {
    ParamShape { key, required: true, words }
}

/// A parameter that may be left out.
pub(super) const fn optional(key: &'static str, words: &'static [&'static str]) -> ParamShape {
    ParamShape { key, required: false, words }
}

/// What will be offered: for each key of the template the name, and the kind where the proposal chose one.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Offer {
    names: BTreeMap<String, String>,
    kinds: BTreeMap<String, Scalar>,
}

/// The kinds that a template can read in place of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scalar {
    Text,
    Int,
    Number,
}

/// A tool that no shape of the family serves.
#[derive(Debug, thiserror::Error)]
#[error("the templates have no tool like `{0}` with these parameters")]
pub(super) struct NoTool(ToolName);

impl Offer {
    /// Maps what the proposal names; names nothing means the family's own choice.
    ///
    /// # Errors
    /// The tool that no shape of the family serves.
    pub(super) fn arrange(shapes: &[ToolShape], wishes: &[ToolWish]) -> Result<Offer, NoTool> {
        let mut offer = Offer::default();
        if wishes.is_empty() {
            for shape in shapes.iter().filter(|shape| shape.standard) {
                offer.names.insert(shape.key.to_owned(), shape.key.to_owned());
                for param in shape.ways.first().copied().unwrap_or_default() {
                    offer.names.insert(format!("{}.{}", shape.key, param.key), param.key.to_owned());
                }
            }
            return Ok(offer);
        }
        let mut used = BTreeSet::new();
        for wish in wishes {
            let mut candidates: Vec<&ToolShape> =
                shapes.iter().filter(|shape| !used.contains(shape.key)).collect();
            candidates.sort_by_key(|shape| std::cmp::Reverse(likeness(shape, wish)));
            let found = candidates
                .into_iter()
                // A tool of quite another name is another tool, unless there is only one it can be.
                .filter(|shape| likeness(shape, wish) > 0 || (shapes.len() == 1 && wishes.len() == 1))
                .find_map(|shape| Some((shape, pair_up(shape, wish)?)));
            let Some((shape, pairs)) = found else {
                return Err(NoTool(wish.name.clone()));
            };
            used.insert(shape.key);
            offer.names.insert(shape.key.to_owned(), wish.name.to_string());
            for (key, name, kind) in pairs {
                let key = format!("{}.{key}", shape.key);
                offer.names.insert(key.clone(), name.to_owned());
                offer.kinds.insert(key, kind);
            }
        }
        Ok(offer)
    }

    /// Whether a tool or parameter is offered.
    pub(super) fn has(&self, key: &str) -> bool {
        self.names.contains_key(key)
    }

    /// The name offered for a tool or parameter.
    pub(super) fn name(&self, key: &str) -> Option<&str> {
        self.names.get(key).map(String::as_str)
    }

    /// The name of a tool.
    pub(super) fn tool(&self, key: &str) -> Option<&str> {
        self.name(key)
    }

    /// Every key with its name.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names.iter().map(|(key, name)| (key.as_str(), name.as_str()))
    }

    /// The SDK's constructor for a parameter whose kind the proposal chose.
    pub(super) fn constructor(&self, key: &str) -> Option<&'static str> {
        Some(match self.kinds.get(key)? {
            Scalar::Text => "Param::text(",
            Scalar::Int => "Param::int(",
            Scalar::Number => "Param::number(",
        })
    }

    /// An argument under its offered name and in its offered kind.
    pub(super) fn argument(&self, tool: &str, param: &str, value: &Value) -> Option<(String, Value)> {
        let key = format!("{tool}.{param}");
        let name = self.names.get(&key)?.clone();
        let value = match (self.kinds.get(&key), value) {
            (Some(Scalar::Text), Value::Number(number)) => Value::from(number.to_string()),
            (Some(Scalar::Int | Scalar::Number), Value::String(text)) => {
                Value::Number(serde_json::from_str(text).ok()?)
            }
            (_, value) => value.clone(),
        };
        Some((name, value))
    }
}

/// How many of the shape's words the tool's name and description contain; the name counts more.
fn likeness(shape: &ToolShape, wish: &ToolWish) -> usize {
    let name = wish.name.as_str();
    let exact = usize::from(name == shape.key) * 100;
    let in_name = shape.words.iter().filter(|word| name.contains(*word)).count() * 10;
    let description = wish.description.to_lowercase();
    let in_description = shape.words.iter().filter(|word| description.contains(*word)).count();
    exact + in_name + in_description
}

/// Pairs the wished parameters with those of one way of the shape, all of them or nothing.
fn pair_up<'a>(shape: &ToolShape, wish: &'a ToolWish) -> Option<Vec<(&'static str, &'a str, Scalar)>> {
    let mut wished: Vec<(&str, Scalar)> = Vec::new();
    for (name, schema) in wish.parameters.properties() {
        wished.push((
            name,
            match schema.get("type").and_then(Value::as_str)? {
                "string" => Scalar::Text,
                "integer" => Scalar::Int,
                "number" => Scalar::Number,
                _ => return None,
            },
        ));
    }
    shape.ways.iter().find_map(|way| pair_with(way, &wished))
}

fn pair_with<'a>(
    way: &[ParamShape],
    wished: &[(&'a str, Scalar)],
) -> Option<Vec<(&'static str, &'a str, Scalar)>> {
    let mut free: Vec<&ParamShape> = way.iter().collect();
    let mut pairs = Vec::new();
    let mut left = Vec::new();
    for (name, kind) in wished {
        let alike = |param: &&ParamShape| *name == param.key || param.words.contains(name);
        let near = |param: &&ParamShape| {
            name.contains(param.key) || param.words.iter().any(|word| name.contains(word))
        };
        match free.iter().position(alike).or_else(|| free.iter().position(near)) {
            Some(at) => pairs.push((free.remove(at).key, *name, *kind)),
            None => left.push((*name, *kind)),
        }
    }
    // One that is left over, and one that is still needed, belong together.
    let needed: Vec<usize> = (0..free.len()).filter(|at| free[*at].required).collect();
    match (left.as_slice(), needed.as_slice()) {
        ([], []) => Some(pairs),
        ([(name, kind)], [at]) => {
            pairs.push((free[*at].key, *name, *kind));
            Some(pairs)
        }
        _ => None,
    }
}
