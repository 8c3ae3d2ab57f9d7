//! What the program tells about its own work, on standard error: named events with typed fields, for people or as JSON.
//!
//! A field is a number, a [`Name`] or the path of a folder; there is no field for a text, so neither a person's words nor a
//! key can get in.

use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::path::Path;
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
    /// A conversation begins, or goes on.
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

/// A word that is no level.
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
            Event::ProviderFallback { .. }
            | Event::ToolDenied { .. }
            | Event::ToolFailed { .. }
            | Event::StopTriggered { .. }
            | Event::GuardNoticed { .. } => Level::Warn,
            Event::TurnStarted { .. } => Level::Debug,
            Event::ManifestVerified { left_out, .. } if *left_out > 0 => Level::Warn,
            _ => Level::Info,
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Event::Startup => "startup",
            Event::ConfigLoaded { .. } => "config_loaded",
            Event::WorkspaceOpened { .. } => "workspace_opened",
            Event::ProviderSelected { .. } => "provider_selected",
            Event::ChannelStarted { .. } => "channel_started",
            Event::ConversationStarted { .. } => "conversation_started",
            Event::ManifestVerified { .. } => "manifest_verified",
            Event::Confined { .. } => "confined",
            Event::TurnStarted { .. } => "turn_started",
            Event::TurnFinished { .. } => "turn_finished",
            Event::ProviderCall { .. } => "provider_call",
            Event::ProviderFallback { .. } => "provider_fallback",
            Event::ToolRequested { .. } => "tool_requested",
            Event::ToolApproved { .. } => "tool_approved",
            Event::ToolDenied { .. } => "tool_denied",
            Event::ToolCompleted { .. } => "tool_completed",
            Event::ToolFailed { .. } => "tool_failed",
            Event::ReceiptWritten { .. } => "receipt_written",
            Event::MemoryPersisted { .. } => "memory_persisted",
            Event::ProposalWritten { .. } => "proposal_written",
            Event::GuardNoticed { .. } => "guard_noticed",
            Event::StopTriggered { .. } => "stop_triggered",
            Event::Stopped { .. } => "stopped",
        }
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let name = |name: &Name<'_>| Value::from(name.0);
        let ms = |took: &Duration| Value::from(u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
        let path = |path: &Path| Value::from(shared_types::text::cut(&path.to_string_lossy(), 400));
        let of = |call: &CallId<'_>, more: Vec<(&'static str, Value)>| {
            let mut fields = vec![
                ("tool", name(&call.tool)),
                ("call", Value::from(call.number)),
                ("conversation", name(&call.conversation)),
            ];
            fields.extend(more);
            fields
        };
        match self {
            Event::Startup => vec![("version", Value::from(env!("CARGO_PKG_VERSION")))],
            Event::ConfigLoaded { path: file, providers } => {
                vec![("path", path(file)), ("providers", Value::from(*providers))]
            }
            Event::WorkspaceOpened { path: folder, profile } => {
                vec![("path", path(folder)), ("profile", name(profile))]
            }
            Event::ProviderSelected { provider, kind } => {
                vec![("provider", name(provider)), ("kind", name(kind))]
            }
            Event::ChannelStarted { channel, profile } => {
                vec![("channel", name(channel)), ("profile", name(profile))]
            }
            Event::ConversationStarted { conversation } => vec![("conversation", name(conversation))],
            Event::ManifestVerified { serial, skills, left_out } => vec![
                ("serial", Value::from(*serial)),
                ("skills", Value::from(*skills)),
                ("left_out", Value::from(*left_out)),
            ],
            Event::Confined { role, tier } => {
                vec![("role", name(role)), ("tier", tier.map_or(Value::Null, |t| Value::from(t.to_string())))]
            }
            Event::TurnStarted { turn, conversation } => {
                vec![("turn", Value::from(*turn)), ("conversation", name(conversation))]
            }
            Event::TurnFinished { turn, conversation, rounds, took } => vec![
                ("turn", Value::from(*turn)),
                ("conversation", name(conversation)),
                ("rounds", Value::from(*rounds)),
                ("ms", ms(took)),
            ],
            Event::ProviderCall { provider, status, received, took } => vec![
                ("provider", name(provider)),
                ("status", status.map_or(Value::Null, Value::from)),
                ("bytes", Value::from(*received)),
                ("ms", ms(took)),
            ],
            Event::ProviderFallback { from, to } => vec![("from", name(from)), ("to", name(to))],
            Event::ToolRequested { call } => of(call, vec![]),
            Event::ToolApproved { call, risk, by } => of(call, vec![("risk", name(risk)), ("by", name(by))]),
            Event::ToolDenied { call, rule } => of(call, vec![("rule", name(rule))]),
            Event::ToolCompleted { call, took } | Event::ToolFailed { call, took } => {
                of(call, vec![("ms", ms(took))])
            }
            Event::ReceiptWritten { id, call } => of(call, vec![("receipt", name(id))]),
            Event::MemoryPersisted { records, conversation } => {
                vec![("records", Value::from(*records)), ("conversation", name(conversation))]
            }
            Event::ProposalWritten { id } => vec![("id", name(id))],
            Event::GuardNoticed { rule, verdict } => vec![("rule", name(rule)), ("verdict", name(verdict))],
            Event::StopTriggered { by } => vec![("by", name(by))],
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
