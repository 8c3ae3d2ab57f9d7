//! `admin/admin.yaml`, parsed once into [`Config`].

mod backups;
mod bounds;
pub mod digest;
mod effort;
pub mod gates;
#[cfg(feature = "email")]
mod mail;
mod notify;
mod page;
mod schedules;
pub mod times;

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use language::Language;
use models::config::{ModelsConfig, ProviderConfig};
use owners::further::home_of;
use settings::admin::ADMIN;
use shared_types::capability::Token;
use shared_types::id::SkillName;
use shared_types::proposal::Fault;
use shared_types::settings::Section;

use crate::error::Error;
use crate::home::Home;
use crate::profiles::owner;
use gates::Gates;

pub use backups::{Backups, Sealing};
pub use bounds::{Budgets, DataLimit, Flood, Rate};
pub use digest::WeeklyDigest;
pub use effort::Effort;
#[cfg(feature = "email")]
pub use mail::{Mail, Tls};
pub use notify::{Mode, NotifierConfig, Place, Post, Telling, Way};
pub use page::{PageAddress, PageAddressError};
pub use schedules::{Missed, Schedule, What};

/// The shipped defaults.
pub const SHIPPED: &str = include_str!("../../../config/admin.yaml");

/// The configuration that was read last. The service asks for it at every pass, and most times the file is the same: to see
/// that takes far less than to parse the text. In memory alone, and only the admin's own file.
static LAST: Mutex<Option<(Stamp, Config)>> = Mutex::new(None);

/// What a file looks like from outside.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    path: PathBuf,
    file: (u64, u64),
    size: u64,
    /// Of the content and of the entry, in seconds and nanoseconds.
    changed: [(i64, i64); 2],
}

impl Stamp {
    /// Longer than a step of any file system's clock.
    const STEP: Duration = Duration::from_secs(3);

    fn of(path: &Path, file: &File) -> io::Result<Stamp> {
        let meta = file.metadata()?;
        let changed = [(meta.mtime(), meta.mtime_nsec()), (meta.ctime(), meta.ctime_nsec())];
        Ok(Stamp { path: path.to_owned(), file: (meta.dev(), meta.ino()), size: meta.size(), changed })
    }

    /// Whether a change from now on shows: one within the same step of the clock would not.
    fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let settled = now.saturating_sub(Stamp::STEP).as_secs();
        self.changed.iter().all(|(seconds, _)| u64::try_from(*seconds).is_ok_and(|s| s < settled))
    }
}

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
    /// How people are notified that something waits for them; read when the service starts.
    pub telling: Telling,
    /// Which moves of a proposal wait for a person.
    pub gates: Gates,
    /// How fast files are looked at.
    pub flood: Flood,
    /// What may be spent in a day.
    pub budgets: Budgets,
    /// How much `data/` may hold.
    pub data_limit: DataLimit,
    /// How long the receipts of a profile may be unreadable before that is an alarm.
    pub unreadable: Duration,
    /// The times at which a profile's workflow or message runs.
    pub schedules: Vec<Schedule>,
    /// Whose weeks are counted for the approver, and when.
    pub weekly_digest: Option<WeeklyDigest>,
    /// Backups that the service makes automatically.
    pub backups: Option<Backups>,
    /// The language of the review, by its code.
    pub language: String,
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
    pub skill: SkillName,
    /// The private source.
    pub source: Token,
    pub sink: Token,
}

