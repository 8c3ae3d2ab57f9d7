//! From raw text fields to a proposal: every fault in one pass.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde_json::Value;

pub(super) use super::Document;
use super::{Example, HistoryEntry, Kind, Proposal, Requirements, Scope, ToolWish, lesson};
use crate::action::{Action, ActionResult};
use crate::capability::{Token, TokenSet};
use crate::id::HostName;
use crate::profile::SystemCapability;
use crate::schema::{Parameters, SchemaFault};
use crate::status::{Status, Wait};
use crate::text::is_refused;

/// A key of a document and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, Deserialize)]
pub struct Fault {
    /// The key, as in `proposal.tools[0].name`; empty for the document as a whole.
    pub key: String,
    /// What is wrong, and what is allowed.
    pub message: String,
}

impl Fault {
    /// A fault at a key; both texts are made safe to show.
    pub fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Fault { key: crate::text::cut(&key.into(), 200), message: crate::text::cut(&message.into(), 500) }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.key.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.key, self.message)
        }
    }
}

/// A document as it stands in a file; nothing is believed yet.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawDocument {
    proposal: RawProposal,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    waits_for: Option<Wait>,
    #[serde(default)]
    history: Vec<HistoryEntry>,
    #[serde(default)]
    result: Option<ActionResult>,
}

