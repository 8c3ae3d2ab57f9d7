//! When a schedule is due.
//!
//! An expression speaks of the clock on the wall. Each time on that clock counts once: one that the clock leaps over in spring
//! comes as much later as the leap is long, and one that comes twice in autumn counts the first time.

use cronexpr::{Crontab, FallbackTimezoneOption, MakeTimestamp, ParseOptions, parse_crontab_with};
use documents::profile_file::talk::zone_named;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use shared_types::id::{Digest, WorkflowName};

/// How late a run may begin and still be on time, in seconds: a long run before it, or a machine that slept for a moment.
pub const GRACE: i64 = 15 * 60;
/// How many missed times are counted at most.
const MOST: usize = 10_000;

/// The times of one schedule.
#[derive(Debug, Clone)]
pub struct Times {
    /// The expression on a clock without a zone.
    wall: Crontab,
    zone: TimeZone,
    jitter: u64,
    name: String,
    /// What was written, for telling a change.
    written: String,
}

/// What is due at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Due {
    /// The time that is on time now.
    pub now: Option<Timestamp>,
    /// Times that are over: how many, the first and the last.
    pub missed: Option<(usize, Timestamp, Timestamp)>,
    /// When something is due next.
    pub next: Option<Timestamp>,
}

/// An expression on a clock without a zone. The zone is not written into the expression: its name would be looked up in the
/// time zones of the machine, and a small machine has none.
fn wall(cron: &str) -> Result<Crontab, cronexpr::Error> {
    let mut options = ParseOptions::default();
    options.fallback_timezone_option = FallbackTimezoneOption::UTC;
    parse_crontab_with(cron, options)
}

fn unknown_zone(zone: &str) -> String {
    if jiff::tz::db().is_definitively_empty() {
        format!(
            "`{zone}` is unknown, since this machine has no time zones but UTC: install the package tzdata"
        )
    } else {
        format!("`{zone}` is not a time zone; allowed: names as UTC, Europe/Berlin or America/New_York")
    }
}

impl Times {
    /// Reads an expression of five fields in a time zone.
    ///
    /// # Errors
    /// The key at fault, and what is allowed.
    pub fn new(
        name: &WorkflowName,
        cron: &str,
        zone: &str,
        jitter: u64,
    ) -> Result<Times, (&'static str, String)> {
        let cron = cron.split_whitespace().collect::<Vec<_>>().join(" ");
        let fields = cron.split(' ').count();
        if fields != 5 {
            let why = format!(
                "has {fields} field(s) where 5 are needed: minute, hour, day, month, day of the week, as in \"0 7 * * 1-5\""
            );
            return Err(("cron", why));
        }
        let wall = wall(&cron).map_err(|e| {
            let why = e.to_string();
            let first = why.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
            ("cron", format!("`{cron}` is not an expression of time: {}", first.trim()))
        })?;
        let zone_of = zone_named(zone).ok_or_else(|| ("zone", unknown_zone(zone)))?;
        let written = format!("{cron} {zone}");
        let times = Times { wall, zone: zone_of, jitter, name: name.to_string(), written };
        match times.after(Timestamp::now()) {
            Some(_) => Ok(times),
            None => Err(("cron", format!("`{cron}` never comes within four years"))),
        }
    }

    /// Once a week, on a day counted from Sunday; nothing for a day or time that does not exist.
    pub(super) fn weekly(day: usize, hour: u8, minute: u8, zone: TimeZone) -> Option<Times> {
        let cron = format!("{minute} {hour} * * {day}");
        let wall = wall(&cron).ok()?;
        let written = format!("{cron} {}", zone.iana_name().unwrap_or("the machine's zone"));
        Some(Times { wall, zone, jitter: 0, name: String::new(), written })
    }

    /// The expression and the zone as they were written.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The expression alone, without the zone.
    pub fn cron(&self) -> &str {
        self.written.rsplit_once(' ').map_or(&self.written, |(cron, _)| cron)
    }

    /// The time zone.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The first time after a moment, without jitter.
    pub fn after(&self, moment: Timestamp) -> Option<Timestamp> {
        // The wall clock, read as if it were UTC; a moment before, since it may have been set back.
        let civil = moment.to_zoned(self.zone.clone()).datetime();
        let mut wall = civil.to_zoned(TimeZone::UTC).ok()?.timestamp();
        // In the hours around a leap several readings of the wall clock are at or before the moment.
        for _ in 0..200 {
            let next = self.wall.find_next(MakeTimestamp(wall)).ok()?;
            let real = next.datetime().to_zoned(self.zone.clone()).ok()?.timestamp();
            if real > moment {
                return Some(real);
            }
            wall = next.timestamp();
        }
        None
    }

    /// How much later than its time a run begins, in seconds: the same for the same time on every machine.
    pub fn jitter(&self, time: Timestamp) -> i64 {
        if self.jitter == 0 {
            return 0;
        }
        let digest = Digest::of(format!("{} {}", self.name, time.as_second()).as_bytes());
        let number = u64::from_str_radix(&digest.to_string()[..12], 16).unwrap_or(0);
        i64::try_from(number % (self.jitter + 1)).unwrap_or(0)
    }

    fn begins(&self, time: Timestamp) -> Timestamp {
        Timestamp::from_second(time.as_second() + self.jitter(time)).unwrap_or(time)
    }

    /// What is due now, when everything up to `base` has been seen to.
    pub fn due(&self, base: Timestamp, now: Timestamp) -> Due {
        let mut due = Due::default();
        let mut over: Vec<Timestamp> = Vec::new();
        let mut at = base;
        for _ in 0..MOST {
            let Some(time) = self.after(at) else { break };
            let begins = self.begins(time);
            if begins > now {
                due.next = Some(begins);
                break;
            }
            over.push(time);
            at = time;
        }
        if due.next.is_none() {
            due.next = self.after(now).map(|time| self.begins(time));
        }
        if let Some(last) = over.last().copied()
            && now.as_second() - self.begins(last).as_second() <= GRACE
        {
            due.now = Some(last);
            over.pop();
        }
        due.missed = over.first().map(|first| (over.len(), *first, *over.last().unwrap_or(first)));
        due
    }
}

#[cfg(test)]
mod tests;
