//! What the program tells about its own work, on standard error: named events with typed fields, for people or as JSON.
//!
//! A field is a number, a [`Name`] or the path of a folder; there is no field for a text, so neither a person's words nor a
//! key can get in. They go through `tracing`; what other crates tell there is not written.

use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::path::Path;
use std::str::FromStr;
use std::sync::Once;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use confine::Tier;
use events::{Record, TARGET};
use jiff::Timestamp;
use serde_json::{Map, Value};
pub use tracing::span::EnteredSpan as Span;

/// The variable that overrides the configured level.
pub const VARIABLE: &str = "TAMECLAW_LOG";

/// How much is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// Nothing.
    Off,
    /// What failed.
    Error,
    /// What a person should look at.
    Warn,
    /// What happened.
    Info,
    /// Every step.
    Debug,
}

/// How it is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Format {
    /// A line for people.
    Human,
    /// A JSON object a line.
    Json,
}

/// A short name of something that is configured or installed: a skill, a tool, a provider, an identifier.
///
/// 1 to 80 of `a-z A-Z 0-9 . _ - :`; anything else becomes `?` as a whole, so that no other text passes for a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name<'a>(&'a str);

/// One call of a tool, from its request to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallId<'a> {
    /// The tool, by its full name.
    pub tool: Name<'a>,
    /// The conversation.
    pub conversation: Name<'a>,
    /// Counted from 1 in this process.
    pub number: u64,
}

/// What happens, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<'a> {
    /// The program starts.
    Startup,
    /// The configuration was read.
    ConfigLoaded {
        /// The file.
        path: &'a Path,
        /// How many providers it names.
        providers: usize,
    },
    /// The workspace of the profile was opened.
    WorkspaceOpened {
        /// The folder.
        path: &'a Path,
        /// The profile.
        profile: Name<'a>,
    },
    /// Who is asked first.
    ProviderSelected {
        /// The provider.
        provider: Name<'a>,
        /// Its kind.
        kind: Name<'a>,
    },
    /// Somebody may talk.
    ChannelStarted {
        /// On which way.
        channel: Name<'a>,
        /// The profile.
        profile: Name<'a>,
    },
    /// A conversation begins, or continues.
    ConversationStarted {
        /// The conversation.
        conversation: Name<'a>,
    },
    /// The manifest and every entry in it was verified.
    ManifestVerified {
        /// Its serial.
        serial: u64,
        /// How many skills it grants.
        skills: usize,
        /// How many of its entries did not hold.
        left_out: usize,
    },
    /// A process was confined.
    Confined {
        /// `mind`, `net` or `login`.
        role: Name<'a>,
        /// What holds; of `mind` only.
        tier: Option<Tier>,
    },
    /// A turn began.
    TurnStarted {
        /// Its number in the conversation.
        turn: u64,
        /// The conversation.
        conversation: Name<'a>,
    },
    /// A turn ended.
    TurnFinished {
        /// Its number in the conversation.
        turn: u64,
        /// The conversation.
        conversation: Name<'a>,
        /// Rounds of tool calls.
        rounds: u32,
        /// From the line to the reply.
        took: Duration,
    },
    /// A provider was asked.
    ProviderCall {
        /// The provider.
        provider: Name<'a>,
        /// The HTTP status, if there was an answer.
        status: Option<u16>,
        /// Bytes of the answer.
        received: usize,
        /// From the request to the last byte.
        took: Duration,
    },
    /// A provider was asked in vain, and the next one is.
    ProviderFallback {
        /// The provider that failed.
        from: Name<'a>,
        /// The next one.
        to: Name<'a>,
    },
    /// Somebody wants a tool to be called.
    ToolRequested {
        /// The call.
        call: CallId<'a>,
    },
    /// The gate lets a call happen.
    ToolApproved {
        /// The call.
        call: CallId<'a>,
        /// The risk at which it was judged.
        risk: Name<'a>,
        /// `policy`, `person`, or an approver.
        by: Name<'a>,
    },
    /// The gate does not let a call happen.
    ToolDenied {
        /// The call.
        call: CallId<'a>,
        /// Which rule refused.
        rule: Name<'a>,
    },
    /// A call was answered.
    ToolCompleted {
        /// The call.
        call: CallId<'a>,
        /// How long that took.
        took: Duration,
    },
    /// A call failed.
    ToolFailed {
        /// The call.
        call: CallId<'a>,
        /// After how long.
        took: Duration,
    },
    /// An attempt was recorded.
    ReceiptWritten {
        /// The receipt.
        id: Name<'a>,
        /// The call.
        call: CallId<'a>,
    },
    /// Something was remembered.
    MemoryPersisted {
        /// How many records.
        records: usize,
        /// The conversation.
        conversation: Name<'a>,
    },
    /// What the profile's period no longer covers was removed from the memory.
    MemoryAged {
        /// How many facts.
        facts: u64,
        /// How many messages.
        messages: u64,
    },
    /// A proposal was written.
    ProposalWritten {
        /// Its identifier.
        id: Name<'a>,
    },
    /// The guard noticed something.
    GuardNoticed {
        /// The rule that matched.
        rule: Name<'a>,
        /// `caution` or `block`.
        verdict: Name<'a>,
    },
    /// The emergency stop was met.
    StopTriggered {
        /// `admin` or `bot`.
        by: Name<'a>,
    },
    /// The program ends.
    Stopped {
        /// The exit code.
        code: u8,
    },
}

