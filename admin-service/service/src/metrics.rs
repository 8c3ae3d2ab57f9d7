//! The figures of a home for a program that watches: numbers, with names and labels that are the program's own words. Nothing that
//! somebody wrote is in them: no name, no text, no profile.
//!
//! Nothing is walked for them. What concerns proposals follows from the journal's state in memory; whether the chains of receipts
//! hold is what the watch found when it looked last.

use std::fs;

use base::backups::Outcomes;
use base::config::Config;
use base::error::Error;
use base::home::Home;
use base::stop;
use figures::{Figure, Format};
use jiff::Timestamp;
use ledger::Ledger;
use ledger::action_ticket::ActionTicket;
use ledger::ticket::Ticket;
use nix::sys::statvfs::statvfs;
use receipts::head::Log;
use shared_types::proposal::HistoryEntry;
use shared_types::status::{Status, Wait};

use super::notify;

/// The names of all figures begin with it.
const PREFIX: &str = "tameclaw_admin";
/// Who withdraws what it asked for: the bot, not a person who decides.
const PROPOSER: &str = "proposer";
/// Where an action may stand in the journal: the statuses before are passed in the step that takes it in.
const OF_ACTIONS: [Status; 3] = [Status::HumanReview, Status::Accepted, Status::Rejected];

/// The figures of a home as text: those that follow from its journal, and what its files say now. At most 64 KiB.
///
/// # Errors
/// None that a text in memory has.
pub fn text(
    home: &Home,
    journal: Vec<Figure>,
    is_running: bool,
    open_metrics: bool,
) -> Result<String, Error> {
    let mut all = of_home(home, is_running);
    all.extend(journal);
    let format = if open_metrics { Format::OpenMetrics } else { Format::Older };
    figures::text(PREFIX, &all, format).map_err(Error::step("writing figures"))
}

/// What follows from the journal.
pub fn of_journal(ledger: &Ledger, now: Timestamp) -> Vec<Figure> {
    let tickets = || ledger.tickets();
    let cases = || ledger.cases().all();
    let state = |status: Status| ("state", status.as_str());
    let proposals =
        Status::ALL.map(|status| (state(status), count(tickets().filter(|t| t.status() == status))));
    let actions = OF_ACTIONS.map(|status| (state(status), count(cases().filter(|c| c.status() == status))));
    let waits = Wait::ALL.map(|wait| (("on", wait.as_str()), waiting(ledger, wait)));
    let steps = tickets().map(Decisions::of_skill).fold(Decisions::default(), Decisions::and);
    let acts = cases().map(Decisions::of_action).fold(Decisions::default(), Decisions::and);
    let attempts = || tickets().flat_map(Ticket::attempts);
    let spent = |part: fn(&Ticket) -> u64| tickets().map(part).fold(0, u64::saturating_add);
    let seconds = tickets().map(|t| t.spent().time).sum::<std::time::Duration>().as_secs();
    let alarms = || ledger.alarms().open();
    let chains_hold = !alarms().any(|(log, _)| matches!(log, Log::Receipts(_) | Log::Admin));
    vec![
        Figure::gauges("proposals", "Proposals of skills by where they stand", proposals.into()),
        Figure::gauges("actions", "Actions by where they stand", actions.into()),
        Figure::gauges("waiting", "Proposals and actions that wait, by what for", waits.into()),
        Figure::gauge(
            "oldest_review_seconds",
            "How long the oldest waits that waits for a person; 0 where nothing does",
            oldest(ledger, now),
        ),
        Figure::counters(
            "decisions",
            "Decisions about skills by people",
            vec![
                (("kind", "approved"), steps.approved),
                (("kind", "rejected"), steps.rejected),
                (("kind", "reopened"), steps.reopened),
                (("kind", "removed"), steps.removed),
                (("kind", "edited"), count(attempts().filter(|a| a.edited_by.is_some()))),
            ],
        ),
        Figure::counters(
            "action_decisions",
            "Decisions about actions by people",
            vec![(("kind", "approved"), acts.approved), (("kind", "rejected"), acts.rejected)],
        ),
        Figure::counter("sources", "Sources that were written or handed in", count(attempts())),
        Figure::counter(
            "sources_failed",
            "Sources that failed the scan, the build, the comparison or the trial",
            count(attempts().filter(|a| !a.messages.is_empty())),
        ),
        Figure::counter("model_answers", "Answers of models that cost tokens", spent(|t| t.spent().times)),
        Figure::counter(
            "model_tokens",
            "Tokens that models read and wrote for them",
            spent(|t| t.spent().tokens),
        ),
        Figure::counter("model_seconds", "Seconds that those answers took", seconds),
        Figure::counter("files_refused", "Files that were not proposals", count(ledger.refused().iter())),
        Figure::gauge(
            "skills_installed",
            "Learned skills that are installed",
            count(ledger.active().values()),
        ),
        Figure::gauge("plugins_installed", "Plugins that are installed", count(ledger.plugins().values())),
        Figure::gauge("alarms_open", "Alarms about chains that nobody has acknowledged", count(alarms())),
        Figure::gauge(
            "receipt_chains_valid",
            "1 where the watch found no fault in a chain of receipts that nobody has acknowledged",
            u64::from(chains_hold),
        ),
        Figure::counter("journal_records", "Records of the journal", ledger.records()),
    ]
}

