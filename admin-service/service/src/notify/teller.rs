//! When each notifier tells: the first at once, what follows gathered, a failure again after a while.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use base::backups::{Kind, Outcomes};
use base::config::{Config, Mode, NotifierConfig, PageAddress, Telling, Way};
use base::home::{self, Home};
use base::profiles;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ledger::Store;
use ledger::digests::Digest as WeekDigest;
use ledger::schedules::Schedules;
use receipts::head::Log;
use review::package::read_report;
use shared_types::capability::TokenSet;
use shared_types::exit;
use shared_types::id::{ProfileId, ProposalId};
use shared_types::scheduled::Over;
use shared_types::status::Status;

use super::digest::{ALARM, BACKUP, DONE, FAILED, NO_BACKUP, REMINDER, SCHEDULE, STRANGER, WAITS, WEEK};
use super::due::{self, Untold};
use super::sent::SentLog;
use super::{Digest, Notice, Notifier, make};
use crate::weekly;
use base::log::Event;

/// After the first failure, and the longest time between two tries.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);
/// How often the backups, the reminders and the digests are looked at: they ring no bell.
const BACKUPS: Duration = Duration::from_secs(30);
/// How long a notifier sends no other reminder of a profile, so that its bot cannot send message after message.
const REMINDED: Duration = Duration::from_secs(300);
/// The same for a notifier that is the person's own: what comes due meanwhile is in its next message.
const REMINDED_OWN: Duration = Duration::from_secs(60);
/// The same for a note of an unknown account; a restart of the service forgets it, and one of the same day is not sent again.
const NOTED: Duration = Duration::from_secs(DAY as u64);
const DAY: i64 = 24 * 60 * 60;
/// How long after the end of a scheduled run a notifier still tells it.
const TOLD_LATE: SignedDuration = SignedDuration::from_hours(24);
/// How long a running service may take to make a missed backup before the notifiers say that backups have stopped.
const MAKING_UP: Duration = Duration::from_secs(3_600);

/// Starts a thread for each notifier that this mode has; each ends when `cancel` is set and the bell rings.
pub fn start(
    store: &Arc<Store>,
    telling: &Telling,
    headless: bool,
    cancel: &'static AtomicBool,
) -> Vec<JoinHandle<()>> {
    let mut threads = vec![];
    for config in present(store, telling, headless) {
        let (store, config, telling) = (Arc::clone(store), config.clone(), telling.clone());
        threads.push(std::thread::spawn(move || {
            let mut teller = Teller::new(&store.home, &config, &telling, MAKING_UP);
            while !cancel.load(Ordering::Relaxed) {
                let known = store.bell.count();
                let pause = teller.look(&store);
                store.bell.wait(known, Some(pause));
            }
        }));
    }
    threads
}

/// Tells once what is due, for a service that ends now; what fails is tried by the next one.
pub fn tell_once(store: &Store, telling: &Telling, headless: bool) {
    for config in present(store, telling, headless) {
        Teller::new(&store.home, config, telling, Duration::ZERO).look(store);
    }
}

/// The notifiers that this mode has.
fn present<'a>(store: &Store, telling: &'a Telling, headless: bool) -> Vec<&'a NotifierConfig> {
    let headless = headless || telling.mode == Mode::Headless;
    let silent = |config: &&NotifierConfig| !(headless && matches!(config.way, Way::Cli));
    let present: Vec<&NotifierConfig> = telling.notifiers.iter().filter(silent).collect();
    if headless && present.iter().all(|notifier| notifier.person.is_some()) {
        store.tell(
            &Event::NobodyTold {},
            "headless, and no notifier but the terminal: nobody is notified when something waits",
        );
    }
    present
}

/// One notifier and when it may tell again.
struct Teller {
    notifier: Box<dyn Notifier>,
    sent: SentLog,
    digest: Duration,
    page: Option<PageAddress>,
    not_before: Option<Instant>,
    failures: u32,
    stopped: Stopped,
    /// The profile whose person alone it reaches.
    person: Option<ProfileId>,
    /// When a message of each kind that a bot can cause was sent last for a profile.
    caused: BTreeMap<(String, ProfileId), Instant>,
}

