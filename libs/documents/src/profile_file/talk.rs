//! How much a profile's person may talk: minutes and tokens a day, and quiet hours; and the account of what a day had.
//!
//! Times are those of one time zone, and moments are counted on its clock, so that a change of summer time ends no quiet hour
//! early or late.

use std::fmt::Display;
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, ToSpan, Zoned};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use shared_types::settings::Section;
use shared_types::text::cut;

/// The most quiet times of a profile.
const MOST_TIMES: usize = 8;
/// The minutes of a day.
const DAY: u16 = 24 * 60;
/// The longest silence that counts as talk, in seconds.
const PAUSE: i64 = 5 * 60;
/// What a line after a longer silence counts, in seconds.
const ALONE: i64 = 60;
/// With so much left the person hears of it, in seconds.
const SOON: i64 = 5 * 60;
/// The same for tokens: one part of this number.
const TENTH: u64 = 10;

/// How much a profile's person may talk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Talk {
    /// The minutes of a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes_a_day: Option<u64>,
    /// The tokens of a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_a_day: Option<u64>,
    /// When nobody is answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quiet_hours: Vec<Quiet>,
    /// The time zone of all of it; without it, that of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

/// A quiet time of each day, in minutes since midnight; one that ends before it begins crosses midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quiet {
    from: u16,
    until: u16,
}

impl Quiet {
    /// Reads `HH:MM-HH:MM`; `24:00` is the end of the day.
    fn parse(text: &str) -> Option<Quiet> {
        let minute = |text: &str| {
            let (hour, minute) = text.trim().split_once(':')?;
            let is_number = |part: &str, least| {
                (least..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
            };
            let (hour, minute): (u16, u16) = (is_number(hour, 1) && is_number(minute, 2))
                .then(|| hour.parse().ok().zip(minute.parse().ok()))??;
            let all = hour * 60 + minute;
            (minute < 60 && all <= DAY).then_some(all)
        };
        let (from, until) = text.split_once('-')?;
        let (from, until) = (minute(from)?, minute(until)?);
        (from < DAY && from != until % DAY).then_some(Quiet { from, until })
    }

    fn holds(self, minute: u16) -> bool {
        match self.from < self.until {
            true => (self.from..self.until).contains(&minute),
            false => minute >= self.from || minute < self.until,
        }
    }
}

impl Display for Quiet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Quiet { from, until } = self;
        write!(f, "{:02}:{:02}-{:02}:{:02}", from / 60, from % 60, until / 60, until % 60)
    }
}

/// A time zone by its name in the machine's database. UTC needs no database, and a small machine has none.
pub fn zone_named(name: &str) -> Option<TimeZone> {
    if name.eq_ignore_ascii_case("utc") { Some(TimeZone::UTC) } else { TimeZone::get(name).ok() }
}

impl Serialize for Quiet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Talk {
    /// Reads the section.
    pub(super) fn read(section: &mut Section) -> Talk {
        let quiet_hours = quiet_hours(section);
        let time_zone = section.text("time_zone");
        if let Some(name) = time_zone.as_deref().filter(|name| zone_named(name).is_none()) {
            let why = format!(
                "{:?} is not a time zone of this machine; allowed: names of its database, as in Europe/Berlin",
                cut(name, 60)
            );
            section.fault("time_zone", why);
        }
        let number = |key| section.optional_number(key);
        Talk {
            minutes_a_day: number("minutes_a_day"),
            tokens_a_day: number("tokens_a_day"),
            quiet_hours,
            time_zone,
        }
    }

    /// Whether nothing is limited.
    pub fn is_unsaid(&self) -> bool {
        *self == Talk::default()
    }

    /// Whether an account is kept.
    pub fn counts(&self) -> bool {
        self.minutes_a_day.is_some() || self.tokens_a_day.is_some()
    }

    /// The time zone of the section; without one, the machine's.
    pub fn zone(&self, machine: impl FnOnce() -> TimeZone) -> TimeZone {
        let named = self.time_zone.as_deref().and_then(zone_named);
        named.unwrap_or_else(machine)
    }

    /// The end of the quiet time that holds at a moment: the first minute at which none does.
    pub fn quiet_until(&self, now: &Zoned) -> Option<Zoned> {
        if !self.is_quiet(now) {
            return None;
        }
        let mut at = minute_of(now);
        for _ in 0..=2 * DAY {
            at = at.checked_add(1.minute()).ok()?;
            if !self.is_quiet(&at) {
                break;
            }
        }
        Some(at)
    }

    /// The beginning of the next quiet time, where that is at most five minutes away.
    pub fn quiet_soon(&self, now: &Zoned) -> Option<Zoned> {
        let minute = minute_of(now);
        let mut ahead = (1..=SOON / 60).filter_map(|minutes| minute.checked_add(minutes.minutes()).ok());
        if self.is_quiet(now) { None } else { ahead.find(|at| self.is_quiet(at)) }
    }

    /// When a person is answered again, who is not before a moment.
    pub fn again(&self, from: &Zoned) -> Zoned {
        self.quiet_until(from).unwrap_or_else(|| from.clone())
    }

    fn is_quiet(&self, at: &Zoned) -> bool {
        let minute = u16::from(at.hour().unsigned_abs()) * 60 + u16::from(at.minute().unsigned_abs());
        self.quiet_hours.iter().any(|quiet| quiet.holds(minute))
    }

