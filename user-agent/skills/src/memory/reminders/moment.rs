//! When somebody is to be reminded, as people write it: `at 6pm`, `in ten minutes`, `every Monday`, `morgen um 18 Uhr`.

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan, Zoned};

use crate::when;

/// The time of day where a line names a day alone.
const MORNING: i8 = 9;
/// The hours that are those of the afternoon where a line does not say which half of the day it means.
const NIGHT: std::ops::RangeInclusive<i8> = 0..=5;
/// From which hour on a part of the day is a night.
const LATE: i8 = 22;
/// The most words of a moment.
const MOST_WORDS: usize = 12;
/// The shortest time after which something comes again, in minutes.
const SHORTEST: i64 = 5;
/// The most weeks or months after which something comes again.
const RAREST: i8 = 24;
/// The day of a month, and the bit of a week, of something that comes again on the day on which it is said.
const OF_TODAY: i8 = -1;
const THIS_DAY: u8 = 1 << 7;
/// All days of the week, as bits: with a number, after so many days.
pub(super) const DAILY: u8 = 127;
/// Where days of a month begin that are not a number: `the first Monday`. Five times the days of the week follow, the last ones at the
/// end.
pub(super) const NAMED: i8 = 32;
const LAST: i8 = 4;
/// The longest span, in minutes: ten years.
const LONGEST: i64 = 10 * 366 * 24 * 60;

/// A moment, as far as words name it.
#[derive(Debug, Clone, Default)]
pub(super) struct Moment {
    /// So long from now.
    span: Option<Span>,
    /// Every given number of minutes.
    minutes: i64,
    /// The days of the week on which it comes again, as bits; 1 is Monday, [`THIS_DAY`] where none is named.
    week: u8,
    /// The day of each month on which it comes again; 0 where it comes in none, [`OF_TODAY`] where none is named.
    month: i8,
    /// After how many of these weeks or months; 0 where that is not named.
    every: i8,
    day: Option<Date>,
    /// The time of day, and whether it is known in which half of the day that is.
    time: Option<(Time, bool)>,
}

/// When a reminder comes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// On these days of the week, as bits, at this time, in each week or after so many of them; [`DAILY`], after so many days.
    Week(u8, Time, i8),
    /// On this day of each month, or on its last one where it does not have this day, at this time; or after so many months. From
    /// [`NAMED`] on, on a first or last day of the week.
    Month(i8, Time, i8),
    /// After this number of minutes.
    Minutes(i64),
}

impl Again {
    /// As it is written to the file: `31 08:00`, `m15 08:00`, `m15/2 08:00` for every second month, `90`.
    pub(super) fn written(self) -> String {
        let of = |days: String, time: Time, every: i8| {
            let every = if every > 1 { format!("/{every}") } else { String::new() };
            format!("{days}{every} {:02}:{:02}", time.hour(), time.minute())
        };
        match self {
            Again::Week(days, time, every) => of(days.to_string(), time, every),
            Again::Month(day, time, every) => of(format!("m{day}"), time, every),
            Again::Minutes(minutes) => minutes.to_string(),
        }
    }

    /// The same in each week or month.
    fn each(self) -> Again {
        match self {
            Again::Week(days, time, _) => Again::Week(days, time, 1),
            Again::Month(day, time, _) => Again::Month(day, time, 1),
            Again::Minutes(_) => self,
        }
    }

    /// Reads what [`Again::written`] wrote.
    pub(super) fn read(text: &str) -> Option<Again> {
        match text.split_once(' ') {
            Some((days, time)) => {
                let time = time.parse().ok()?;
                let (days, every) = match days.split_once('/') {
                    Some((days, every)) => {
                        (days, every.parse().ok().filter(|every| (2..=RAREST).contains(every))?)
                    }
                    None => (days, 1),
                };
                if let Some(day) = days.strip_prefix('m') {
                    let named = || day.parse().ok().filter(|day| weekday_of(*day).is_some());
                    return Some(Again::Month(day_of_month(day).or_else(named)?, time, every));
                }
                let days = days.parse().ok().filter(|days| (1..=127).contains(days))?;
                Some(Again::Week(days, time, every))
            }
            None => {
                text.parse().ok().filter(|minutes| (SHORTEST..=LONGEST).contains(minutes)).map(Again::Minutes)
            }
        }
    }

    /// The first time after the one that was announced, and after now. An announced time that is far ahead comes from a clock
    /// that was wrong.
    pub(super) fn next(self, told: &Zoned, now: &Zoned) -> Option<Zoned> {
        let tomorrow = now.checked_add(1.day()).ok()?;
        let base = if *told > tomorrow { tomorrow } else { told.clone() };
        let from = base.clone().max(now.clone());
        let at = |date: Date, time| date.to_datetime(time).to_zoned(now.time_zone().clone()).ok();
        match self {
            Again::Minutes(minutes) => now.checked_add(minutes.minutes()).ok(),
            Again::Week(days, time, every) => {
                let monday =
                    base.date().checked_sub(base.date().weekday().to_monday_zero_offset().days()).ok()?;
                let on = |ahead: i64| from.date().checked_add(ahead.days()).ok();
                let is_its_week = |date: &Date| match days {
                    DAILY => (*date - base.date()).get_days() % i32::from(every) == 0,
                    _ => (*date - monday).get_days() / 7 % i32::from(every) == 0,
                };
                let fits = |date: &Date| days & bit(date.weekday()) != 0 && is_its_week(date);
                (0..=7 * i64::from(every))
                    .filter_map(on)
                    .filter(fits)
                    .filter_map(|date| at(date, time))
                    .find(|then| *then > from)
            }
            Again::Month(day, time, every) => {
                let months = |date: Date| i32::from(date.year()) * 12 + i32::from(date.month());
                let is_its_month =
                    |date: &Date| (months(*date) - months(base.date())) % i32::from(every) == 0;
                let on = |ahead: i64| {
                    let first = from.date().first_of_month().checked_add(ahead.months()).ok()?;
                    if let Some((nth, weekday)) = weekday_of(day) {
                        let nth = if nth == LAST { -1 } else { nth + 1 };
                        return first.nth_weekday_of_month(nth, weekday).ok();
                    }
                    first.with().day(day.min(first.days_in_month())).build().ok()
                };
                let dates = (0..=i64::from(every)).filter_map(on).filter(is_its_month);
                dates.filter_map(|date| at(date, time)).find(|then| *then > from)
            }
        }
    }
}

