//! The graph of skills: who reaches whom by which event, and the tokens that come together so.
//!
//! An edge stands for every event that one skill may send and another may be handed. The kernel hands an event to one
//! handler only and ends a chain after four dispatches; the graph leaves both out, because the one handler changes when a
//! skill goes, and a chain continues from what was stored on its way.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use shared_types::capability::{Token, TokenSet};
use shared_types::id::EventType;
use shared_types::manifest::{Builtin, Learned};
use shared_types::proposal::Scope;

/// One skill as a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub name: String,
    /// The version of a learned skill; none for a part of the bot.
    pub version: Option<u32>,
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
    nodes: Vec<Node>,
    places: BTreeMap<String, usize>,
    onward: Vec<Vec<usize>>,
    back: Vec<Vec<usize>>,
}

/// One token that a skill reaches, and the path to the skill that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    pub token: Token,
    /// Whether it reads what is the person's own: their memories, files, or voice.
    pub private: bool,
    /// The skills along the events, the first one included.
    pub path: Vec<String>,
}

/// One way on which an event goes from a skill to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge<'a> {
    /// Who sends.
    pub from: &'a Node,
    /// Who may be handed it.
    pub to: &'a Node,
    pub events: Vec<&'a EventType>,
}

impl From<&Builtin> for Node {
    fn from(b: &Builtin) -> Node {
        Node {
            name: b.name.to_string(),
            version: None,
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
        let own = format!("{}.", l.name);
        // What the bot lets through: events of its own that it describes, and others that the decision names.
        let handled = |e: &&EventType| e.as_str().starts_with(&own) || l.handles_events.contains(e);
        Node {
            name: l.name.to_string(),
            version: Some(l.version),
            tokens: l.capabilities.clone(),
            profile_memory: l.memory_scope == Scope::Profile,
            profile_files: l.file_scope == Scope::Profile,
            emits: l.emits_events.clone(),
            handles: l.described.handles.iter().filter(handled).cloned().collect(),
        }
    }
}

impl Graph {
    /// The graph of some skills; a later node of the same name replaces an earlier one.
    pub fn of(nodes: impl IntoIterator<Item = Node>) -> Graph {
        let named: BTreeMap<String, Node> = nodes.into_iter().map(|n| (n.name.clone(), n)).collect();
        let nodes: Vec<Node> = named.into_values().collect();
        let places = nodes.iter().enumerate().map(|(at, n)| (n.name.clone(), at)).collect();
        let mut handlers: BTreeMap<&EventType, Vec<usize>> = BTreeMap::new();
        for (at, node) in nodes.iter().enumerate() {
            for event in &node.handles {
                handlers.entry(event).or_default().push(at);
            }
        }
        let mut back = vec![vec![]; nodes.len()];
        let mut onward = Vec::with_capacity(nodes.len());
        for (at, node) in nodes.iter().enumerate() {
            let to: BTreeSet<usize> =
                node.emits.iter().filter_map(|e| handlers.get(e)).flatten().copied().collect();
            for next in &to {
                back[*next].push(at);
            }
            onward.push(to.into_iter().collect());
        }
        Graph { nodes, places, onward, back }
    }

    /// The skills, in the order of their names.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter()
    }

    /// One skill.
    pub fn node(&self, name: &str) -> Option<&Node> {
        self.places.get(name).map(|at| &self.nodes[*at])
    }

    /// Every edge, in the order of the names.
    pub fn edges(&self) -> impl Iterator<Item = Edge<'_>> {
        self.onward.iter().enumerate().flat_map(move |(at, to)| {
            to.iter().map(move |next| {
                let (from, to) = (&self.nodes[at], &self.nodes[*next]);
                let events = from.emits.iter().filter(|e| to.handles.contains(e)).collect();
                Edge { from, to, events }
            })
        })
    }

    /// Every token that a skill reaches, by the shortest path to each.
    pub fn effective(&self, name: &str) -> Vec<Reach> {
        let Some(start) = self.places.get(name) else { return vec![] };
        let mut came_from: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut reached: BTreeMap<(Token, bool), usize> = BTreeMap::new();
        let mut queue = VecDeque::from([*start]);
        came_from[*start] = Some(*start);
        while let Some(at) = queue.pop_front() {
            for token in self.nodes[at].tokens.iter() {
                reached.entry((token, self.nodes[at].is_private(token))).or_insert(at);
            }
            for next in &self.onward[at] {
                if came_from[*next].is_none() {
                    came_from[*next] = Some(at);
                    queue.push_back(*next);
                }
            }
        }
        let path = |mut at: usize| {
            let mut path = vec![self.nodes[at].name.clone()];
            while let Some(before) = came_from[at].filter(|before| *before != at) {
                path.push(self.nodes[before].name.clone());
                at = before;
            }
            path.reverse();
            path
        };
        reached.into_iter().map(|((token, private), at)| Reach { token, private, path: path(at) }).collect()
    }

    /// The way on which a skill's events come back to it, if they do.
    pub fn circle(&self, name: &str) -> Option<Vec<&str>> {
        let start = *self.places.get(name)?;
        let mut came_from: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            for next in &self.onward[at] {
                if *next == start {
                    let mut way = vec![self.nodes[start].name.as_str(), self.nodes[at].name.as_str()];
                    let mut at = at;
                    while let Some(before) = came_from[at] {
                        way.push(self.nodes[before].name.as_str());
                        at = before;
                    }
                    way.reverse();
                    return Some(way);
                }
                if came_from[*next].is_none() {
                    came_from[*next] = Some(at);
                    queue.push_back(*next);
                }
            }
        }
        None
    }

    /// The skills whose events reach `name`, itself included.
    pub fn reaching(&self, name: &str) -> Vec<&str> {
        let Some(start) = self.places.get(name) else { return vec![] };
        let mut seen = BTreeSet::from([*start]);
        let mut queue = VecDeque::from([*start]);
        while let Some(at) = queue.pop_front() {
            for before in &self.back[at] {
                if seen.insert(*before) {
                    queue.push_back(*before);
                }
            }
        }
        seen.into_iter().map(|at| self.nodes[at].name.as_str()).collect()
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