/// A proposal's fields as they stand in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawProposal {
    id: String,
    kind: String,
    name: String,
    description: String,
    capabilities: Vec<String>,
    #[serde(default)]
    emits_events: Vec<String>,
    #[serde(default)]
    handles_events: Vec<String>,
    #[serde(default)]
    dependencies: Vec<String>,
    #[serde(default)]
    tools: Vec<RawTool>,
    #[serde(default)]
    network: Vec<String>,
    #[serde(default)]
    secrets: Vec<String>,
    #[serde(default)]
    memory_scope: Option<String>,
    #[serde(default)]
    file_scope: Option<String>,
    #[serde(default)]
    requirements: RawRequirements,
    #[serde(default)]
    action: Option<Value>,
    #[serde(default)]
    rationale: String,
    #[serde(default)]
    user_context: String,
    #[serde(default)]
    generated_by: String,
    #[serde(default)]
    generated_at: String,
    profile_id: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRequirements {
    #[serde(default)]
    system_capabilities: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTool {
    name: String,
    description: String,
    #[serde(default)]
    parameters: Value,
    #[serde(default)]
    examples: Vec<Example>,
}

impl RawDocument {
    /// Checks every field; of a wish also that it claims nothing that only the admin may say.
    ///
    /// # Errors
    /// Every fault, in the order of the keys.
    pub fn validate(self, wish: bool) -> Result<Document, Vec<Fault>> {
        let mut faults = Vec::new();
        if wish {
            self.claims(&mut faults);
        }
        let status = match self.status.as_deref() {
            None => Some(Status::New),
            Some(word) => Status::ALL.into_iter().find(|s| s.as_str() == word),
        };
        if status.is_none() {
            let words = Status::ALL.map(Status::as_str).join(" ");
            faults.push(Fault::new("status", format!("allowed: {words}")));
        }
        if self.history.len() > 100 {
            faults.push(Fault::new("history", "more than 100 entries"));
        }
        match (self.proposal.validate(&mut faults), status) {
            (Some(proposal), Some(status)) if faults.is_empty() => {
                let RawDocument { waits_for, history, result, .. } = self;
                Ok(Document { proposal, status, waits_for, history, result })
            }
            _ => Err(faults),
        }
    }
}

impl RawDocument {
    /// What a file of the bot's says about its own fate. Nothing of it would be believed, and nobody harmless says it.
    fn claims(&self, faults: &mut Vec<Fault>) {
        let new = Status::New.as_str();
        let known = |word: &&str| Status::ALL.iter().any(|s| s.as_str() == *word);
        if self.status.as_deref().filter(known).is_some_and(|word| word != new) {
            faults.push(Fault::new("status", "a wish is `new`; only cl-admin moves it on"));
        }
        if self.waits_for.is_some() {
            faults.push(Fault::new("waits_for", "only cl-admin says what a proposal waits for"));
        }
        if self.result.is_some() {
            faults.push(Fault::new("result", "only cl-admin says what came of an action"));
        }
        if self.history.iter().any(|entry| entry.status != Status::New) || self.history.len() > 1 {
            faults.push(Fault::new("history", "the history of a wish is its one entry `new`"));
        }
    }
}

/// A proposal with faults.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.iter().map(Fault::to_string).collect::<Vec<_>>().join("; "))]
pub struct InvalidProposal(Vec<Fault>);

impl TryFrom<RawProposal> for Proposal {
    type Error = InvalidProposal;

    fn try_from(raw: RawProposal) -> Result<Self, InvalidProposal> {
        let mut faults = Vec::new();
        match raw.validate(&mut faults) {
            Some(proposal) if faults.is_empty() => Ok(proposal),
            _ => Err(InvalidProposal(faults)),
        }
    }
}

impl RawProposal {
    fn validate(mut self, faults: &mut Vec<Fault>) -> Option<Proposal> {
        // A block scalar ends in a line break that nobody means.
        let end = |text: &mut String| text.truncate(text.trim_end_matches('\n').len());
        end(&mut self.description);
        self.tools.iter_mut().for_each(|tool| end(&mut tool.description));
        let kind = Kind::ALL.into_iter().find(|kind| kind.as_str() == self.kind);
        if kind.is_none() {
            let allowed = Kind::ALL.map(Kind::as_str).join(" ");
            let given = crate::text::cut(&self.kind, 40);
            faults.push(Fault::new("proposal.kind", format!("`{given}`; allowed: {allowed}")));
        }
        let action = self.action(kind, faults);
        one_line(faults, "proposal.description", &self.description, 1, 200);
        several_lines(faults, "proposal.rationale", &self.rationale, 2_000);
        several_lines(faults, "proposal.user_context", &self.user_context, 2_000);
        one_line(faults, "proposal.generated_by", &self.generated_by, 0, 64);
        one_line(faults, "proposal.generated_at", &self.generated_at, 0, 40);
        if !self.generated_at.is_empty() && self.generated_at.parse::<jiff::Timestamp>().is_err() {
            faults
                .push(Fault::new("proposal.generated_at", "a time in RFC 3339, as in 2026-02-07T14:30:00Z"));
        }
        let capabilities: TokenSet =
            list(faults, "proposal.capabilities", &self.capabilities, 13).into_iter().collect();
        let network: Vec<HostName> = list(faults, "proposal.network", &self.network, 8);
        for (i, host) in self.network.iter().enumerate() {
            if network.iter().any(|h| h.as_str() == host) && is_disguised(host) {
                faults.push(Fault::new(
                    format!("proposal.network[{i}]"),
                    "a host is a name, or an address of four plain numbers that another machine can have",
                ));
            }
        }
        let wants_network =
            capabilities.contains(Token::NetworkRead) || capabilities.contains(Token::NetworkWrite);
        if wants_network && self.network.is_empty() {
            faults.push(Fault::new("proposal.network", "a network token needs at least one exact host here"));
        }
        if !wants_network && !self.network.is_empty() {
            faults.push(Fault::new("proposal.network", "hosts are named, but no network token is asked for"));
        }
        let scopes = (
            scope(faults, "proposal.memory_scope", self.memory_scope.as_deref()),
            scope(faults, "proposal.file_scope", self.file_scope.as_deref()),
        );
        let system_capabilities = system_capabilities(faults, &self.requirements.system_capabilities);
        let tools = tools(faults, self.tools);
        let id = one(faults, "proposal.id", &self.id);
        let name = one(faults, "proposal.name", &self.name);
        if let Some(i) = self.dependencies.iter().position(|d| *d == self.name) {
            faults.push(Fault::new(format!("proposal.dependencies[{i}]"), "a skill cannot depend on itself"));
        }
        let profile_id = one(faults, "proposal.profile_id", &self.profile_id);
        Some(Proposal {
            id: id?,
            kind: kind?,
            name: name?,
            description: self.description,
            capabilities,
            emits_events: list(faults, "proposal.emits_events", &self.emits_events, 16),
            handles_events: list(faults, "proposal.handles_events", &self.handles_events, 16),
            dependencies: list(faults, "proposal.dependencies", &self.dependencies, 16),
            tools,
            network,
            secrets: list(faults, "proposal.secrets", &self.secrets, 8),
            memory_scope: scopes.0,
            file_scope: scopes.1,
            requirements: Requirements { system_capabilities },
            action,
            rationale: self.rationale,
            user_context: self.user_context,
            generated_by: self.generated_by,
            generated_at: self.generated_at,
            profile_id: profile_id?,
        })
    }
}

impl RawProposal {
    /// The action of `kind: action`, which asks for nothing else; of another kind there is none.
    fn action(&mut self, kind: Option<Kind>, faults: &mut Vec<Fault>) -> Option<Action> {
        let value = self.action.take();
        if kind != Some(Kind::Action) {
            if value.is_some() && kind.is_some() {
                faults.push(Fault::new("proposal.action", "only a proposal of `kind: action` has one"));
            }
            return None;
        }
        let asks = [
            ("capabilities", self.capabilities.is_empty()),
            ("emits_events", self.emits_events.is_empty()),
            ("handles_events", self.handles_events.is_empty()),
            ("dependencies", self.dependencies.is_empty()),
            ("tools", self.tools.is_empty()),
            ("network", self.network.is_empty()),
            ("secrets", self.secrets.is_empty()),
        ];
        for (key, _) in asks.into_iter().filter(|(_, empty)| !empty) {
            faults.push(Fault::new(format!("proposal.{key}"), "an action asks for nothing beside itself"));
        }
        let Some(value) = value else {
            faults.push(Fault::new("proposal.action", "missing"));
            return None;
        };
        match crate::json::read::<Action>(&value) {
            Ok(action) => {
                for (key, message) in action.faults() {
                    faults.push(Fault::new(format!("proposal.action.{key}"), message));
                }
                Some(action)
            }
            Err(e) => {
                faults.push(Fault::new("proposal.action", e.to_string()));
                None
            }
        }
    }
}

/// Whether a host is an address in another spelling (`2130706433`, `0x7f.1`, `0177.0.0.1`), or one that no other machine has:
/// unspecified, multicast, broadcast, or link-local, where clouds keep their credentials. The configuration decides whether
/// loopback and private addresses are allowed.
fn is_disguised(host: &str) -> bool {
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    if let Ok(address) = host.parse::<std::net::Ipv4Addr>() {
        return address.is_unspecified()
            || address.is_link_local()
            || address.is_multicast()
            || address.is_broadcast();
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    let hexadecimal = last.strip_prefix("0x").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()));
    hexadecimal || last.bytes().all(|b| b.is_ascii_digit())
}