/// Which one of its month a day is, from 0, and its day of the week, where it is not a number.
pub(super) fn weekday_of(day: i8) -> Option<(i8, Weekday)> {
    let at = day.checked_sub(NAMED).filter(|at| (0..=LAST * 7 + 6).contains(at))?;
    Some((at / 7, Weekday::from_monday_zero_offset(at % 7).ok()?))
}

/// A day that some month has.
fn day_of_month(day: &str) -> Option<i8> {
    day.parse().ok().filter(|day| (1..=31).contains(day))
}

/// The bit of a day of the week.
fn bit(day: Weekday) -> u8 {
    1 << day.to_monday_zero_offset()
}

/// Why a moment is not one for a reminder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    /// It names no moment.
    Unknown,
    /// It is over.
    Past,
}

impl Moment {
    /// Two that say different things, as one.
    fn with(self, other: Moment) -> Option<Moment> {
        let is_whole = |moment: &Moment| moment.span.is_some() || moment.minutes > 0;
        let is_day = |moment: &Moment| moment.comes_again() || moment.day.is_some();
        let clashes = is_whole(&self) || is_whole(&other) || is_day(&self) && is_day(&other);
        (!clashes && (self.time.is_none() || other.time.is_none())).then_some(Moment {
            week: self.week | other.week,
            month: if self.month == 0 { other.month } else { self.month },
            every: self.every.max(other.every),
            day: self.day.or(other.day),
            time: self.time.or(other.time),
            ..Moment::default()
        })
    }

    /// Whether it comes again on days of a week or of a month.
    pub(super) fn comes_again(&self) -> bool {
        self.week > 0 || self.month != 0
    }

    /// Whether it comes again, and no word names the day.
    fn is_of_today(&self) -> bool {
        self.week == THIS_DAY || self.month == OF_TODAY
    }

    /// When that is first, and again; `kept` is the day that stays where the words name none.
    ///
    /// # Errors
    /// A moment that is over, or that no calendar has.
    pub(super) fn from(self, now: &Zoned, kept: Option<Date>) -> Result<(Zoned, Option<Again>), Unfit> {
        let zone = |date: Date, time: Time| {
            date.to_datetime(time).to_zoned(now.time_zone().clone()).map_err(|_| Unfit::Unknown)
        };
        if let Some(span) = self.span {
            let then = now.checked_add(span).map_err(|_| Unfit::Unknown)?;
            return if then > *now { Ok((then, None)) } else { Err(Unfit::Past) };
        }
        if self.minutes > 0 {
            let then = now.checked_add(self.minutes.minutes()).map_err(|_| Unfit::Unknown)?;
            return Ok((then, Some(Again::Minutes(self.minutes))));
        }
        let morning = Time::new(MORNING, 0, 0, 0).map_err(|_| Unfit::Unknown)?;
        // `at 4` is in the afternoon: few are up at the other.
        let (time, is_sure) = match self.time.unwrap_or((morning, true)) {
            (time, false) if NIGHT.contains(&time.hour()) => (time.wrapping_add(12.hours()), true),
            known => known,
        };
        let (is_of_today, every) = (self.is_of_today(), self.every.max(1));
        let again = match (self.week, self.month) {
            (0, 0) => None,
            (0, OF_TODAY) => Some(Again::Month(now.day(), time, every)),
            (0, day) => Some(Again::Month(day, time, every)),
            (THIS_DAY, _) => Some(Again::Week(bit(now.weekday()), time, every)),
            (days, _) => Some(Again::Week(days, time, every)),
        };
        if let Some(again) = again {
            // What comes in every second week stays in its week, and begins with the next of its days.
            let stays =
                kept.filter(|_| every > 1).and_then(|day| zone(day, time).ok()).filter(|then| then > now);
            let first = || if is_of_today { again } else { again.each() }.next(now, now);
            return Ok((stays.or_else(first).ok_or(Unfit::Unknown)?, Some(again)));
        }
        // `at 6` is the next of both.
        let other = (!is_sure && (1..12).contains(&time.hour())).then(|| time.wrapping_add(12.hours()));
        if let Some(day) = self.day.or(kept.filter(|day| *day > now.date())) {
            let times = [Some(time), other.filter(|_| day == now.date())];
            let found =
                times.into_iter().flatten().filter_map(|time| zone(day, time).ok()).find(|then| then > now);
            return found.map(|then| (then, None)).ok_or(Unfit::Past);
        }
        let tomorrow = now.date().tomorrow().map_err(|_| Unfit::Unknown)?;
        let all = [(now.date(), Some(time)), (now.date(), other), (tomorrow, Some(time))];
        let all = all.into_iter().filter_map(|(date, time)| zone(date, time?).ok());
        all.into_iter().find(|then| then > now).map(|then| (then, None)).ok_or(Unfit::Past)
    }

    /// The time of day, where the words name nothing else.
    pub(super) fn clock(&self) -> Option<(Time, bool)> {
        self.time
            .filter(|_| self.day.is_none() && !self.comes_again() && self.span.is_none() && self.minutes == 0)
    }