impl Config {
    /// Reads the home's configuration; an absent file has every default.
    ///
    /// # Errors
    /// Every fault in one pass, with its key and what is allowed.
    pub fn read(home: &Home) -> Result<Config, Error> {
        let path = home.admin_config();
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Config::parse(&path, ""),
            Err(e) => return Err(Error::io(&path)(e)),
        };
        let stamp = Stamp::of(&path, &file).map_err(Error::io(&path))?;
        let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, config)) = last().as_ref().filter(|(known, _)| *known == stamp) {
            return Ok(config.clone());
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(Error::io(&path))?;
        let config = Config::parse(&path, &text)?;
        if stamp.is_settled() {
            *last() = Some((stamp, config.clone()));
        }
        Ok(config)
    }

    /// What it says of profiles and does not fit those of the home now: the weeks and notifiers that are left out.
    pub fn unfit(&self, home: &Home) -> Vec<Fault> {
        let weeks = self.weekly_digest.iter().flat_map(|listed| listed.unfit(home));
        let weeks = weeks.map(|unfit| Fault::new("weekly_digest.profiles", unfit.to_string()));
        weeks.chain(self.telling.unfit(home)).collect()
    }

    /// As [`Config::unfit`], as faults of the file.
    ///
    /// # Errors
    /// Every fault.
    pub fn checked(&self, home: &Home) -> Result<(), Error> {
        let faults = self.unfit(home);
        if faults.is_empty() { Ok(()) } else { Err(Error::Config { file: home.admin_config(), faults }) }
    }

    /// Reads a configuration's text.
    ///
    /// # Errors
    /// Every fault in one pass.
    pub fn parse(path: &Path, text: &str) -> Result<Config, Error> {
        let mut top = documents::settings::section(ADMIN, text);
        let poll_interval = Duration::from_secs(top.number("poll_interval_seconds"));
        let max_repairs = top.number("max_repairs") as u32;
        let providers = providers(&mut top);
        let implementers = top.texts("implementers");
        for name in &implementers {
            if name != "templates" && !providers.iter().any(|p| &p.name == name) {
                top.fault(
                    "implementers",
                    format!("`{name}` is neither `templates` nor the name of a provider"),
                );
            }
        }
        let compiler = top.text("compiler").unwrap_or_default();
        let compiler = documents::settings::path(&compiler, |tilde| home_of(tilde, owner(path)))
            .unwrap_or_else(|fault| {
                top.fault("compiler", fault.to_string());
                compiler
            });
        let below = top.section("limits");
        let limits = Limits {
            compile: Duration::from_secs(below.number("compile_seconds")),
            compile_memory: below.number("compile_memory_mb") << 20,
            trial: Duration::from_secs(below.number("trial_seconds")),
        };
        let mut allowed_pairs = vec![];
        for mut pair in top.sections("allowed_pairs") {
            allowed_pairs.extend(allowed_pair(&mut pair));
            top.close(pair);
        }
        let effort = Effort::read(&top);
        let telling = Telling::read(&mut top);
        let mut below = top.section("gates");
        let gates = Gates::read(&mut below);
        top.close(below);
        let flood = Flood::read(&top);
        let budgets = Budgets::read(&top);
        let data_limit = DataLimit::read(&top);
        let unreadable = Duration::from_secs(top.section("audit").number("unreadable_seconds"));
        let schedules = schedules::read(&mut top);
        let weekly_digest = digest::read(&mut top);
        let backups = backups::read(&mut top);
        let language = top.text("language").unwrap_or_default();
        if Language::of_code(&language).is_none() {
            let known: Vec<&str> = Language::all().map(Language::code).collect();
            top.fault("language", format!("`{language}` is not one of {}", known.join(", ")));
        }
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
            weekly_digest,
            backups,
            language,
        })
    }
}

/// The model servers; none is what the admin starts with.
fn providers(top: &mut Section) -> Vec<ProviderConfig> {
    let providers = ModelsConfig::providers(top);
    for (index, provider) in providers.iter().enumerate() {
        for (key, given) in
            [("api_key_file", provider.api_key_file.is_some()), ("login", provider.login.is_some())]
        {
            if given {
                let why = "is for cl-bot only; the service takes a key from its environment: `api_key`";
                top.fault(&format!("providers[{index}].{key}"), why);
            }
        }
    }
    providers
}

fn allowed_pair(section: &mut Section) -> Option<AllowedPair> {
    let (skill, source, sink) = (section.text("skill"), section.text("source"), section.text("sink"));
    let skill = skill?.parse().map_err(|e| section.fault("skill", format!("{e}"))).ok();
    let source = source?.parse().map_err(|e| section.fault("source", format!("{e}"))).ok();
    let sink = sink?.parse().map_err(|e| section.fault("sink", format!("{e}"))).ok();
    Some(AllowedPair { skill: skill?, source: source?, sink: sink? })
}

#[cfg(test)]
mod tests;
