//! The built-in companion: deterministic, no key, no network. It knows no skill by name.

use std::sync::atomic::{AtomicBool, Ordering};

use language::sum::Sum;
use language::{Intent, Language, Meant, Refusal, restate};
use serde_json::{Value, json};
use shared_types::text;

use crate::error::ModelError;
use crate::phrases::{self, Candidate};
use crate::provider::{Kind, Provider, Watch};
use crate::request::{LANGUAGE, Message, Request, Response, Role, ToolCall, ToolSpec};

/// The companion.
#[derive(Debug, Clone)]
pub struct Embedded {
    name: String,
}

/// The exact result by which a tool says that a line was not for it: the companion then tries the next.
pub const NOT_MINE: &str = r#"{"not_mine":true}"#;

impl Embedded {
    /// A companion under the name that the configuration gives it.
    pub fn new(name: &str) -> Self {
        Embedded { name: name.to_owned() }
    }
}

impl Default for Embedded {
    fn default() -> Self {
        Embedded::new("embedded")
    }
}

impl Provider for Embedded {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> Kind {
        Kind::Embedded
    }

    fn chat(
        &self,
        request: &Request,
        _: &mut Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Response, ModelError> {
        let provider = self.name.clone();
        if cancel.load(Ordering::Relaxed) {
            return Err(ModelError::Cancelled { provider });
        }
        let Turn { line, earlier, tried, result } = Turn::of(&request.messages);
        let chosen = request.metadata.get(LANGUAGE).and_then(|code| Language::of_code(code));
        let language = chosen
            .unwrap_or_else(|| language::detect_among([line].into_iter().chain(earlier.iter().copied())));
        if request.task() != "chat" {
            return Err(ModelError::Refused { provider, reason: language.says().cannot_write.to_owned() });
        }
        let mut response =
            Response { provider, model: "built-in companion".to_owned(), ..Response::default() };
        match result {
            Some(text) if !is_not_mine(text) => response.text = text.to_owned(),
            _ => match next(line, &earlier, &request.tools, language, &tried) {
                Some(candidate) => {
                    let id = format!("call-{}", tried.len() + 1);
                    response.tool_calls.push(ToolCall::new(id, candidate.tool, candidate.arguments));
                }
                None => response.text = say(line, &earlier, language, chosen, request),
            },
        }
        Ok(response)
    }
}

/// What happened since the person's last line.
struct Turn<'a> {
    line: &'a str,
    /// The person's lines before it, the newest first.
    earlier: Vec<&'a str>,
    tried: Vec<&'a ToolCall>,
    /// The last tool's result, when that is the last message.
    result: Option<&'a str>,
}

impl<'a> Turn<'a> {
    fn of(messages: &'a [Message]) -> Self {
        let start = messages.iter().rposition(|m| m.role == Role::User);
        let line = start.map_or("", |i| messages[i].content.as_str());
        let since = &messages[start.map_or(0, |i| i + 1)..];
        let before = messages[..start.unwrap_or(0)].iter().rev().filter(|m| m.role == Role::User);
        let earlier = before.take(MOST_EARLIER).map(|m| m.content.as_str()).collect();
        let tried = since.iter().flat_map(|m| &m.tool_calls).collect();
        let result = since.last().filter(|m| m.role == Role::Tool).map(|m| m.content.as_str());
        Turn { line, earlier, tried, result }
    }
}

fn is_not_mine(result: &str) -> bool {
    // Spaces and the like are the writer's business; anything beside the one key is an answer.
    serde_json::from_str::<Value>(result).is_ok_and(|v| v == json!({"not_mine": true}))
}

/// How many lines of the person a question may go back to.
const MOST_EARLIER: usize = 8;