    /// Whether the words name the time of day, or so long from now.
    pub(super) fn has_time(&self) -> bool {
        self.time.is_some() || self.span.is_some() || self.minutes > 0
    }

    /// Whether it is so long from now; then that is counted from another moment, where there is one.
    pub(super) fn counted_from(&self, from: &Zoned) -> Option<Zoned> {
        from.checked_add(self.span?).ok()
    }

    /// The day on which it is alone, or the days on which it comes again, so many days on; the time stays out of it.
    pub(super) fn days_on(&self, span: Span) -> Option<Moment> {
        if let Some(day) = self.day {
            return Some(Moment { day: day.checked_add(span).ok(), ..Moment::default() });
        }
        let is_days = span.get_months() == 0 && span.get_years() == 0 && self.every <= 1;
        if !is_days || self.week == 0 || self.week >= DAILY {
            return None;
        }
        let days = span.get_days().rem_euclid(7);
        let week = u16::from(self.week) << days;
        let week = u8::try_from((week | week >> 7) & u16::from(DAILY)).ok()?;
        Some(Moment { week, ..Moment::default() })
    }

    /// So many minutes on from a time of day.
    pub(super) fn minutes_on(&self, minutes: i64) -> Option<Moment> {
        let time = self.of_day()?;
        let Some(day) = self.day else {
            let (moved, days) = (time.wrapping_add(minutes.minutes()), minutes / (24 * 60));
            let is_wrapped = days != 0 || (moved < time) != (minutes < 0);
            return (!is_wrapped && self.every <= 1)
                .then(|| Moment { time: Some((moved, true)), ..self.clone() });
        };
        let then = day.to_datetime(time).checked_add(minutes.minutes()).ok()?;
        Some(Moment { day: Some(then.date()), time: Some((then.time(), true)), ..Moment::default() })
    }

    /// The time of day, where one is named.
    pub(super) fn time(&self) -> Option<(Time, bool)> {
        self.time
    }

    /// At that time of day, where one is named.
    pub(super) fn at(self, time: Option<(Time, bool)>) -> Moment {
        Moment { time, ..self }
    }

    /// On that day.
    pub(super) fn on(self, day: Date) -> Moment {
        Moment { day: Some(day), ..self }
    }

    /// The time of day as it is meant: `at 4` is in the afternoon.
    fn of_day(&self) -> Option<Time> {
        let (time, is_sure) = self.time?;
        Some(if !is_sure && NIGHT.contains(&time.hour()) { time.wrapping_add(12.hours()) } else { time })
    }

    /// The moment of a reminder that is set: its day and time, or when it comes again.
    pub(super) fn of(due: &Zoned, again: Option<Again>) -> Moment {
        let alone = Moment { time: Some((due.time(), true)), ..Moment::default() };
        match again {
            Some(Again::Week(week, _, every)) => Moment { week, every, ..alone },
            _ => Moment { day: Some(due.date()), ..alone },
        }
    }

    /// In the place of another moment: of `7`, which may be both, the half of the day that is nearer to it, and its time of day where
    /// the words name none.
    pub(super) fn in_place_of(self, due: &Zoned, now: &Zoned) -> Moment {
        let week = if self.week == THIS_DAY { bit(due.weekday()) } else { self.week };
        let month = if self.month == OF_TODAY { due.day() } else { self.month };
        Moment { week, month, ..self }.near_time_of(due, now)
    }

    fn near_time_of(self, due: &Zoned, now: &Zoned) -> Moment {
        let Some((time, false)) = self.time else {
            let time = self.time.or_else(|| (!self.has_time()).then_some((due.time(), true)));
            return Moment { time, ..self };
        };
        let minutes = |time: Time| i64::from(time.hour()) * 60 + i64::from(time.minute());
        let far = |time: Time| (minutes(time) - minutes(due.time())).abs();
        let other = if time.hour() < 12 { time.wrapping_add(12.hours()) } else { time };
        // Of two that are as near, the one at which people are up.
        let is_nearer = far(other) < far(time) || far(other) == far(time) && NIGHT.contains(&time.hour());
        let nearer = if is_nearer { other } else { time };
        // What is over today leaves the other one.
        let is_over = self.day.is_none_or(|day| day == now.date())
            && !self.comes_again()
            && due.date() == now.date()
            && nearer <= now.time();
        Moment { time: Some((nearer, !is_over)), ..self }
    }

    /// The same for somebody who is to be woken: `at 6` is in the morning.
    pub(super) fn waking(self) -> Moment {
        let sure = |(time, is_sure): (Time, bool)| (time, is_sure || (4..12).contains(&time.hour()));
        Moment { time: self.time.map(sure), ..self }
    }

    /// The moment for a reminder that comes again already, where the words name a time of day alone.
    pub(super) fn on_days_of(self, again: Option<Again>) -> Moment {
        let is_time = self.day.is_none() && self.span.is_none() && self.minutes == 0;
        match again {
            _ if !is_time || self.comes_again() => self,
            Some(Again::Week(week, _, every)) => Moment { week, every, ..self },
            Some(Again::Month(month, _, every)) => Moment { month, every, ..self },
            _ => self,
        }
    }
}