/// A word that is not a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("allowed: {LEVELS}")]
pub struct UnknownLevel;

/// The levels, as they are written.
pub const LEVELS: &str = "error warn info debug off";

/// What the variable may say.
pub const WORDS: &str = "error warn info debug off json human, or two of them as in json,debug";

/// Reads what the variable says: a level, a format, or both with a comma between; `json` alone means the level `info`.
///
/// # Errors
/// A word that is neither.
pub fn wish(text: &str, configured: (Level, Format)) -> Result<(Level, Format), UnknownLevel> {
    let (mut level, mut format) = (None, None);
    for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
        match word {
            "json" => format = Some(Format::Json),
            "human" => format = Some(Format::Human),
            word => level = Some(word.parse()?),
        }
    }
    let least = if format.is_some() { configured.0.max(Level::Info) } else { configured.0 };
    Ok((level.unwrap_or(least), format.unwrap_or(configured.1)))
}

/// The level, and the bit of [`Format::Json`] above it. Nothing is logged before the program says how.
static SETTING: AtomicU8 = AtomicU8::new(Level::Off as u8);
const JSON: u8 = 0x80;

/// Sets for the whole process what is logged, and how. As long as nothing is, nobody listens either.
pub fn tell(level: Level, format: Format) {
    static STARTED: Once = Once::new();
    if level != Level::Off {
        STARTED.call_once(|| events::start(Lines));
    }
    let json = if format == Format::Json { JSON } else { 0 };
    SETTING.store(level as u8 | json, Ordering::Relaxed);
}

/// Whether events of a level are logged.
pub fn tells(level: Level) -> bool {
    level != Level::Off && level as u8 <= SETTING.load(Ordering::Relaxed) & !JSON
}

/// Tells an event with one write, and counts it.
pub fn event(event: Event<'_>) {
    let counter = match &event {
        Event::ToolRequested { .. } => Some(&TOOL_CALLS),
        Event::ToolDenied { .. } => Some(&TOOL_DENIALS),
        Event::ProviderFallback { .. } => Some(&FALLBACKS),
        _ => None,
    };
    if let Some(counter) = counter {
        counter.fetch_add(1, Ordering::Relaxed);
    }
    event.emit();
}

static TOOL_CALLS: AtomicU64 = AtomicU64::new(0);
static TOOL_DENIALS: AtomicU64 = AtomicU64::new(0);
static FALLBACKS: AtomicU64 = AtomicU64::new(0);

/// What happened since this process began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Calls of tools that somebody wanted.
    pub tool_calls: u64,
    /// Those of them that the gate denied.
    pub tool_denials: u64,
    /// Providers that were asked in vain, with another one after them.
    pub fallbacks: u64,
}

/// What happened since this process began.
pub fn counts() -> Counts {
    let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    Counts { tool_calls: read(&TOOL_CALLS), tool_denials: read(&TOOL_DENIALS), fallbacks: read(&FALLBACKS) }
}

/// The span of a turn of a conversation; events that are logged before it is dropped belong to it.
pub fn in_turn(turn: u64, conversation: Name<'_>) -> Span {
    tracing::info_span!(target: TARGET, "turn", turn, conversation = conversation.0).entered()
}

/// The span of a call of a tool; events that are logged before it is dropped belong to it.
pub fn in_call(call: &CallId<'_>) -> Span {
    tracing::info_span!(target: TARGET, "call", tool = call.tool.0, call = call.number).entered()
}