/// That the backups have stopped, as long as this process sees it.
#[derive(Debug, Default)]
struct Stopped {
    since: Option<Instant>,
    /// How long it is not told.
    patience: Duration,
}

impl Stopped {
    /// Whether it is to be reported now.
    fn is_told(&mut self, holds: bool, now: Instant) -> bool {
        self.since = holds.then(|| self.since.unwrap_or(now));
        self.since.is_some_and(|since| now.saturating_duration_since(since) >= self.patience)
    }
}

impl Teller {
    fn new(home: &Home, config: &NotifierConfig, telling: &Telling, patience: Duration) -> Teller {
        let (sent, digest, page) = (SentLog::read(home, &config.name), telling.digest, telling.page.clone());
        // The clock of the day bridges restarts alone; a leap of it never makes the pause longer than a digest's.
        let since = sent.told_at().and_then(|at| at.parse::<Timestamp>().ok()).and_then(|at| {
            let since = Timestamp::now().duration_since(at);
            Duration::try_from(since).ok()
        });
        let pause = since.map(|since| digest.saturating_sub(since)).filter(|pause| !pause.is_zero());
        let not_before = pause.and_then(|pause| Instant::now().checked_add(pause));
        let stopped = Stopped { since: None, patience };
        Teller {
            notifier: make(config),
            sent,
            digest,
            page,
            not_before,
            failures: 0,
            stopped,
            person: config.person.clone(),
            caused: BTreeMap::new(),
        }
    }

    /// The pause between two messages of this kind for one profile.
    fn pause(&self, notice: &Notice) -> Duration {
        match notice.kind.as_str() {
            REMINDER if self.person.is_some() => REMINDED_OWN,
            REMINDER => REMINDED,
            STRANGER => NOTED,
            _ => Duration::ZERO,
        }
    }

    /// Tells what is due; answers how long nothing else will be, unless the bell rings.
    fn look(&mut self, store: &Store) -> Duration {
        let (open, mut waiting) = match &self.person {
            Some(person) => own(&store.home, person, Timestamp::now()),
            None => standing(store),
        };
        let now = Instant::now();
        if !self.stopped.is_told(waiting.iter().any(|notice| notice.kind == NO_BACKUP), now) {
            waiting.retain(|notice| notice.kind != NO_BACKUP);
        }
        let mut fresh: Vec<Notice> = waiting.iter().filter(|n| !self.sent.has(&n.id)).cloned().collect();
        fresh.retain(|notice| {
            let pause = self.pause(notice);
            let is_soon = |at: &Instant| now.saturating_duration_since(*at) < pause;
            !self.caused.get(&(notice.kind.clone(), notice.profile.clone())).is_some_and(is_soon)
        });
        if fresh.is_empty() {
            return BACKUPS;
        }
        // An alarm waits for no digest, but for a notifier that fails.
        let urgent = self.failures == 0 && fresh.iter().any(|notice| notice.kind == ALARM);
        let left = self.not_before.and_then(|at| at.checked_duration_since(now)).filter(|p| !p.is_zero());
        if !urgent && let Some(pause) = left {
            // A reminder waits for no digest either, and what else is new waits on.
            fresh.retain(|notice| notice.kind == REMINDER && self.failures == 0);
            if fresh.is_empty() {
                return pause.min(BACKUPS);
            }
        }
        let alone = fresh.iter().all(|notice| notice.kind == REMINDER);
        let notices = fresh.into_iter().map(|n| with_tokens(store, n)).collect();
        let waiting = waiting.iter().filter(|notice| notice.news().is_none()).count();
        let digest = Digest { notices, waiting, test: false, page: self.page.clone() };
        let pause = match self.notifier.send(&digest) {
            Ok(()) => {
                if self.failures > 0 {
                    let event = Event::NotifierWorks { notifier: self.notifier.name() };
                    store.tell(&event, &format!("notifier {} works again", self.notifier.name()));
                }
                self.failures = 0;
                let caused = digest.notices.iter().filter(|notice| !self.pause(notice).is_zero());
                let caused = caused.map(|notice| ((notice.kind.clone(), notice.profile.clone()), now));
                self.caused.extend(caused.collect::<Vec<_>>());
                let ids: Vec<ProposalId> = digest.notices.iter().map(|n| n.id.clone()).collect();
                if let Err(error) = self.sent.told(ids, &open) {
                    let event = Event::NotifierFailed { notifier: self.notifier.name() };
                    store.tell(&event, &format!("notifier {}: {error}", self.notifier.name()));
                }
                if alone && let Some(left) = left { left } else { self.digest }
            }
            Err(fault) => {
                self.failures = self.failures.saturating_add(1);
                // A ledger that cannot be written only makes the words come again.
                if self.sent.failed(&fault.0).unwrap_or(true) {
                    let event = Event::NotifierFailed { notifier: self.notifier.name() };
                    store.tell(
                        &event,
                        &format!(
                            "notifier {}: {fault}; it is tried again, and nothing waits for it",
                            self.notifier.name()
                        ),
                    );
                }
                FIRST_PAUSE.saturating_mul(1 << (self.failures - 1).min(12)).min(LONGEST_PAUSE)
            }
        };
        self.not_before = Instant::now().checked_add(pause);
        pause.min(BACKUPS)
    }
}

