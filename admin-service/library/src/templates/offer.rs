//! The tools and parameters that a proposal names, mapped to those of a family.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use shared_types::id::ToolName;
use shared_types::proposal::ToolWish;

use super::format::{ParamShape, ToolShape};

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
    pub(super) fn arrange(shapes: &[&ToolShape], wishes: &[ToolWish]) -> Result<Offer, NoTool> {
        let mut offer = Offer::default();
        if wishes.is_empty() {
            for shape in shapes.iter().filter(|shape| shape.standard) {
                offer.names.insert(shape.key.clone(), shape.key.clone());
                for param in shape.ways.first().into_iter().flatten() {
                    offer.names.insert(format!("{}.{}", shape.key, param.key), param.key.clone());
                }
            }
            return Ok(offer);
        }
        let mut used = BTreeSet::new();
        for wish in wishes {
            let mut candidates: Vec<&ToolShape> =
                shapes.iter().copied().filter(|shape| !used.contains(&shape.key)).collect();
            candidates.sort_by_key(|shape| std::cmp::Reverse(likeness(shape, wish)));
            let found = candidates
                .into_iter()
                // A tool of quite another name is another tool, unless there is only one it can be.
                .filter(|shape| likeness(shape, wish) > 0 || (shapes.len() == 1 && wishes.len() == 1))
                .find_map(|shape| Some((shape, pair_up(shape, wish)?)));
            let Some((shape, pairs)) = found else {
                return Err(NoTool(wish.name.clone()));
            };
            used.insert(&shape.key);
            offer.names.insert(shape.key.clone(), wish.name.to_string());
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
    let in_name = shape.words.iter().filter(|word| name.contains(word)).count() * 10;
    let description = wish.description.to_lowercase();
    let in_description = shape.words.iter().filter(|word| description.contains(word)).count();
    exact + in_name + in_description
}

/// Pairs the wished parameters with those of one way of the shape, all of them or nothing.
fn pair_up<'a>(shape: &'a ToolShape, wish: &'a ToolWish) -> Option<Vec<(&'a str, &'a str, Scalar)>> {
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
    way: &'a [ParamShape],
    wished: &[(&'a str, Scalar)],
) -> Option<Vec<(&'a str, &'a str, Scalar)>> {
    let mut free: Vec<&'a ParamShape> = way.iter().collect();
    let mut pairs = Vec::new();
    let mut left = Vec::new();
    for (name, kind) in wished {
        let alike = |param: &&ParamShape| *name == param.key || param.words.names(name);
        let near = |param: &&ParamShape| {
            name.contains(&param.key) || param.words.iter().any(|word| name.contains(word))
        };
        match free.iter().position(alike).or_else(|| free.iter().position(near)) {
            Some(at) => pairs.push((free.remove(at).key.as_str(), *name, *kind)),
            None => left.push((*name, *kind)),
        }
    }
    // One that is left over, and one that is still needed, belong together.
    let needed: Vec<usize> = (0..free.len()).filter(|at| !free[*at].optional).collect();
    match (left.as_slice(), needed.as_slice()) {
        ([], []) => Some(pairs),
        ([(name, kind)], [at]) => {
            pairs.push((free[*at].key.as_str(), *name, *kind));
            Some(pairs)
        }
        _ => None,
    }
}