fn one<T: FromStr<Err: fmt::Display>>(faults: &mut Vec<Fault>, key: &str, text: &str) -> Option<T> {
    text.parse().map_err(|e: T::Err| faults.push(Fault::new(key, e.to_string()))).ok()
}

fn list<T: FromStr<Err: fmt::Display>>(
    faults: &mut Vec<Fault>,
    key: &str,
    texts: &[String],
    most: usize,
) -> Vec<T> {
    if texts.len() > most {
        faults.push(Fault::new(key, format!("more than {most} entries")));
    }
    let mut seen = BTreeSet::new();
    let mut values = Vec::new();
    for (i, text) in texts.iter().take(most).enumerate() {
        let key = format!("{key}[{i}]");
        if !seen.insert(text) {
            faults.push(Fault::new(&key, "named twice"));
        }
        values.extend(one(faults, &key, text));
    }
    values
}

fn one_line(faults: &mut Vec<Fault>, key: &str, text: &str, least: usize, most: usize) {
    let length = text.chars().count();
    if length < least || length > most {
        faults.push(Fault::new(key, format!("{length} characters; allowed: {least} to {most}")));
    }
    if text.chars().any(is_refused) {
        faults
            .push(Fault::new(key, "must be one line without control, bidirectional or invisible characters"));
    }
}

