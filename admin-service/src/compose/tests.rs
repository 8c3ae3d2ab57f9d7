use std::path::Path;

use shared_types::capability::{Token, TokenSet};

use super::graph::{Graph, Node};
use super::rules::{Finding, Rules, SHIPPED};
use crate::config::AllowedPair;

fn node(name: &str, tokens: &[Token], emits: &[&str], handles: &[&str]) -> Node {
    let events = |names: &[&str]| names.iter().map(|n| n.parse().unwrap()).collect();
    Node {
        name: name.into(),
        version: Some(1),
        tokens: tokens.iter().copied().collect::<TokenSet>(),
        profile_memory: false,
        profile_files: false,
        emits: events(emits),
        handles: events(handles),
    }
}

fn judge(graph: &Graph, name: &str, allowed: &[AllowedPair]) -> Vec<Finding> {
    Rules::parse(Path::new("rules"), SHIPPED).unwrap().judge(graph, name, allowed)
}

#[test]
fn a_harmless_skill_has_no_finding() {
    let graph = Graph::of([node("dice", &[], &[], &[]), node("web", &[Token::NetworkRead], &[], &[])]);
    assert_eq!(judge(&graph, "dice", &[]), []);
}

#[test]
fn a_combination_over_two_events_is_found_with_its_path() {
    let graph = Graph::of([
        node("diary", &[Token::MemoryRead], &["diary.page"], &[]),
        node("relay", &[], &["relay.page"], &["diary.page"]),
        node("sender", &[Token::NetworkWrite], &[], &["relay.page"]),
    ]);
    let findings = judge(&graph, "diary", &[]);
    assert_eq!(findings.len(), 1);
    assert!(findings[0].text.contains("by diary -> relay -> sender"), "{}", findings[0].text);
    // The new skill in the middle is told about those that now reach through it.
    assert!(judge(&graph, "relay", &[]).iter().any(|f| f.text.starts_with("`diary` joins")));
}

#[test]
fn a_private_source_joined_to_the_network_stops_the_package_unless_it_is_named() {
    let mut backup = node("backup", &[Token::FileRead, Token::NetworkWrite], &[], &[]);
    assert!(judge(&Graph::of([backup.clone()]), "backup", &[]).iter().all(|f| !f.violation));
    backup.profile_files = true;
    let graph = Graph::of([backup]);
    assert!(judge(&graph, "backup", &[]).iter().any(|f| f.violation));
    let pair =
        AllowedPair { skill: "backup".parse().unwrap(), source: Token::FileRead, sink: Token::NetworkWrite };
    assert!(judge(&graph, "backup", &[pair]).iter().all(|f| !f.violation));
}

#[test]
fn events_that_turn_in_a_circle_end() {
    let graph = Graph::of([
        node("a", &[Token::AudioRead], &["a.x"], &["b.x"]),
        node("b", &[Token::NetworkRead], &["b.x"], &["a.x"]),
    ]);
    assert!(judge(&graph, "b", &[]).iter().any(|f| f.violation));
}

#[test]
fn every_shipped_rule_gives_its_reason_and_faults_are_named() {
    let faulty = "dangerous:\n  - {sources: [root], sink: network:write}\nmax_total_capabilities: 0\n";
    let error = Rules::parse(Path::new("rules"), faulty).unwrap_err().to_string();
    for word in ["dangerous[0].sources", "dangerous[0].reason", "max_total_capabilities"] {
        assert!(error.contains(word), "{word} is not in {error}");
    }
}
