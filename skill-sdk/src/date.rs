//! Days of the calendar, without time of day or zone.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::{lower, Unread};

/// A day of the years 1 to 9999 in the calendar used today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: i64,
    month: i64,
    day: i64,
}

impl Date {
    /// The day, if it exists.
    pub fn new(year: i64, month: i64, day: i64) -> Option<Date> {
        let exists = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day);
        exists.then_some(Date { year, month, day })
    }

    /// Reads `2030-01-31`, `31.1.2030`, `31 January 2030`, `January 31, 2030` or `31. Januar 2030`.
    pub fn parse(text: &str) -> Option<Date> {
        let text = text.trim();
        let numbers = |separator| -> Option<[i64; 3]> {
            let parts: Option<Vec<i64>> = text.split(separator).map(whole).collect();
            <[i64; 3]>::try_from(parts?).ok()
        };
        if let Some([year, month, day]) = numbers('-').or_else(|| numbers('/')) {
            return Date::new(year, month, day);
        }
        if let Some([day, month, year]) = numbers('.') {
            return Date::new(year, month, day);
        }
        let words: Vec<&str> = text.split([' ', ',', '.']).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [first, second, year] => {
                let (day, month) = match month_named(second) {
                    Some(month) => (ordinal(first)?, month),
                    None => (ordinal(second)?, month_named(first)?),
                };
                Date::new(whole(year)?, month, day)
            }
            _ => None,
        }
    }

    /// The day that is `days` after 1970-01-01, if it is in range.
    pub fn from_days(days: i64) -> Option<Date> {
        if !(MIN_DAYS..=MAX_DAYS).contains(&days) {
            return None;
        }
        // Years are counted from March, so that the leap day comes last; 400 of them always have 146,097 days.
        let since = days + MARCH_0000;
        let era = since.div_euclid(146_097);
        let day_of_era = since.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        Date::new(era * 400 + year_of_era + i64::from(month <= 2), month, day)
    }

    /// The days since 1970-01-01.
    pub fn days(self) -> i64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let month_from_march = (self.month + 9) % 12;
        let day_of_year = (153 * month_from_march + 2) / 5 + self.day - 1;
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - MARCH_0000
    }

    /// How many days from this day to `other`; negative if `other` is earlier.
    pub fn days_until(self, other: Date) -> i64 {
        other.days() - self.days()
    }

    /// The day that is `days` later, or earlier if negative.
    pub fn plus_days(self, days: i64) -> Option<Date> {
        Date::from_days(self.days().checked_add(days)?)
    }

    /// The year.
    pub fn year(self) -> i64 {
        self.year
    }

    /// The month, 1 to 12.
    pub fn month(self) -> i64 {
        self.month
    }

    /// The day of the month, from 1.
    pub fn day(self) -> i64 {
        self.day
    }

    /// The day of the week.
    pub fn weekday(self) -> Weekday {
        // 1970-01-01 was a Thursday.
        WEEK[(self.days() + 3).rem_euclid(7) as usize]
    }

    /// Whether a year has a leap day.
    pub fn is_leap(year: i64) -> bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}

impl FromStr for Date {
    type Err = Unread;

    /// [`Date::parse`], with an error for what is not a date: the 30th of February, the year 0, or another text.
    fn from_str(text: &str) -> Result<Date, Unread> {
        Date::parse(text).ok_or_else(|| Unread::NotADate(text.to_owned()))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weekday {
    /// Monday.
    Monday,
    /// Tuesday.
    Tuesday,
    /// Wednesday.
    Wednesday,
    /// Thursday.
    Thursday,
    /// Friday.
    Friday,
    /// Saturday.
    Saturday,
    /// Sunday.
    Sunday,
}

impl Weekday {
    /// The English name.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

impl fmt::Display for Weekday {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(Date::is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn whole(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits {
        text.parse().ok()
    } else {
        None
    }
}

/// A day of the month, also as `1st` or `22nd`.
fn ordinal(text: &str) -> Option<i64> {
    whole(text.trim_end_matches(|c: char| c.is_ascii_alphabetic()))
}

fn month_named(word: &str) -> Option<i64> {
    let word = lower(word);
    let number = MONTHS.iter().position(|names| {
        names.iter().any(|name| *name == word || (word.chars().count() == 3 && name.starts_with(&*word)))
    })?;
    i64::try_from(number + 1).ok()
}

/// The days from 0000-03-01 to 1970-01-01.
const MARCH_0000: i64 = 719_468;
const MIN_DAYS: i64 = -719_162;
const MAX_DAYS: i64 = 2_932_896;

const WEEK: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];
const NAMES: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS: [&[&str]; 12] = [
    &["january", "januar"],
    &["february", "februar"],
    &["march", "märz", "maerz"],
    &["april"],
    &["may", "mai"],
    &["june", "juni"],
    &["july", "juli"],
    &["august"],
    &["september"],
    &["october", "oktober"],
    &["november"],
    &["december", "dezember"],
];

#[cfg(test)]
mod tests;
