//! Conditions of a family: names, `'words'`, `may:TOKEN`, with `!`, `&`, `|` and parentheses.

use serde::Deserialize;
use shared_types::capability::Token;

use super::patterns::Patterns;

/// The most parentheses and `!` within each other.
const DEEPEST: usize = 8;

/// A condition, such as `dice & roll & !game`.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Condition(Node);

#[derive(Debug, Clone)]
enum Node {
    /// A group of patterns, a slot, a switch or another condition.
    Name(String),
    /// Patterns that stand anywhere in the wish.
    Words(Patterns),
    /// A capability that the proposal asks for.
    May(Token),
    Not(Box<Node>),
    All(Vec<Node>),
    Any(Vec<Node>),
}

/// Text that is not a condition.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadCondition {
    #[error(
        "`{0}`: a condition is names with `!`, `&`, `|` and parentheses, as in `dice & (roll | throw) & !game`"
    )]
    Form(String),
    #[error("`{0}` is not a capability; docs/ARCHITECTURE.md lists them")]
    Token(String),
}

/// What a condition is judged by.
pub(super) trait World {
    /// Whether what has this name holds.
    fn holds(&self, name: &str) -> bool;
    /// The value of a slot; empty where there is none.
    fn value(&self, name: &str) -> &str;
    /// Whether one of the patterns stands anywhere.
    fn has(&self, words: &Patterns) -> bool;
    /// Whether the proposal asks for a capability.
    fn may(&self, token: Token) -> bool;
}

impl Condition {
    /// Whether it holds.
    pub(super) fn holds(&self, world: &impl World) -> bool {
        self.0.holds(world)
    }

    /// The names that it asks for.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.0.add_names(&mut names);
        names
    }
}

impl Node {
    fn holds(&self, world: &impl World) -> bool {
        match self {
            Node::Name(name) => world.holds(name),
            Node::Words(words) => world.has(words),
            Node::May(token) => world.may(*token),
            Node::Not(node) => !node.holds(world),
            Node::All(nodes) => nodes.iter().all(|node| node.holds(world)),
            Node::Any(nodes) => nodes.iter().any(|node| node.holds(world)),
        }
    }

    fn add_names<'a>(&'a self, names: &mut Vec<&'a str>) {
        match self {
            Node::Name(name) => names.push(name),
            Node::Words(_) | Node::May(_) => {}
            Node::Not(node) => node.add_names(names),
            Node::All(nodes) | Node::Any(nodes) => nodes.iter().for_each(|node| node.add_names(names)),
        }
    }
}

impl TryFrom<String> for Condition {
    type Error = BadCondition;

    fn try_from(text: String) -> Result<Condition, BadCondition> {
        let mut reader = Reader { rest: &text, deep: 0 };
        let node = reader.any(&text)?;
        if reader.rest.trim().is_empty() { Ok(Condition(node)) } else { Err(BadCondition::Form(text)) }
    }
}

struct Reader<'a> {
    rest: &'a str,
    deep: usize,
}

impl<'a> Reader<'a> {
    fn takes(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn any(&mut self, whole: &str) -> Result<Node, BadCondition> {
        let mut nodes = vec![self.all(whole)?];
        while self.takes('|') {
            nodes.push(self.all(whole)?);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::Any(nodes) })
    }

    fn all(&mut self, whole: &str) -> Result<Node, BadCondition> {
        let mut nodes = vec![self.one(whole)?];
        while self.takes('&') {
            nodes.push(self.one(whole)?);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::All(nodes) })
    }

    fn one(&mut self, whole: &str) -> Result<Node, BadCondition> {
        let wrong = || BadCondition::Form(whole.to_owned());
        let is_not = self.takes('!');
        if is_not || self.takes('(') {
            self.deep += 1;
            if self.deep > DEEPEST {
                return Err(wrong());
            }
            let node = if is_not { Node::Not(Box::new(self.one(whole)?)) } else { self.any(whole)? };
            self.deep -= 1;
            return if is_not || self.takes(')') { Ok(node) } else { Err(wrong()) };
        }
        if self.takes('\'') {
            let (words, rest) = self.rest.split_once('\'').ok_or_else(wrong)?;
            self.rest = rest;
            return Ok(Node::Words(Patterns::from(words.to_owned())));
        }
        let name = self.name().ok_or_else(wrong)?;
        match name.strip_prefix("may:") {
            Some(token) => token.parse().map(Node::May).map_err(|_| BadCondition::Token(token.to_owned())),
            None => Ok(Node::Name(name.to_owned())),
        }
    }

    fn name(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':')));
        let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        (!name.is_empty()).then_some(name)
    }
}

#[cfg(test)]
mod tests;
