//! Two or three questions to a provider, and what its answers show.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use models::{Kind, Message, ModelError, Piece, ProviderConfig, Request, Response, Router, ToolSpec, Usage};
use serde_json::{Value, json};
use shared_types::text;

/// What came of a trial.
#[derive(Debug)]
pub(super) struct Trial {
    name: String,
    kind: &'static str,
    images: bool,
    answer: Option<Answer>,
    tools: Option<Tools>,
    pub(super) failure: Option<Failure>,
    /// What to do about a provider that answers and takes no tools.
    pub(super) advice: Option<&'static str>,
}

/// The answer in words.
#[derive(Debug)]
struct Answer {
    model: String,
    first: Duration,
    whole: Duration,
    pieces: usize,
    tokens: Option<Usage>,
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
    /// Its model never saw the tool; the evidence in words.
    Dropped(String),
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
            images: provider.images,
            answer: None,
            tools: None,
            failure: None,
            advice: None,
        };
        let outcome = words(router, &provider.name, cancel).and_then(|answer| {
            let without = answer.tokens;
            trial.answer = Some(answer);
            let (mut came, with) = tools(router, &provider.name, cancel)?;
            // Only behind this protocol stands a template that may leave tools out.
            if came != Tools::Called && provider.kind == Kind::OpenaiCompatible {
                let dropped = dropped(router, &provider.name, [without, with], cancel)?;
                came = dropped.map_or(came, Tools::Dropped);
            }
            trial.advice = matches!(came, Tools::Dropped(_)).then_some(TEMPLATE);
            trial.tools = Some(came);
            Ok(())
        });
        trial.failure = outcome.err().map(|error| Failure {
            hint: match trial.answer {
                Some(_) if names_tools(&error) => TEMPLATE.to_owned(),
                _ => hint(&error, provider, key_is_missing),
            },
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
            Some(Tools::Dropped(evidence)) => {
                lines.push(format!("tools      no: this server's chat template drops tools ({evidence})"));
            }
            None => {}
        }
        lines.push(match self.images {
            true => "pictures   yes, says its `images: true`; none was sent".to_owned(),
            false => {
                "pictures   no: `images: true` at this provider says that its model takes them".to_owned()
            }
        });
        lines
    }

    /// For a script.
    pub(super) fn as_json(&self) -> Value {
        let answer = self.answer.as_ref();
        let ms = |d: Duration| u64::try_from(d.as_millis()).unwrap_or(u64::MAX);
        json!({
            "name": self.name,
            "kind": self.kind,
            "images": self.images,
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
                Tools::Dropped(_) => "dropped",
            }),
            "error": self.failure.as_ref().map(|f| &f.message),
            "hint": self.failure.as_ref().map(|f| f.hint.as_str()).or(self.advice),
        })
    }
}

/// Long enough to come in several pieces, short enough for a slow machine.
const QUESTION: &str = "Count from one to ten, in words.";
const SUM: &str = "What is 17 plus 25? Use the tool.";
const WORD: &str =
    "Which word of the day does the description of your tool name? Answer with that word alone.";
const WORD_OF_THE_DAY: &str = "quokka";
/// No template describes a tool in fewer tokens; the two questions differ by fewer.
const LEAST_OF_A_TOOL: u64 = 16;
/// What a person can do where a server leaves tools out.
const TEMPLATE: &str = "the model does not see what it is offered, so it can use no skill. llama.cpp: start llama-server with \
    --jinja, and with --chat-template-file FILE where the model's own template knows no tools. Ollama: take a model for which \
    `ollama show MODEL` lists the capability `tools`. vLLM: --enable-auto-tool-choice and --tool-call-parser NAME.";

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

/// Offers a tool that the question needs: what came of it, and the tokens.
fn tools(router: &Router, name: &str, cancel: &AtomicBool) -> Result<(Tools, Option<Usage>), ModelError> {
    let number = json!({"type": "integer"});
    let parameters =
        json!({"type": "object", "properties": {"a": number, "b": number}, "required": ["a", "b"]});
    let request = offering("trial.add", "Add two whole numbers and answer with their sum", parameters, SUM);
    match router.chat_with(name, &request, &mut |_| {}, cancel) {
        Ok(routed) => Ok((judge(&routed.response), routed.response.usage)),
        // A model that has nothing to say to a tool is not a reason to call the provider broken.
        Err(ModelError::Malformed { detail, .. }) => Ok((Tools::CalledWrongly(detail), None)),
        Err(ModelError::Refused { .. }) => Ok((Tools::Words, None)),
        Err(error) => Err(error),
    }
}

fn offering(tool: &str, description: &str, parameters: Value, question: &str) -> Request {
    let tool = ToolSpec {
        name: tool.to_owned(),
        description: description.to_owned(),
        parameters,
        phrases: vec![],
        examples: vec![],
        only_answers: true,
    };
    Request {
        system: "Answer briefly.".to_owned(),
        messages: vec![Message::user(question)],
        tools: vec![tool],
        ..Request::default()
    }
}

/// Whether the server leaves tools out of what the model reads: by the tokens `[without, with]` a tool, or, where the server
/// counts none, by whether the model knows a word of a tool's description. The evidence in words.
fn dropped(
    router: &Router,
    name: &str,
    tokens: [Option<Usage>; 2],
    cancel: &AtomicBool,
) -> Result<Option<String>, ModelError> {
    if let [Some(without), Some(with)] = tokens.map(|usage| usage.map(|u| u.input).filter(|read| *read > 0)) {
        let missing = with < without.saturating_add(LEAST_OF_A_TOOL);
        return Ok(missing
            .then(|| format!("{with} tokens read with a tool, {without} without one and another question")));
    }
    let empty = json!({"type": "object", "properties": {}});
    let about = format!("Says the word of the day, which is {WORD_OF_THE_DAY}");
    let request = offering("trial.word", &about, empty, WORD);
    let known = match router.chat_with(name, &request, &mut |_| {}, cancel) {
        Ok(routed) => {
            let response = routed.response;
            !response.tool_calls.is_empty() || response.text.to_lowercase().contains(WORD_OF_THE_DAY)
        }
        Err(ModelError::Malformed { .. } | ModelError::Refused { .. }) => false,
        Err(error) => return Err(error),
    };
    Ok((!known).then(|| "the model neither calls a tool nor knows its description".to_owned()))
}

/// Whether a server says that it takes no tools: llama.cpp, Ollama and vLLM name what is missing.
fn names_tools(error: &ModelError) -> bool {
    let said = error.to_string().to_lowercase();
    ["--jinja", "support tools", "tool choice", "tool-call-parser"].iter().any(|words| said.contains(words))
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
        ModelError::Denied { .. }
        | ModelError::NoImages { .. }
        | ModelError::Unknown { .. }
        | ModelError::UnknownModel { .. } => "`cl-bot config validate` tells every fault".to_owned(),
        ModelError::Refused { .. } => "try another question with `cl-bot -m`".to_owned(),
        ModelError::BrokeOff { why, .. } => hint(why, provider, key_is_missing),
        ModelError::Cancelled { .. } => "start it again".to_owned(),
    }
}

#[cfg(test)]
mod tests;
