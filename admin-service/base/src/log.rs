//! What the service tells about its own work, on standard error: named events with levels and ids, each with a line for people.
//!
//! Where standard error is the service's own log in the home, the log is bounded: a full one makes room for a new one.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

use events::{Record, TARGET};
use nix::sys::stat::{FileStat, fstat};
use serde_json::{Map, Value};
use shared_types::id::{ApproverId, ProfileId, ProposalId, SkillName};
use shared_types::status::Status;
use tracing::span::EnteredSpan;
use tracing::{Level, event, info_span};

use crate::clock::now;
use crate::home::Home;

/// How long the service's log grows before it is put aside, in bytes. One that was put aside is kept.
pub const MOST: u64 = 4 << 20;

/// Whether a store tells what happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Log {
    /// Not at all.
    Silent,
    /// As the environment asks for: lines for people, or one JSON object a line with `TAMECLAW_LOG=json`.
    Record,
}

impl Log {
    /// As the environment asks for; `quiet` tells nothing.
    pub fn of_environment(home: &Home, quiet: bool) -> Log {
        static STARTED: Once = Once::new();
        if quiet {
            return Log::Silent;
        }
        STARTED.call_once(|| {
            let words = std::env::var("TAMECLAW_LOG").unwrap_or_default();
            let json = words.split([',', ' ']).any(|word| word == "json");
            let lines = Lines { json, own: Mutex::new(service_log(home)) };
            #[cfg(feature = "journald")]
            events::start_in_journal(lines);
            #[cfg(not(feature = "journald"))]
            events::start(lines);
        });
        Log::Record
    }

    /// Tells an event, with a line for people.
    pub fn tell(self, event: &Event<'_>, line: &str) {
        if self == Log::Record {
            event.emit(&shared_types::text::line(line));
        }
    }
}

/// Where a service that a window starts writes what it has to say.
pub fn service_log(home: &Home) -> PathBuf {
    home.admin().join("service.log")
}

