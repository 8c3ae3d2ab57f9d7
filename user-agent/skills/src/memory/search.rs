//! `memory_search`: the model looks through facts and earlier conversations.

use jiff::Timestamp;
use language::fill;
use memory::{Fact, Turn};
use ports::KernelContext;
use ports::own::{parameters, phrases};
use serde_json::Value;
use shared_types::described::Tool;
use shared_types::provenance::Provenance;
use shared_types::text::cut;
use shared_types::verdict::Weight;

use super::NotAnswered;
use crate::words;

/// The most records of one kind that are answered, and how many without a word about it.
const MOST: u64 = 20;
const USUAL: u64 = 6;
/// How much of one message is shown, in characters.
const MAX_SHOWN: usize = 500;

pub(super) fn tool() -> Tool {
    const SCHEMA: &str = r#"{"type": "object", "required": ["query"], "properties": {
        "query": {"type": "string", "minLength": 1, "maxLength": 500, "description": "words to look for"},
        "limit": {"type": "integer", "minimum": 1, "maximum": MOST}}}"#;
    Tool {
        examples: vec![
            "when did we talk about the garden?".to_owned(),
            "wann haben wir über den Garten gesprochen?".to_owned(),
        ],
        name: "memory_search".parse().expect("the tool's name is well-formed"),
        description: "Finds facts and messages of earlier conversations by their words".to_owned(),
        parameters: parameters(SCHEMA, &[("MOST", &MOST)]),
        phrases: phrases(&[
            ("en", "search|look [in|through] [your|my|the] memory for {query}"),
            ("en", "when did we talk|speak about {query}"),
            ("en", "what did i|we|you say|write|mention|ask [to] [you|me] about {query}"),
            (
                "en",
                "did i|we|you [ever] say|write|mention|talk|speak [to] [you|me] [something|anything] about {query}",
            ),
            (
                "en",
                "have i|we|you [ever] said|written|mentioned|talked|spoken [to] [you|me] [something|anything] about {query}",
            ),
            (
                "en",
                "search|look [in|through] our|my|the [old|past|last|earlier] conversations|chats for {query}",
            ),
            (
                "de",
                "was habe|hab|haben|hast ich|wir|du [dir|mir] uber|ueber|zu|von|zum|zur {query} gesagt|geschrieben|erzahlt|erzaehlt|gefragt|gesprochen",
            ),
            (
                "de",
                "habe|hab|haben|hast ich|wir|du [dir|mir] [schon] [mal|je] [etwas|was] uber|ueber|zu|von {query} gesagt|geschrieben|erzahlt|erzaehlt|gesprochen|geredet",
            ),
            (
                "de",
                "durchsuche unsere|meine|die [alten|letzten|fruheren] gesprache|gespraeche|unterhaltungen nach {query}",
            ),
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

/// Finds and tells: a model in short, the person who asks the companion in a sentence each.
///
/// # Errors
/// Why nothing can be found.
pub(super) fn call(args: &Value, line: &str, ctx: &KernelContext) -> Result<String, NotAnswered> {
    let found = find(args, ctx)?;
    let query = cut(args["query"].as_str().unwrap_or_default(), 80);
    if !is_for_person(ctx) {
        return Ok(in_short(&found, &query));
    }
    let language = words::language(ctx, line);
    let says = language.says();
    let dated = |template: &str, at: &str, text: &str| {
        let at = at.parse::<Timestamp>().unwrap_or_default().to_zoned(ctx.shared().zone.clone());
        format!(
            "- {}",
            fill(&words::on_day(template, &at, language), &[("text", &cut(text.trim(), MAX_SHOWN))])
        )
    };
    let facts = found.facts.iter().map(|fact| {
        dated(if fact.outside { says.found_outside } else { says.found_fact }, &fact.at, &fact.text)
    });
    let turns = found.turns.iter().map(|turn| {
        let template = match turn.role.as_str() {
            _ if turn.outside => says.found_outside,
            "user" => says.found_you,
            _ => says.found_me,
        };
        dated(template, &turn.timestamp, &turn.content)
    });
    let lines: Vec<String> = facts.chain(turns).collect();
    if lines.is_empty() {
        return Ok(fill(says.found_nothing, &[("query", &query)]));
    }
    Ok(lines.join("\n"))
}

/// Whether the companion asks, which tells the person what it finds as it is.
fn is_for_person(ctx: &KernelContext) -> bool {
    ctx.handles().model().is_some_and(|model| !model.writes_freely("chat"))
}

fn in_short(found: &Found, query: &str) -> String {
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
        return format!("[nothing in the memory is about `{query}`]");
    }
    lines.join("\n")
}

fn find(args: &Value, ctx: &KernelContext) -> Result<Found, NotAnswered> {
    let memory = ctx.handles().recall()?;
    let query = args["query"].as_str().unwrap_or_default();
    let limit = usize::try_from(args["limit"].as_u64().unwrap_or(USUAL).min(MOST)).unwrap_or(1);
    let facts = memory.search_facts(query, limit)?;
    let is_for_person = is_for_person(ctx);
    // What was said in this conversation stands before the model already.
    let now = ctx.conversation().to_string();
    let turns = memory.search_turns(query, limit.saturating_mul(4))?;
    let is_news = |turn: &Turn| match is_for_person {
        // A person wants what was said, and neither the searches for it nor what a fact repeats.
        true => {
            !(turn.role == "user" && language::is_question(&turn.content))
                && turn.tool_calls.is_empty()
                && !facts.iter().any(|fact| turn.content.contains(&fact.text))
        }
        false => turn.conversation_id != now,
    };
    let told = |turn: &Turn| is_news(turn) && !turn.content.trim().is_empty();
    let turns = turns.into_iter().filter(told).take(limit).collect();
    Ok(Found { facts, turns })
}

fn from(outside: bool) -> &'static str {
    if outside { ", from outside" } else { "" }
}

/// The day of a moment in RFC 3339.
fn day(at: &str) -> String {
    cut(at.get(..10).unwrap_or(at), 10)
}