fn next(
    line: &str,
    earlier: &[&str],
    tools: &[ToolSpec],
    language: Language,
    tried: &[&ToolCall],
) -> Option<Candidate> {
    let is_new = |c: &Candidate| !tried.iter().any(|t| t.name == c.tool && t.arguments == c.arguments);
    let mut whole = phrases::route(line, tools, Some(language)).into_iter();
    whole
        .find(is_new)
        .or_else(|| phrases::route_loosely(line, tools, Some(language)).into_iter().find(is_new))
        .or_else(|| phrases::follow_up(line, earlier, tools, Some(language)).filter(is_new))
}

fn say(
    line: &str,
    earlier: &[&str],
    detected: Language,
    chosen: Option<Language>,
    request: &Request,
) -> String {
    // So that the same sentence does not come twice in a row.
    let varied = |ways: &[&str]| {
        ways[request.messages.iter().filter(|m| m.role == Role::User).count().saturating_sub(1) % ways.len()]
            .to_owned()
    };
    if let Some(sum) = language::sum::sum(line, earlier, detected) {
        return in_words(&sum, detected);
    }
    let meant = language::intent(line);
    let is_open = matches!(&meant, None | Some(Meant { intent: Intent::Order | Intent::AboutYou, .. }));
    let refused = language::refusal(line).filter(|_| is_open);
    let Some(Meant { intent, language }) = meant else {
        let says = detected.says();
        let told = told(line, request);
        let asks = language::is_question(line);
        let fact = restate::find(line, &told).filter(|_| asks);
        let near = fact.is_none().then(|| restate::near(line, &told)).flatten().filter(|_| asks);
        return match (fact, refused) {
            (Some(fact), _) => quoted(fact, detected),
            (None, Some((refusal, _))) if refusal != Refusal::Harm => refusal.said(detected).to_owned(),
            (None, _) if near.is_some() => {
                language::fill(says.unsure, &[("fact", near.unwrap_or_default().trim())])
            }
            // A bare `what?` asks for nothing that could be known.
            (None, _) if asks && line.split_whitespace().nth(1).is_some() => says.unknown_question.to_owned(),
            (None, _) => varied(&[says.unknown, says.unknown_again, says.unknown_still]),
        };
    };
    let language = chosen.unwrap_or(language);
    let says = language.says();
    if let Some((refusal, _)) = refused
        && (refusal != Refusal::Harm || intent == Intent::Order)
    {
        return refusal.said(detected).to_owned();
    }
    match intent {
        Intent::Recall { what } => recall(&what, &told(line, request), language),
        Intent::Capabilities => capabilities(&request.tools, language),
        Intent::Limits => says.limits.to_owned(),
        Intent::Learn { wish } => language::fill(says.ask_to_learn, &[("wish", &text::cut(&wish, 200))]),
        Intent::Confirm => says.confirm.to_owned(),
        Intent::Decline => says.decline.to_owned(),
        Intent::Remember { .. } => says.remembered.to_owned(),
        Intent::Forget { .. } | Intent::ForgetAll => says.forgotten.to_owned(),
        Intent::ForgetWhich => says.forget_which.to_owned(),
        Intent::Greeting => says.greeting.to_owned(),
        Intent::Thanks => says.thanks.to_owned(),
        Intent::Goodbye => says.goodbye.to_owned(),
        Intent::WhoAreYou => says.who_are_you.to_owned(),
        Intent::HowAreYou => says.how_are_you.to_owned(),
        Intent::AboutYou => varied(&[says.about_me, says.about_me_again]),
        Intent::Feeling => varied(&[says.feeling, says.feeling_again]),
        Intent::LearnWhat => says.learn_what.to_owned(),
        Intent::Order => says.gap.to_owned(),
        Intent::Proposals => says.proposals_none.to_owned(),
        Intent::Privacy => says.privacy.to_owned(),
        Intent::WhichFile => says.which_file.to_owned(),
        Intent::CanYouHear => says.can_you_hear.to_owned(),
        Intent::Fun => says.fun.to_owned(),
        Intent::Comfort => says.comfort.to_owned(),
    }
}

