//! The graph of skills: who reaches whom by which event, and the tokens that come together so.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use shared_types::capability::{Token, TokenSet};
use shared_types::id::EventType;
use shared_types::manifest::{Builtin, Learned};
use shared_types::proposal::Scope;

/// One skill as a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The name.
    pub name: String,
    /// Its own tokens.
    pub tokens: TokenSet,
    /// Whether its memory reaches over the whole profile.
    pub profile_memory: bool,
    /// Whether its files reach over the whole profile.
    pub profile_files: bool,
    /// Events that it may send.
    pub emits: Vec<EventType>,
    /// Events that it receives.
    pub handles: Vec<EventType>,
}

/// All nodes; edges follow from events.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    nodes: BTreeMap<String, Node>,
}

/// One token that a skill reaches, and the path to the skill that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The token.
    pub token: Token,
    /// Whether it reads what is the person's own: their memories, files, or voice.
    pub private: bool,
    /// The skills along the events, the first one included.
    pub path: Vec<String>,
}

impl From<&Builtin> for Node {
    fn from(b: &Builtin) -> Node {
        Node {
            name: b.name.to_string(),
            tokens: b.capabilities.clone(),
            profile_memory: true,
            profile_files: true,
            emits: b.emits_events.clone(),
            handles: b.handles_events.clone(),
        }
    }
}

impl From<&Learned> for Node {
    fn from(l: &Learned) -> Node {
        Node {
            name: l.name.to_string(),
            tokens: l.capabilities.clone(),
            profile_memory: l.memory_scope == Scope::Profile,
            profile_files: l.file_scope == Scope::Profile,
            emits: l.emits_events.clone(),
            handles: l.handles_events.clone(),
        }
    }
}

impl Graph {
    /// The graph of some skills; a later node of the same name replaces an earlier one.
    pub fn of(nodes: impl IntoIterator<Item = Node>) -> Graph {
        Graph { nodes: nodes.into_iter().map(|n| (n.name.clone(), n)).collect() }
    }

    /// The skills.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.values()
    }

    /// Every token that a skill reaches, by the shortest path to each.
    pub fn effective(&self, name: &str) -> Vec<Reach> {
        let mut reached: BTreeMap<(Token, bool), Vec<String>> = BTreeMap::new();
        let mut seen = BTreeSet::from([name]);
        let mut queue = VecDeque::from([(name, vec![name.to_owned()])]);
        while let Some((at, path)) = queue.pop_front() {
            let Some(node) = self.nodes.get(at) else { continue };
            for token in node.tokens.iter() {
                reached.entry((token, node.is_private(token))).or_insert_with(|| path.clone());
            }
            for next in self.handlers(node) {
                if seen.insert(next) {
                    let mut longer = path.clone();
                    longer.push(next.to_owned());
                    queue.push_back((next, longer));
                }
            }
        }
        reached.into_iter().map(|((token, private), path)| Reach { token, private, path }).collect()
    }

    /// The skills whose events reach `name`, itself included.
    pub fn reaching(&self, name: &str) -> Vec<&str> {
        self.nodes
            .keys()
            .filter(|n| n.as_str() == name || self.effective_skills(n).contains(name))
            .map(String::as_str)
            .collect()
    }

    fn effective_skills(&self, name: &str) -> BTreeSet<String> {
        self.effective(name).into_iter().flat_map(|r| r.path).collect()
    }

    fn handlers<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = &'a str> {
        self.nodes
            .values()
            .filter(|other| other.handles.iter().any(|h| node.emits.contains(h)))
            .map(|other| other.name.as_str())
    }
}

impl Node {
    /// Whether this token, in this node, reads what is the person's own.
    fn is_private(&self, token: Token) -> bool {
        match token {
            Token::MemoryRead => self.profile_memory,
            Token::FileRead => self.profile_files,
            Token::AudioRead => true,
            _ => false,
        }
    }
}
