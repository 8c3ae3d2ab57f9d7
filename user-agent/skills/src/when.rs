//! Days, times of day and spans as people write them, in any language: `20 July 1969`, `this saturday`, `halb zehn`, `3 weeks`.

use jiff::civil::{Date, Time, Weekday};
use jiff::{Span, ToSpan};

/// The most words of a name such as `the end of the year`.
const MOST_WORDS: usize = 5;

/// What the tables say of words for this month.
pub(crate) const MONTH: &str = "month";

/// The words of a text, with times and numbers left whole.
fn words(text: &str) -> Vec<String> {
    let ends = |c: char| !c.is_alphanumeric();
    let words = text.split_whitespace().map(|word| {
        let word = language::fold::word(word.trim_matches(ends));
        language::spelt(&word).map_or(word, str::to_owned)
    });
    words.filter(|word| !word.is_empty()).collect()
}

/// What the longest run of words at a place means, and how many they are.
fn known(
    words: &[String],
    at: usize,
    meant: fn(&str) -> Option<&'static str>,
) -> Option<(usize, &'static str)> {
    let most = MOST_WORDS.min(words.len() - at);
    (1..=most).rev().find_map(|n| Some((n, meant(&words[at..at + n].join(" "))?)))
}

/// The day that a text names and nothing else; without its year the next one.
pub(crate) fn day(text: &str, today: Date) -> Option<Date> {
    if let Some(days) = language::day(text) {
        return today.checked_add(Span::new().try_days(days).ok()?).ok();
    }
    let words = words(text);
    // `tomorow`
    if let Some(days) = language::day(&words.join(" ")) {
        return today.checked_add(Span::new().try_days(days).ok()?).ok();
    }
    let (mut number, mut month, mut year, mut weekday, mut moved) = (None, None, None, None, None::<Date>);
    let mut span = Span::new();
    let (mut at, mut has_span) = (0, false);
    while at < words.len() {
        let word = words[at].as_str();
        if let Some((n, feast)) = known(&words, at, language::feast) {
            moved = Some(on_feast(feast, today)?);
            at += n;
            continue;
        }
        if let Some((n, more)) = counted(&words, at) {
            span = plus(span, more)?;
            (has_span, at) = (true, at + n);
            continue;
        }
        at += 1;
        if let Some(date) = in_figures(word, today) {
            moved = Some(date);
        } else if let Some(found) = language::weekday(word) {
            weekday = Some(Weekday::from_monday_zero_offset(i8::try_from(found).ok()?).ok()?);
        } else if let Some(found) =
            word.chars().all(char::is_alphabetic).then(|| language::month(word)).flatten()
        {
            month = Some(found);
        } else if let Some(found) = ordinal(word) {
            match (found, number) {
                (1..=31, None) => number = Some(i8::try_from(found).ok()?),
                (1000..=9999, _) if year.is_none() => year = Some(found),
                _ => return None,
            }
        } else {
            match known(&words, at - 1, language::span)? {
                (n, "") => at += n - 1,
                (_, "sat") => weekday = Some(Weekday::Saturday),
                _ => return None,
            }
        }
    }
    match (number, month, moved, weekday) {
        (None, None, None, None) if has_span => today.checked_add(span).ok(),
        (None, None, Some(date), _) => date.checked_add(span).ok(),
        // `Friday in 3 weeks`, said on a Friday too.
        (None, None, None, Some(weekday)) if has_span => {
            let first = today.yesterday().ok()?.nth_weekday(1, weekday).ok()?;
            first.checked_add(span).ok().filter(|day| day.weekday() == weekday)
        }
        _ if has_span => None,
        (day, Some(month), None, _) if day.is_some() || year.is_none() => {
            on(day.unwrap_or(1), month, year, today)
        }
        (None, None, None, Some(weekday)) => today.nth_weekday(1, weekday).ok(),
        // `the 25th`, `der 25.`
        (Some(day), None, None, None) if year.is_none() && is_nth(text) => {
            let on = |ahead: i64| {
                today.first_of_month().checked_add(ahead.months()).ok()?.with().day(day).build().ok()
            };
            (0..=2).filter_map(on).find(|date| *date >= today)
        }
        _ => None,
    }
}