    /// What is left of a day that had so much.
    pub fn left(&self, spent: &Spent) -> Left {
        let seconds = self.minutes_a_day.map(|minutes| minutes.cast_signed() * 60 - spent.seconds);
        Left {
            seconds: seconds.map(|seconds| seconds.max(0)),
            tokens: self.tokens_a_day.map(|tokens| tokens.saturating_sub(spent.tokens)),
        }
    }

    /// Of which budget so little is left that the person hears of it; each once a day.
    pub fn nearly_over(&self, spent: &mut Spent) -> NearlyOver {
        let left = self.left(spent);
        let minutes = left.seconds.filter(|left| *left <= SOON && !spent.told_minutes);
        let tokens = left
            .tokens
            .filter(|left| *left <= self.tokens_a_day.unwrap_or_default() / TENTH && !spent.told_tokens);
        spent.told_minutes |= minutes.is_some();
        spent.told_tokens |= tokens.is_some();
        NearlyOver {
            minutes: minutes.map(|left| left.cast_unsigned().div_ceil(60)),
            tokens: tokens.is_some(),
        }
    }
}

/// What is left of a day's budgets, of those that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Seconds of talk.
    pub seconds: Option<i64>,
    pub tokens: Option<u64>,
}

/// The budgets of which little is left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NearlyOver {
    /// The minutes of talk that are left.
    pub minutes: Option<u64>,
    /// Whether it is the tokens.
    pub tokens: bool,
}

/// What a profile's day had, as one small file holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// The day, as in `2026-11-30`.
    day: String,
    /// When the talk was last, in seconds since 1970.
    last: i64,
    /// Seconds of talk.
    seconds: i64,
    /// Tokens of models.
    tokens: u64,
    /// Whether the person heard that few minutes are left.
    #[serde(default)]
    told_minutes: bool,
    /// The same of tokens.
    #[serde(default)]
    told_tokens: bool,
}

impl Spent {
    /// The most that is read of a file, in bytes.
    pub const MOST: u64 = 1024;

    /// Reads a file; nothing where the text is invalid.
    pub fn read(text: &str) -> Option<Spent> {
        let spent: Spent = serde_json::from_slice(text.as_bytes()).ok()?;
        let fits = spent.day.parse::<Date>().is_ok() && spent.seconds >= 0;
        fits.then_some(spent)
    }

    /// The text of a file.
    pub fn written(&self) -> String {
        serde_json::json!(self).to_string() + "\n"
    }

    /// The account as it stands at a moment: that of a new day is empty. A clock that was set back begins no day again; one that was
    /// far ahead once costs at most the day after the one that it shows.
    pub fn at(self, now: &Zoned) -> Spent {
        let today = now.date();
        let last = self.last;
        match self.day.parse::<Date>() {
            Ok(day) if day >= today => {
                let latest = today.tomorrow().unwrap_or(today);
                Spent { day: day.min(latest).to_string(), ..self }
            }
            _ => Spent { day: today.to_string(), last, ..Spent::default() },
        }
    }

    /// When the account's day is over.
    pub fn over(&self, now: &Zoned) -> Zoned {
        let day = self.day.parse::<Date>().unwrap_or_else(|_| now.date());
        let next = day.tomorrow().and_then(|next| next.to_zoned(now.time_zone().clone()));
        next.unwrap_or_else(|_| now.clone())
    }

    /// Counts a line that is said now: the time since the last one, or a minute after a pause.
    pub fn line(&mut self, now: &Zoned) {
        self.add(now, ALONE);
    }

    /// Counts the end of an answer that took so long.
    pub fn answer(&mut self, now: &Zoned, took: Duration) {
        self.add(now, i64::try_from(took.as_secs()).unwrap_or(PAUSE));
    }

    /// Counts tokens.
    pub fn tokens(&mut self, more: u64) {
        self.tokens = self.tokens.saturating_add(more);
    }

    fn add(&mut self, now: &Zoned, alone: i64) {
        let now = now.timestamp().as_second();
        let since = now.saturating_sub(self.last);
        let counted = if (0..=PAUSE).contains(&since) { since } else { alone };
        self.seconds = self.seconds.saturating_add(counted);
        self.last = now;
    }
}

/// The beginning of the minute of a moment.
fn minute_of(now: &Zoned) -> Zoned {
    let over = SignedDuration::from_secs(now.timestamp().as_second().rem_euclid(60));
    let nanos = SignedDuration::from_nanos(now.subsec_nanosecond().into());
    now.checked_sub(over + nanos).unwrap_or_else(|_| now.clone())
}

/// The quiet times, one or a list.
fn quiet_hours(section: &mut Section) -> Vec<Quiet> {
    let listed = match section.value("quiet_hours").clone() {
        Value::Null => return vec![],
        Value::Array(listed) => listed,
        one => vec![one],
    };
    if listed.len() > MOST_TIMES {
        section.fault("quiet_hours", format!("at most {MOST_TIMES} times are allowed"));
    }
    let mut times = vec![];
    for one in listed {
        let text = one.as_str().map_or_else(|| one.to_string(), str::to_owned);
        match Quiet::parse(&text) {
            Some(quiet) => times.push(quiet),
            None => {
                let why = format!(
                    "{:?} is not a time; allowed: \"HH:MM-HH:MM\" from 00:00 to 24:00 with two different ends, as in \"21:00-07:00\"",
                    cut(&text, 40)
                );
                section.fault("quiet_hours", why);
            }
        }
    }
    let is_quiet = |minute| times.iter().any(|quiet: &Quiet| quiet.holds(minute));
    if (0..DAY).all(is_quiet) {
        section.fault("quiet_hours", "the whole day is quiet; allowed: times that leave at least a minute");
    }
    times
}

#[cfg(test)]
mod tests;
