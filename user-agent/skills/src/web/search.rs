//! `web_search`: what an engine found, as titles, addresses and a few words of each page.

use bot_base::config::{Engine, Search};
use models::http::Address;
use net::Fetched;
use ports::KernelContext;
use ports::handles::Network;
use ports::own::{parameters, phrases};
use serde_json::Value;
use shared_types::described::Tool;
use shared_types::provenance::Provenance;
use shared_types::risk::Risk;
use shared_types::text::cut;
use shared_types::verdict::{Denial, Rule, Weight};

use super::{Outcome, failed, not_granted, page};

/// The tool's name.
pub(super) const NAME: &str = "web_search";

/// The most pages that one search answers.
const MOST_FOUND: usize = 8;
/// How much of a title, an address and a page's words is shown, in characters.
const TITLE: usize = 160;
const ADDRESS: usize = 400;
const WORDS: usize = 400;

pub(super) fn tool() -> Tool {
    const SCHEMA: &str = r#"{"type": "object", "required": ["query"], "properties": {
        "query": {"type": "string", "minLength": 1, "maxLength": 400}}}"#;
    Tool {
        examples: vec![
            "search the web for opening hours of the library".to_owned(),
            "suche im Internet nach Öffnungszeiten der Bücherei".to_owned(),
        ],
        name: NAME.parse().expect("the tool's name is well-formed"),
        description: "Searches the web: titles, addresses and a few words of pages".to_owned(),
        parameters: parameters(SCHEMA, &[]),
        phrases: phrases(&[
            ("en", "search|look [on|in] [the] web|internet|net|online for {query}"),
            ("en", "search|look online for {query}"),
            ("en", "google|websearch {query}"),
            ("en", "look up {query} online"),
            ("en", "look {query} up online"),
            ("de", "suche|such [im|in] [dem] netz|internet|web|online nach {query}"),
            ("de", "suche|such {query} im netz|internet|web"),
            ("de", "google|googel|googele {query}"),
        ]),
    }
}

/// What a search may do: the words go to the engine, and what it answers comes from outside.
pub(super) fn weigh(ctx: &KernelContext) -> Result<Weight, Denial> {
    let Search { host, .. } = engine(ctx)?;
    if !ctx.shared().grants.hosts.iter().any(|granted| granted.matches(host)) {
        return Err(not_granted(
            &format_args!("no grant names `{host}`, the host of the search engine"),
            ctx,
        ));
    }
    Ok(Weight {
        risk: Risk::Low,
        reason: format!("sends these words to the search engine at {}", cut(host.as_str(), 120)),
        carries_to: Some(host.to_string()),
        brings: Provenance::OUTSIDE,
        replaces: false,
    })
}

/// Asks the engine.
pub(super) fn search(query: &str, network: &Network, ctx: &KernelContext) -> Outcome {
    let engine = match engine(ctx) {
        Ok(engine) => engine,
        Err(denial) => return Outcome::Denied(denial.rule, denial.why),
    };
    match network.search(query, ctx) {
        Ok(fetched) => said(query, engine, &fetched),
        Err(error) => failed(error),
    }
}

fn engine(ctx: &KernelContext) -> Result<&Search, Denial> {
    let none = || Denial {
        rule: Rule::Network,
        why: "no search engine is configured; `web_search` names one".to_owned(),
    };
    ctx.shared().config.search.as_ref().ok_or_else(none)
}

/// What the model gets of an answer.
fn said(query: &str, search: &Search, fetched: &Fetched) -> Outcome {
    let host = &search.host;
    let json = serde_json::from_slice::<Value>(fetched.body.as_bytes()).ok();
    if !(200..300).contains(&fetched.status) {
        let why = match (search.engine, fetched.status) {
            (Engine::Searxng, 403) => {
                "; it may answer no JSON: `search.formats` of its settings must name `json`".to_owned()
            }
            (_, 401 | 403) => {
                "; the key is missing or refused: `cl-admin secret set NAME --for HOST` stores it".to_owned()
            }
            (_, 429) => "; too many searches, try again later".to_owned(),
            _ => format!(": {}", cut(fetched.body.trim(), 200)),
        };
        return Outcome::Failed(format!("the search engine at {host} answered HTTP {}{why}", fetched.status));
    }
    let Some(json) = json else {
        return Outcome::Failed(format!("the search engine at {host} did not answer in JSON"));
    };
    let (results, words) = match search.engine {
        Engine::Searxng => (&json["results"], "content"),
        Engine::Brave => (&json["web"]["results"], "description"),
    };
    let rows = results.as_array().into_iter().flatten();
    let found: Vec<String> = rows.filter_map(|row| found(row, words)).take(MOST_FOUND).collect();
    let query = cut(query, 120);
    if found.is_empty() {
        let silent = silent(&json["unresponsive_engines"]);
        return Outcome::Said(format!("nothing was found for `{query}`{silent}"));
    }
    let head = format!("found for `{query}` by {host}, each with its address and some words of it:");
    let numbered = found.iter().enumerate().map(|(at, row)| format!("\n{}. {row}", at + 1));
    Outcome::Said(numbered.fold(head, |text, row| text + &row))
}

/// One page that was found; `None` for what has no web address.
fn found(row: &Value, words: &str) -> Option<String> {
    let text = |key: &str, most: usize| {
        let text = row[key].as_str().unwrap_or_default();
        // Some engines mark the words that were searched for.
        let plain: Vec<String> = page::text(text, None).split_whitespace().map(str::to_owned).collect();
        cut(&plain.join(" "), most)
    };
    let address = Address::parse(row["url"].as_str()?).ok()?.to_string();
    let mut said = format!("{}\n   {}", text("title", TITLE), cut(&address, ADDRESS));
    let words = text(words, WORDS);
    if !words.is_empty() {
        said.push_str("\n   ");
        said.push_str(&words);
    }
    Some(said)
}

/// The sources that a SearXNG had no answer from.
fn silent(engines: &Value) -> String {
    let names: Vec<String> = engines
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|e| e[0].as_str().map(|name| cut(name, 40)))
        .take(6)
        .collect();
    if names.is_empty() { String::new() } else { format!("; no answer from {}", names.join(", ")) }
}

#[cfg(test)]
mod tests;
