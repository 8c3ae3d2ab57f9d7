//! `config/default.yaml` and a profile's file, parsed once.

use std::path::Path;
use std::time::Duration;

use documents::profile_file::Profile;
use models::ModelsConfig;
use serde_json::{Value, json};
use shared_types::id::HostName;
use shared_types::risk::Autonomy;
use shared_types::settings::Section;

use crate::error::Error;
use crate::log;
use channel::Channel;

pub mod channel;
mod help;
mod overrides;
mod receipts;
mod security;

pub use help::HelpLines;
pub use overrides::Overrides;
pub use receipts::Receipts;
pub use security::Security;

/// The shipped defaults.
pub const SHIPPED: &str = include_str!("../../../config/default.yaml");

/// How the bot works.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Who answers.
    pub models: ModelsConfig,
    /// As whom the bot runs, and how well confined it must be.
    pub security: Security,
    /// How much happens without asking, where a profile says nothing of its own.
    pub autonomy: Autonomy,
    /// What one turn may take.
    pub limits: Limits,
    /// Hosts of this machine or network that may be reached, each with its port.
    pub local: Vec<HostName>,
    /// The channel `cli`: the terminal, a pipe, a single message.
    pub cli: Channel,
    /// Services that a proposal may name.
    pub services: Vec<Service>,
    /// What one call into a learned skill may take.
    pub learned: guest::Limits,
    /// What the program tells about its own work.
    pub logging: Logging,
    /// How facts and conversations are kept.
    pub memory: Memory,
    /// How attempted calls are put on record.
    pub receipts: Receipts,
    /// What the guard holds back beyond its own rules.
    pub blocked_words: Vec<String>,
    /// The help lines that a person in need is shown.
    pub help_lines: HelpLines,
}

/// What the program tells about its own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Logging {
    /// For people or as JSON.
    pub format: log::Format,
    /// How much; `TAMECLAW_LOG` overrides it.
    pub level: log::Level,
}

/// How facts and conversations are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Memory {
    /// In which files.
    pub backend: Backend,
    /// What is kept of what the person says in passing.
    pub extract: Extract,
}

/// What keeps the memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Backend {
    /// Logs of one record a line, and an index.
    #[default]
    Jsonl,
    /// One file of SQLite.
    #[cfg(feature = "sqlite")]
    Sqlite,
    /// Nothing but the program's own memory.
    #[cfg(feature = "sqlite")]
    Volatile,
    /// The skill `memory` is left out.
    None,
}

#[cfg(feature = "sqlite")]
const BACKENDS: &[&str] = &["jsonl", "sqlite", "volatile", "none"];
#[cfg(not(feature = "sqlite"))]
const BACKENDS: &[&str] = &["jsonl", "none"];

/// How facts are found in what the person says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Extract {
    /// By a model that writes freely where there is one, else by rules.
    #[default]
    Auto,
    /// By rules.
    Rules,
    /// Not at all: what is to be remembered must be said so.
    Off,
}

/// What one turn may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Rounds of tool calls.
    pub max_tool_rounds: u32,
    /// The time that one request of a tool to the network may take.
    pub tool_timeout: Duration,
    /// How long an action waits for the admin service to take it up, beyond the time that it may run itself.
    pub action_wait: Duration,
}

/// A service on the network that a skill may be built around.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// What it is about.
    pub topic: String,
    /// Its one host.
    pub host: HostName,
    /// The pattern of its addresses, with slots such as `{place}`.
    pub url: String,
    /// Words in a wish that mean this service.
    pub words: Vec<String>,
}

