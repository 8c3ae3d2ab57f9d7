use std::path::Path;

use base::config::AllowedPair;
use shared_types::capability::{Token, TokenSet};

use super::graph::{Graph, Node};
use super::rules::{Finding, Rules, SHIPPED};
use super::{events, grid, offers, picture};

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
    // The findings for the new skill in the middle name those that now reach through it.
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

/// What a microphone hears may be spoken and answered; anything else that it is joined to stops the package, unless it is named.
#[test]
fn a_microphone_joined_to_any_sink_but_the_loudspeaker_stops_a_package() {
    let violations = |tokens: &[Token], allowed: &[AllowedPair]| {
        let graph = Graph::of([node("talk", tokens, &[], &[])]);
        let found = judge(&graph, "talk", allowed).into_iter().filter(|f| f.violation);
        found.map(|f| f.rule).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    let spoken =
        [Token::AudioRead, Token::AudioWrite, Token::UserInput, Token::UserOutput, Token::MemoryRead];
    assert_eq!(violations(&spoken, &[]), none);
    for sink in [Token::MemoryWrite, Token::FileWrite, Token::LlmCall, Token::GpioWrite] {
        assert_eq!(violations(&[Token::AudioRead, sink], &[]), ["microphone-to-sink"], "{sink}");
        let named = AllowedPair { skill: "talk".parse().unwrap(), source: Token::AudioRead, sink };
        assert_eq!(violations(&[Token::AudioRead, sink], &[named]), none, "{sink}");
    }
    assert_eq!(violations(&[Token::AudioRead, Token::NetworkRead], &[]), ["private-source-to-network"]);
}

/// What switches pins from afar, and what tells of the home by its pins, is for a person to weigh; a lamp that a button switches is not.
#[test]
fn pins_joined_to_the_network_or_a_model_are_told() {
    let found = |tokens: &[Token]| {
        let graph = Graph::of([node("lamp", tokens, &[], &[])]);
        let found = judge(&graph, "lamp", &[]);
        assert!(found.iter().all(|f| !f.violation && f.rule == "dangerous-combination"), "{found:?}");
        found.len()
    };
    for pair in [
        [Token::NetworkRead, Token::GpioWrite],
        [Token::LlmCall, Token::GpioWrite],
        [Token::GpioRead, Token::NetworkWrite],
        [Token::GpioRead, Token::NetworkRead],
    ] {
        assert_eq!(found(&pair), 1, "{pair:?}");
    }
    for pair in [[Token::GpioRead, Token::GpioWrite], [Token::GpioRead, Token::UserOutput]] {
        assert_eq!(found(&pair), 0, "{pair:?}");
    }
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

#[test]
fn two_skills_that_may_both_be_handed_an_event_are_both_reached() {
    let graph = Graph::of([
        node("diary", &[Token::AudioRead], &["page.new"], &[]),
        node("clean", &[], &[], &["page.new"]),
        node("sender", &[Token::NetworkWrite], &[], &["page.new"]),
    ]);
    // The kernel hands it to one of them only; which one changes when a skill goes.
    assert!(judge(&graph, "sender", &[]).iter().any(|f| f.violation && f.text.contains("diary -> sender")));
    assert!(judge(&graph, "sender", &[]).iter().any(|f| f.rule == "event-of-another"));
}

#[test]
fn core_events_speak_against_a_package_and_circles_are_told() {
    let graph = Graph::of([
        node("spy", &[], &["skill_proposal", "spy.turn"], &["user_input", "spy.turn"]),
        node("reasoning", &[Token::LlmCall], &[], &["user_input"]),
    ]);
    let findings = judge(&graph, "spy", &[]);
    let core: Vec<&Finding> = findings.iter().filter(|f| f.rule == events::CORE_EVENT).collect();
    assert_eq!(core.len(), 2, "{findings:?}");
    assert!(core[0].text.contains("everything that the person types"), "{}", core[0].text);
    assert!(
        findings.iter().any(|f| f.rule == "event-circle" && f.text.contains("spy -> spy")),
        "{findings:?}"
    );
    let far = Graph::of([node("a", &[], &["b.x"], &["a.x"]), node("b", &[], &["a.x"], &["b.x"])]);
    assert!(judge(&far, "a", &[]).iter().any(|f| f.text.contains("a -> b -> a")));
}

#[test]
fn the_limit_counts_for_those_who_reach_the_new_skill_too() {
    let tokens = &Token::ALL[..6];
    let graph =
        Graph::of([node("old", tokens, &["new.x"], &[]), node("new", &[Token::GpioRead], &[], &["new.x"])]);
    let findings = judge(&graph, "new", &[]);
    assert!(findings.iter().any(|f| f.rule == "max-total-capabilities" && f.text.starts_with("`old`")));
}

#[test]
fn a_whole_system_is_judged_by_every_combination_in_it() {
    let rules = Rules::parse(Path::new("rules"), SHIPPED).unwrap();
    let halves = [
        node("diary", &[Token::AudioRead], &["diary.page"], &[]),
        node("sender", &[Token::NetworkWrite], &[], &["diary.page"]),
    ];
    let findings = rules.judge_all(&Graph::of(halves), &[]);
    assert!(findings.iter().any(|f| f.violation), "{findings:?}");
}

#[test]
fn the_grid_fits_eighty_columns_and_says_own_and_reached() {
    let long = "a-skill-with-a-name-of-sixty-three-characters-that-is-the-limit";
    let graph = Graph::of([
        node(long, &[Token::MemoryRead], &["sender.go"], &[]),
        node("sender", &[Token::NetworkWrite], &[], &["sender.go"]),
    ]);
    let rows = grid::rows(&graph);
    let table = grid::table(&rows);
    assert!(table.lines().all(|l| l.chars().count() <= 80), "{table}");
    assert!(table.lines().nth(1).unwrap().contains('r') && table.contains("nw network:write"), "{table}");
    let said = grid::sentences(&rows);
    assert!(said.contains(&format!("{long} (learned, version 1) holds memory:read.")), "{said}");
    assert!(said.contains("reaches network:write by"), "{said}");
    assert_eq!(rows[0].json()["total"], 2);
}

#[test]
fn the_pictures_hold_every_skill_and_escape_what_they_show() {
    let mut hostile = node("a", &[Token::NetworkRead], &["b.x"], &[]);
    hostile.name = "a\"<script>&".into();
    let graph = Graph::of([hostile, node("bb", &[], &[], &["b.x"])]);
    let svg = picture::svg(&graph);
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert!(!svg.contains("<script") && svg.contains("a&quot;&lt;script&gt;&amp;"), "{svg}");
    assert!(svg.contains("<title id=\"t\">") && svg.contains("sends b.x to bb"), "{svg}");
    let dot = picture::dot(&graph);
    assert!(dot.contains("\"a\\\"<script>&\" -> \"bb\" [label=\"b.x\"];"), "{dot}");
}

#[test]
fn a_tool_or_sentence_that_another_skill_has_is_told() {
    let offer = |tool: &str, phrase: &str| -> shared_types::described::Described {
        serde_json::from_value(serde_json::json!({"description": "d", "handles": [], "emits": [], "tools": [{
            "name": tool, "description": "t", "parameters": {"type": "object", "properties": {}},
            "phrases": [["en", phrase]], "examples": []}]}))
        .unwrap()
    };
    let theirs = offer("roll", "Roll {dice}");
    let findings = |mine: &shared_types::described::Described, name: &str| {
        let theirs = theirs.tools.iter().map(|tool| ("dice", tool.into()));
        let found = offers::findings(name, &mine.tools, theirs);
        found.into_iter().map(|f| f.rule).collect::<Vec<_>>()
    };
    assert_eq!(findings(&offer("throw", "roll {x}"), "other"), ["phrase-of-another"]);
    assert_eq!(
        findings(&offer("throw", "RÖLL {x} !"), "other"),
        ["phrase-of-another"],
        "the bot takes them for one"
    );
    assert_eq!(findings(&offer("roll", "throw {x}"), "other"), ["tool-of-another"]);
    assert!(findings(&offer("roll", "roll {x}"), "dice").is_empty(), "its own next version may");
    assert!(findings(&offer("throw", "throw {x}"), "other").is_empty());
}
