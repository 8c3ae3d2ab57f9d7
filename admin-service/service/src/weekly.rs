//! The weekly digest for the approver: what the week of a child's or teenager's profile came to, as counts by kind.
//!
//! It counts what the journal and the receipts of the profile say, and never reads its memory or conversations. The person of the
//! profile is shown it first. The approver gets it once that was noted, or [`LATEST`] after it was made.

use std::io::Read;

use audit::evidence;
use base::config::times::Times;
use base::config::{Config, digest};
use base::error::Error;
use base::home::Home;
use base::log::Event;
use base::stop;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ledger::digests::{Asked, Calls, Counts, Digest, Digests};
use ledger::schedules::ScheduleEvent;
use ledger::{Ledger, ScheduleRecord, Store, mirror_over};
use receipts::files::segments;
use receipts::head::Log;
use receipts::walk::lines;
use receipts::{Files, Receipt, Status as CallStatus};
use review::weekly;
use review::words::Words;
use shared_types::exit;
use shared_types::id::ProfileId;
use shared_types::proposal::HistoryEntry;
use shared_types::scheduled::{DIGEST, MOST, Over};
use shared_types::status::Status;

/// The approver gets a digest so long after it was made at the latest.
pub const LATEST: SignedDuration = SignedDuration::from_hours(48);
/// No digest of a profile is made sooner after the one before, regardless of the configured times.
const LEAST: SignedDuration = SignedDuration::from_hours(6 * 24);
/// The most bytes of receipts that are read for a digest, the newest ones.
const MOST_READ: u64 = 64 << 20;
/// The largest file of the bot's that says what was shown, in bytes.
const LARGEST: u64 = 32;
/// Who withdraws what it asked for: the bot, not a person who decides.
const PROPOSER: &str = "proposer";

/// Begins and ends the counting where the configuration changed, and makes each digest that is due; answers when the next one is.
///
/// # Errors
/// A journal that takes no record.
pub fn look(store: &Store, config: &Config) -> Result<Option<Timestamp>, Error> {
    let home = &store.home;
    if stop::holds(home).is_some() {
        return Ok(None);
    }
    let listed = config.weekly_digest.as_ref();
    let counted: Vec<ProfileId> = {
        let ledger = store.ledger();
        let counted = ledger.schedules().all_digests().filter(|(_, digests)| digests.since().is_some());
        counted.map(|(profile, _)| profile.clone()).collect()
    };
    let fits = |profile: &ProfileId| digest::check(home, profile).is_ok();
    let is_listed = |profile: &ProfileId| listed.is_some_and(|listed| listed.profiles.contains(profile));
    for profile in counted {
        if !(is_listed(&profile) && fits(&profile)) {
            record(store, ScheduleEvent::DigestEnds { profile })?;
        }
    }
    let mut next: Option<Timestamp> = None;
    for profile in listed.map(|listed| listed.profiles.as_slice()).unwrap_or_default() {
        let Some(listed) = listed.filter(|_| fits(profile)) else { continue };
        let due = one(store, profile, &listed.times)?;
        next = [next, due].into_iter().flatten().min();
    }
    Ok(next)
}

/// Sees to one profile; answers when its next digest is due.
fn one(store: &Store, profile: &ProfileId, times: &Times) -> Result<Option<Timestamp>, Error> {
    let digests = store.ledger().schedules().digests(profile);
    let Some(since) = digests.since() else {
        record(store, ScheduleEvent::DigestBegins { profile: profile.clone() })?;
        return Ok(times.after(Timestamp::now()));
    };
    let Some(until) = due(&digests, since, times, Timestamp::now()) else {
        return Ok(times.after(Timestamp::now()));
    };
    let mut counts = of_journal(&store.ledger(), profile, (since, until));
    counts.calls = calls(&store.home, profile, (since, until));
    counts.runs = digests.runs();
    record(store, ScheduleEvent::DigestMade { profile: profile.clone(), until, counts })?;
    show(store, profile);
    store.tell(&Event::DigestMade { profile }, &format!("the weekly digest of {profile} is made"));
    Ok(times.after(Timestamp::now()))
}

/// The last time that came since the digest before; several that were missed are one digest.
fn due(digests: &Digests, since: Timestamp, times: &Times, now: Timestamp) -> Option<Timestamp> {
    let least = digests.kept().last().and_then(|last| last.until.checked_add(LEAST).ok());
    let due = times.due(least.map_or(since, |least| least.max(since)), now);
    due.now.or(due.missed.map(|(_, _, last)| last))
}

fn record(store: &Store, told: ScheduleEvent) -> Result<(), Error> {
    let name = DIGEST.parse().map_err(Error::failed)?;
    store.ledger().append(ScheduleRecord { name, told })
}

/// What the journal says of a profile's week.
fn of_journal(ledger: &Ledger, profile: &ProfileId, week: (Timestamp, Timestamp)) -> Counts {
    let mut counts = Counts::default();
    for ticket in ledger.tickets().filter(|ticket| ticket.taken().profile == *profile) {
        count(&mut counts.skills, ticket.history(), week);
    }
    for case in ledger.cases().all().filter(|case| case.taken().profile == *profile) {
        count(&mut counts.actions, case.history(), week);
    }
    counts
}

