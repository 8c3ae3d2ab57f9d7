//! What the program tells about its own work, on standard error: named events with typed fields, for people or as JSON.
//!
//! A field is a number or a [`Name`]; there is no field for a text, so neither a person's words nor a key can get in.

use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use confine::Tier;
use jiff::Timestamp;
use serde_json::{Map, Value};

/// The variable that overrides the configured level.
pub const VARIABLE: &str = "TAMECLAW_LOG";

/// How much is told.
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

/// How it is told.
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

/// The fifteen events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<'a> {
    /// The program starts.
    Start,
    /// The configuration was read.
    ConfigLoaded {
        /// How many providers it names.
        providers: usize,
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
    },
    /// A turn ended.
    TurnFinished {
        /// Its number in the conversation.
        turn: u64,
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
    /// A tool was called.
    ToolCall {
        /// The tool.
        tool: Name<'a>,
        /// Whether it did what it was asked.
        done: bool,
        /// How long that took.
        took: Duration,
    },
    /// A call of a tool was refused.
    ToolDenied {
        /// The tool.
        tool: Name<'a>,
        /// Which rule refused.
        rule: Name<'a>,
    },
    /// The receipt of a call was written and synced.
    ReceiptWritten {
        /// Its identifier.
        id: Name<'a>,
        /// The tool.
        tool: Name<'a>,
        /// `allowed`, `denied` or `failed`.
        status: &'static str,
    },
    /// Something was remembered.
    MemoryStored {
        /// How many records.
        records: usize,
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
    /// The program ends.
    Stopped {
        /// The exit code.
        code: u8,
    },
}

/// A word that is no level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("allowed: {LEVELS}")]
pub struct UnknownLevel;

/// The levels, as they are written.
pub const LEVELS: &str = "error warn info debug off";

/// The level, and the bit of [`Format::Json`] above it. Nothing is told before the program says how.
static SETTING: AtomicU8 = AtomicU8::new(Level::Off as u8);
const JSON: u8 = 0x80;

/// Sets for the whole process what is told, and how.
pub fn tell(level: Level, format: Format) {
    let json = if format == Format::Json { JSON } else { 0 };
    SETTING.store(level as u8 | json, Ordering::Relaxed);
}

/// Whether events of a level are told.
pub fn tells(level: Level) -> bool {
    level != Level::Off && level as u8 <= SETTING.load(Ordering::Relaxed) & !JSON
}

/// Tells an event with one write; nobody reading it is no failure.
pub fn event(event: Event<'_>) {
    if tells(event.level()) {
        let json = SETTING.load(Ordering::Relaxed) & JSON != 0;
        let line = line(
            &event,
            &format!("{:.3}", Timestamp::now()),
            if json { Format::Json } else { Format::Human },
        );
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
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
    /// How important it is.
    pub fn level(&self) -> Level {
        match self {
            Event::ProviderFallback { .. } | Event::ToolDenied { .. } | Event::GuardNoticed { .. } => {
                Level::Warn
            }
            Event::Start
            | Event::ConfigLoaded { .. }
            | Event::TurnStarted { .. }
            | Event::MemoryStored { .. } => Level::Debug,
            Event::ManifestVerified { left_out, .. } if *left_out > 0 => Level::Warn,
            _ => Level::Info,
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Event::Start => "start",
            Event::ConfigLoaded { .. } => "config_loaded",
            Event::ManifestVerified { .. } => "manifest_verified",
            Event::Confined { .. } => "confined",
            Event::TurnStarted { .. } => "turn_started",
            Event::TurnFinished { .. } => "turn_finished",
            Event::ProviderCall { .. } => "provider_call",
            Event::ProviderFallback { .. } => "provider_fallback",
            Event::ToolCall { .. } => "tool_call",
            Event::ToolDenied { .. } => "tool_denied",
            Event::ReceiptWritten { .. } => "receipt_written",
            Event::MemoryStored { .. } => "memory_stored",
            Event::ProposalWritten { .. } => "proposal_written",
            Event::GuardNoticed { .. } => "guard_noticed",
            Event::Stopped { .. } => "stopped",
        }
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let name = |name: &Name<'_>| Value::from(name.0);
        let ms = |took: &Duration| Value::from(u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
        match self {
            Event::Start => vec![("version", Value::from(env!("CARGO_PKG_VERSION")))],
            Event::ConfigLoaded { providers } => vec![("providers", Value::from(*providers))],
            Event::ManifestVerified { serial, skills, left_out } => vec![
                ("serial", Value::from(*serial)),
                ("skills", Value::from(*skills)),
                ("left_out", Value::from(*left_out)),
            ],
            Event::Confined { role, tier } => {
                vec![("role", name(role)), ("tier", tier.map_or(Value::Null, |t| Value::from(t.to_string())))]
            }
            Event::TurnStarted { turn } => vec![("turn", Value::from(*turn))],
            Event::TurnFinished { turn, rounds, took } => {
                vec![("turn", Value::from(*turn)), ("rounds", Value::from(*rounds)), ("ms", ms(took))]
            }
            Event::ProviderCall { provider, status, received, took } => vec![
                ("provider", name(provider)),
                ("status", status.map_or(Value::Null, Value::from)),
                ("bytes", Value::from(*received)),
                ("ms", ms(took)),
            ],
            Event::ProviderFallback { from, to } => vec![("from", name(from)), ("to", name(to))],
            Event::ToolCall { tool, done, took } => {
                vec![("tool", name(tool)), ("done", Value::from(*done)), ("ms", ms(took))]
            }
            Event::ToolDenied { tool, rule } => vec![("tool", name(tool)), ("rule", name(rule))],
            Event::ReceiptWritten { id, tool, status } => {
                vec![("id", name(id)), ("tool", name(tool)), ("status", Value::from(*status))]
            }
            Event::MemoryStored { records } => vec![("records", Value::from(*records))],
            Event::ProposalWritten { id } => vec![("id", name(id))],
            Event::GuardNoticed { rule, verdict } => vec![("rule", name(rule)), ("verdict", name(verdict))],
            Event::Stopped { code } => vec![("code", Value::from(*code))],
        }
    }
}

fn line(event: &Event<'_>, time: &str, format: Format) -> String {
    let fields = event.fields();
    if format == Format::Json {
        let mut object = Map::from_iter([
            ("time".to_owned(), Value::from(time)),
            ("level".to_owned(), Value::from(event.level().as_str())),
            ("event".to_owned(), Value::from(event.name())),
        ]);
        object.extend(fields.into_iter().map(|(key, value)| (key.to_owned(), value)));
        return format!("{}\n", Value::Object(object));
    }
    let mut line = format!("{time} {:5} {}", event.level().as_str(), event.name());
    for (key, value) in fields {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        // Writing to a string does not fail.
        let _ = write!(line, " {key}={shown}");
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests;
