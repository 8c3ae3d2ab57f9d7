//! Two questions to a provider, and what its answers show.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use models::{Message, ModelError, Piece, ProviderConfig, Request, Response, Router, ToolSpec};
use serde_json::{Value, json};
use shared_types::text;

/// What came of a trial.
#[derive(Debug)]
pub(super) struct Trial {
    name: String,
    kind: &'static str,
    answer: Option<Answer>,
    tools: Option<Tools>,
    pub(super) failure: Option<Failure>,
}

/// The answer in words.
#[derive(Debug)]
struct Answer {
    model: String,
    first: Duration,
    whole: Duration,
    pieces: usize,
    tokens: Option<models::Usage>,
}

/// What the provider did with the tool that it was offered.
#[derive(Debug, PartialEq, Eq)]
enum Tools {
    /// It called it, with the right arguments.
    Called,
    /// It called something, but not like this.
    CalledWrongly(String),
    /// It answered in words.
    Words,
}

/// Why the trial failed, and what to do about it.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) message: String,
    pub(super) hint: String,
}

impl Trial {
    /// Asks the provider, and no other in its place.
    pub(super) fn of(
        router: &Router,
        provider: &ProviderConfig,
        key_is_missing: bool,
        cancel: &AtomicBool,
    ) -> Trial {
        let mut trial = Trial {
            name: provider.name.clone(),
            kind: provider.kind.as_str(),
            answer: None,
            tools: None,
            failure: None,
        };
        let outcome = words(router, &provider.name, cancel).and_then(|answer| {
            trial.answer = Some(answer);
            trial.tools = Some(tools(router, &provider.name, cancel)?);
            Ok(())
        });
        trial.failure = outcome.err().map(|error| Failure {
            hint: hint(&error, provider, key_is_missing),
            message: error.to_string(),
        });
        trial
    }

    /// For a person.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("provider   {} ({})", self.name, self.kind)];
        if let Some(answer) = &self.answer {
            let (first, whole) = (answer.first.as_millis(), answer.whole.as_millis());
            lines.push(format!("model      {}", text::cut(&answer.model, 100)));
            lines.push(format!("latency    first piece after {first} ms, all after {whole} ms"));
            lines.push(match answer.pieces {
                0 | 1 => "streaming  no: the answer came at once".to_owned(),
                n => format!("streaming  yes: {n} pieces"),
            });
            if let Some(tokens) = answer.tokens {
                lines.push(format!("tokens     {} read, {} written", tokens.input, tokens.output));
            }
        }
        match &self.tools {
            Some(Tools::Called) => {
                lines.push("tools      yes: it called the tool that it was offered".to_owned())
            }
            Some(Tools::CalledWrongly(what)) => lines.push(format!("tools      poorly: {what}")),
            Some(Tools::Words) => {
                lines.push("tools      no: it answered in words, so skills will rarely be used".to_owned());
            }
            None => {}
        }
        lines
    }

    /// For a script.
    pub(super) fn as_json(&self) -> Value {
        let answer = self.answer.as_ref();
        let ms = |d: Duration| u64::try_from(d.as_millis()).unwrap_or(u64::MAX);
        json!({
            "name": self.name,
            "kind": self.kind,
            "ok": self.failure.is_none(),
            "model": answer.map(|a| &a.model),
            "first_piece_ms": answer.map(|a| ms(a.first)),
            "total_ms": answer.map(|a| ms(a.whole)),
            "pieces": answer.map(|a| a.pieces),
            "streaming": answer.map(|a| a.pieces > 1),
            "tokens": answer.and_then(|a| a.tokens),
            "tools": self.tools.as_ref().map(|tools| match tools {
                Tools::Called => "called",
                Tools::CalledWrongly(_) => "called wrongly",
                Tools::Words => "words",
            }),
            "error": self.failure.as_ref().map(|f| &f.message),
            "hint": self.failure.as_ref().map(|f| &f.hint),
        })
    }
}

/// Long enough to come in several pieces, short enough for a slow machine.
const QUESTION: &str = "Count from one to ten, in words.";
const SUM: &str = "What is 17 plus 25? Use the tool.";