/// The moment that stands at the beginning or the end of a text, and the text without it. `counts` is for a timer: a span needs no
/// word before it.
pub(super) fn find(text: &str, today: Date, counts: bool) -> Option<(Moment, String)> {
    // `an hour` is a span, and `an die Pizza` what it is about.
    let text = if counts { text } else { bare(text) };
    let typed: Vec<&str> = text.split_whitespace().collect();
    let words: Vec<String> = typed.iter().map(|word| norm(word)).collect();
    let count = words.len();
    let most = count.min(MOST_WORDS);
    // What begins behind a moment is not a part of it: `in an hour about the`.
    let goes_on = |word: &String| {
        matches!(language::moment(word), Some("at" | "by" | "on" | "to" | "for" | "in"))
            && !matches!(language::span(word), Some("am" | "pm"))
    };
    // `on the 1st and 15th` is not the 1st alone.
    let has_more = |n: usize| words.get(n).is_some_and(|word| language::moment(word) == Some("and"));
    let ends = (1..=most).rev().filter(|n| !goes_on(&words[n - 1]) && !has_more(*n));
    // `every month on the 1st and 15th` is not on the day of today, and `every second Monday of the month` is not every other one.
    let is_cut = |n: usize, moment: &Moment| {
        let is_of_month = |word: &String| language::moment(word) == Some("month");
        // `on the last | working day of the month`
        let is_of_other = moment.day.is_some() && number(&words[n - 1]).is_some();
        moment.is_of_today() && words.get(n).is_some_and(|word| is_at(word))
            || moment.every > 1 && words[n..].iter().take(3).any(is_of_month)
            || is_of_other && words[n..].iter().take(5).any(is_of_month)
    };
    let is_whole = |n: usize, moment: &Moment| !is_cut(n, moment) && !is_cut_off(&words, n, moment);
    let whole = |n: usize| read(&words[..n], today, counts).filter(|moment| is_whole(n, moment));
    let before = ends.into_iter().find_map(|n| Some((n, whole(n)?)));
    let left = count - before.as_ref().map_or(0, |(n, _)| *n);
    let behind = (1..=most.min(left)).rev().find_map(|n| {
        let (others, words) = words.split_at(count - n);
        let moment = read(words, today, counts)?;
        // In `buy a tree for Christmas` the day is not a moment.
        let is_day = moment.time.is_none() && !moment.comes_again() && moment.day.is_some();
        let is_part = is_day && !is_day_alone(others.last(), words);
        (!is_part && !has_verb(others.last(), words)).then_some((n, moment))
    });
    let (moment, from, until) = match (before, behind) {
        (None, None) => return None,
        (Some((n, moment)), None) => (moment, n, count),
        (None, Some((n, moment))) => (moment, 0, count - n),
        (Some((n, one)), Some((m, other))) => match one.clone().with(other) {
            Some(both) => (both, n, count - m),
            None => (one, n, count),
        },
    };
    Some((moment, bare(&typed[from..until].join(" ")).to_owned()))
}

/// Whether the verb of a sentence stands before a moment, and more of it than that: `is coming | at 11:15`.
fn has_verb(before: Option<&String>, words: &[String]) -> bool {
    let is_empty = |word: &String| language::span(word) == Some("") && !is_at(word);
    let is_verb = |word: &String| {
        !is_at(word) && language::Language::all().any(|language| language.statements().links.contains(word))
    };
    let from = usize::from(is_verb(&words[0]));
    let has_before = from > 0 || before.is_some_and(is_verb);
    has_before && words.len() > from + 1 && is_empty(&words[from]) && is_at(&words[from + 1])
}

/// The moment that a text begins with without a word that stands before one: `for quarter past 5`, `for the 15th at noon: ...`.
pub(super) fn named(text: &str, today: Date) -> Option<(Moment, String)> {
    let is_for =
        text.split_whitespace().next().is_some_and(|word| language::moment(&norm(word)) == Some("for"));
    let find = |text: String| find(&text, today, false);
    is_for.then(|| find(format!("at {}", bare(text)))).flatten()
}

/// The moment that stands within a text, and the text without it: `dass ich um 17 Uhr los muss`.
pub(super) fn within(text: &str, today: Date) -> Option<(Moment, String)> {
    let typed: Vec<&str> = bare(text).split_whitespace().collect();
    let words: Vec<String> = typed.iter().map(|word| norm(word)).collect();
    // `every month at 8` names no day.
    let is_again = |word: &String| matches!(language::moment(word), Some("every" | "daily" | "monthly"));
    if words.iter().any(|word| is_again(word) || plural(word).is_some()) {
        return None;
    }
    let begins = |word: &String| {
        matches!(language::moment(word), Some("at" | "by" | "on" | "in")) || language::day(word).is_some()
    };
    (1..words.len()).filter(|at| begins(&words[*at])).find_map(|at| {
        let rest = &words[at..];
        let (n, moment) = (1..=rest.len().min(MOST_WORDS)).rev().find_map(|n| {
            let moment = read(&rest[..n], today, false)?;
            (!is_cut_off(rest, n, &moment)).then_some((n, moment))
        })?;
        let others: Vec<&str> = typed[..at].iter().chain(&typed[at + n..]).copied().collect();
        Some((moment, bare(&others.join(" ")).to_owned()))
    })
}

