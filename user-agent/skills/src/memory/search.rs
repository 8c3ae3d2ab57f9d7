//! `memory_search`: the model looks through facts and earlier conversations.

use memory::{Fact, Turn};
use ports::KernelContext;
use ports::own::phrases;
use serde_json::{Value, json};
use shared_types::described::Tool;
use shared_types::provenance::Provenance;
use shared_types::schema::Parameters;
use shared_types::text::cut;
use shared_types::verdict::Weight;

use super::NotAnswered;

/// The most records of one kind that are answered, and how many without a word about it.
const MOST: u64 = 20;
const USUAL: u64 = 6;
/// How much of one message is shown, in characters.
const MAX_SHOWN: usize = 500;

/// The tool.
pub(super) fn tool() -> Tool {
    let parameters = json!({"type": "object", "required": ["query"], "properties": {
        "query": {"type": "string", "minLength": 1, "maxLength": 500, "description": "words to look for"},
        "limit": {"type": "integer", "minimum": 1, "maximum": MOST}}});
    Tool {
        examples: vec![
            "when did we talk about the garden?".to_owned(),
            "wann haben wir über den Garten gesprochen?".to_owned(),
        ],
        name: "memory_search".parse().expect("the tool's name is well-formed"),
        description: "Finds facts and messages of earlier conversations by their words".to_owned(),
        parameters: Parameters::parse(parameters)
            .expect("the parameters of memory_search are within the subset"),
        phrases: phrases(&[
            ("en", "search|look [in|through] [your|my|the] memory for {query}"),
            ("en", "when did we talk|speak about {query}"),
            ("de", "durchsuche [dein|mein] gedächtnis nach {query}"),
            ("de", "such|suche [in] [deinem|meinem] gedächtnis nach {query}"),
            ("de", "wann haben wir über {query} gesprochen"),
        ]),
    }
}

struct Found {
    facts: Vec<Fact>,
    turns: Vec<Turn>,
}

impl Found {
    fn holds_outside(&self) -> bool {
        self.facts.iter().any(|fact| fact.outside) || self.turns.iter().any(|turn| turn.outside)
    }
}

/// What a search brings: the person's own matters, and other people's words where one of the records holds such.
pub(super) fn weigh(args: &Value, ctx: &KernelContext) -> Weight {
    // A memory that cannot be looked into now may be by the time of the call.
    let outside = find(args, ctx).map_or(true, |found| found.holds_outside());
    Weight { brings: Provenance { outside, private: true }, ..Weight::harmless("looks through the memory") }
}

/// Finds and tells.
///
/// # Errors
/// Why nothing can be found.
pub(super) fn call(args: &Value, ctx: &KernelContext) -> Result<String, NotAnswered> {
    let found = find(args, ctx)?;
    let mut lines = Vec::new();
    for fact in &found.facts {
        lines.push(format!(
            "- {} (fact, {}{})",
            cut(&fact.text, MAX_SHOWN),
            day(&fact.at),
            from(fact.outside)
        ));
    }
    for turn in &found.turns {
        let said = cut(turn.content.trim(), MAX_SHOWN);
        lines.push(format!(
            "- {said} ({}, {}{})",
            cut(&turn.role, 20),
            day(&turn.timestamp),
            from(turn.outside)
        ));
    }
    if lines.is_empty() {
        let query = cut(args["query"].as_str().unwrap_or_default(), 80);
        return Ok(format!("[nothing in the memory is about `{query}`]"));
    }
    Ok(lines.join("\n"))
}

fn find(args: &Value, ctx: &KernelContext) -> Result<Found, NotAnswered> {
    let memory = ctx.handles().recall()?;
    let query = args["query"].as_str().unwrap_or_default();
    let limit = usize::try_from(args["limit"].as_u64().unwrap_or(USUAL).min(MOST)).unwrap_or(1);
    let facts = memory.search_facts(query, limit)?;
    // What was said in this conversation stands before the model already.
    let now = ctx.conversation().to_string();
    let turns = memory.search_turns(query, limit.saturating_mul(2))?;
    let told = |turn: &Turn| turn.conversation_id != now && !turn.content.trim().is_empty();
    Ok(Found { facts, turns: turns.into_iter().filter(told).take(limit).collect() })
}

fn from(outside: bool) -> &'static str {
    if outside { ", from outside" } else { "" }
}

/// The day of a moment in RFC 3339.
fn day(at: &str) -> String {
    cut(at.get(..10).unwrap_or(at), 10)
}