/// Whether a text names a day by its number in a month.
fn is_nth(text: &str) -> bool {
    let is_figure = |c: char| c.is_ascii_digit();
    let mut words = text.split_whitespace().filter(|word| word.starts_with(is_figure));
    words.any(|word| matches!(word.trim_start_matches(is_figure), "." | "st" | "nd" | "rd" | "th"))
}

/// The day of a month, of the next year that has it where none is named.
fn on(day: i8, month: i8, year: Option<i16>, today: Date) -> Option<Date> {
    match year {
        Some(year) => Date::new(year, month, day).ok(),
        // Of five years, one has a 29 February.
        None => {
            (0..=8).filter_map(|n| Date::new(today.year() + n, month, day).ok()).find(|date| *date >= today)
        }
    }
}

/// `2`, `2nd`, `14.` or `1969`.
pub(crate) fn ordinal(word: &str) -> Option<i16> {
    let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    matches!(&word[end..], "" | "st" | "nd" | "rd" | "th").then(|| word[..end].parse().ok()).flatten()
}

/// `2027-03-01`, `1.3.2027`, `1.3.27`, `1.3`.
fn in_figures(word: &str, today: Date) -> Option<Date> {
    if let Ok(date) = word.parse::<Date>() {
        return Some(date);
    }
    let parts: Vec<i16> = word.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let small = |number: i16| i8::try_from(number).ok();
    match parts[..] {
        [day, month] => on(small(day)?, small(month)?, None, today),
        [day, month, year @ 0..=99] => on(small(day)?, small(month)?, Some(2000 + year), today),
        [day, month, year] => on(small(day)?, small(month)?, Some(year), today),
        _ => None,
    }
}

/// The next day of a feast, by `12-25` or by the days after Easter.
fn on_feast(feast: &str, today: Date) -> Option<Date> {
    if let Some(days) = feast.strip_prefix("easter ") {
        let days: i64 = days.parse().ok()?;
        let next = (0..2).filter_map(|n| easter(today.year() + n)?.checked_add(days.days()).ok());
        return next.into_iter().find(|date| *date >= today);
    }
    // The second Sunday in May: `nth 2 7 5`.
    if let Some(rule) = feast.strip_prefix("nth ") {
        let mut parts = rule.split(' ').map(|part| part.parse::<i8>().ok());
        let [nth, weekday, month] = std::array::from_fn(|_| parts.next().flatten().unwrap_or(1));
        let weekday = Weekday::from_monday_one_offset(weekday).ok()?;
        let of = |year| Date::new(year, month, 1).ok()?.nth_weekday_of_month(nth, weekday).ok();
        return (0..2).filter_map(|n| of(today.year() + n)).find(|date| *date >= today);
    }
    // The end of this month.
    if feast == MONTH {
        return Some(today.last_of_month());
    }
    let (month, day) = feast.split_once('-')?;
    on(day.parse().ok()?, month.parse().ok()?, None, today)
}

/// Easter Sunday, by the rule of Gauss as Butcher wrote it down.
fn easter(year: i16) -> Option<Date> {
    let year = i32::from(year);
    let (a, b, c) = (year % 19, year / 100, year % 100);
    let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let days = h + l - 7 * m + 114;
    Date::new(i16::try_from(year).ok()?, i8::try_from(days / 31).ok()?, i8::try_from(days % 31 + 1).ok()?)
        .ok()
}

/// `3 weeks`, `a fortnight`, `half an hour` at a place, and how many words that is.
fn counted(words: &[String], at: usize) -> Option<(usize, Span)> {
    // `twenty five` is one number, as `twenty-five` is.
    let two = words.get(at + 1).and_then(|more| language::number(&format!("{}-{more}", words[at])));
    let number = two.or_else(|| language::number(&words[at])).filter(|_| at + 1 < words.len());
    let from = at + usize::from(number.is_some()) + usize::from(two.is_some());
    let (n, meant) = known(words, from, language::span)?;
    let (amount, unit) = meant.split_once(' ')?;
    let is_article = at > 0 && language::span(&words[at - 1]) == Some("");
    // A unit alone is not a span, but for such as `half an hour`.
    if number.is_none() && n == 1 && !is_article && amount == "1" {
        return None;
    }
    let amount = amount.parse::<i64>().ok()?.checked_mul(number.unwrap_or(1))?;
    let span = Span::new();
    let span = match unit {
        "d" => span.try_days(amount),
        "m" => span.try_months(amount),
        "y" => span.try_years(amount),
        "min" => span.try_minutes(amount),
        _ => return None,
    };
    Some((from + n - at, span.ok()?))
}