impl<'a> Name<'a> {
    /// Takes a name that is one.
    pub fn of(text: &'a str) -> Self {
        let fits = (1..=80).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-:".contains(&b));
        Name(if fits { text } else { "?" })
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Level {
    /// The spelling in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
        }
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(s: &str) -> Result<Self, UnknownLevel> {
        let all = [Level::Off, Level::Error, Level::Warn, Level::Info, Level::Debug];
        all.into_iter().find(|level| level.as_str() == s).ok_or(UnknownLevel)
    }
}

impl Event<'_> {
    /// Hands it over, with its name, its level and its fields.
    fn emit(&self) {
        macro_rules! tell {
            ($level:ident, $name:literal, $($fields:tt)*) => {
                tracing::event!(name: $name, target: TARGET, tracing::Level::$level, { $($fields)* })
            };
        }
        macro_rules! tell_call {
            ($level:ident, $name:literal, $call:ident $($fields:tt)*) => {
                tell!(
                    $level, $name,
                    tool = $call.tool.0, call = $call.number, conversation = $call.conversation.0 $($fields)*
                )
            };
        }
        let ms = |took: &Duration| u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let shown = |path: &Path| shared_types::text::cut(&path.to_string_lossy(), 400);
        match self {
            Event::Startup => tell!(INFO, "startup", version = env!("CARGO_PKG_VERSION")),
            Event::ConfigLoaded { path, providers } => {
                tell!(INFO, "config_loaded", path = shown(path), providers = *providers);
            }
            Event::WorkspaceOpened { path, profile } => {
                tell!(INFO, "workspace_opened", path = shown(path), profile = profile.0);
            }
            Event::ProviderSelected { provider, kind } => {
                tell!(INFO, "provider_selected", provider = provider.0, kind = kind.0);
            }
            Event::ChannelStarted { channel, profile } => {
                tell!(INFO, "channel_started", channel = channel.0, profile = profile.0);
            }
            Event::ConversationStarted { conversation } => {
                tell!(INFO, "conversation_started", conversation = conversation.0);
            }
            Event::ManifestVerified { serial, skills, left_out: 0 } => {
                tell!(INFO, "manifest_verified", serial = *serial, skills = *skills, left_out = 0_u64);
            }
            Event::ManifestVerified { serial, skills, left_out } => {
                tell!(WARN, "manifest_verified", serial = *serial, skills = *skills, left_out = *left_out);
            }
            Event::Confined { role, tier } => {
                tell!(INFO, "confined", role = role.0, tier = tier.map(|tier| tier.to_string()));
            }
            Event::TurnStarted { turn, conversation } => {
                tell!(DEBUG, "turn_started", turn = *turn, conversation = conversation.0);
            }
            Event::TurnFinished { turn, conversation, rounds, took } => tell!(
                INFO,
                "turn_finished",
                turn = *turn,
                conversation = conversation.0,
                rounds = *rounds,
                ms = ms(took)
            ),
            Event::ProviderCall { provider, status, received, took } => tell!(
                INFO,
                "provider_call",
                provider = provider.0,
                status = *status,
                bytes = *received,
                ms = ms(took)
            ),
            Event::ProviderFallback { from, to } => {
                tell!(WARN, "provider_fallback", from = from.0, to = to.0);
            }
            Event::ToolRequested { call } => tell_call!(INFO, "tool_requested", call),
            Event::ToolApproved { call, risk, by } => {
                tell_call!(INFO, "tool_approved", call, risk = risk.0, by = by.0);
            }
            Event::ToolDenied { call, rule } => tell_call!(WARN, "tool_denied", call, rule = rule.0),
            Event::ToolCompleted { call, took } => tell_call!(INFO, "tool_completed", call, ms = ms(took)),
            Event::ToolFailed { call, took } => tell_call!(WARN, "tool_failed", call, ms = ms(took)),
            Event::ReceiptWritten { id, call } => tell_call!(INFO, "receipt_written", call, receipt = id.0),
            Event::MemoryPersisted { records, conversation } => {
                tell!(INFO, "memory_persisted", records = *records, conversation = conversation.0);
            }
            Event::MemoryAged { facts, messages } => {
                tell!(INFO, "memory_aged", facts = *facts, messages = *messages);
            }
            Event::ProposalWritten { id } => tell!(INFO, "proposal_written", id = id.0),
            Event::GuardNoticed { rule, verdict } => {
                tell!(WARN, "guard_noticed", rule = rule.0, verdict = verdict.0);
            }
            Event::StopTriggered { by } => tell!(WARN, "stop_triggered", by = by.0),
            Event::Stopped { code } => tell!(INFO, "stopped", code = *code),
        }
    }
}

/// Writes each event as a line on standard error.
struct Lines;

impl events::Writer for Lines {
    fn wants(&self, level: &tracing::Level) -> bool {
        tells(match *level {
            tracing::Level::ERROR => Level::Error,
            tracing::Level::WARN => Level::Warn,
            tracing::Level::INFO => Level::Info,
            _ => Level::Debug,
        })
    }

    fn write(&self, told: &Record) {
        let json = SETTING.load(Ordering::Relaxed) & JSON != 0;
        let line =
            line(told, &format!("{:.3}", Timestamp::now()), if json { Format::Json } else { Format::Human });
        // Nobody reading it is not a failure.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

fn line(told: &Record, time: &str, format: Format) -> String {
    let level = told.level.as_str().to_lowercase();
    if format == Format::Json {
        let mut object = Map::from_iter([
            ("time".to_owned(), Value::from(time)),
            ("level".to_owned(), Value::from(level)),
            ("event".to_owned(), Value::from(told.name)),
        ]);
        object.extend(told.fields.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        return format!("{}\n", Value::Object(object));
    }
    let mut line = format!("{time} {level:5} {}", told.name);
    for (key, value) in &told.fields {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        // Writing to a string does not fail.
        let _ = write!(line, " {key}={shown}");
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests;