impl Config {
    /// Reads a configuration's text; an absent key has its default.
    ///
    /// # Errors
    /// Every fault in one pass, each with its key and what is allowed.
    pub fn parse(file: &Path, text: &str) -> Result<Config, Error> {
        let mut top = documents::settings::section(text);
        let models = models_of(&mut top);
        let mut below = top.section("security");
        let security = Security::of(&mut below);
        top.close(below);
        let word = top.word("autonomy", Autonomy::default().as_str(), &Autonomy::ALL.map(Autonomy::as_str));
        let autonomy = Autonomy::of(word).unwrap_or_default();
        let mut below = top.section("limits");
        let limits = Limits {
            max_tool_rounds: below.number("max_tool_rounds", 5, 1..=50) as u32,
            tool_timeout: Duration::from_secs(below.number("tool_timeout_seconds", 30, 1..=600)),
            action_wait: Duration::from_secs(below.number("action_wait_seconds", 20, 1..=3600)),
        };
        top.close(below);
        let mut below = top.section("network");
        let mut local = Vec::new();
        for host in below.texts("local").unwrap_or_default() {
            match host.parse::<HostName>() {
                Ok(host) if host.port().is_some() => local.push(host),
                Ok(_) => below.fault("local", format!("`{host}` names no port, as in 127.0.0.1:8080")),
                Err(e) => below.fault("local", e.to_string()),
            }
        }
        top.close(below);
        let mut below = top.section("channels");
        let mut channel = below.section(channel::CHANNELS[0]);
        let cli = Channel::read(&mut channel);
        below.close(channel);
        top.close(below);
        if !top.has("services") {
            top.preset("services", shipped_services());
        }
        let mut services = Vec::new();
        for mut below in top.sections("services") {
            services.extend(service(&mut below));
            top.close(below);
        }
        let mut below = top.section("learned");
        let learned = learned_limits(&mut below);
        top.close(below);
        let mut below = top.section("logging");
        let logging = logging(&mut below);
        top.close(below);
        let mut below = top.section("guard");
        let blocked_words = below.texts("blocked_words").unwrap_or_default();
        if blocked_words.iter().any(|word| word.trim().is_empty() || word.len() > 200) {
            below.fault("blocked_words", "a word or phrase of at most 200 bytes, not empty");
        }
        top.close(below);
        let mut below = top.section("help_lines");
        let help_lines = HelpLines::of(&mut below);
        top.close(below);
        let mut below = top.section("receipts");
        let receipts = Receipts::of(&mut below);
        top.close(below);
        let mut below = top.section("memory");
        let memory = Memory {
            backend: match below.word("backend", "jsonl", BACKENDS) {
                #[cfg(feature = "sqlite")]
                "sqlite" => Backend::Sqlite,
                #[cfg(feature = "sqlite")]
                "volatile" => Backend::Volatile,
                "none" => Backend::None,
                _ => Backend::Jsonl,
            },
            extract: match below.word("extract", "auto", &["auto", "rules", "off"]) {
                "rules" => Extract::Rules,
                "off" => Extract::Off,
                _ => Extract::Auto,
            },
        };
        top.close(below);
        let faults = top.finish();
        if faults.is_empty() {
            Ok(Config {
                models,
                security,
                autonomy,
                limits,
                local,
                cli,
                services,
                learned,
                logging,
                memory,
                receipts,
                blocked_words,
                help_lines,
            })
        } else {
            Err(Error::Config { file: file.to_owned(), faults })
        }
    }

    /// The configuration as JSON, every default filled in; of a key only its name is there.
    pub fn as_json(&self) -> Value {
        let login = |l: &models::config::LoginConfig| {
            json!({
                "authorization_url": l.authorization_url.as_str(),
                "token_url": l.token_url.as_str(),
                "revocation_url": l.revocation_url.as_ref().map(|url| url.as_str()),
                "client_id": l.client_id,
                "scopes": l.scopes,
                "redirect_uri": l.redirect_uri.as_str(),
            })
        };
        let provider = |p: &models::ProviderConfig| {
            json!({
                "name": p.name,
                "kind": p.kind,
                "base_url": p.base_url.as_ref().map(ToString::to_string),
                "model": p.model,
                "api_key": p.api_key.as_ref().map(|name| format!("${{{name}}}")),
                "api_key_file": p.api_key_file.as_ref().map(ToString::to_string),
                "login": p.login.as_ref().map(login),
                "models": p.models,
                "stream": p.stream,
                "max_tokens": p.max_tokens,
                "temperature": p.temperature,
                "timeout_seconds": p.timeout.as_secs(),
                "total_seconds": p.total.as_secs(),
                "max_response_bytes": p.max_response_bytes,
            })
        };
        let service = |s: &Service| json!({"topic": s.topic, "host": s.host, "url": s.url, "words": s.words});
        json!({
            "providers": self.models.providers.iter().map(provider).collect::<Vec<_>>(),
            "tasks": self.models.tasks,
            "security": self.security.as_json(),
            "autonomy": self.autonomy,
            "limits": {
                "max_tool_rounds": self.limits.max_tool_rounds,
                "tool_timeout_seconds": self.limits.tool_timeout.as_secs(),
                "action_wait_seconds": self.limits.action_wait.as_secs(),
            },
            "network": {"local": self.local},
            "channels": {"cli": self.cli},
            "services": self.services.iter().map(service).collect::<Vec<_>>(),
            "learned": {
                "fuel": self.learned.fuel,
                "memory_mb": self.learned.memory_bytes >> 20,
                "wall_seconds": self.learned.wall.as_secs(),
            },
            "logging": {
                "format": if self.logging.format == log::Format::Json { "json" } else { "human" },
                "level": self.logging.level.as_str(),
            },
            "receipts": self.receipts.as_json(),
            "guard": {"blocked_words": self.blocked_words},
            "help_lines": self.help_lines.as_json(),
            "memory": {
                "backend": match self.memory.backend {
                    Backend::Jsonl => "jsonl",
                    #[cfg(feature = "sqlite")]
                    Backend::Sqlite => "sqlite",
                    #[cfg(feature = "sqlite")]
                    Backend::Volatile => "volatile",
                    Backend::None => "none",
                },
                "extract": match self.memory.extract {
                    Extract::Auto => "auto",
                    Extract::Rules => "rules",
                    Extract::Off => "off",
                },
            },
        })
    }
}

