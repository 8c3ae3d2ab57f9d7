//! What a person should know about the events of a new skill: those of the bot itself, and those that another handles too.

use super::graph::{Graph, Node};
use super::rules::Finding;

/// The rule of [`findings`] for events of the bot itself; it speaks against the package.
pub const CORE_EVENT: &str = "core-event";

/// Findings about the events that a skill sends and receives.
pub fn findings(graph: &Graph, name: &str) -> Vec<Finding> {
    let Some(node) = graph.node(name) else { return vec![] };
    let finding = |rule: &str, text: String| Finding { rule: rule.to_owned(), text, violation: false };
    let is_core = |event: &str| !event.contains('.');
    let mut found = vec![];
    for event in node.handles.iter().map(|e| e.as_str()) {
        if is_core(event) {
            let text = format!("`{name}` wants to be handed `{event}`: {}", why_handled(event));
            found.push(finding(CORE_EVENT, text));
        }
        let others: Vec<&str> = graph
            .nodes()
            .filter(|other| other.name != name && other.handles.iter().any(|e| e.as_str() == event))
            .map(|other: &Node| other.name.as_str())
            .collect();
        if !others.is_empty() {
            let text = format!(
                "`{event}` is handled by {} as well as by `{name}`; only one of them is handed it",
                others.join(" and ")
            );
            found.push(finding("event-of-another", text));
        }
    }
    for event in node.emits.iter().map(|e| e.as_str()) {
        if is_core(event) {
            let text = format!("`{name}` may send `{event}`: {}", why_sent(event));
            found.push(finding(CORE_EVENT, text));
        } else if event.split('.').next() != Some(name) {
            let text = format!("`{name}` may send `{event}`, an event in the name of another skill");
            found.push(finding("event-of-another", text));
        }
    }
    if let Some(way) = graph.circle(name) {
        let text = format!("its events come back to it by {}; the chain ends after four", way.join(" -> "));
        found.push(finding("event-circle", text));
    }
    found
}

fn why_handled(event: &str) -> &'static str {
    match event {
        "user_input" => "that is everything that the person types",
        "assistant_output" => "that is everything that the assistant says",
        "memory_query" | "memory_store" => "that is what the assistant remembers",
        "skill_proposal" => "that is what the assistant wants to learn",
        _ => "an event of the assistant itself",
    }
}

fn why_sent(event: &str) -> &'static str {
    match event {
        "user_input" => "it could speak as if the person had typed it",
        "assistant_output" => "it could speak as if the assistant had said it",
        "memory_query" => "it could read what the assistant remembers",
        "memory_store" => "it could change what the assistant remembers",
        "skill_proposal" => "it could ask for new skills without a person",
        _ => "an event of the assistant itself",
    }
}