/// The moment that a sentence tells, a day or days before a time of day alone, and the sentence without it: `Appointment is December
/// 10 at 1:45`.
pub(super) fn told(text: &str, today: Date) -> Option<(Moment, String)> {
    let typed: Vec<&str> = text.split_whitespace().take(MOST_TOLD).collect();
    let words: Vec<String> = typed.iter().map(|word| norm(word)).collect();
    // `may`, and not the month.
    let is_named = |word: &String| {
        word.contains(|c: char| c.is_ascii_digit())
            || language::weekday(word).is_some()
            || plural(word).is_some()
            || language::day(word).is_some()
            || language::feast(word).is_some()
            || is_every(std::slice::from_ref(word), 0)
            || part(word).is_some()
            || language::span(word).is_some_and(|meant| meant.ends_with(" h"))
            || language::number(word).is_some()
    };
    let runs = || {
        let lengths = (1..=words.len().min(MOST_WORDS)).rev();
        lengths.flat_map(|n| (0..=words.len() - n).map(move |at| (at, n)))
    };
    let found = |fits: &dyn Fn(&Moment) -> bool| {
        runs().find_map(|(at, n)| {
            let run = &words[at..at + n];
            // `the blue one at 9`
            let is_one =
                n > 1 && language::moment(&run[1]) == Some("by") && run[0].chars().all(char::is_alphabetic);
            if !run.iter().any(is_named) || is_one && language::number(&run[0]).is_some() {
                return None;
            }
            let moment = read(run, today, false).filter(|moment| moment.span.is_none() && fits(moment))?;
            // A number of a price or a year stands alone.
            let is_cut = is_cut_off(&words[at..], n, &moment);
            (!is_cut).then_some((at, n, moment))
        })
    };
    let days = |moment: &Moment| moment.day.is_some() || moment.comes_again() && !moment.is_of_today();
    let (at, n, moment) = found(&days).or_else(|| found(&|moment| moment.time.is_some()))?;
    let others: Vec<&str> = typed[..at].iter().chain(&typed[at + n..]).copied().collect();
    let others = bare(&others.join(" ")).to_owned();
    if moment.has_time() {
        return Some((moment, others));
    }
    // `my son comes today to see us at ten`
    Some(match told(&others, today) {
        Some((clock, rest)) if clock.clock().is_some() => (moment.at(clock.time), rest),
        _ => (moment, others),
    })
}

/// The most words of a sentence that tells a moment.
const MOST_TOLD: usize = 30;

/// `in 20`, which is in as many minutes.
fn in_minutes(words: &[String]) -> Option<Span> {
    let ["in", number] = [language::moment(words.first()?)?, words.get(1)?.as_str()] else { return None };
    let minutes = number.parse::<i64>().ok().filter(|minutes| (1..=MOST_BARE).contains(minutes));
    minutes.filter(|_| words.len() == 2).map(|minutes| minutes.minutes())
}

/// The most minutes that a number alone stands for.
const MOST_BARE: i64 = 120;

/// Whether words behind a moment say that it is another one: `in two and a | half hours`, `on 31 | February`,
/// `the night | before the test`. No reminder is better than one at a wrong time.
fn is_cut_off(words: &[String], n: usize, moment: &Moment) -> bool {
    let Some(next) = words.get(n) else { return false };
    let last = &words[n - 1];
    let is_number =
        |word: &String| language::number(word).is_some() || word.starts_with(|c: char| c.is_ascii_digit());
    let is_month = |word: &String| word.chars().all(char::is_alphabetic) && language::month(word).is_some();
    let is_unit = |word: &String| language::span(word).is_some_and(|meant| meant.contains(' '));
    let is_bare = in_minutes(&words[..n]).is_some();
    if is_bare && !matches!(language::moment(next), Some("to" | "for")) {
        return true;
    }
    let is_whole = moment.day.is_some() || n == 1 || words[..n].iter().any(is_number);
    is_part_of_one(next)
        || is_number(last) && (is_month(next) || is_unit(next) && part(next).is_none())
        || is_month(last) && is_number(next) && moment.time.is_none()
        || is_before(next).is_some() && !(moment.time.is_some() && is_whole)
}

/// Whether a word stands between a span and the moment that it is counted from; negative for `before`.
pub(super) fn is_before(word: &str) -> Option<i64> {
    match language::moment(word)? {
        "before" => Some(-1),
        "after" => Some(1),
        _ => None,
    }
}

/// Whether a word is a part of one: `half`, `1/2`.
fn is_part_of_one(word: &str) -> bool {
    amount(word).is_some_and(|amount| amount.fract() > 0.0)
}

/// What a word counts: `half`, `two`, `1.5`, `1/2`.
fn amount(word: &str) -> Option<f64> {
    let written = language::moment(word).filter(|meant| meant.contains('.')).unwrap_or(word);
    match written.split_once('/') {
        Some((part, whole)) => {
            let (part, whole) = (part.parse::<u8>().ok()?, whole.parse::<u8>().ok()?);
            (whole > 0).then(|| f64::from(part) / f64::from(whole))
        }
        None if written.starts_with(|c: char| c.is_ascii_digit()) => written.replace(',', ".").parse().ok(),
        None => Some(f64::from(i16::try_from(language::number(written)?).ok()?)),
    }
}

/// The minutes of a span with a part of one in it: `an hour and a half`, `1 1/2 hours`, `1h20`.
fn in_parts(words: &[String]) -> Option<Span> {
    let (mut sum, mut count, mut unit, mut parts) = (0.0, None::<f64>, None::<f64>, 0);
    let mut article = false;
    for word in words {
        let minutes = || language::span(word)?.strip_suffix(" min")?.parse::<f64>().ok();
        let days = || language::span(word)?.strip_suffix(" d")?.parse::<f64>().ok();
        if language::moment(word) == Some("and") {
            // `eine und eine halbe Stunde`
            count = count.or((article && unit.is_none()).then_some(1.0));
            article = false;
        } else if language::span(word) == Some("") {
            article = true;
        } else if let Some(of_unit) = minutes().or_else(|| Some(days()? * 1440.0)) {
            sum += count.take().unwrap_or(1.0) * of_unit;
            (unit, article) = (Some(of_unit), false);
        } else if let Some(more) = amount(word) {
            parts += usize::from(more.fract() > 0.0);
            count = Some(count.unwrap_or(0.0) + more);
        } else {
            return None;
        }
    }
    // `an hour and a half`, and `1h20`.
    match (count, unit) {
        (None, _) if parts > 0 => {}
        (Some(left), Some(unit)) if left < 1.0 => sum += left * unit,
        (Some(left), Some(60.0)) if left < 60.0 && parts == 0 => sum += left,
        _ => return None,
    }
    let minutes = sum.round();
    let is_fit = (1.0..=525_600.0).contains(&minutes);
    #[expect(clippy::cast_possible_truncation, reason = "it is within a year")]
    is_fit.then(|| Span::new().try_minutes(minutes as i64).ok()).flatten()
}