/// Two spans, part by part: how long a month is shows at a day. Nothing where a part is too large for a calendar.
fn plus(one: Span, more: Span) -> Option<Span> {
    let years = i64::from(one.get_years()) + i64::from(more.get_years());
    let months = i64::from(one.get_months()) + i64::from(more.get_months());
    let days = i64::from(one.get_days()) + i64::from(more.get_days());
    let minutes = one.get_minutes().checked_add(more.get_minutes())?;
    let span = Span::new().try_years(years).ok()?.try_months(months).ok()?;
    span.try_days(days).ok()?.try_minutes(minutes).ok()
}

/// A span that a text names and nothing else.
pub(crate) fn span(text: &str) -> Option<Span> {
    let words = words(text);
    let (mut sum, mut at) = (None::<Span>, 0);
    while at < words.len() {
        if let Some((n, more)) = counted(&words, at) {
            sum = Some(plus(sum.unwrap_or_default(), more)?);
            at += n;
            continue;
        }
        let (n, meant) = known(&words, at, language::span)?;
        if !meant.is_empty() {
            return None;
        }
        at += n;
    }
    sum
}

/// How many minutes before or behind the time that follows some words at a place say.
fn away(words: &[String], at: usize) -> Option<i64> {
    let sign = match language::moment(words.get(at + 1)?)? {
        "before" | "to" => -1,
        "after" => 1,
        _ => return None,
    };
    words.get(at + 2)?;
    let minutes = language::number(&words[at]).filter(|minutes| (1..30).contains(minutes))?;
    Some(sign * minutes)
}

/// A time of day that a text names and nothing else, and whether it itself says in which half of the day it is.
pub(crate) fn time(text: &str) -> Option<(Time, bool)> {
    let text = text.to_lowercase().replace("halb", "halb ").replace("viertel", "viertel ");
    let (mut hour, mut minute, mut half, mut shift) = (None::<i8>, None::<i8>, None, 0_i64);
    let words = words(&text);
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_str();
        // `10 vor 7`, `five to half past`: so many minutes before the time that follows, or behind it.
        if let Some(minutes) = away(&words, at) {
            (shift, at) = (minutes, at + 2);
            continue;
        }
        if let Some((n, meant)) = known(&words, at, language::span) {
            at += n;
            match meant.split_once(' ') {
                None if meant.is_empty() => {}
                None if matches!(meant, "am" | "pm") => half = Some(meant),
                Some(("past", minutes)) => shift += minutes.parse::<i64>().ok()?,
                Some(("to", minutes)) => shift -= minutes.parse::<i64>().ok()?,
                Some((whole, "h")) => (hour, half) = (whole.parse().ok(), Some("")),
                _ => return None,
            }
            continue;
        }
        at += 1;
        // `11pm`, `8.05`, `8:05`, `8`.
        let end = word.find(|c: char| c.is_alphabetic()).unwrap_or(word.len());
        let (figures, suffix) =
            if word.starts_with(|c: char| c.is_ascii_digit()) { word.split_at(end) } else { (word, "") };
        match suffix {
            "" | "h" | "uhr" => {}
            "am" | "pm" => half = if suffix == "am" { Some("am") } else { Some("pm") },
            _ => return None,
        }
        match figures.split_once([':', '.']) {
            Some((hours, minutes)) if hour.is_none() && minutes.len() == 2 => {
                (hour, minute) = (Some(hours.parse().ok()?), Some(minutes.parse().ok()?));
            }
            None if hour.is_none() => hour = Some(i8::try_from(language::number(figures)?).ok()?),
            None if minute.is_none() => minute = Some(i8::try_from(language::number(figures)?).ok()?),
            _ => return None,
        }
    }
    // `0 Uhr` is at night, `halb eins` is not.
    let is_midnight = hour == Some(0);
    let hour = match (hour?, half) {
        (12, Some("am")) => 0,
        (hour @ 1..=11, Some("pm")) => hour + 12,
        (24, _) => 0,
        (hour, _) => hour,
    };
    let time = Time::new(hour, minute.unwrap_or(0), 0, 0).ok()?;
    Some((time.wrapping_add(shift.minutes()), half.is_some() || hour > 12 || is_midnight))
}
