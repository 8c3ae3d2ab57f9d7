//! Answers the host functions of a learned skill, each through the handle that its token granted.

use std::sync::Arc;
use std::time::Instant;

use guest::{Host, HostFn, Rest, Value};
use models::{Message, Request, TASK};
use ports::deadline::Deadline;
use ports::{KernelContext, guard};
use serde_json::json;
use shared_types::id::EventType;

use ports::budget::Budget;

mod records;

/// The largest file that a skill reads or writes, in bytes.
const MAX_FILE: u64 = 128 * 1024;
/// The lines that one call may write to the log.
const MAX_LOG_LINES: u32 = 20;

/// The host of one call.
pub(super) struct SkillHost<'a> {
    ctx: &'a KernelContext,
    logged: u32,
}

impl<'a> SkillHost<'a> {
    pub(super) fn new(ctx: &'a KernelContext) -> Self {
        SkillHost { ctx, logged: 0 }
    }

    fn log(&mut self, text: &str) {
        if self.logged < MAX_LOG_LINES {
            self.logged += 1;
            self.ctx.shared().log(self.ctx.skill().as_str(), text);
        }
    }

    fn now(&self) -> Value {
        let now = jiff::Timestamp::now();
        let offset = self.ctx.shared().zone.to_offset(now).seconds();
        Value::map([("unix_ms", now.as_millisecond().into()), ("utc_offset_s", i64::from(offset).into())])
    }

    fn model(&self, prompt: &str) -> Result<Value, String> {
        let model = self.ctx.handles().model().ok_or_else(|| missing("llm:call"))?;
        let request = Request {
            system: "You answer for a small tool. Answer with the text that it asks for and nothing else."
                .into(),
            messages: vec![Message::user(prompt)],
            metadata: [(TASK.to_owned(), "skill".to_owned())].into(),
            ..Request::default()
        };
        let limit = self.ctx.shared().config.limits.tool_timeout;
        let deadline = Deadline::start(self.ctx.cancel(), limit);
        let response = model.chat(&request, deadline.cancel()).map_err(|error| match deadline.passed() {
            true => format!("the model took longer than {} s", limit.as_secs()),
            false => error.to_string(),
        })?;
        Ok(guard::output(&response.text).as_str().into())
    }

    fn files(&self, function: HostFn, request: &Value) -> Result<Value, String> {
        let reader = || self.ctx.handles().file_read().ok_or_else(|| missing("file:read"));
        match function {
            HostFn::FileList => {
                let folder = reader()?.folder();
                let names = match text(request, "folder")? {
                    "" => folder.entries(),
                    below => folder.folder(below).and_then(|f| f.entries()),
                };
                Ok(Value::list(names.map_err(plain)?.iter().map(String::as_str)))
            }
            HostFn::FileRead => {
                let content =
                    reader()?.folder().read_text(text(request, "path")?, MAX_FILE).map_err(plain)?;
                Ok(content.as_str().into())
            }
            _ => {
                let writer = self.ctx.handles().file_write().ok_or_else(|| missing("file:write"))?;
                let content = text(request, "text")?;
                if content.len() as u64 > MAX_FILE {
                    return Err(format!("a file has at most {MAX_FILE} bytes"));
                }
                writer.folder().replace(text(request, "path")?, content.as_bytes()).map_err(plain)?;
                Ok(Value::Null)
            }
        }
    }

    fn network(&self, function: HostFn, request: &Value) -> Result<Value, String> {
        let network =
            self.ctx.handles().network().ok_or("no network: nothing in the configuration needs one")?;
        let url = text(request, "url")?;
        let headers = match request.get("headers") {
            Some(Value::Map(entries)) => entries
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), value.as_text()?.to_owned())))
                .collect(),
            _ => vec![],
        };
        let fetched = match function {
            HostFn::HttpGet => network.get(url, headers, self.ctx)?,
            _ => network.post(url, headers, text(request, "body")?.to_owned(), self.ctx)?,
        };
        Ok(Value::map([("status", i64::from(fetched.status).into()), ("body", fetched.body.as_str().into())]))
    }

    fn dispatch(&self, request: &Value, rest: &mut Rest) -> Result<Value, String> {
        let event: EventType = text(request, "type")?.parse().map_err(|e| format!("{e}"))?;
        let payload = request.get("payload").map_or(json!(null), guest::json::to_json);
        let budget = Arc::new(Budget::new(rest.clone()));
        let answer = self.ctx.spending(budget.clone()).dispatch(&event, payload);
        let left = budget.left();
        (rest.fuel, rest.wall) = (left.fuel, left.wall);
        Ok(answer.as_ref().map_or(Value::Null, guest::json::from_json))
    }
}

impl Host for SkillHost<'_> {
    fn call(&mut self, function: HostFn, request: Value, deadline: Instant) -> Result<Value, String> {
        if Instant::now() >= deadline {
            return Err("there is no time left".to_owned());
        }
        match function {
            HostFn::Log => {
                self.log(text(&request, "text")?);
                Ok(Value::Null)
            }
            HostFn::Now => Ok(self.now()),
            HostFn::Random => {
                // The same bits: the skill's numbers are signed.
                Ok(Value::map([("u64", self.ctx.shared().random()?.cast_signed().into())]))
            }
            HostFn::Ask => {
                let input = self.ctx.user_input().ok_or_else(|| missing("user:input"))?;
                Ok(input.ask(self.ctx, text(&request, "question")?)?.as_str().into())
            }
            HostFn::Say => {
                let output = self.ctx.user_output().ok_or_else(|| missing("user:output"))?;
                output.say(self.ctx, text(&request, "text")?);
                Ok(Value::Null)
            }
            HostFn::MemoryQuery => records::query(self.ctx, text(&request, "key")?),
            HostFn::MemoryStore => {
                records::store(self.ctx, text(&request, "key")?, request.get("text").and_then(Value::as_text))
            }
            HostFn::LlmChat => self.model(text(&request, "prompt")?),
            HostFn::FileList | HostFn::FileRead | HostFn::FileWrite => self.files(function, &request),
            HostFn::HttpGet | HostFn::HttpPost => self.network(function, &request),
            HostFn::Dispatch => Err("events need what is left of the call".to_owned()),
        }
    }

    fn call_within(&mut self, function: HostFn, request: Value, rest: &mut Rest) -> Result<Value, String> {
        match function {
            HostFn::Dispatch => self.dispatch(&request, rest),
            _ => self.call(function, request, rest.deadline),
        }
    }
}

fn text<'a>(request: &'a Value, key: &str) -> Result<&'a str, String> {
    request.get(key).and_then(Value::as_text).ok_or_else(|| format!("`{key}` must be a text"))
}

fn missing(token: &str) -> String {
    format!("{token} was not granted")
}

/// Skills hear what kind of failure it was, and no path of this machine.
fn plain(error: bot_base::paths::PathError) -> String {
    use bot_base::paths::PathError;
    match error {
        PathError::Refused { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            "there is no such file".into()
        }
        PathError::Refused { .. } | PathError::Elsewhere { .. } => {
            "that is not possible in this skill's folder".into()
        }
        PathError::NotAFile(_) => "that is not a file".into(),
        PathError::TooLarge { limit, .. } => format!("the file has more than {limit} bytes"),
        PathError::NotText(_) => "the file is not text".into(),
    }
}