/// Whether words at the end of a text name a day on which to be reminded, and no part of what to be reminded of.
fn is_day_alone(before: Option<&String>, words: &[String]) -> bool {
    let says = |word: &String| {
        language::weekday(word).is_some()
            || word.contains(|c: char| c.is_ascii_digit())
            || language::day(word).is_some()
    };
    let is_for = before.is_some_and(|word| language::moment(word) == Some("for"));
    let says = |word: &String| says(word) || is_before(word).is_some();
    !is_for && (is_at(&words[0]) || words.iter().any(says) || language::day(&words.join(" ")).is_some())
}

/// A text without the small words and the marks around it: `daran, die Blumen zu gießen`.
pub(super) fn bare(text: &str) -> &str {
    let marks = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '.' | '!' | '?' | '#');
    let mut text = text.trim_matches(marks);
    while let Some((first, rest)) = text.split_once(char::is_whitespace)
        && matches!(language::moment(&norm(first)), Some("to" | "for"))
    {
        text = rest.trim_start_matches(marks);
    }
    // `Bescheid` alone says nothing of what it is about.
    if language::moment(&norm(text)) == Some("to") { "" } else { text }
}

/// A word as the tables have it.
pub(super) fn norm(word: &str) -> String {
    let word = language::fold::word(word.trim_matches(|c: char| !c.is_alphanumeric()));
    language::spelt(&word).map_or(word, str::to_owned)
}

/// The moment that words name, and nothing else.
fn read(words: &[String], today: Date, counts: bool) -> Option<Moment> {
    let meant = |at: usize| words.get(at).and_then(|word| language::moment(word));
    if let Some((every, rest)) = counted(words) {
        let again = read(&rest, today, counts).filter(|again| again.comes_again() && again.month < NAMED)?;
        return Some(Moment { every, ..again });
    }
    let month = |words: &[String]| Some(Moment { month: of_month(words)?, ..Moment::default() });
    let week = |words: &[String]| Some(Moment { week: of_week(words)?, ..Moment::default() });
    if let Some(again) = timed(words, month).or_else(|| timed(words, week)) {
        return Some(again);
    }
    if let Some(at) = (0..words.len()).find(|at| is_every(words, *at)) {
        // `on Mondays`, `at 6pm every Monday`.
        let is_empty = words[..at].iter().all(|word| is_at(word));
        let again = every(&words[at..])?;
        if is_empty {
            return Some(again);
        }
        // `at nine every morning`
        let of_day = words[at..].iter().find(|word| part(word).is_some());
        let before: Vec<String> = words[..at].iter().chain(of_day).cloned().collect();
        let again = Moment { time: again.time.filter(|_| of_day.is_none()), ..again };
        return again.with(time_of(&before)?);
    }
    if counts || meant(0) == Some("in") {
        let span = span(&words[usize::from(meant(0) == Some("in"))..]);
        if span.is_some() {
            return Some(Moment { span, ..Moment::default() });
        }
        if let Some(span) = in_minutes(words) {
            return Some(Moment { span: Some(span), ..Moment::default() });
        }
    }
    if let Some(day) = day_of(words, today) {
        return Some(Moment { day: Some(day), ..Moment::default() });
    }
    let parts = (1..words.len()).map(|at| words.split_at(at));
    // The day first: `am 24. Dezember um 15 Uhr` has `Dezember um 15` in it.
    let both = parts.clone().chain(parts.map(|(one, other)| (other, one)));
    let mut both = both.filter_map(|(day, time)| {
        let clock = time_of(time).or_else(|| time_of(&[with_colon(time)?]))?;
        Some(Moment { day: Some(day_of(day, today)?), ..clock })
    });
    both.next().or_else(|| time_of(words))
}

/// A time of day beside a day that is written `7.40`, and cannot be a date.
fn with_colon(words: &[String]) -> Option<String> {
    let [word] = words else { return None };
    let (hour, minute) = word.split_once('.')?;
    let is_date = (1..=12).contains(&minute.parse::<u8>().ok()?);
    (minute.len() == 2 && !is_date).then(|| format!("{hour}:{minute}"))
}

/// Whether a small word stands before a day or a time. Those before a time alone, such as `um`, mean `by`, and those before a day
/// alone, such as `am`, mean `on`.
pub(super) fn is_at(word: &str) -> bool {
    matches!(language::moment(word), Some("at" | "by" | "on"))
}

/// Days and a time of day, in any order: `on the 1st of every month at 8`, `um acht jeden Monat am 15.`
fn timed(words: &[String], days: impl Fn(&[String]) -> Option<Moment>) -> Option<Moment> {
    let time = |words: &[String]| if words.is_empty() { Some(Moment::default()) } else { time_of(words) };
    (0..=words.len()).find_map(|at| {
        let (one, other) = words.split_at(at);
        let mut both = [(one, other), (other, one)].into_iter();
        both.find_map(|(of_days, of_time)| Some(Moment { time: time(of_time)?.time, ..days(of_days)? }))
    })
}