/// The proposals that are open, and those of them that wait for a person.
fn standing(store: &Store) -> (BTreeSet<ProposalId>, Vec<Notice>) {
    let times = Config::read(&store.home).ok().and_then(|config| config.backups).map(|backups| backups.times);
    let trouble = Outcomes::read(&store.home).trouble(times.as_ref(), Timestamp::now());
    let of_profiles = of_profiles(&store.home, Timestamp::now());
    let ledger = store.ledger();
    let open = ledger.tickets().filter(|t| !t.status().is_settled());
    let mut ids = BTreeSet::new();
    let mut waiting = vec![];
    for ticket in open {
        ids.insert(ticket.id().clone());
        if ticket.status() == Status::HumanReview {
            let kind = serde_json::to_value(ticket.proposal().kind).unwrap_or_default();
            waiting.push(Notice {
                id: ticket.id().clone(),
                kind: kind.as_str().unwrap_or("proposal").to_owned(),
                profile: ticket.taken().profile.clone(),
                tokens: None,
                recommendation: ticket.review().map_or("", |r| r.recommendation.as_str()).to_owned(),
                words: None,
            });
        }
    }
    for (log, alarm) in ledger.alarms().open() {
        // The machine shows what is wrong; this message says only that something is, and for which profile.
        let profile = match log {
            Log::Receipts(profile) | Log::Net(profile) => Some(profile.clone()),
            Log::Admin => "admin".parse().ok(),
        };
        ids.insert(alarm.id.clone());
        waiting.extend(profile.map(|profile| Notice {
            id: alarm.id.clone(),
            kind: ALARM.to_owned(),
            profile,
            tokens: None,
            recommendation: String::new(),
            words: None,
        }));
    }
    if let (Some(trouble), Ok(profile)) = (trouble, "admin".parse()) {
        let (kind, recommendation) = match trouble.kind {
            Kind::Failed => (BACKUP, "FAILED"),
            Kind::Stopped => (NO_BACKUP, "STOPPED"),
        };
        ids.insert(trouble.id.clone());
        waiting.push(Notice { id: trouble.id, ..Notice::about(kind, &profile, "", recommendation) });
    }
    let weeks = weeks(&store.home, ledger.schedules(), Timestamp::now());
    let told = over(ledger.schedules(), Timestamp::now()).into_iter().chain(of_profiles).chain(weeks);
    for notice in told {
        ids.insert(notice.id.clone());
        waiting.push(notice);
    }
    for case in ledger.cases().open() {
        ids.insert(case.id().clone());
        if case.waits_for().is_some() {
            waiting.push(Notice {
                id: case.id().clone(),
                kind: case.taken().proposal.kind.as_str().to_owned(),
                profile: case.taken().profile.clone(),
                // An action is not a skill: it holds no token.
                tokens: Some(TokenSet::default()),
                recommendation: case.judged().rule.clone(),
                words: None,
            });
        }
    }
    (ids, waiting)
}