fn count(asked: &mut Asked, history: &[HistoryEntry], week: (Timestamp, Timestamp)) {
    let is_within = |step: &&HistoryEntry| within(&step.timestamp, week);
    asked.asked += u64::from(history.first().as_ref().is_some_and(is_within));
    let mut before = Status::New;
    for step in history {
        if is_within(&step) {
            match (before, step.status) {
                (Status::HumanReview, Status::Accepted) => asked.approved += 1,
                (_, Status::Rejected) if step.actor != PROPOSER => asked.refused += 1,
                _ => {}
            }
        }
        before = step.status;
    }
}

fn within(at: &str, (from, until): (Timestamp, Timestamp)) -> bool {
    at.parse::<Timestamp>().is_ok_and(|at| from <= at && at < until)
}

/// What the receipts of a profile say of its week. Whether the chain holds is the watch's business; a line that is not a receipt
/// counts nothing.
fn calls(home: &Home, profile: &ProfileId, week: (Timestamp, Timestamp)) -> Calls {
    match evidence::of(home, &Log::Receipts(profile.clone())) {
        Ok(Some(files)) => calls_in(&files, week),
        _ => Calls::default(),
    }
}

/// Counts the newest file first, until one has a receipt from before the week. One line is in memory at a time.
fn calls_in(files: &dyn Files, week: (Timestamp, Timestamp)) -> Calls {
    let (mut calls, mut left) = (Calls::default(), MOST_READ);
    for name in segments(files).unwrap_or_default().iter().rev() {
        let Ok(Some(file)) = files.open(name) else { continue };
        let mut is_older = false;
        let count = |line: &[u8]| {
            let Ok(receipt) = serde_json::from_slice::<Receipt>(line) else { return };
            is_older |= receipt.timestamp.parse::<Timestamp>().is_ok_and(|at| at < week.0);
            if within(&receipt.timestamp, week) {
                match receipt.status {
                    CallStatus::Allowed => calls.made += 1,
                    CallStatus::Denied => calls.denied += 1,
                    CallStatus::Failed => calls.failed += 1,
                }
            }
        };
        // What was read before a fault counts.
        left = left.saturating_sub(lines(file.take(left), count).unwrap_or_default());
        if is_older || left == 0 {
            break;
        }
    }
    calls
}

/// Writes what the runs of a profile's schedules, and its weeks, came to where its chat reads it.
pub(crate) fn show(store: &Store, profile: &ProfileId) {
    let ledger = store.ledger();
    let weeks = rows(&store.home, &ledger.schedules().digests(profile), profile);
    let written = weeks.and_then(|weeks| mirror_over(&store.home, ledger.schedules(), &weeks, profile));
    drop(ledger);
    if let Err(error) = written {
        store.tell(&Event::SchedulesFailed {}, &format!("schedules: {error}"));
    }
}

/// The last digests of a profile, as its chat is handed them.
fn rows(home: &Home, digests: &Digests, profile: &ProfileId) -> Result<Vec<Over>, Error> {
    let spoken = digest::check(home, profile).ok().flatten();
    let words = spoken.map_or_else(|| Words::of_home(home), |code| Words::of(&code));
    let kept = digests.kept();
    let row = |digest: &Digest| {
        let late = local(latest(digest)).strftime("%Y-%m-%d %H:%M").to_string();
        let (from, until) = days(digest);
        Ok(Over {
            schedule: DIGEST.parse().map_err(Error::failed)?,
            number: digest.number,
            at: digest.at.to_string(),
            exit: Some(exit::DONE),
            words: weekly::shown(words, (&from, &until), &late, &digest.counts),
            cut: false,
        })
    };
    kept[kept.len().saturating_sub(MOST)..].iter().map(row).collect()
}

/// The days on which the week of a digest begins and ends, on this machine's clock.
pub fn days(digest: &Digest) -> (String, String) {
    let day = |at: Timestamp| local(at).date().to_string();
    (day(digest.from), day(digest.until))
}

/// When the approver gets a digest at the latest.
pub fn latest(digest: &Digest) -> Timestamp {
    digest.at.checked_add(LATEST).unwrap_or(digest.at)
}

/// Up to which number the person of a profile was shown the digests, as the bot noted; 0 where it noted nothing that is a number.
pub fn shown(home: &Home, profile: &ProfileId) -> u64 {
    let text = home.shown(profile).file().ok().and_then(|file| file.text(LARGEST).ok());
    text.and_then(|text| text.trim().parse().ok()).unwrap_or_default()
}

/// Whether the approver may have a digest: its person was shown it, or had the time for it.
pub fn is_open(digest: &Digest, shown: u64, now: Timestamp) -> bool {
    digest.number <= shown || now >= latest(digest)
}

fn local(at: Timestamp) -> jiff::Zoned {
    at.to_zoned(TimeZone::system())
}

#[cfg(test)]
mod tests;
