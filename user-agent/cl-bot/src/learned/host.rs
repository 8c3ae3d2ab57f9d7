//! Answers the host functions of a learned skill, each through the handle that its token granted.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bot_base::paths::PathError;
use guest::{Host, HostError, HostFn, Rest, Value};
use models::{Message, ModelError, Request, TASK, TransportError};
use ports::deadline::Deadline;
use ports::handles::HandleError;
use ports::pins::NoPins;
use ports::voice::NoVoice;
use ports::{KernelContext, guard};
use serde_json::json;
use shared_types::capability::Token;
use shared_types::id::{EventType, InvalidId};

use ports::budget::Budget;

mod records;

/// The largest file that a skill reads or writes, in bytes.
const MAX_FILE: u64 = 128 * 1024;
/// The lines that one call may write to the log.
const MAX_LOG_LINES: u32 = 20;

/// Why a skill does not get what it asked for, in words that it may repeat.
#[derive(Debug, thiserror::Error)]
enum NotServed {
    /// The token was not granted, or its handle fails.
    #[error(transparent)]
    Handle(HandleError),
    /// The facts cannot be read.
    #[error(transparent)]
    Memory(#[from] memory::Error),
    /// Its folder does not give or take the file.
    #[error("{}", plain(.0))]
    File(PathError),
    /// A text that is too long for a file.
    #[error("a file has at most {MAX_FILE} bytes")]
    LongFile,
    /// A key or a text that is too long for a record.
    #[error(
        "a record has a key of 1 to {} bytes and a text of at most {}",
        records::MAX_KEY,
        records::MAX_TEXT
    )]
    LongRecord,
    /// No model answers.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// No model answers in time.
    #[error("the model took longer than {} s", .0.as_secs())]
    SlowModel(Duration),
    /// There is no network process.
    #[error("no network: nothing in the configuration needs one")]
    NoNetwork,
    /// No server answers.
    #[error(transparent)]
    Network(#[from] TransportError),
    /// Nothing is spoken or heard.
    #[error(transparent)]
    Voice(#[from] NoVoice),
    /// No line is read or switched.
    #[error(transparent)]
    Pins(#[from] NoPins),
    /// The level of the request is missing, or neither on nor off.
    #[error("`on` must be true or false")]
    NotLevel,
    /// The milliseconds of the request are missing or not a number.
    #[error("`ms` must be a number")]
    NotMilliseconds,
    /// The person does not answer.
    #[error("{0}")]
    Person(String),
    /// The source of random numbers is out of order.
    #[error("no random numbers: {0}")]
    Random(io::Error),
    /// The seconds of the request are missing or not a number.
    #[error("`seconds` must be a number")]
    NotSeconds,
    /// A field of the request is missing or no text.
    #[error("`{0}` must be a text")]
    NotText(&'static str),
    /// The type of an event is invalid.
    #[error(transparent)]
    EventType(#[from] InvalidId),
    /// The call has no time left.
    #[error("there is no time left")]
    Late,
    /// Another skill cannot be called without a budget.
    #[error("events need what is left of the call")]
    NoBudget,
}

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

    fn model(&self, prompt: &str) -> Result<Value, NotServed> {
        let model = self.ctx.handles().model().ok_or(missing(Token::LlmCall))?;
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
            true => NotServed::SlowModel(limit),
            false => error.into(),
        })?;
        Ok(guard::output(&response.text).as_str().into())
    }

    fn files(&self, function: HostFn, request: &Value) -> Result<Value, NotServed> {
        let reader = || self.ctx.handles().file_read().ok_or(missing(Token::FileRead));
        match function {
            HostFn::FileList => {
                let names = reader()?.names(text(request, "folder")?, self.ctx)?;
                Ok(Value::list(names.iter().map(String::as_str)))
            }
            HostFn::FileRead => {
                Ok(reader()?.text(text(request, "path")?, MAX_FILE, self.ctx)?.as_str().into())
            }
            _ => {
                let writer = self.ctx.handles().file_write().ok_or(missing(Token::FileWrite))?;
                let content = text(request, "text")?;
                if content.len() as u64 > MAX_FILE {
                    return Err(NotServed::LongFile);
                }
                writer.replace(text(request, "path")?, content.as_bytes(), self.ctx)?;
                Ok(Value::Null)
            }
        }
    }

    fn network(&self, function: HostFn, request: &Value) -> Result<Value, NotServed> {
        let network = self.ctx.handles().network().ok_or(NotServed::NoNetwork)?;
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

    fn audio(&self, function: HostFn, request: &Value) -> Result<Value, NotServed> {
        let handle = |token| self.ctx.handles().audio().ok_or(missing(token));
        if function == HostFn::AudioSay {
            handle(Token::AudioWrite)?.say(&guard::output(text(request, "text")?))?;
            return Ok(Value::Null);
        }
        let audio = handle(Token::AudioRead)?;
        let seconds = request.get("seconds").and_then(Value::as_int).ok_or(NotServed::NotSeconds)?;
        let heard = audio.listen(seconds, self.ctx.cancel())?;
        Ok(heard.map_or(Value::Null, |words| words.as_str().into()))
    }

    fn pins(&self, function: HostFn, request: &Value) -> Result<Value, NotServed> {
        let handle = |token| self.ctx.handles().pins().ok_or(missing(token));
        let line = text(request, "line")?;
        let level = match function {
            HostFn::GpioWrite => {
                let on = request.get("on").and_then(Value::as_flag).ok_or(NotServed::NotLevel)?;
                handle(Token::GpioWrite)?.switch(line, on)?;
                None
            }
            HostFn::GpioRead => Some(handle(Token::GpioRead)?.read(line)?),
            _ => {
                let ms = request.get("ms").and_then(Value::as_int).ok_or(NotServed::NotMilliseconds)?;
                handle(Token::GpioRead)?.wait(line, text(request, "edge")?, ms, self.ctx.cancel())?
            }
        };
        Ok(level.map_or(Value::Null, Value::from))
    }

    fn dispatch(&self, request: &Value, rest: &mut Rest) -> Result<Value, NotServed> {
        let event: EventType = text(request, "type")?.parse()?;
        let payload = request.get("payload").map_or(json!(null), guest::json::to_json);
        let budget = Arc::new(Budget::new(rest.clone()));
        let answer = self.ctx.spending(budget.clone()).dispatch(&event, payload);
        let left = budget.left();
        (rest.fuel, rest.wall) = (left.fuel, left.wall);
        Ok(answer.as_ref().map_or(Value::Null, guest::json::from_json))
    }

    fn answer(&mut self, function: HostFn, request: &Value, deadline: Instant) -> Result<Value, NotServed> {
        if Instant::now() >= deadline {
            return Err(NotServed::Late);
        }
        match function {
            HostFn::Log => {
                self.log(text(request, "text")?);
                Ok(Value::Null)
            }
            HostFn::Now => Ok(self.now()),
            HostFn::Random => {
                let random = self.ctx.shared().random().map_err(NotServed::Random)?;
                // The same bits: the skill's numbers are signed.
                Ok(Value::map([("u64", random.cast_signed().into())]))
            }
            HostFn::Ask => {
                let input = self.ctx.user_input().ok_or(missing(Token::UserInput))?;
                let answer = input.ask(self.ctx, text(request, "question")?).map_err(NotServed::Person)?;
                Ok(answer.as_str().into())
            }
            HostFn::Say => {
                let output = self.ctx.user_output().ok_or(missing(Token::UserOutput))?;
                output.say(self.ctx, text(request, "text")?);
                Ok(Value::Null)
            }
            HostFn::MemoryQuery => records::query(self.ctx, text(request, "key")?),
            HostFn::MemoryStore => {
                records::store(self.ctx, text(request, "key")?, request.get("text").and_then(Value::as_text))
            }
            HostFn::LlmChat => self.model(text(request, "prompt")?),
            HostFn::FileList | HostFn::FileRead | HostFn::FileWrite => self.files(function, request),
            HostFn::HttpGet | HostFn::HttpPost => self.network(function, request),
            HostFn::AudioListen | HostFn::AudioSay => self.audio(function, request),
            HostFn::GpioRead | HostFn::GpioWrite | HostFn::GpioWait => self.pins(function, request),
            HostFn::Dispatch => Err(NotServed::NoBudget),
        }
    }
}

impl Host for SkillHost<'_> {
    fn call(&mut self, function: HostFn, request: Value, deadline: Instant) -> Result<Value, HostError> {
        Ok(self.answer(function, &request, deadline)?)
    }

    fn call_within(&mut self, function: HostFn, request: Value, rest: &mut Rest) -> Result<Value, HostError> {
        match function {
            HostFn::Dispatch => Ok(self.dispatch(&request, rest)?),
            _ => self.call(function, request, rest.deadline),
        }
    }
}

impl From<HandleError> for NotServed {
    fn from(error: HandleError) -> NotServed {
        match error {
            HandleError::File(error) => NotServed::File(error),
            other => NotServed::Handle(other),
        }
    }
}

fn text<'a>(request: &'a Value, key: &'static str) -> Result<&'a str, NotServed> {
    request.get(key).and_then(Value::as_text).ok_or(NotServed::NotText(key))
}

fn missing(token: Token) -> NotServed {
    HandleError::NotGranted(token).into()
}

/// Skills hear what kind of failure it was, and no path of this machine.
fn plain(error: &PathError) -> String {
    match error {
        PathError::Refused { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            "the file does not exist".into()
        }
        PathError::Refused { .. } | PathError::Elsewhere { .. } => {
            "that is not possible in this skill's folder".into()
        }
        PathError::NotAFile(_) => "that is not a file".into(),
        PathError::TooLarge { limit, .. } => format!("the file has more than {limit} bytes"),
        PathError::NotText(_) => "the file is not text".into(),
    }
}
