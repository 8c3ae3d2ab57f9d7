//! What the status is made of: what the journal, the configuration and the machine say now.

use std::collections::BTreeMap;
use std::fs;

use base::backups::{Failure, Last, Outcomes};
use base::config::Config;
use base::error::Error;
use base::home::{Home, profiles};
use base::{lock, stop};
use beneath::NotOpened;
use jiff::Timestamp;
use ledger::Ledger;
use nix::sys::statvfs::statvfs;
use pipeline::intake::room::{self, chats};
use pipeline::intake::waiting::waiting;
use serde::Serialize;
use shared_types::status::Wait;

use crate::commands::doctor::walls;

/// Everything that the status shows.
#[derive(Debug, Serialize)]
pub(super) struct Facts {
    pub(super) home: String,
    /// The process of the service.
    pub(super) service: Option<u32>,
    /// How many chats run, as far as this user sees them.
    pub(super) chats: usize,
    /// How many proposals and actions wait, by what they wait for: `person model compiler room`.
    pub(super) waiting: BTreeMap<&'static str, usize>,
    /// Files of proposals that nobody has looked at yet; of more than are counted, the number counted.
    pub(super) files: usize,
    /// Why the emergency stop of the whole home holds.
    pub(super) stop: Option<String>,
    /// The profiles whose own stop holds.
    pub(super) stopped_profiles: Vec<String>,
    /// Why the bot may not start: its folder is full.
    pub(super) halt: Option<String>,
    /// How well the bot is confined.
    pub(super) isolation: Isolation,
    /// How many skills were learned and are installed.
    pub(super) skills: usize,
    /// Who writes skills, in their order; nothing where the configuration cannot be read.
    pub(super) models: Vec<String>,
    /// What is wrong with the configuration.
    pub(super) configuration: Option<String>,
    pub(super) disk: Disk,
    /// Open alarms about evidence, and what is wrong with the backups.
    pub(super) alarms: Vec<String>,
    /// The schedule that runs next.
    pub(super) next_run: Option<NextRun>,
    /// The last backup that was whole.
    pub(super) backup: Option<Last>,
    /// The backup after it that failed.
    pub(super) backup_failed: Option<Failure>,
}

/// How well the bot is confined.
#[derive(Debug, Serialize)]
pub(super) struct Isolation {
    pub(super) tier: String,
    /// What holds.
    pub(super) held: String,
    /// Whether the bot has a user of its own.
    pub(super) own_user: bool,
}

/// Room on the disk.
#[derive(Debug, Serialize)]
pub(super) struct Disk {
    /// The size of `data/`, in bytes; nothing if it cannot be listed.
    pub(super) data_bytes: Option<u64>,
    /// How many files and folders that is.
    pub(super) data_files: Option<u64>,
    /// Whether all of it was counted.
    pub(super) counted_all: bool,
    /// The most bytes that `data/` may hold.
    pub(super) limit_bytes: Option<u64>,
    /// The most files that `data/` may hold.
    pub(super) limit_files: Option<u64>,
    /// What is free on the disk of the home, in bytes.
    pub(super) free_bytes: Option<u64>,
}

/// The next run of a schedule.
#[derive(Debug, Serialize)]
pub(super) struct NextRun {
    /// The schedule.
    pub(super) name: String,
    /// When.
    pub(super) at: String,
}

impl Facts {
    /// Looks everything up.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub(super) fn of(home: &Home) -> Result<Facts, Error> {
        let ledger = Ledger::read(home)?;
        let config = Config::read(home);
        let (tier, held, own_user) = walls::reached(home);
        let ids = profiles(home).unwrap_or_default();
        let stopped = ids.iter().filter(|id| !matches!(home.profile_stop(id).facts(), Err(NotOpened::Gone)));
        let of_configuration = match &config {
            // A fault of each line would fill the screen.
            Err(Error::Config { file, faults }) => {
                Some(format!("{} has {} fault(s): cl-admin config validate", file.display(), faults.len()))
            }
            other => other.as_ref().err().map(ToString::to_string),
        };
        let outcomes = Outcomes::read(home);
        let times =
            config.as_ref().ok().and_then(|config| config.backups.as_ref()).map(|backups| &backups.times);
        let trouble = outcomes.trouble(times, Timestamp::now()).map(|trouble| trouble.words);
        let alarms = ledger.alarms().open().map(|(log, alarm)| format!("{log}: {}", alarm.what));
        Ok(Facts {
            home: home.root().display().to_string(),
            service: lock::holder(home),
            chats: chats::running(home),
            waiting: waits(&ledger),
            files: waiting(home, &ledger)?.iter().map(|of_one| of_one.files.len()).sum(),
            stop: stop::holds(home),
            stopped_profiles: stopped.map(ToString::to_string).collect(),
            halt: fs::read_to_string(home.halt()).ok().map(|why| why.trim().to_owned()),
            isolation: Isolation { tier: tier.to_string(), held: held.to_string(), own_user },
            skills: ledger.active().len(),
            models: config.as_ref().map(|config| config.implementers.clone()).unwrap_or_default(),
            configuration: of_configuration,
            disk: Disk::of(home, config.as_ref().ok()),
            alarms: alarms.chain(trouble).collect(),
            next_run: config.ok().and_then(|config| next_run(&config, &ledger)),
            backup: outcomes.last,
            backup_failed: outcomes.failed,
        })
    }
}

/// How many wait, by what they wait for.
fn waits(ledger: &Ledger) -> BTreeMap<&'static str, usize> {
    let mut found: BTreeMap<&'static str, usize> = BTreeMap::new();
    let skills = ledger.tickets().filter_map(|ticket| ticket.waits_for());
    for wait in skills.filter(|wait| *wait != Wait::Person) {
        *found.entry(wait.as_str()).or_default() += 1;
    }
    found.insert(Wait::Person.as_str(), ledger.waiting_for_a_person());
    found
}

impl Disk {
    fn of(home: &Home, config: Option<&Config>) -> Disk {
        let used = room::usage(home).ok();
        let free = statvfs(home.root()).ok().map(|disk| disk.blocks_available() * disk.fragment_size());
        Disk {
            data_bytes: used.map(|(usage, _)| usage.bytes),
            data_files: used.map(|(usage, _)| usage.files),
            counted_all: used.is_some_and(|(_, whole)| whole),
            limit_bytes: config.map(|config| config.data_limit.bytes),
            limit_files: config.map(|config| config.data_limit.files),
            free_bytes: free,
        }
    }
}

fn next_run(config: &Config, ledger: &Ledger) -> Option<NextRun> {
    let now = Timestamp::now();
    let next = config.schedules.iter().filter_map(|schedule| {
        let standing = ledger.schedules().of(&schedule.name);
        let base = standing.base.filter(|_| standing.times == schedule.times.written()).unwrap_or(now);
        Some((schedule.times.due(base, now).next?, schedule.name.to_string()))
    });
    next.min().map(|(at, name)| NextRun { name, at: at.to_string() })
}
