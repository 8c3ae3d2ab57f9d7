//! Pages of the network for the conversation: `http_get`, from the hosts that the profile grants, as text; and `web_search`,
//! which asks the configured engine where the profile grants its host.
//!
//! `net` reads the grants from the profile's file itself and judges each hop; what is judged here comes first, so that a
//! person and a model hear which grant is missing. [`page`] makes text of what came.

use std::fmt;

use kernel::skill::{Call, Outcome, Skill};
use models::TransportError;
use models::http::Address;
use net::Visited;
use ports::own::{own_name, parameters, phrases};
use ports::{KernelContext, Shared};
use serde_json::Value;
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Tool;
use shared_types::id::{SkillName, ToolName};
use shared_types::provenance::Provenance;
use shared_types::risk::Risk;
use shared_types::text::cut;
use shared_types::verdict::Weight;
use shared_types::verdict::{Denial, Rule};

mod entities;
mod page;
mod search;

/// The most bytes of text that one call answers.
const MOST_SHOWN: usize = 12 * 1024;

/// The skill.
pub struct Web {
    name: SkillName,
    tools: Vec<Tool>,
}

impl Web {
    /// The skill, with `web_search` where an engine is configured.
    pub fn new(searches: bool) -> Self {
        const SCHEMA: &str = r#"{"type": "object", "required": ["url"], "properties": {
            "url": {"type": "string", "minLength": 1, "maxLength": 4096},
            "offset": {"type": "integer", "minimum": 0,
                "description": "the byte of the text to begin at, for the rest of a long page"}}}"#;
        let get = Tool {
            examples: vec![
                "fetch https://example.org".to_owned(),
                "hol die Seite https://example.org".to_owned(),
            ],
            name: "http_get".parse().expect("the tool's name is well-formed"),
            description: "Reads a web page (text, HTML, JSON or XML) of a granted host, as text".to_owned(),
            parameters: parameters(SCHEMA, &[]),
            phrases: phrases(&[
                ("en", "fetch {url:1}"),
                ("en", "read|open|show|load|visit|get [me] [the] {url:page}"),
                ("en", "what is on|at {url:page}"),
                ("en", "read|open|show|load|visit [me] [the] page|site|website {url:page}"),
                (
                    "de",
                    "lies|öffne|zeig|zeige|lade|hol|hole|ruf|rufe [mir] [die] [seite] {url:page} [vor|auf]",
                ),
                ("de", "was steht auf {url:page}"),
                ("en", "fetch|get|read|open [the] page|website {url:1}"),
                ("de", "hol|hole|lies|öffne [mir] [die] seite|webseite {url:1}"),
                ("de", "rufe|ruf {url:1} ab"),
            ]),
        };
        let mut tools = vec![get];
        if searches {
            tools.push(search::tool());
        }
        Web { name: own_name("web"), tools }
    }
}

impl Skill<Shared> for Web {
    fn name(&self) -> &SkillName {
        &self.name
    }

    fn description(&self) -> &str {
        "Reads pages of granted hosts"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn capabilities(&self) -> TokenSet {
        [Token::NetworkRead].into_iter().collect()
    }

    fn tools(&self) -> &[Tool] {
        &self.tools
    }

    fn full_name(&self, tool: &ToolName) -> String {
        tool.to_string()
    }

    fn weigh(&self, tool: &Tool, args: &Value, ctx: &KernelContext) -> Result<Weight, Denial> {
        if tool.name.as_str() == search::NAME {
            return search::weigh(ctx);
        }
        let address = Address::parse(args["url"].as_str().unwrap_or_default())
            .map_err(|e| Denial { rule: Rule::WebAddress, why: e.to_string() })?;
        address.check(&ctx.shared().grants.hosts).map_err(|e| not_granted(&e, ctx))?;
        let host = address.host_and_port();
        let plainly =
            if address.is_private() { "" } else { ", over plain http, which others can read along" };
        Ok(Weight {
            risk: Risk::Low,
            reason: format!("reads a page of {}{plainly}", cut(&host, 120)),
            // An address can carry a secret out.
            carries_to: Some(host),
            brings: Provenance::OUTSIDE,
            replaces: false,
        })
    }

    fn call_tool(&self, tool: &ToolName, call: &Call<'_>, ctx: &KernelContext) -> Outcome {
        let Some(network) = ctx.handles().network() else {
            return Outcome::Failed("this command has no network; a conversation has".to_owned());
        };
        if tool.as_str() == search::NAME {
            return search::search(call.args["query"].as_str().unwrap_or_default(), network, ctx);
        }
        let url = call.args["url"].as_str().unwrap_or_default();
        match network.visit(url, ctx) {
            Ok(visited) => said(&visited, call.args["offset"].as_u64().unwrap_or(0)),
            Err(error) => failed(error),
        }
    }
}

/// A host that the profile does not grant, with the next step.
fn not_granted(why: &impl fmt::Display, ctx: &KernelContext) -> Denial {
    let profile = &ctx.shared().profile;
    Denial {
        rule: Rule::HostGrant,
        why: format!(
            "{why}; a person may add it under grants.hosts in config/profiles/{profile}.yaml, and start the program again"
        ),
    }
}

/// A request that brought no answer.
fn failed(error: TransportError) -> Outcome {
    match error {
        TransportError::Denied(why) => Outcome::Denied(Rule::Network, why),
        other => Outcome::Failed(other.to_string()),
    }
}

/// What the model gets of a page, beginning at a byte of its text.
fn said(visited: &Visited, offset: u64) -> Outcome {
    let Visited { status, body, sheet } = visited;
    let base = Address::parse(&sheet.url).ok();
    let text = if page::is_html(&sheet.kind, body) { page::text(body, base.as_ref()) } else { body.clone() };
    let head = format!("{} (HTTP {status}, {})", cut(&sheet.url, 300), kind(&sheet.kind));
    if !(200..300).contains(status) {
        return Outcome::Failed(format!("{head}: {}", cut(text.trim(), 300)));
    }
    let from = floor(&text, usize::try_from(offset).unwrap_or(usize::MAX));
    let to = floor(&text, from.saturating_add(MOST_SHOWN));
    let mut said = format!("{head}\n{}", &text[from..to]);
    if from > 0 || to < text.len() {
        said.push_str(&format!("\n[bytes {from} to {to} of {} of the text", text.len()));
        said.push_str(&if to < text.len() { format!("; more with offset {to}]") } else { "]".to_owned() });
    }
    if sheet.cut {
        said.push_str("\n[the page is longer than 1 MB; the rest was not read]");
    }
    Outcome::Said(said)
}

fn kind(kind: &str) -> String {
    if kind.is_empty() { "no content type".to_owned() } else { cut(kind, 60) }
}

/// The next place that begins a character, not beyond the end.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The text of an HTML page from this address, as a model reads it; its fuzz target asks for it too.
pub fn text_of_page(html: &str, address: &str) -> String {
    page::text(html, Address::parse(address).ok().as_ref())
}

#[cfg(test)]
mod tests;