/// The last run of each schedule, if it was over within a day: whose it was and how it ended, and nothing of what it said.
fn over(schedules: &Schedules, now: Timestamp) -> Vec<Notice> {
    let is_recent = |at: &str| at.parse::<Timestamp>().is_ok_and(|at| now.duration_since(at) < TOLD_LATE);
    let recent = schedules.last_over().filter(|(_, over)| is_recent(&over.at));
    let notice = |(profile, over): (&ProfileId, &Over)| {
        let outcome = match over.exit {
            Some(exit::DONE) => DONE,
            Some(exit::WAITS) => WAITS,
            _ => FAILED,
        };
        Notice::about(SCHEDULE, profile, &format!("{} {} {}", over.schedule, over.number, over.at), outcome)
    };
    recent.map(notice).collect()
}

/// The last digest of each profile's week, if the approver may have it: whose it is, and no count.
fn weeks(home: &Home, schedules: &Schedules, now: Timestamp) -> Vec<Notice> {
    let last =
        schedules.all_digests().filter_map(|(profile, digests)| Some((profile, digests.kept().last()?)));
    let open = last.filter(|(profile, last)| weekly::is_open(last, weekly::shown(home, profile), now));
    let notice = |(profile, last): (&ProfileId, &WeekDigest)| {
        Notice::about(WEEK, profile, &last.until.to_string(), "READY")
    };
    open.map(notice).collect()
}

/// Of each profile the last reminder that no chat told, and that an unknown account wrote today.
fn of_profiles(home: &Home, now: Timestamp) -> Vec<Notice> {
    let of = |profile: ProfileId| {
        let due =
            due::untold(home, &profile, now.as_second()).pop().filter(|_| !is_quiet(home, &profile, now));
        let reminder = due.map(|due| Notice::about(REMINDER, &profile, &due.second.to_string(), "DUE"));
        let day = due::stranger(home, &profile, now.as_second()).map(|second| second / DAY);
        let stranger = day.map(|day| Notice::about(STRANGER, &profile, &day.to_string(), ""));
        reminder.into_iter().chain(stranger)
    };
    home::profiles(home).unwrap_or_default().into_iter().flat_map(of).collect()
}

/// The reminders of a profile that no chat told, for its person alone: with their words where its file has them leave it.
fn own(home: &Home, person: &ProfileId, now: Timestamp) -> (BTreeSet<ProposalId>, Vec<Notice>) {
    let Ok(profile) = profiles::read(home, person) else { return Default::default() };
    let notice = |due: Untold| Notice {
        words: Some(due.words).filter(|words| profile.reminders.text && !words.is_empty()),
        ..Notice::about(REMINDER, person, &due.second.to_string(), "DUE")
    };
    let due = due::untold(home, person, now.as_second()).into_iter();
    let due: Vec<Notice> = due.filter(|_| !is_quiet(home, person, now)).map(notice).collect();
    (due.iter().map(|notice| notice.id.clone()).collect(), due)
}

/// Whether it is quiet for a profile, or was a moment ago, so that a chat may tell it first. A file with faults names no hours.
fn is_quiet(home: &Home, profile: &ProfileId, now: Timestamp) -> bool {
    let Ok(profile) = profiles::read(home, profile) else { return false };
    let now = now.to_zoned(profile.talk.zone(TimeZone::system));
    let before = now.checked_sub(SignedDuration::from_secs(due::PATIENCE));
    profile.talk.quiet_until(&now).is_some()
        || before.is_ok_and(|before| profile.talk.quiet_until(&before).is_some())
}

/// Of the report only the tokens that the program derived.
fn with_tokens(store: &Store, notice: Notice) -> Notice {
    let derived = || read_report(&store.home, &notice.id).ok().map(|report| report.derived);
    let tokens = notice.tokens.clone().or_else(derived);
    Notice { tokens, ..notice }
}

#[cfg(test)]
mod tests;