/// Reads a profile's file.
///
/// # Errors
/// Every fault in one pass.
pub fn profile(file: &Path, text: &str) -> Result<Profile, Error> {
    Profile::parse(text, || language::Language::all().map(language::Language::code).collect())
        .map_err(|faults| Error::Config { file: file.to_owned(), faults })
}

/// The services of the shipped file, for a configuration that says nothing about them.
fn shipped_services() -> Value {
    json!([{
        "topic": "weather",
        "host": "wttr.in",
        "url": "https://wttr.in/{place}?format=3",
        "words": ["weather", "forecast", "temperature outside", "wetter", "wettervorhersage"],
    }])
}

fn models_of(top: &mut Section) -> ModelsConfig {
    let mut value = serde_json::Map::new();
    for key in ["providers", "tasks"] {
        value.extend(top.take(key).map(|v| (key.to_owned(), v)));
    }
    match ModelsConfig::validate(&Value::Object(value), "") {
        Ok(models) => models,
        Err(faults) => {
            for fault in faults {
                top.fault(fault.key.trim_start_matches('.'), fault.message);
            }
            ModelsConfig::default()
        }
    }
}

fn service(section: &mut Section) -> Option<Service> {
    let topic = needed(section, "topic");
    let host = needed(section, "host");
    let url = needed(section, "url");
    let words = section.texts("words").unwrap_or_default();
    let host: Option<HostName> =
        host.and_then(|h| h.parse().map_err(|e| section.fault("host", format!("{e}"))).ok());
    if let (Some(host), Some(url)) = (&host, &url)
        && host_of(url) != Some(host.as_str())
    {
        section.fault("url", format!("must be http:// or https:// at the host `{host}`"));
    }
    Some(Service { topic: topic?, host: host?, url: url?, words })
}

fn host_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    rest.split(['/', '?', '#']).next()
}

fn needed(section: &mut Section, key: &'static str) -> Option<String> {
    let text = section.text(key).filter(|t| !t.is_empty());
    if text.is_none() {
        section.fault(key, "missing");
    }
    text
}

fn learned_limits(section: &mut Section) -> guest::Limits {
    let default = guest::Limits::default();
    guest::Limits {
        fuel: section.number("fuel", default.fuel, 1_000_000..=100_000_000_000),
        memory_bytes: (section.number("memory_mb", (default.memory_bytes >> 20) as u64, 1..=256) as usize)
            << 20,
        wall: Duration::from_secs(section.number("wall_seconds", default.wall.as_secs(), 1..=600)),
        ..default
    }
}

fn logging(section: &mut Section) -> Logging {
    let format = match section.word("format", "human", &["human", "json"]) {
        "json" => log::Format::Json,
        _ => log::Format::Human,
    };
    let level = section.word("level", "error", &["error", "warn", "info", "debug", "off"]);
    Logging { format, level: level.parse().unwrap_or(log::Level::Error) }
}

#[cfg(test)]
mod tests;
