//! `admin/admin.yaml`, parsed once into [`Config`].

mod bounds;
mod effort;
pub mod gates;
#[cfg(feature = "email")]
mod mail;
mod notify;
mod schedules;
pub mod times;

use std::fs;
use std::path::Path;
use std::time::Duration;

use models::config::{ModelsConfig, ProviderConfig};
use shared_types::capability::Token;
use shared_types::id::SkillName;
use shared_types::settings::Section;

use crate::error::Error;
use crate::home::Home;
use gates::Gates;

pub use bounds::{Budgets, DataLimit, Flood, Rate};
pub use effort::Effort;
#[cfg(feature = "email")]
pub use mail::{Mail, Tls};
pub use notify::{Mode, NotifierConfig, Place, Post, Telling, Way};
pub use schedules::{Missed, Schedule, What};

/// The shipped defaults.
pub const SHIPPED: &str = include_str!("../../../config/admin.yaml");

/// How the service works.
#[derive(Debug, Clone)]
pub struct Config {
    /// Time between two looks at the proposals.
    pub poll_interval: Duration,
    /// Who writes source, in order: `templates` or a provider's name.
    pub implementers: Vec<String>,
    /// Repairs after the first attempt.
    pub max_repairs: u32,
    /// Model servers.
    pub providers: Vec<ProviderConfig>,
    /// `auto`, or the path of a compiler.
    pub compiler: String,
    /// What confined children may use.
    pub limits: Limits,
    /// Single skills that may join a private source with a network sink.
    pub allowed_pairs: Vec<AllowedPair>,
    /// What models may cost one proposal.
    pub effort: Effort,
    /// How people are told that something waits for them; read when the service starts.
    pub telling: Telling,
    /// Which moves of a proposal wait for a person.
    pub gates: Gates,
    /// How fast files are looked at.
    pub flood: Flood,
    /// What may be spent in a day.
    pub budgets: Budgets,
    /// How much may lie in `data/`.
    pub data_limit: DataLimit,
    /// How long the receipts of a profile may be unreadable before that is an alarm.
    pub unreadable: Duration,
    /// The times at which a profile's workflow or message runs.
    pub schedules: Vec<Schedule>,
}

/// What confined children may use.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Processor time of one compilation; it is waited for five times as long, and at least a minute.
    pub compile: Duration,
    /// Address space of the compiler, in bytes.
    pub compile_memory: u64,
    /// Wall time of all trial runs of one module.
    pub trial: Duration,
}

/// A skill that may join a private source with a network sink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedPair {
    /// The skill.
    pub skill: SkillName,
    /// The private source.
    pub source: Token,
    /// The sink.
    pub sink: Token,
}

impl Config {
    /// Reads the home's configuration; an absent file has every default.
    ///
    /// # Errors
    /// Every fault in one pass, with its key and what is allowed.
    pub fn read(home: &Home) -> Result<Config, Error> {
        let path = home.admin_config();
        match fs::read_to_string(&path) {
            Ok(text) => Config::parse(&path, &text),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Config::parse(&path, ""),
            Err(e) => Err(Error::io(&path)(e)),
        }
    }

    /// Reads a configuration's text.
    ///
    /// # Errors
    /// Every fault in one pass.
    pub fn parse(path: &Path, text: &str) -> Result<Config, Error> {
        let mut top = documents::settings::section(text);
        let poll_interval = Duration::from_secs(top.number("poll_interval_seconds", 2, 1..=3600));
        let max_repairs = top.number("max_repairs", 3, 0..=10) as u32;
        let providers = providers(&mut top);
        let implementers = top.texts("implementers").unwrap_or_else(|| vec!["templates".into()]);
        for name in &implementers {
            if name != "templates" && !providers.iter().any(|p| &p.name == name) {
                top.fault(
                    "implementers",
                    format!("`{name}` is neither `templates` nor the name of a provider"),
                );
            }
        }
        let compiler = top.text("compiler").unwrap_or_else(|| "auto".into());
        let mut below = top.section("limits");
        let limits = Limits {
            compile: Duration::from_secs(below.number("compile_seconds", 60, 5..=600)),
            compile_memory: below.number("compile_memory_mb", 4096, 1200..=65_536) << 20,
            trial: Duration::from_secs(below.number("trial_seconds", 20, 1..=300)),
        };
        top.close(below);
        let mut allowed_pairs = vec![];
        for mut pair in top.sections("allowed_pairs") {
            allowed_pairs.extend(allowed_pair(&mut pair));
            top.close(pair);
        }
        let effort = Effort::read(&mut top);
        let telling = Telling::read(&mut top);
        let mut below = top.section("gates");
        let gates = Gates::read(&mut below);
        top.close(below);
        let flood = Flood::read(&mut top);
        let budgets = Budgets::read(&mut top);
        let data_limit = DataLimit::read(&mut top);
        let mut below = top.section("audit");
        let unreadable = Duration::from_secs(below.number("unreadable_seconds", 60, 2..=3600));
        top.close(below);
        let schedules = schedules::read(&mut top);
        let faults = top.finish();
        if !faults.is_empty() {
            return Err(Error::Config { file: path.to_owned(), faults });
        }
        Ok(Config {
            poll_interval,
            implementers,
            max_repairs,
            providers,
            compiler,
            limits,
            allowed_pairs,
            effort,
            telling,
            gates,
            flood,
            budgets,
            data_limit,
            unreadable,
            schedules,
        })
    }
}

/// The model servers; none is what the admin starts with.
fn providers(top: &mut Section) -> Vec<ProviderConfig> {
    let Some(listed) = top.take("providers").filter(|v| v.as_array().is_none_or(|list| !list.is_empty()))
    else {
        return vec![];
    };
    match ModelsConfig::validate(&serde_json::json!({ "providers": listed }), "") {
        Ok(config) => {
            for (index, provider) in config.providers.iter().enumerate() {
                for (key, given) in
                    [("api_key_file", provider.api_key_file.is_some()), ("login", provider.login.is_some())]
                {
                    if given {
                        let why =
                            "is for cl-bot only; the service takes a key from its environment: `api_key`";
                        top.fault(&format!("providers[{index}].{key}"), why);
                    }
                }
            }
            config.providers
        }
        Err(faults) => {
            for fault in faults {
                top.fault(fault.key.trim_start_matches('.'), fault.message);
            }
            vec![]
        }
    }
}

fn allowed_pair(section: &mut Section) -> Option<AllowedPair> {
    let mut read = |key: &'static str| {
        let text = section.text(key);
        if text.is_none() {
            section.fault(key, "missing");
        }
        text
    };
    let (skill, source, sink) = (read("skill"), read("source"), read("sink"));
    let skill = skill?.parse().map_err(|e| section.fault("skill", format!("{e}"))).ok();
    let source = source?.parse().map_err(|e| section.fault("source", format!("{e}"))).ok();
    let sink = sink?.parse().map_err(|e| section.fault("sink", format!("{e}"))).ok();
    Some(AllowedPair { skill: skill?, source: source?, sink: sink? })
}

#[cfg(test)]
mod tests;
