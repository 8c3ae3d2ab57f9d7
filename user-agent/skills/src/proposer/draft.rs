//! From want and why to a proposal: by a model where one is configured, else by the rules of the language files.

use bot_base::config::Service;
use models::{Message, Request, TASK};
use ports::KernelContext;
use ports::spool::NotWritten;
use serde_json::{Map, Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::id::{HostName, InvalidId, ProposalId, SkillName};
use shared_types::profile::SystemCapability;
use shared_types::proposal::lesson::tools;
use shared_types::proposal::{BY_MODEL, Document, Fault};
use shared_types::text;

use super::mend;

/// A proposal that would pass the admin's validation.
#[derive(Debug)]
pub struct Drafted {
    pub document: Document,
}

/// The wish needs the network, and the configuration names no host for it.
#[derive(Debug, PartialEq, Eq)]
pub struct NoHost {
    /// What the service would be about.
    pub topic: String,
}

/// Why a model's answer is not a draft.
#[derive(Debug, thiserror::Error)]
enum NoDraft {
    /// It holds no braces.
    #[error("there is no JSON object")]
    NoObject,
    /// What is between its braces is not JSON.
    #[error("{}", text::cut(&.0.to_string(), 200))]
    Syntax(#[from] serde_json::Error),
    /// It is the example of the instructions.
    #[error("that is the example; specify the skill of the wish")]
    Copied,
    /// It names the skill in a way that no skill is named.
    #[error("name: {0}")]
    Name(#[from] InvalidId),
    /// The admin would refuse it.
    #[error(transparent)]
    Refused(#[from] NotWritten),
}

/// Drafts a proposal.
///
/// # Errors
/// A wish for the network without a configured service.
pub fn draft(wish: &str, line: &str, ctx: &KernelContext) -> Result<Drafted, NoHost> {
    let simple = language::draft(wish);
    let services = &ctx.shared().config.services;
    let named = named_feed(wish, &simple.topics).filter(|_| !ctx.shared().audience.is_minor());
    let chosen = named.as_ref().or_else(|| choose(services, wish, &simple.topics));
    let network =
        simple.capabilities.contains(Token::NetworkRead) || simple.capabilities.contains(Token::NetworkWrite);
    if network && chosen.is_none() {
        let topic = simple.topics.first().cloned().unwrap_or_else(|| "network".to_owned());
        return Err(NoHost { topic });
    }
    let by_model = ctx
        .handles()
        .model()
        .filter(|m| m.writes_freely("propose"))
        .and_then(|_| ask(wish, line, chosen, ctx));
    if let Some(document) = by_model {
        return Ok(Drafted { document });
    }
    // Of an address the host alone names the skill.
    let name = match &named {
        Some(feed) => language::draft(&wish.replacen(&feed.url, feed.host.host(), 1)).name,
        None => simple.name,
    };
    let mut capabilities = simple.capabilities;
    if chosen.is_some() {
        capabilities.insert(Token::NetworkRead);
    }
    let body = json!({
        "name": free_name(&name, ctx),
        "description": simple.description,
        "capabilities": capabilities,
        "requirements": {"system_capabilities": simple.requirements},
    });
    let document =
        complete(body, "", line, chosen, "proposer", ctx).unwrap_or_else(|_| plain(wish, line, chosen, ctx));
    Ok(Drafted { document })
}

/// Drafts a proposal by examples alone.
///
/// # Errors
/// What the admin would refuse: too many examples, or too long ones.
pub fn by_examples(
    lesson: &language::pairs::Lesson,
    line: &str,
    ctx: &KernelContext,
) -> Result<Document, Vec<Fault>> {
    let named = language::draft(lesson.name.as_deref().unwrap_or("rule")).name;
    let name =
        if lesson.name.is_some() { free_name_unless_learned(&named, ctx) } else { free_name(&named, ctx) };
    let (input, output) =
        lesson.pairs.first().map_or(("", ""), |(input, output)| (input.as_str(), output.as_str()));
    let about = clean(&format!("Learned from examples: {input} becomes {output}"), 200);
    let body = json!({
        "name": name,
        "description": text::line(&about),
        "capabilities": [],
        "tools": tools(&lesson.pairs),
    });
    complete(body, "", line, None, "proposer", ctx)
}

/// The service that a wish means: one of its topics, or a service one of whose words stands in it.
fn choose<'a>(services: &'a [Service], wish: &str, topics: &[String]) -> Option<&'a Service> {
    let words: Vec<String> = language::words::lower(wish).collect();
    services
        .iter()
        .find(|s| topics.contains(&s.topic))
        .or_else(|| services.iter().find(|s| s.words.iter().any(|w| words.contains(&w.to_lowercase()))))
}

/// The feed whose address a wish for news names.
fn named_feed(wish: &str, topics: &[String]) -> Option<Service> {
    let topic = topics.iter().find(|topic| *topic == "news")?.clone();
    let address = language::address::of(wish)?;
    let host = address.host.parse().ok()?;
    Some(Service { topic, host, url: address.url.to_owned(), words: vec![] })
}

/// The name, or with a number where an active skill has it.
fn free_name(name: &SkillName, ctx: &KernelContext) -> SkillName {
    let taken: Vec<SkillName> = ctx.skills().into_iter().map(|s| s.name).collect();
    let mut free = name.clone();
    for n in 2..100 {
        if !taken.contains(&free) {
            break;
        }
        let short: String = name.as_str().chars().take(59).collect();
        free = format!("{short}-{n}").parse().unwrap_or(free);
    }
    free
}

/// Asks a model for the draft; one repair, then nothing.
fn ask(wish: &str, line: &str, service: Option<&Service>, ctx: &KernelContext) -> Option<Document> {
    let model = ctx.handles().model()?;
    let mut request = Request {
        system: instructions(service, ctx),
        messages: vec![Message::user(format!("Wish: {}", text::cut(wish, 500)))],
        metadata: [(TASK.to_owned(), "propose".to_owned())].into(),
        ..Request::default()
    };
    for _ in 0..2 {
        let response = model.chat(&request, ctx.cancel()).ok()?;
        let answer = response.text;
        let why = match read(&answer, wish, line, service, ctx) {
            Ok(document) => return Some(document),
            Err(why) => why,
        };
        request.messages.push(Message::assistant(answer));
        request
            .messages
            .push(Message::user(format!("Not usable: {why}. Answer with the corrected JSON only.")));
    }
    None
}

fn instructions(service: Option<&Service>, ctx: &KernelContext) -> String {
    let tokens: Vec<String> = Token::ALL.iter().map(|t| format!("{t} ({})", t.in_words())).collect();
    let abilities: Vec<&str> =
        ctx.shared().system.available_capabilities.iter().map(|c| c.as_str()).collect();
    let all: Vec<&str> = SystemCapability::ALL.iter().map(|c| c.as_str()).collect();
    let service = match service {
        Some(s) => format!("The only host is {} (addresses: {}).", s.host, s.url),
        None => "There is no host, so no network token.".to_owned(),
    };
    format!(
        "You turn a wish into a specification of a small skill: a program without side effects that answers tool \
         calls. Answer with one JSON object and nothing else. For the wish \"{EXAMPLE_WISH}\" it is:\n{EXAMPLE}\n\
         Ask for as few tokens as possible, best none. Returned text needs no token; clock \
         and random numbers neither; own records need memory tokens. Work out each example by hand; leave out examples whose \
         answer depends on chance, clock, memory, network or model.\nTokens: {}.\nSystem capabilities: {}; present: {}.\n{service}",
        tokens.join(", "),
        all.join(" "),
        abilities.join(" "),
    )
}

/// A draft as a model shall write one; small models copy the text that stands in the place of a word.
pub(super) const EXAMPLE_WISH: &str = "learn to split a bill";
pub(super) const EXAMPLE: &str = r#"{"name": "bill-splitter", "description": "Splits a bill between people", "capabilities": [], "tools": [{"name": "split", "description": "Splits an amount between people", "parameters": {"type": "object", "properties": {"amount": {"type": "number", "description": "the whole bill"}, "people": {"type": "integer", "minimum": 1, "description": "how many pay"}}, "required": ["amount", "people"]}, "examples": [{"args": {"amount": 84.6, "people": 4}, "expect": "21.15"}, {"args": {"amount": 10, "people": 3}, "expect": "3.33"}]}], "requirements": {"system_capabilities": []}, "rationale": "The person wants to know what each pays."}"#;

/// Reads a model's answer as a draft.
fn read(
    answer: &str,
    wish: &str,
    line: &str,
    service: Option<&Service>,
    ctx: &KernelContext,
) -> Result<Document, NoDraft> {
    let object = answer.find('{').zip(answer.rfind('}')).filter(|(a, b)| a < b);
    let object = object.map(|(a, b)| &answer[a..=b]).ok_or(NoDraft::NoObject)?;
    let mut map: Map<String, Value> = serde_json::from_slice(object.as_bytes())?;
    const KEPT: [&str; 6] = ["name", "description", "capabilities", "tools", "requirements", "rationale"];
    map.retain(|key, _| KEPT.contains(&key.as_str()));
    let mut rationale =
        map.remove("rationale").and_then(|r| r.as_str().map(str::to_owned)).unwrap_or_default();
    let is_example = map.get("name").is_some_and(|name| name == "bill-splitter");
    if is_example && !["bill", "split"].iter().any(|word| line.to_lowercase().contains(word)) {
        return Err(NoDraft::Copied);
    }
    for note in mend::mend(&mut map) {
        rationale = format!("{}\nleft out: {note}", rationale.trim_end());
    }
    map.entry("capabilities").or_insert(json!([]));
    map.entry("description").or_insert_with(|| json!(text::cut(wish, 200)));
    let name = map.get("name").and_then(Value::as_str).unwrap_or_default();
    let name: SkillName = name.parse()?;
    map.insert("name".to_owned(), json!(free_name_unless_learned(&name, ctx)));
    Ok(complete(map.into(), &rationale, line, service, BY_MODEL, ctx).map_err(NotWritten::Refused)?)
}

/// A built-in skill's name is not free; that of a learned one is kept, so that the person hears that it is there.
fn free_name_unless_learned(name: &SkillName, ctx: &KernelContext) -> SkillName {
    if ctx.skills().iter().any(|s| s.learned && &s.name == name) {
        name.clone()
    } else {
        free_name(name, ctx)
    }
}

/// Adds what the program knows itself, and validates the whole as the admin will.
fn complete(
    mut body: Value,
    rationale: &str,
    line: &str,
    service: Option<&Service>,
    by: &str,
    ctx: &KernelContext,
) -> Result<Document, Vec<Fault>> {
    let wants_network = body["capabilities"]
        .as_array()
        .is_some_and(|tokens| tokens.iter().any(|t| t == "network:read" || t == "network:write"));
    let hosts: Vec<&HostName> = service.iter().filter(|_| wants_network).map(|s| &s.host).collect();
    let why = if rationale.trim().is_empty() { "The person asked for it." } else { rationale.trim() };
    let why = match service.filter(|_| wants_network) {
        Some(service) => format!("{}\nservice: {}", clean(why, 1_500), service.url),
        None => clean(why, 1_900),
    };
    body["id"] = json!(ProposalId::generate());
    body["kind"] = json!("skill");
    body["network"] = json!(hosts);
    body["rationale"] = json!(why);
    body["user_context"] = json!(clean(line, 1_900));
    body["generated_by"] = json!(by);
    body["generated_at"] = json!(ctx.shared().timestamp());
    body["profile_id"] = json!(ctx.shared().profile);
    // JSON is YAML too, so the admin's own rules are the judge.
    let document = documents::proposal::parse_written(&json!({"proposal": body}).to_string())?;
    Ok(Document::new(document.proposal))
}

/// The least that a proposal can be; it fits any wish.
fn plain(wish: &str, line: &str, service: Option<&Service>, ctx: &KernelContext) -> Document {
    let tokens: TokenSet = service.map(|_| Token::NetworkRead).into_iter().collect();
    let body = json!({
        "name": free_name(&language::draft(wish).name, ctx),
        "description": "A new ability",
        "capabilities": tokens,
    });
    complete(body, "", line, service, "proposer", ctx)
        .expect("every field of the plain draft is within its bounds")
}

/// At most `limit` characters without what a proposal may not hold.
fn clean(text: &str, limit: usize) -> String {
    text.chars().filter(|c| *c == '\n' || !text::is_refused(*c)).take(limit).collect()
}