/// After how many weeks or months something comes again, and the words without that number: `every 2nd month`, `alle zwei Wochen`,
/// `once a month`, `every other Monday`, `every three days`. `every second Monday of the month` is something else.
fn counted(words: &[String]) -> Option<(i8, Vec<String>)> {
    let meant = |at: usize| words.get(at).and_then(|word| language::moment(word));
    let is_unit = |at: usize| matches!(meant(at), Some("month" | "week"));
    let without = |from: usize, until: usize, word: Option<&str>| {
        let left = words[..from].iter().cloned().chain(word.map(str::to_owned));
        left.chain(words[until..].iter().cloned()).collect::<Vec<_>>()
    };
    if let Some(once) = (0..words.len()).find(|at| meant(*at) == Some("once")) {
        let at = (once + 1..=once + 3)
            .find(|at| is_unit(*at) || meant(*at).is_some_and(|it| it.ends_with("ly")))?;
        let between = &words[once + 1..at];
        if !is_unit(at) || between.iter().any(|word| language::moment(word) == Some("every")) {
            let rest = without(once, once + 1, None);
            return counted(&rest).or(Some((1, rest)));
        }
        // `a`, `im`, `pro`, `in der`.
        let is_small = between.iter().all(|word| word.len() <= 3 && number(word).is_none());
        return is_small.then(|| (1, without(once, at, Some(EVERY))));
    }
    let at = (0..words.len()).find(|at| meant(*at) == Some("every"))? + 1;
    let every = match meant(at) {
        // `second` is the second one here.
        Some("other" | "s") => 2,
        _ => number(words.get(at)?).or_else(|| language::number(&words[at])?.try_into().ok())?,
    };
    let is_day = || {
        language::weekday(words.get(at + 1)?)
            .filter(|_| !(0..words.len()).any(|at| meant(at) == Some("month")))
    };
    if (2..=RAREST).contains(&every) && words.get(at + 1).is_some_and(|word| is_days(word)) {
        return Some((every, without(at - 1, at + 2, Some(EACH_DAY))));
    }
    let fits = (2..=RAREST).contains(&every) && (is_unit(at + 1) || is_day().is_some());
    fits.then(|| (every, without(at, at + 1, None)))
}

/// Whether a word is a day or days.
fn is_days(word: &str) -> bool {
    let is_day = language::span(word) == Some("1 d") || language::moment(word) == Some("week 127");
    is_day && part(word).is_none()
}

/// A word for each day, as the tables have it.
const EACH_DAY: &str = "daily";

/// A word for `every`, as the tables have it.
const EVERY: &str = "every";

/// The days in `every week on Monday and Friday`.
fn of_week(words: &[String]) -> Option<u8> {
    let (mut week, mut is_every, mut is_week) = (0, false, false);
    for word in words {
        match language::moment(word) {
            Some("at" | "on" | "and") => {}
            Some("every") => is_every = true,
            Some("week") => is_week = true,
            Some("weekly") => (is_every, is_week) = (true, true),
            Some(_) => return None,
            None => week |= language::weekday(word).map(|day| 1 << day).or_else(|| plural(word))?,
        }
    }
    (is_every && is_week).then_some(if week == 0 { THIS_DAY } else { week })
}

/// The day in `the 1st of every month`, `am letzten Tag jedes Monats`, `the last Friday of the month`; `every month at 8` names none.
fn of_month(words: &[String]) -> Option<i8> {
    let (mut day, mut is_every, mut is_month) = (None, false, false);
    for (at, word) in words.iter().enumerate() {
        match language::moment(word) {
            Some("at" | "on" | "to" | "in") => {}
            Some("every") => is_every = true,
            Some("month") => is_month = true,
            Some("monthly") => (is_every, is_month) = (true, true),
            // `the last day of`
            Some("week 127") if day == Some(31) => {}
            // `every second Monday of the month`
            Some("s")
                if day.is_none() && words.get(at + 1).and_then(|next| language::weekday(next)).is_some() =>
            {
                day = Some(2);
            }
            _ if language::weekday(word).is_some() => {
                let which = match day? {
                    31 => LAST,
                    nth @ 1..=4 => nth - 1,
                    _ => return None,
                };
                day = Some(NAMED + which * 7 + i8::try_from(language::weekday(word)?).ok()?);
                is_every = true;
            }
            _ => {
                let is_count = words.get(at + 1).is_some_and(|next| language::moment(next) == Some("month"));
                if is_count || day.replace(number(word)?).is_some() {
                    return None;
                }
            }
        }
    }
    (is_every && is_month).then_some(day.unwrap_or(OF_TODAY))
}

/// `15th`, `first`: the number of a day.
fn number(word: &str) -> Option<i8> {
    match language::moment(word) {
        Some(meant) => day_of_month(meant),
        None => i8::try_from(when::ordinal(word)?).ok().filter(|day| (1..=31).contains(day)),
    }
}

/// The next day of that number: `the 15th`.
fn next_of(words: &[String], today: Date) -> Option<Date> {
    let ([word] | [_, word]) = words else { return None };
    if words.len() > 1 && !is_at(&words[0]) {
        return None;
    }
    let day = number(word)?;
    let on =
        |ahead: i64| today.first_of_month().checked_add(ahead.months()).ok()?.with().day(day).build().ok();
    (0..=1).filter_map(on).find(|date| *date >= today)
}

/// Whether a word says that something comes again: `every`, `daily`, `Mondays`.
fn is_every(words: &[String], at: usize) -> bool {
    let meant = language::moment(&words[at]);
    // `weekdays`, `werktags`
    let are_days = meant.is_some_and(|meant| meant.starts_with("week ")) && words[at].ends_with('s');
    matches!(meant, Some("every" | "daily")) || are_days || plural(&words[at]).is_some()
}

/// The day of the week in `mondays`, `montags`.
fn plural(word: &str) -> Option<u8> {
    Some(1 << language::weekday(word.strip_suffix('s')?)?)
}