/// What the files of the home, the disk and this program say. What is unknown now is left out.
fn of_home(home: &Home, is_running: bool) -> Vec<Figure> {
    let version = ("version", env!("CARGO_PKG_VERSION"));
    let config = Config::read(home);
    let outcomes = Outcomes::read(home);
    let mut all = vec![
        Figure::gauges("build_info", "The version of the program that tells this", vec![(version, 1)]),
        Figure::gauge("service_running", "1 where the running service told this", u64::from(is_running)),
        Figure::gauge(
            "emergency_stop",
            "1 while the emergency stop of the home is set",
            u64::from(stop::holds(home).is_some()),
        ),
        Figure::gauge(
            "bot_halted",
            "1 while the bot may not start because its folder is full",
            u64::from(fs::symlink_metadata(home.halt()).is_ok()),
        ),
        Figure::gauge(
            "configuration_valid",
            "1 where the configuration has no fault",
            u64::from(config.is_ok()),
        ),
        Figure::gauge(
            "backup_failed",
            "1 where the last attempt at a backup failed",
            u64::from(outcomes.failed.is_some()),
        ),
    ];
    if let Ok(disk) = statvfs(home.root()) {
        let free = disk.blocks_available().saturating_mul(disk.fragment_size());
        all.push(Figure::gauge("disk_free_bytes", "Free bytes on the disk of the home", free));
    }
    if let Some(at) = outcomes.last.and_then(|last| seconds(&last.at)) {
        all.push(Figure::gauge("last_backup_timestamp_seconds", "When the last whole backup was begun", at));
    }
    if let Ok(config) = config {
        let notifiers = notify::state(home, &config.telling);
        let failing = notifiers.iter().filter(|notifier| notifier.fault.is_some());
        all.push(Figure::gauge("notifiers_failing", "Notifiers that fail", count(failing)));
        let told = notifiers.iter().filter_map(|notifier| seconds(notifier.told_at.as_deref()?)).max();
        if let Some(at) = told {
            let help = "When a notifier last told something";
            all.push(Figure::gauge("last_notification_timestamp_seconds", help, at));
        }
    }
    all
}

/// What people decided.
#[derive(Debug, Clone, Copy, Default)]
struct Decisions {
    approved: u64,
    rejected: u64,
    reopened: u64,
    removed: u64,
}

impl Decisions {
    fn of_skill(ticket: &Ticket) -> Decisions {
        let mut found = Decisions::default();
        let mut before = Status::New;
        for step in ticket.history() {
            match (before, step.status) {
                (Status::HumanReview, Status::Accepted) => found.approved += 1,
                (Status::Rejected, Status::HumanReview) => found.reopened += 1,
                (Status::Accepted, Status::Removed) => found.removed += 1,
                (_, Status::Rejected) if is_by_person(step) => found.rejected += 1,
                _ => {}
            }
            before = step.status;
        }
        found
    }

    fn of_action(case: &ActionTicket) -> Decisions {
        let mut found = Decisions::default();
        let mut before = Status::New;
        for step in case.history() {
            match (before, step.status) {
                (Status::HumanReview, Status::Accepted) => found.approved += 1,
                // Before that only the policy rejects.
                (Status::HumanReview, Status::Rejected) if is_by_person(step) => found.rejected += 1,
                _ => {}
            }
            before = step.status;
        }
        found
    }

    fn and(self, other: Decisions) -> Decisions {
        Decisions {
            approved: self.approved + other.approved,
            rejected: self.rejected + other.rejected,
            reopened: self.reopened + other.reopened,
            removed: self.removed + other.removed,
        }
    }
}

fn is_by_person(step: &HistoryEntry) -> bool {
    step.is_refusal() && step.actor != PROPOSER
}

fn waiting(ledger: &Ledger, on: Wait) -> u64 {
    let skills = ledger.tickets().filter(|ticket| ticket.waits_for() == Some(on));
    count(skills) + count(ledger.cases().open().filter(|case| case.waits_for() == Some(on)))
}

/// How long the oldest waits that waits for a person, in seconds.
fn oldest(ledger: &Ledger, now: Timestamp) -> u64 {
    let person = Some(Wait::Person);
    let skills = ledger.tickets().filter(|ticket| ticket.waits_for() == person);
    let skills = skills.filter_map(|ticket| ticket.history().last().map(|step| step.timestamp.as_str()));
    let actions = ledger.cases().open().filter(|case| case.waits_for() == person).map(ActionTicket::since);
    let since = skills.chain(actions).filter_map(|at| at.parse::<Timestamp>().ok()).min();
    // A clock that was set back makes no negative times.
    since.and_then(|since| u64::try_from(now.duration_since(since).as_secs()).ok()).unwrap_or(0)
}

/// A time in RFC 3339 as seconds since 1970.
fn seconds(at: &str) -> Option<u64> {
    u64::try_from(at.parse::<Timestamp>().ok()?.as_second()).ok()
}

fn count<T>(of: impl Iterator<Item = T>) -> u64 {
    of.fold(0, |count, _| count + 1)
}

#[cfg(test)]
mod tests;
