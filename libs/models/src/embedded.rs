//! The built-in companion: deterministic, no key, no network. It knows no skill by name.

use std::sync::atomic::{AtomicBool, Ordering};

use language::{Intent, Language, Meant, restate};
use serde_json::{Value, json};
use shared_types::text;

use crate::error::ModelError;
use crate::phrases::{self, Candidate};
use crate::provider::{Kind, Provider, Watch};
use crate::request::{Message, Request, Response, Role, ToolCall, ToolSpec};

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
        let Turn { line, tried, result } = Turn::of(&request.messages);
        let language = language::detect(line);
        if request.task() != "chat" {
            return Err(ModelError::Refused { provider, reason: language.says().cannot_write.to_owned() });
        }
        let mut response =
            Response { provider, model: "built-in companion".to_owned(), ..Response::default() };
        match result {
            Some(text) if !is_not_mine(text) => response.text = text.to_owned(),
            _ => match next(line, &request.tools, language, &tried) {
                Some(candidate) => {
                    let id = format!("call-{}", tried.len() + 1);
                    response.tool_calls.push(ToolCall::new(id, candidate.tool, candidate.arguments));
                }
                None => response.text = say(line, language, request),
            },
        }
        Ok(response)
    }
}

/// What happened since the person's last line.
struct Turn<'a> {
    line: &'a str,
    tried: Vec<&'a ToolCall>,
    /// The last tool's result, when that is the last message.
    result: Option<&'a str>,
}

impl<'a> Turn<'a> {
    fn of(messages: &'a [Message]) -> Self {
        let start = messages.iter().rposition(|m| m.role == Role::User);
        let line = start.map_or("", |i| messages[i].content.as_str());
        let since = &messages[start.map_or(0, |i| i + 1)..];
        let tried = since.iter().flat_map(|m| &m.tool_calls).collect();
        let result = since.last().filter(|m| m.role == Role::Tool).map(|m| m.content.as_str());
        Turn { line, tried, result }
    }
}

fn is_not_mine(result: &str) -> bool {
    // Spaces and the like are the writer's business; anything beside the one key is an answer.
    serde_json::from_str::<Value>(result).is_ok_and(|v| v == json!({"not_mine": true}))
}

fn next(line: &str, tools: &[ToolSpec], language: Language, tried: &[&ToolCall]) -> Option<Candidate> {
    phrases::route(line, tools, Some(language))
        .into_iter()
        .find(|c| !tried.iter().any(|t| t.name == c.tool && t.arguments == c.arguments))
}

fn say(line: &str, detected: Language, request: &Request) -> String {
    // So that the same sentence does not come twice in a row.
    let varied = |ways: &[&str]| {
        ways[request.messages.iter().filter(|m| m.role == Role::User).count().saturating_sub(1) % ways.len()]
            .to_owned()
    };
    let Some(Meant { intent, language }) = language::intent(line) else {
        let says = detected.says();
        if !language::is_question(line) {
            return varied(&[says.unknown, says.unknown_again, says.unknown_still]);
        }
        let told = told(line, request);
        let fact = restate::find(line, &told);
        return fact.map_or(says.unknown_question.to_owned(), |fact| quoted(fact, detected));
    };
    let says = language.says();
    match intent {
        Intent::Recall { what } => recall(&what, &told(line, request), language),
        Intent::Capabilities => capabilities(&request.tools, language),
        Intent::Limits => says.limits.to_owned(),
        Intent::Learn { wish } => language::fill(says.ask_to_learn, &[("wish", &text::cut(&wish, 200))]),
        Intent::Confirm => says.confirm.to_owned(),
        Intent::Decline => says.decline.to_owned(),
        Intent::Remember { .. } => says.remembered.to_owned(),
        Intent::Forget { .. } => says.forgotten.to_owned(),
        Intent::Greeting => says.greeting.to_owned(),
        Intent::Thanks => says.thanks.to_owned(),
        Intent::Goodbye => says.goodbye.to_owned(),
        Intent::WhoAreYou => says.who_are_you.to_owned(),
        Intent::HowAreYou => says.how_are_you.to_owned(),
        Intent::AboutYou => varied(&[says.about_me, says.about_me_again]),
        Intent::Feeling => varied(&[says.feeling, says.feeling_again]),
        Intent::LearnWhat => says.learn_what.to_owned(),
        Intent::Order => says.gap.to_owned(),
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
        None => says.nothing_known.to_owned(),
    }
}

/// One way to say a pattern: the first of each choice.
fn plainly(pattern: &str) -> String {
    let first = |word: &str| word.split('|').next().unwrap_or_default().to_owned();
    pattern.split_whitespace().map(first).collect::<Vec<_>>().join(" ")
}

fn capabilities(tools: &[ToolSpec], language: Language) -> String {
    let says = language.says();
    if tools.is_empty() {
        return says.capabilities_none.to_owned();
    }
    let lines = tools.iter().take(MOST_TOOLS).map(|tool| {
        let phrase = tool.phrases.iter().find(|p| p.language == language.code()).or(tool.phrases.first());
        let example =
            phrase.map_or(String::new(), |p| format!(" ({} \"{}\")", says.for_example, plainly(&p.pattern)));
        format!("- {}: {}{}", tool.name, text::cut(&tool.description, 200), text::cut(&example, 120))
    });
    let lines: Vec<String> = lines.collect();
    format!("{}\n{}\n{}", says.capabilities, lines.join("\n"), says.capabilities_end)
}

#[cfg(test)]
mod tests;