fn several_lines(faults: &mut Vec<Fault>, key: &str, text: &str, most: usize) {
    let length = text.chars().count();
    if length > most {
        faults.push(Fault::new(key, format!("{length} characters; at most {most}")));
    }
    if text.chars().any(|c| is_refused(c) && c != '\n' && c != '\t') {
        faults.push(Fault::new(key, "contains control, bidirectional or invisible characters"));
    }
}

fn scope(faults: &mut Vec<Fault>, key: &str, word: Option<&str>) -> Scope {
    match word {
        None | Some("own") => Scope::Own,
        Some("profile") => Scope::Profile,
        Some(other) => {
            faults.push(Fault::new(key, format!("`{}`; allowed: own profile", crate::text::cut(other, 40))));
            Scope::Own
        }
    }
}

fn system_capabilities(faults: &mut Vec<Fault>, words: &[String]) -> Vec<SystemCapability> {
    let key = "proposal.requirements.system_capabilities";
    let mut found = Vec::new();
    for (i, word) in words.iter().enumerate().take(SystemCapability::ALL.len()) {
        match SystemCapability::parse(word) {
            Some(c) => found.push(c),
            None => {
                let allowed = SystemCapability::ALL.map(SystemCapability::as_str).join(" ");
                let word = crate::text::cut(word, 40);
                faults.push(Fault::new(format!("{key}[{i}]"), format!("`{word}`; allowed: {allowed}")));
            }
        }
    }
    if words.len() > SystemCapability::ALL.len() {
        faults.push(Fault::new(key, "named more abilities than there are"));
    }
    found
}

fn tools(faults: &mut Vec<Fault>, raw: Vec<RawTool>) -> Vec<ToolWish> {
    if raw.len() > 8 {
        faults.push(Fault::new("proposal.tools", "more than 8 tools"));
    }
    let mut seen = BTreeSet::new();
    let mut wishes = Vec::new();
    for (i, tool) in raw.into_iter().take(8).enumerate() {
        let key = format!("proposal.tools[{i}]");
        if !seen.insert(tool.name.clone()) {
            faults.push(Fault::new(format!("{key}.name"), "named twice"));
        }
        one_line(faults, &format!("{key}.description"), &tool.description, 1, 200);
        let most = if tool.name == lesson::TOOL { lesson::MOST_PAIRS } else { 8 };
        if tool.examples.len() > most {
            faults.push(Fault::new(format!("{key}.examples"), format!("more than {most} examples")));
        }
        let tell = |e: SchemaFault| Fault::new(format!("{key}.{}", e.path), e.message);
        let parameters = Parameters::parse(tool.parameters)
            .map_err(|found| faults.extend(found.into_iter().map(tell)))
            .ok();
        if let Some(parameters) = &parameters {
            check_examples(faults, &key, parameters, &tool.examples);
        }
        if let (Some(name), Some(parameters)) = (one(faults, &format!("{key}.name"), &tool.name), parameters)
        {
            wishes.push(ToolWish {
                name,
                description: tool.description,
                parameters,
                examples: tool.examples,
            });
        }
    }
    wishes
}

fn check_examples(faults: &mut Vec<Fault>, key: &str, parameters: &Parameters, examples: &[Example]) {
    for (n, example) in examples.iter().enumerate() {
        let here = format!("{key}.examples[{n}]");
        several_lines(faults, &format!("{here}.expect"), &example.expect, 500);
        for fault in parameters.check(&example.args).err().into_iter().flatten() {
            faults.push(Fault::new(format!("{here}.{}", fault.path), fault.message));
        }
    }
}