/// `every Monday and Friday at 8`, `every two hours`, `täglich um acht`.
fn every(words: &[String]) -> Option<Moment> {
    let (mut week, mut at) = (0_u8, 0);
    if let Some(first) = language::moment(&words[0]).filter(|first| matches!(*first, "every" | "daily")) {
        at = 1;
        if first == "daily" {
            week = 127;
        } else if let Some(span) = span(&words[1..]).or_else(|| span_of_one(&words[1..])) {
            let minutes = span.get_minutes();
            let others = [span.get_years().into(), span.get_months(), span.get_days()];
            let is_fit =
                others == [0; 3] && span.get_seconds() == 0 && (SHORTEST..=LONGEST).contains(&minutes);
            return is_fit.then_some(Moment { minutes, ..Moment::default() });
        }
    }
    while let Some(word) = words.get(at) {
        let named = || language::weekday(word).map(|day| 1 << day).or_else(|| plural(word));
        let bits = match language::moment(word) {
            Some("and") if week > 0 => 0,
            Some(meant) => match meant.strip_prefix("week ") {
                Some(bits) => bits.parse().ok()?,
                None => break,
            },
            None => match named() {
                Some(bits) => bits,
                None => break,
            },
        };
        week |= bits;
        at += 1;
    }
    let rest = &words[at..];
    let time = if rest.is_empty() { Moment::default() } else { time_of(rest)? };
    // `every morning`, and not `every 8 o'clock`.
    let is_part = || rest.iter().any(|word| part(word).is_some());
    let week = if week == 0 && is_part() { 127 } else { week };
    (week > 0).then_some(Moment { week, ..time })
}

/// `hour` behind `every`.
fn span_of_one(words: &[String]) -> Option<Span> {
    let [unit] = words else { return None };
    let minutes = language::span(unit)?.strip_suffix(" min")?;
    Some(minutes.parse::<i64>().ok()?.minutes())
}

/// `ten minutes`, `90 seconds`, `5min`.
pub(super) fn span(words: &[String]) -> Option<Span> {
    let mut apart = Vec::new();
    for word in words {
        // `5min`, `1h20`, `1.5h`.
        let is_figure = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '/');
        let mut rest = word.as_str();
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c| is_figure(c) != is_figure(first)).unwrap_or(rest.len());
            apart.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
    if let [.., number, unit] = &apart[..]
        && (language::moment(unit) == Some("s") || unit == "s")
    {
        let seconds = language::number(number).filter(|seconds| (1..=86_400).contains(seconds))?;
        let minutes =
            if apart.len() > 2 { when::span(&apart[..apart.len() - 2].join(" "))? } else { Span::new() };
        return minutes.try_seconds(seconds).ok();
    }
    let Some(span) = when::span(&apart.join(" ")) else { return in_parts(&apart) };
    let is_long = i64::from(span.get_years()) > 10
        || i64::from(span.get_months()) > 120
        || span.get_minutes() > LONGEST;
    (!is_long).then_some(span)
}

/// The day that words name: `on Friday`, `am 24. Dezember`.
pub(super) fn day_of(words: &[String], today: Date) -> Option<Date> {
    // `2 days before Christmas`
    if let Some(at) = words.iter().position(|word| is_before(word).is_some()) {
        let span = when::span(&words[..at].join(" ")).filter(|span| span.get_minutes() == 0)?;
        let day = day_of(&words[at + 1..], today)?;
        return day.checked_add(span.checked_mul(is_before(&words[at])?).ok()?).ok();
    }
    let from = usize::from(words.first().is_some_and(|word| is_at(word)));
    let is_on = words.first().is_some_and(|word| language::moment(word) == Some("on"));
    let words = &words[from..];
    if is_on && let Some(day) = next_of(words, today) {
        return Some(day);
    }
    // `in 3 weeks` is a span, `8` no day, and `Monday and Friday` are two.
    let is_other = |word: &String| matches!(language::moment(word), Some("in" | "and"));
    let is_day = !words.is_empty() && !words.iter().any(is_other);
    is_day.then(|| when::day(&words.join(" "), today)).flatten()
}

/// The hour of a part of the day.
pub(super) fn part(word: &str) -> Option<i8> {
    language::moment(word)?.strip_suffix(" h")?.parse().ok()
}

/// The time of day that words name; a number alone is not one.
fn time_of(words: &[String]) -> Option<Moment> {
    let is_small = |word: &String| is_at(word) || language::moment(word) == Some("in");
    let small = words.iter().take_while(|word| is_small(word)).count();
    // `am 15.` is a day.
    let is_on = words.first().is_some_and(|word| language::moment(word) == Some("on"));
    let is_clock = |word: &String| language::moment(word) == Some("clock");
    let is_told = words
        .iter()
        .any(|word| is_clock(word) || is_at(word) && !is_on || part(word).is_some() || word.contains(':'));
    let hour = words.iter().find_map(|word| part(word));
    let rest: Vec<&str> =
        words[small..].iter().filter(|word| part(word).is_none()).map(String::as_str).collect();
    let time = match (hour, rest.is_empty()) {
        (None, true) => return None,
        (Some(hour), true) => (Time::new(hour, 0, 0, 0).ok()?, true),
        (hour, false) => {
            let (time, is_sure) = when::time(&rest.join(" "))?;
            match hour {
                // `nachts um halb eins`, `at 12 at night`
                Some(LATE) if !is_sure && (NIGHT.contains(&time.hour()) || time.hour() == 12) => {
                    (if time.hour() == 12 { time.wrapping_add(12.hours()) } else { time }, true)
                }
                Some(hour) if !is_sure => {
                    (if hour >= 12 && time.hour() < 12 { time.wrapping_add(12.hours()) } else { time }, true)
                }
                // `18:00` and `08:00` are as they stand.
                _ => (time, is_sure || rest.iter().any(|word| word.starts_with('0') && word.len() > 2)),
            }
        }
    };
    let is_number = |word: &&str| language::number(word).is_some() || language::moment(word) == Some("and");
    (is_told || time.1 && !rest.iter().all(is_number))
        .then_some(Moment { time: Some(time), ..Moment::default() })
}

/// Now, in a zone.
pub(super) fn now(zone: &TimeZone) -> Zoned {
    jiff::Timestamp::now().to_zoned(zone.clone())
}