/// Opens the service's log for a service that is to be started; a full one is put aside.
///
/// # Errors
/// A failing disk.
pub fn open_service_log(path: &Path) -> std::io::Result<File> {
    if fs::metadata(path).is_ok_and(|facts| facts.len() >= MOST) {
        fs::rename(path, aside(path))?;
    }
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

fn aside(path: &Path) -> PathBuf {
    path.with_extension("log.1")
}

/// Puts the log aside when it is full and standard error leads to it; from then on this process writes to a new one.
fn bound(path: &Path) -> std::io::Result<()> {
    let stderr = std::io::stderr();
    let facts = fstat(stderr.as_fd())?;
    if facts.st_size.cast_unsigned() < MOST {
        return Ok(());
    }
    if is_log(path, &facts) {
        let out = fstat(std::io::stdout().as_fd())?;
        let out_too = is_log(path, &out);
        let new = open_service_log(path)?;
        nix::unistd::dup2_stderr(&new)?;
        if out_too {
            nix::unistd::dup2_stdout(&new)?;
        }
    }
    Ok(())
}

/// Whether a file is the log, or the one that was put aside before a new one could be opened.
fn is_log(path: &Path, facts: &FileStat) -> bool {
    let lies = |path: &Path| fs::symlink_metadata(path).map(|lies| (lies.dev(), lies.ino())).ok();
    [lies(path), lies(&aside(path))].contains(&Some((facts.st_dev, facts.st_ino)))
}

/// The span of one stage of a proposal; events that are logged before it is dropped belong to it.
pub fn in_stage(id: &ProposalId, stage: Status) -> EnteredSpan {
    info_span!(target: TARGET, "stage", proposal = %id, stage = stage.as_str()).entered()
}

/// The span of one action; events that are logged before it is dropped belong to it.
pub fn in_action(id: &ProposalId) -> EnteredSpan {
    info_span!(target: TARGET, "action", proposal = %id).entered()
}

/// The span of one request; events that are logged before it is dropped belong to it.
pub fn in_request(name: &'static str) -> EnteredSpan {
    info_span!(target: TARGET, "request", request = name).entered()
}

/// Writes each event as a line on standard error.
struct Lines {
    json: bool,
    /// The log that standard error may lead to; held while it is put aside.
    own: Mutex<PathBuf>,
}

impl events::Writer for Lines {
    fn wants(&self, level: &Level) -> bool {
        *level <= Level::INFO
    }

    fn write(&self, told: &Record) {
        let line = line(told, &now(), self.json);
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        // A closed standard error is not a failure; a log that cannot be rotated is written on.
        let _ = bound(&own);
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

fn line(told: &Record, time: &str, json: bool) -> String {
    let mut fields = told.fields.iter();
    if !json {
        let text = fields.find_map(|(name, value)| value.as_str().filter(|_| *name == "message"));
        return format!("cl-admin: {}\n", text.unwrap_or(told.name));
    }
    let mut object = Map::new();
    let spans = told.spans.iter().flat_map(|(_, fields)| fields);
    for (name, value) in spans.chain(fields).filter(|(_, value)| !value.is_null()) {
        let name = if *name == "message" { "text" } else { *name };
        let value =
            value.as_str().map_or_else(|| value.clone(), |text| shared_types::text::line(text).into());
        object.insert(name.to_owned(), value);
    }
    if !told.spans.is_empty() {
        let spans: Vec<Value> = told.spans.iter().map(|(name, _)| Value::from(*name)).collect();
        object.insert("spans".to_owned(), Value::from(spans));
    }
    object.insert("time".to_owned(), Value::from(time));
    object.insert("level".to_owned(), Value::from(told.level.as_str().to_lowercase()));
    object.insert("event".to_owned(), Value::from(told.name));
    format!("{}\n", Value::Object(object))
}

/// Defines what happens: each event with its name, its level and its ids.
macro_rules! events {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $level:ident { $($field:ident: $type:ty),* })*) => {
        /// What happens, by name. A field is an id or a name.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Event<'a> {
            $($(#[$doc])* $variant { $($field: &'a $type),* },)*
        }

        impl Event<'_> {
            fn emit(&self, text: &str) {
                match self {
                    $(Event::$variant { $($field),* } => {
                        event!(name: $name, target: TARGET, Level::$level, { event = $name, $($field = %$field,)* message = text })
                    })*
                }
            }
        }
    };
}

events! {
    /// The service begins.
    Serving = "serving", INFO {}
    /// The service ends.
    Stopped = "stopped", INFO {}
    /// Something that concerns the service as a whole failed; it is tried again.
    ServiceFailed = "service_failed", ERROR {}
    /// A request could not be read or answered.
    RequestFailed = "request_failed", WARN {}
    /// The emergency stop is set.
    StopTriggered = "stop_triggered", WARN {}
    /// The emergency stop is cleared.
    StopCleared = "stop_cleared", INFO {}
    /// The disk is full.
    DiskFull = "disk_full", WARN {}
    /// `data/` is full: the bot is stopped.
    BotStopped = "bot_stopped", WARN {}
    /// A chat of the bot that is stopped.
    ChatEnded = "chat_ended", INFO {}
    /// `data/` is not full any more.
    BotMayStart = "bot_may_start", INFO {}
    /// The journal's head cannot be published now.
    HeadUnpublished = "head_unpublished", WARN {}
    /// Children cannot be confined on this machine.
    ChildrenWait = "children_wait", WARN {}
    /// More files of proposals than are looked at at once.
    FilesHeldBack = "files_held_back", WARN {}
    /// A folder of proposals cannot be read.
    FolderUnread = "folder_unread", WARN { profile: ProfileId }
    /// A file of a proposal waits.
    FileWaits = "file_waits", INFO { profile: ProfileId, file: str }
    /// A file of a proposal is refused.
    FileRefused = "file_refused", WARN { profile: ProfileId, file: str }
    /// A file asks for what is open already.
    FileRecurs = "file_recurs", INFO { profile: ProfileId, file: str, proposal: ProposalId }
    /// A file was taken away before a person saw its proposal.
    FileWithdrawn = "file_withdrawn", INFO { profile: ProfileId, file: str, proposal: ProposalId }
    /// A file was changed after it was taken in.
    FileChanged = "file_changed", WARN { profile: ProfileId, file: str, proposal: ProposalId }
    /// A proposal has come to another stage.
    ProposalMoved = "proposal_moved", INFO { proposal: ProposalId, skill: SkillName, status: Status }
    /// A proposal waits.
    ProposalWaits = "proposal_waits", INFO { proposal: ProposalId, skill: SkillName }
    /// A step of a proposal failed.
    ProposalFailed = "proposal_failed", ERROR { proposal: ProposalId }
    /// A file of the skill library is not used.
    TemplateUnread = "template_unread", WARN { file: str }
    /// The first of two yeses.
    FirstYes = "first_yes", INFO { proposal: ProposalId, by: ApproverId }
    /// A skill is installed.
    SkillInstalled = "skill_installed", INFO { skill: SkillName, version: u32 }
    /// A skill is removed.
    SkillRemoved = "skill_removed", INFO { skill: SkillName, version: u32 }
    /// The modules of a removed skill are still there.
    ModulesLeft = "modules_left", WARN { skill: SkillName }
    /// A plugin is installed.
    PluginInstalled = "plugin_installed", INFO { plugin: SkillName }
    /// A plugin is removed.
    PluginRemoved = "plugin_removed", INFO { plugin: SkillName }
    /// An action waits for a person.
    ActionWaits = "action_waits", INFO { proposal: ProposalId, profile: ProfileId }
    /// An action is refused.
    ActionRefused = "action_refused", WARN { proposal: ProposalId, profile: ProfileId }
    /// An action was taken back.
    ActionWithdrawn = "action_withdrawn", INFO { proposal: ProposalId, profile: ProfileId }
    /// A person allows an action.
    ActionAllowed = "action_allowed", INFO { proposal: ProposalId, by: ApproverId }
    /// A step of an action failed.
    ActionFailed = "action_failed", ERROR { proposal: ProposalId }
    /// A chain of receipts was tampered with.
    Alarm = "alarm", ERROR { log: receipts::head::Log }
    /// A chain of receipts cannot be watched now.
    ChainUnwatched = "chain_unwatched", WARN { log: receipts::head::Log }
    /// No notifier works without a terminal.
    NobodyTold = "nobody_told", WARN {}
    /// A notifier works again.
    NotifierWorks = "notifier_works", INFO { notifier: str }
    /// A notifier failed.
    NotifierFailed = "notifier_failed", WARN { notifier: str }
    /// The service made a backup.
    BackupMade = "backup_made", INFO {}
    /// A backup of the service failed, or lacks something.
    BackupFailed = "backup_failed", ERROR {}
    /// Schedules cannot be looked at now.
    SchedulesFailed = "schedules_failed", ERROR {}
    /// A schedule's run begins.
    ScheduleBegun = "schedule_begun", INFO { schedule: shared_types::id::WorkflowName }
    /// A schedule's run has ended.
    ScheduleEnded = "schedule_ended", INFO { schedule: shared_types::id::WorkflowName }
    /// A schedule's run ended with the service.
    ScheduleCutOff = "schedule_cut_off", WARN { schedule: shared_types::id::WorkflowName }
    /// Runs of a schedule were missed.
    ScheduleMissed = "schedule_missed", WARN { schedule: shared_types::id::WorkflowName }
    /// A schedule waits.
    ScheduleWaits = "schedule_waits", WARN { schedule: shared_types::id::WorkflowName }
    /// A digest of a profile's week was made.
    DigestMade = "digest_made", INFO { profile: ProfileId }
    /// The weeks of a profile that the configuration lists are not counted, or a notifier's person has no profile.
    DigestUnfit = "digest_unfit", WARN {}
}

#[cfg(test)]
mod tests;