fn words(router: &Router, name: &str, cancel: &AtomicBool) -> Result<Answer, ModelError> {
    let request = Request {
        system: "Answer briefly.".to_owned(),
        messages: vec![Message::user(QUESTION)],
        ..Request::default()
    };
    let start = Instant::now();
    let (mut first, mut pieces) = (None, 0);
    let mut watch = |piece: Piece<'_>| {
        first.get_or_insert_with(|| start.elapsed());
        pieces += usize::from(matches!(piece, Piece::Text(_)));
    };
    let response = router.chat_with(name, &request, &mut watch, cancel)?.response;
    let whole = start.elapsed();
    let first = first.unwrap_or(whole);
    Ok(Answer { model: response.model, first, whole, pieces, tokens: response.usage })
}

fn tools(router: &Router, name: &str, cancel: &AtomicBool) -> Result<Tools, ModelError> {
    let number = json!({"type": "integer"});
    let request = Request {
        system: "Answer briefly.".to_owned(),
        messages: vec![Message::user(SUM)],
        tools: vec![ToolSpec {
            only_answers: true,
            examples: vec![],
            name: "trial.add".to_owned(),
            description: "Add two whole numbers".to_owned(),
            parameters: json!({"type": "object", "properties": {"a": number, "b": number}, "required": ["a", "b"]}),
            phrases: Vec::new(),
        }],
        ..Request::default()
    };
    match router.chat_with(name, &request, &mut |_| {}, cancel) {
        Ok(routed) => Ok(judge(&routed.response)),
        // A model that has nothing to say to a tool is no reason to call the provider broken.
        Err(ModelError::Malformed { detail, .. }) => Ok(Tools::CalledWrongly(detail)),
        Err(ModelError::Refused { .. }) => Ok(Tools::Words),
        Err(error) => Err(error),
    }
}

fn judge(response: &Response) -> Tools {
    let Some(call) = response.tool_calls.first() else { return Tools::Words };
    let mut numbers = [call.arguments["a"].as_i64(), call.arguments["b"].as_i64()];
    numbers.sort();
    match &call.fault {
        Some(fault) => Tools::CalledWrongly(text::cut(fault, 200)),
        None if numbers == [Some(17), Some(25)] => Tools::Called,
        None => {
            let arguments = text::cut(&call.arguments.to_string(), 80);
            Tools::CalledWrongly(format!("the arguments should be 17 and 25, and are {arguments}"))
        }
    }
}

fn hint(error: &ModelError, provider: &ProviderConfig, key_is_missing: bool) -> String {
    let name = &provider.name;
    let key = provider.api_key.as_ref();
    match error {
        ModelError::Auth { .. } if key_is_missing => {
            let key = key.map_or_else(String::new, ToString::to_string);
            format!("set the environment variable {key} before cl-bot starts")
        }
        ModelError::Auth { .. } if key.is_none() => {
            format!("the configuration of `{name}` names no key; add `api_key: \"${{NAME}}\"`")
        }
        ModelError::Auth { .. } => {
            "the server does not take this key: check that it is valid for this server".to_owned()
        }
        ModelError::Network { .. } => match &provider.base_url {
            Some(address) => {
                format!("check that a server runs at {address}, and `base_url` in config/default.yaml")
            }
            None => "check the provider's entry in config/default.yaml".to_owned(),
        },
        ModelError::Timeout { .. } => {
            format!("a slow server needs a higher `timeout_seconds` (now {})", provider.timeout.as_secs())
        }
        ModelError::NoKey { .. } => {
            format!("`cl-bot login {name}`, `api_key_file` or `api_key` gives it one")
        }
        ModelError::Rate { .. } => "wait, or look at the account's limits".to_owned(),
        ModelError::Rejected { status: 404, .. } => {
            "check `model` and `base_url` in config/default.yaml: the server knows one of them not".to_owned()
        }
        ModelError::Rejected { .. } | ModelError::Malformed { .. } => {
            format!("check that the server speaks `{}`", provider.kind.as_str())
        }
        ModelError::TooLarge { .. } => "raise `max_response_bytes`, or set `max_tokens`".to_owned(),
        ModelError::Denied { .. } | ModelError::Unknown { .. } | ModelError::UnknownModel { .. } => {
            "`cl-bot config validate` tells every fault".to_owned()
        }
        ModelError::Refused { .. } => "try another question with `cl-bot -m`".to_owned(),
        ModelError::BrokeOff { why, .. } => hint(why, provider, key_is_missing),
        ModelError::Cancelled { .. } => "start it again".to_owned(),
    }
}

#[cfg(test)]
mod tests;
