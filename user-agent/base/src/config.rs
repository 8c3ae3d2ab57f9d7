//! `config/default.yaml` and a profile's file, parsed once.

use std::path::Path;
use std::time::Duration;

use documents::folders::FurtherFolder;
use documents::profile_file::Profile;
use models::ModelsConfig;
use serde_json::Value;
use settings::bot::BOT;
use shared_types::id::HostName;
use shared_types::risk::Autonomy;
use shared_types::settings::Section;

use crate::error::Error;
use crate::log;
use channel::{Channel, Through};

pub mod channel;
mod default_model;
mod help;
mod overrides;
mod search;
mod security;

pub use help::HelpLines;
pub use overrides::Overrides;
pub use search::{Engine, Search};
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
    /// The channel `door`: HTTP.
    pub door: Channel,
    /// The channel `matrix`: rooms of a Matrix server.
    pub matrix: Channel,
    /// The channel `telegram`: private chats of a Telegram bot.
    pub telegram: Channel,
    /// The channel `voice`: speech.
    pub voice: Channel,
    /// The search engine of `web_search`, where one is configured.
    pub search: Option<Search>,
    /// Services that a proposal may name.
    pub services: Vec<Service>,
    /// Further folders that are open to profiles.
    pub folders: Vec<FurtherFolder>,
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

/// How attempted calls are put on record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Receipts {
    /// Whether each receipt carries a code made with a key that the bot's own user alone can read.
    pub hmac: bool,
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
        let mut top = documents::settings::section(BOT, text);
        let mut models = ModelsConfig::read(&mut top);
        default_model::apply(&mut top, &mut models);
        let mut below = top.section("security");
        let security = Security::of(&mut below);
        top.close(below);
        let limits = top.section("limits");
        let limits = Limits {
            max_tool_rounds: limits.number("max_tool_rounds") as u32,
            tool_timeout: Duration::from_secs(limits.number("tool_timeout_seconds")),
            action_wait: Duration::from_secs(limits.number("action_wait_seconds")),
        };
        let local = documents::settings::local_hosts(&mut top);
        let mut below = top.section("channels");
        let mut read = |through: Through, other: &Channel| {
            let mut section = below.section(through.name());
            let channel = Channel::read(&mut section, other);
            below.close(section);
            channel
        };
        let cli = read(Through::Cli, &Channel::default());
        let door = read(Through::Door, &cli);
        let matrix = read(Through::Matrix, &cli);
        let telegram = read(Through::Telegram, &cli);
        let voice = read(Through::Voice, &cli);
        top.close(below);
        let mut below = top.section("web_search");
        let search = Search::of(&mut below, &local);
        top.close(below);
        let mut services = Vec::new();
        for mut below in top.sections("services") {
            services.extend(service(&mut below));
            top.close(below);
        }
        let mut below = top.section("guard");
        let blocked_words = below.texts("blocked_words");
        if blocked_words.iter().any(|word| word.trim().is_empty() || word.len() > 200) {
            below.fault("blocked_words", "a word or phrase of at most 200 bytes, not empty");
        }
        top.close(below);
        let mut below = top.section("help_lines");
        let help_lines = HelpLines::of(&mut below);
        top.close(below);
        let mut below = top.section("memory");
        let memory = Memory::of(&mut below);
        top.close(below);
        let config = Config {
            models,
            security,
            autonomy: Autonomy::of(top.word("autonomy")).unwrap_or_default(),
            limits,
            local,
            cli,
            door,
            matrix,
            telegram,
            voice,
            search,
            services,
            folders: FurtherFolder::read_all(&mut top),
            learned: learned_limits(&top.section("learned")),
            logging: logging(&top.section("logging")),
            memory,
            receipts: Receipts { hmac: top.section("receipts").flag("hmac") },
            blocked_words,
            help_lines,
        };
        let faults = top.finish();
        if faults.is_empty() { Ok(config) } else { Err(Error::Config { file: file.to_owned(), faults }) }
    }
}

impl Config {
    /// What holds for a channel.
    pub fn channel(&self, through: Through) -> &Channel {
        match through {
            Through::Cli => &self.cli,
            Through::Door => &self.door,
            Through::Matrix => &self.matrix,
            Through::Telegram => &self.telegram,
            Through::Voice => &self.voice,
        }
    }
}

/// A configuration with every default filled in; of a key for a model server only its variable's name is there.
///
/// # Errors
/// A file with faults: they are not shown.
pub fn dump(file: &Path, text: &str) -> Result<Value, Error> {
    Config::parse(file, text)?;
    let value = documents::yaml::from_own(text).unwrap_or_default();
    Ok(shared_types::settings::filled(BOT, &value))
}

impl Memory {
    fn of(section: &mut Section) -> Memory {
        let backend = match section.word("backend") {
            #[cfg(feature = "sqlite")]
            "sqlite" => Backend::Sqlite,
            #[cfg(feature = "sqlite")]
            "volatile" => Backend::Volatile,
            #[cfg(not(feature = "sqlite"))]
            "sqlite" | "volatile" => {
                let why = "this program is built without SQLite; use `jsonl`, or build it with the feature `sqlite`";
                section.fault("backend", why);
                Backend::Jsonl
            }
            "none" => Backend::None,
            _ => Backend::Jsonl,
        };
        let extract = match section.word("extract") {
            "rules" => Extract::Rules,
            "off" => Extract::Off,
            _ => Extract::Auto,
        };
        Memory { backend, extract }
    }
}

/// Reads a profile's file; `owner` is the user whose configuration it is.
///
/// # Errors
/// Every fault in one pass.
pub fn profile(file: &Path, text: &str, owner: u32) -> Result<Profile, Error> {
    let languages = || language::Language::all().map(language::Language::code).collect();
    Profile::parse(text, languages, |tilde| owners::further::home_of(tilde, owner))
        .map_err(|faults| Error::Config { file: file.to_owned(), faults })
}

fn service(section: &mut Section) -> Option<Service> {
    let mut needed = |key: &str| {
        let text = section.text(key)?;
        if text.is_empty() {
            section.fault(key, "must not be empty");
        }
        Some(text)
    };
    let (topic, host, url) = (needed("topic"), needed("host"), needed("url"));
    let words = section.texts("words");
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

fn learned_limits(section: &Section) -> guest::Limits {
    guest::Limits {
        fuel: section.number("fuel"),
        memory_bytes: (section.number("memory_mb") as usize) << 20,
        wall: Duration::from_secs(section.number("wall_seconds")),
        ..guest::Limits::default()
    }
}

fn logging(section: &Section) -> Logging {
    let format = match section.word("format") {
        "json" => log::Format::Json,
        _ => log::Format::Human,
    };
    Logging { format, level: section.word("level").parse().unwrap_or(log::Level::Error) }
}

#[cfg(test)]
mod tests;