fn in_words(sum: &Sum, language: Language) -> String {
    let says = language.says();
    match sum {
        Sum::Result { sum, result, rounded } => {
            let template = if *rounded { says.sum_about } else { says.sum };
            language::fill(template, &[("sum", sum), ("result", result)])
        }
        Sum::ByZero => says.sum_zero.to_owned(),
        Sum::TooLarge => says.sum_too_large.to_owned(),
    }
}

const MOST_FACTS: usize = 10;
const MOST_TOOLS: usize = 30;

/// What the person told, but for what was asked just now, which is no answer to itself.
fn told(line: &str, request: &Request) -> Vec<String> {
    // A companion that stands in for a model finds them at the lines that they went along with.
    let earlier = request.messages.iter().flat_map(|m| &m.memories);
    request.memories.iter().chain(earlier).filter(|m| m.trim() != line.trim()).cloned().collect()
}

fn quoted(fact: &str, language: Language) -> String {
    language::fill(language.says().quoted, &[("fact", fact.trim())])
}

fn recall(what: &str, memories: &[String], language: Language) -> String {
    let says = language.says();
    if what == "me" {
        if memories.is_empty() {
            return says.nothing_at_all.to_owned();
        }
        let facts: Vec<String> =
            memories.iter().take(MOST_FACTS).map(|m| format!("- {}", m.trim())).collect();
        return format!("{}\n{}", says.all_known, facts.join("\n"));
    }
    match restate::find(what, memories) {
        Some(fact) => restate::say(fact, language),
        None => match restate::near(what, memories) {
            Some(fact) => language::fill(says.unsure, &[("fact", fact.trim())]),
            None => says.nothing_known.to_owned(),
        },
    }
}

/// The longest line of the list of abilities, in characters.
const LINE: usize = 78;
/// Sentences of one skill that are shown.
const MOST_EXAMPLES: usize = 4;

/// What can be said, skill by skill, as sentences that would work.
fn capabilities(tools: &[ToolSpec], language: Language) -> String {
    let says = language.says();
    let example = |tool: &ToolSpec| Some((owner(&tool.name).to_owned(), phrases::example(tool, language)?));
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (owner, example) in tools.iter().take(MOST_TOOLS).filter_map(example) {
        match groups.iter_mut().find(|(known, _)| *known == owner) {
            Some((_, examples)) => examples.push(example),
            None => groups.push((owner, vec![example])),
        }
    }
    if groups.is_empty() {
        return says.capabilities_none.to_owned();
    }
    let own = says.capabilities_own.split(" | ").map(str::to_owned).collect();
    let lines = std::iter::once(own).chain(groups.into_iter().map(|(_, examples)| examples));
    let lines: Vec<String> = lines.map(|examples: Vec<String>| listed(&examples, language)).collect();
    format!("{}\n{}\n{}", says.capabilities, lines.join("\n"), says.capabilities_end)
}

/// The skill of a tool, as far as its name tells; the tools of the program itself stand together by their first word.
fn owner(tool: &str) -> &str {
    tool.split(['.', '_']).next().unwrap_or(tool)
}

/// Examples in quotation marks, on lines that are not too long.
fn listed(examples: &[String], language: Language) -> String {
    let mut lines = vec!["-".to_owned()];
    for (at, example) in examples.iter().take(MOST_EXAMPLES).enumerate() {
        let comma = if at + 1 < examples.len().min(MOST_EXAMPLES) { "," } else { "" };
        let quoted =
            language::fill(language.says().example, &[("line", &text::cut(example, LINE - 8))]) + comma;
        let last = lines.last_mut().expect("there is a first line");
        if last.chars().count() + 1 + quoted.chars().count() > LINE && at > 0 {
            lines.push(format!("  {quoted}"));
        } else {
            last.push_str(&format!(" {quoted}"));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests;
