//! Tells what a calendar file (RFC 5545) holds for a day.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The file that is read, in the skill's own folder of the workspace.
const FILE: &str = "@file";

/// The name of that folder.
const FOLDER: &str = "@folder";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@events", "Tells what the calendar file holds for a day")
                .param(Param::text("@events.day", "a day such as today, tomorrow, Friday or 2030-01-31; today if left out").optional())
                .phrase("en", "what is|was [there] on {@events.day}")
                .phrase("en", "what is|was [there] on|in my|the|our [family] calendar|agenda|schedule [for|on] {@events.day}")
                .phrase("en", "what is|was [there] {@events.day} on|in my|the|our [family] calendar|agenda|schedule")
                .phrase("en", "what is|was [there] on|in my|the|our [family] calendar|agenda|schedule")
                .phrase("en", "what is|was planned|scheduled|happening [for|on] {@events.day}")
                .phrase("en", "what do|did i|we have [on|planned|scheduled] [for|on] {@events.day}")
                .phrase("en", "do i|we have anything|something|appointments [on|planned] [for|on] {@events.day}")
                .phrase("en", "is there anything|something on [for|on] {@events.day}")
                .phrase("en", "what|which appointments|events do i|we have [for|on] {@events.day}")
                .phrase("en", "show|tell|read|give [me|us] my|the|our calendar|appointments|events [for|on|of] {@events.day}")
                .phrase("de", "was steht|liegt|ist {@events.day} an")
                .phrase("de", "was steht|ist {@events.day} in|im|auf [meinem|dem|unserem] kalender")
                .phrase("de", "was steht|ist in|im|auf [meinem|dem|unserem] kalender [für] {@events.day}")
                .phrase("de", "was steht|ist in|im|auf [meinem|dem|unserem] kalender")
                .phrase("de", "was habe|hab|haben ich|wir {@events.day} vor")
                .phrase("de", "was ist {@events.day} los")
                .phrase("de", "welche termine habe|hab|haben|gibt ich|wir|es [für] {@events.day}")
                .phrase("de", "zeig|zeige|lies|sag|nenn [mir|uns] [mal|bitte] meine|die|unsere termine [für|von] {@events.day}")
                .example("what is on tomorrow?")
                .example("was steht morgen an?"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@events" => events(call.opt_text("@events.day")?.unwrap_or("today"), german(call)),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn events(named: &str, german: bool) -> Answer {
    let now = host::now()?;
    let day = day_named(named, host::today()?).ok_or_else(Refusal::not_mine)?;
    if !files::list("")?.iter().any(|name| name == FILE) {
        return Ok(match german {
            false => format!("There is no calendar file yet: put {} into the folder {} of the workspace.", FILE, FOLDER),
            true => format!("Noch fehlt die Kalenderdatei: Leg {} in den Ordner {} des Arbeitsbereichs.", FILE, FOLDER),
        });
    }
    let text = files::read(FILE).map_err(|error| Refusal::failed(match german {
        false => format!("I can't read {}: {}.", FILE, error),
        true => format!("Ich kann {} nicht lesen: {}.", FILE, error),
    }))?;
    let (mut events, mut unread) = read(&text, now.utc_offset_s).ok_or_else(|| Refusal::failed(match german {
        false => format!("{} is not a calendar file: it does not begin with BEGIN:VCALENDAR and end with END:VCALENDAR.", FILE),
        true => format!("{} ist keine Kalenderdatei: Sie beginnt nicht mit BEGIN:VCALENDAR oder endet nicht mit END:VCALENDAR.", FILE),
    }))?;
    // An event that replaces one of a series takes its place.
    let instead: Vec<(String, Moment)> =
        events.iter().filter_map(|event| Some((event.id.clone(), event.instead_of?))).collect();
    for event in events.iter_mut().filter(|event| event.rule.is_some()) {
        event.except.extend(instead.iter().filter(|(id, _)| *id == event.id).map(|(_, moment)| *moment));
    }
    events.retain(|event| !event.cancelled);
    let mut zones: Vec<&str> = events.iter().map(|event| event.zone.as_str()).filter(|zone| !zone.is_empty()).collect();
    zones.sort_unstable();
    zones.dedup();
    let mut lines: Vec<(i64, String)> = Vec::new();
    for event in &events {
        match event.on(day) {
            Ok(found) => lines.extend(found.into_iter().map(|part| (part.order(), event.line(part, zones.len() > 1, german)))),
            Err(TooLong) => unread.push(event.title.clone()),
        }
    }
    lines.sort();
    let mut answer = match (lines.is_empty(), german) {
        (true, false) => format!("Nothing is on your calendar on {}.", shown(day, false)),
        (true, true) => format!("In deinem Kalender steht nichts am {}.", shown(day, true)),
        (false, false) => format!("On {}:", shown(day, false)),
        (false, true) => format!("Am {}:", shown(day, true)),
    };
    let more = lines.len().saturating_sub(MOST_LINES);
    for (_, line) in lines.iter().take(MOST_LINES) {
        answer += &format!("\n- {}", line);
    }
    if more > 0 {
        answer += &if german { format!("\nund {} weitere", more) } else { format!("\nand {} more", more) };
    }
    if !unread.is_empty() {
        answer += &not_read(&unread, german);
    }
    Ok(answer)
}

/// The most events that an answer lists.
const MOST_LINES: usize = 30;

/// Names the events that cannot be read, and counts them.
fn not_read(titles: &[String], german: bool) -> String {
    let named: Vec<&str> = titles.iter().take(5).map(String::as_str).collect();
    let others = if titles.len() > named.len() { ", ..." } else { "" };
    let names = named.join(", ") + others;
    match (titles.len(), german) {
        (1, false) => format!("\nI could not read 1 event: {}.", names),
        (1, true) => format!("\n1 Termin konnte ich nicht lesen: {}.", names),
        (count, false) => format!("\nI could not read {} events: {}.", count, names),
        (count, true) => format!("\n{} Termine konnte ich nicht lesen: {}.", count, names),
    }
}

/// A day with, where it is not a whole day, the minute since midnight.
#[derive(Clone, Copy, PartialEq)]
struct Moment {
    date: Date,
    minute: Option<i64>,
}

impl Moment {
    /// Reads `20300131`, `20300131T093000` or `20300131T093000Z`. The last is universal time, which is moved by the difference
    /// that the clock here has today: in the other half of a year with summer time it is an hour off.
    fn read(text: &str, offset_s: i64) -> Option<Moment> {
        let part = |from: usize, to: usize| number(text.get(from..to)?);
        let date = Date::new(part(0, 4)?, part(4, 6)?, part(6, 8)?)?;
        if text.len() == 8 {
            return Some(Moment { date, minute: None });
        }
        let (hour, minute, second) = (part(9, 11)?, part(11, 13)?, part(13, 15)?);
        let rest = text.get(15..)?;
        if text.get(8..9)? != "T" || !["", "Z"].contains(&rest) || hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let minute = hour * 60 + minute + if rest == "Z" { offset_s.div_euclid(60) } else { 0 };
        let date = date.plus_days(minute.div_euclid(DAY))?;
        Some(Moment { date, minute: Some(minute.rem_euclid(DAY)) })
    }

    /// Minutes since 1970.
    fn minutes(self) -> i64 {
        self.date.days() * DAY + self.minute.unwrap_or(0)
    }

    /// Whether it excludes what begins on a day at this moment's time, as a whole day does at any time.
    fn excludes(self, date: Date, minute: Option<i64>) -> bool {
        self.date == date && (self.minute.is_none() || self.minute == minute)
    }
}

/// The minutes of a day.
const DAY: i64 = 24 * 60;

/// One event of the file.
struct Event {
    id: String,
    title: String,
    place: String,
    start: Moment,
    /// How long it takes, in minutes.
    length: i64,
    /// The name of the time zone in which its times are written.
    zone: String,
    rule: Option<Rule>,
    except: Vec<Moment>,
    /// The event of the series whose place it takes.
    instead_of: Option<Moment>,
    cancelled: bool,
}

/// It takes longer than is looked back for.
struct TooLong;

/// The part of an event that is on one day.
#[derive(Clone, Copy)]
struct Part {
    /// The minute at which it begins; none where it began earlier or takes the whole day.
    from: Option<i64>,
    /// The minute at which it ends; none where it ends later, or at no time that is written.
    to: Option<i64>,
}

impl Part {
    /// Whole days come first.
    fn order(self) -> i64 {
        self.from.unwrap_or(-1)
    }
}

impl Event {
    /// Its parts on a day.
    fn on(&self, day: Date) -> Result<Vec<Part>, TooLong> {
        let first = self.start.minute.unwrap_or(0);
        // The days after the first on which it still continues.
        let more = (first + self.length - 1).max(0) / DAY;
        let begins: Vec<i64> = match &self.rule {
            None => vec![self.start.date.days_until(day)].into_iter().filter(|back| (0..=more).contains(back)).collect(),
            Some(_) if more > 62 => return Err(TooLong),
            Some(rule) => (0..=more).filter(|back| day.plus_days(-back).map_or(false, |date| rule.has(self.start, date))).collect(),
        };
        let is_on = |back: &i64| day.plus_days(-back).map_or(false, |date| !self.except.iter().any(|moment| moment.excludes(date, self.start.minute)));
        let part = |back: i64| {
            let end = first + self.length - back * DAY;
            let is_timed = self.start.minute.is_some();
            Part {
                from: self.start.minute.filter(|_| back == 0),
                to: Some(end).filter(|_| is_timed && self.length > 0 && end < DAY),
            }
        };
        Ok(begins.into_iter().filter(is_on).map(part).collect())
    }

    /// Its line in the answer.
    fn line(&self, part: Part, with_zone: bool, german: bool) -> String {
        let clock = |minute: i64| format!("{:02}:{:02}", minute / 60, minute % 60);
        let time = match (part.from, part.to) {
            (Some(from), Some(to)) => format!("{}-{}", clock(from), clock(to)),
            (Some(from), None) => clock(from),
            (None, Some(to)) => format!("{} {}", if german { "bis" } else { "until" }, clock(to)),
            (None, None) => if german { "ganztägig" } else { "all day" }.to_string(),
        };
        let zone = if with_zone && !self.zone.is_empty() { format!(" ({})", self.zone) } else { String::new() };
        let place = if self.place.is_empty() { String::new() } else { format!(", {}", self.place) };
        format!("{}{}: {}{}", time, zone, self.title, place)
    }
}

/// How an event recurs.
struct Rule {
    unit: Unit,
    every: i64,
    count: Option<i64>,
    until: Option<Moment>,
    /// Days of the week, Monday being 0, each with its number in the month: 2 for the second, -1 for the last, 0 for every.
    days: Vec<(i64, i64)>,
    month_days: Vec<i64>,
    months: Vec<i64>,
    week_start: i64,
}

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Day,
    Week,
    Month,
    Year,
}

const WEEKDAYS: &[&str] = &["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

impl Rule {
    /// Reads `FREQ=WEEKLY;BYDAY=MO,WE`; nothing where a part is unknown, since the days would be wrong without it.
    fn read(text: &str, offset_s: i64) -> Option<Rule> {
        let (mut rule, mut unit) = (
            Rule { unit: Unit::Day, every: 1, count: None, until: None, days: vec![], month_days: vec![], months: vec![], week_start: 0 },
            None,
        );
        for part in text.split(';').filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=')?;
            match key {
                "FREQ" => {
                    unit = Some(match value {
                        "DAILY" => Unit::Day,
                        "WEEKLY" => Unit::Week,
                        "MONTHLY" => Unit::Month,
                        "YEARLY" => Unit::Year,
                        _ => return None,
                    })
                }
                "INTERVAL" => rule.every = number(value).filter(|every| *every > 0)?,
                "COUNT" => rule.count = Some(number(value)?),
                "UNTIL" => rule.until = Some(Moment::read(value, offset_s)?),
                "BYDAY" => rule.days = value.split(',').map(weekday_read).collect::<Option<_>>()?,
                "BYMONTHDAY" => rule.month_days = value.split(',').map(signed).collect::<Option<_>>()?,
                "BYMONTH" => rule.months = value.split(',').map(number).collect::<Option<_>>()?,
                "WKST" => rule.week_start = weekday_read(value)?.1,
                _ => return None,
            }
        }
        rule.unit = unit?;
        let has_numbers = rule.days.iter().any(|(nth, _)| *nth != 0);
        let is_known = match rule.unit {
            Unit::Day | Unit::Week => !has_numbers,
            Unit::Month => true,
            // Without a month they would be numbers in the year.
            Unit::Year => rule.days.is_empty() || !rule.months.is_empty(),
        };
        Some(rule).filter(|_| is_known)
    }

    /// Whether one begins on a date.
    fn has(&self, start: Moment, date: Date) -> bool {
        let is_past = self.until.map_or(false, |until| {
            (date, start.minute.unwrap_or(0)) > (until.date, until.minute.unwrap_or(DAY))
        });
        if date < start.date || is_past || !self.fits(start.date, date) {
            return false;
        }
        let days = (start.date.days()..=date.days()).filter_map(Date::from_days);
        self.count.map_or(true, |count| {
            let most = count as usize;
            days.filter(|day| self.fits(start.date, *day)).take(most + 1).count() <= most
        })
    }

    /// Whether a date is one of the endless series.
    fn fits(&self, start: Date, date: Date) -> bool {
        if date == start {
            return true;
        }
        let month = |date: Date| date.year() * 12 + date.month();
        let week = |date: Date| (date.days() + 3 - self.week_start).div_euclid(7);
        let units = match self.unit {
            Unit::Day => start.days_until(date),
            Unit::Week => week(date) - week(start),
            Unit::Month => month(date) - month(start),
            Unit::Year => date.year() - start.year(),
        };
        if units % self.every != 0 {
            return false;
        }
        let of_month = match self.unit {
            Unit::Year if self.months.is_empty() => date.month() == start.month(),
            _ => self.months.is_empty() || self.months.contains(&date.month()),
        };
        let is_plain = self.days.is_empty() && self.month_days.is_empty();
        let of_days = self.days.is_empty() || self.days.iter().any(|(nth, day)| *day == weekday(date) && is_nth(*nth, date));
        let of_month_days = self.month_days.is_empty()
            || self.month_days.iter().any(|day| *day == date.day() || *day == date.day() - 1 - days_in_month(date));
        let of_start = match self.unit {
            _ if !is_plain => true,
            Unit::Day => true,
            Unit::Week => weekday(date) == weekday(start),
            Unit::Month | Unit::Year => date.day() == start.day(),
        };
        of_month && of_days && of_month_days && of_start
    }
}

/// `MO`, `2TU` or `-1FR`.
fn weekday_read(text: &str) -> Option<(i64, i64)> {
    let at = text.len().checked_sub(2)?;
    let day = WEEKDAYS.iter().position(|day| text.get(at..) == Some(*day))? as i64;
    Some((if at == 0 { 0 } else { signed(text.get(..at)?)? }, day))
}

/// Whether it is the nth of its weekday in the month.
fn is_nth(nth: i64, date: Date) -> bool {
    nth == 0 || nth == (date.day() - 1) / 7 + 1 || nth == -((days_in_month(date) - date.day()) / 7 + 1)
}

fn days_in_month(date: Date) -> i64 {
    (29..=31).rev().find(|day| Date::new(date.year(), date.month(), *day).is_some()).unwrap_or(28)
}

/// A whole number of digits alone.
fn number(text: &str) -> Option<i64> {
    let is_number = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// The same with a sign.
fn signed(text: &str) -> Option<i64> {
    match text.strip_prefix('-') {
        Some(text) => number(text).map(|number| -number),
        None => number(text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Minutes of `P1D`, `PT1H30M` or `P2W`.
fn duration(text: &str) -> Option<i64> {
    let rest = text.strip_prefix('+').unwrap_or(text).strip_prefix('P')?;
    let (mut minutes, mut digits) = (0, String::new());
    for letter in rest.chars() {
        let factor = match letter {
            '0'..='9' => {
                digits.push(letter);
                continue;
            }
            'T' if digits.is_empty() => continue,
            'W' => 7 * DAY,
            'D' => DAY,
            'H' => 60,
            'M' => 1,
            'S' => 0,
            _ => return None,
        };
        minutes += number(&digits)? * factor;
        digits.clear();
    }
    Some(minutes).filter(|_| digits.is_empty())
}

/// The events of a file, and the titles of those that cannot be read; nothing if it is not a calendar.
fn read(text: &str, offset_s: i64) -> Option<(Vec<Event>, Vec<String>)> {
    let (mut events, mut unread) = (Vec::new(), Vec::new());
    let mut within: Vec<String> = Vec::new();
    let mut fields: Vec<Field> = Vec::new();
    let lines = unfolded(text);
    let is_whole = |at: Option<&String>, wanted: &str| at.map_or(false, |line| line.trim().eq_ignore_ascii_case(wanted));
    if !is_whole(lines.first(), "BEGIN:VCALENDAR") || !is_whole(lines.last(), "END:VCALENDAR") {
        return None;
    }
    for line in &lines {
        // A line without a colon says nothing that is read here.
        let field = match Field::read(line) {
            Some(field) => field,
            None => continue,
        };
        match field.name.as_str() {
            "BEGIN" => {
                within.push(field.value.to_uppercase());
                if is_event(&within) {
                    fields.clear();
                }
            }
            "END" => {
                if is_event(&within) {
                    match event(&fields, offset_s) {
                        Some(event) => events.push(event),
                        None => unread.push(title(&fields)),
                    }
                }
                within.pop();
            }
            // What stands in an alarm of an event is not about the event.
            _ if is_event(&within) => fields.push(field),
            _ => {}
        }
    }
    Some((events, unread))
}

fn is_event(within: &[String]) -> bool {
    within.last().map_or(false, |name| name == "VEVENT")
}

/// The lines of a file, each joined with those that continue it; the empty ones are left out.
fn unfolded(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.trim_start_matches('\u{feff}').split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match (line.strip_prefix([' ', '\t']), lines.last_mut()) {
            (Some(rest), Some(before)) => before.push_str(rest),
            _ if line.trim().is_empty() => {}
            _ => lines.push(line.to_string()),
        }
    }
    lines
}

/// A line such as `DTSTART;TZID=Europe/Berlin:20300131T093000`.
struct Field {
    name: String,
    /// What stands between the name and the value.
    params: String,
    value: String,
}

impl Field {
    fn read(line: &str) -> Option<Field> {
        let mut is_quoted = false;
        let colon = line.char_indices().find(|(_, letter)| {
            is_quoted ^= *letter == '"';
            *letter == ':' && !is_quoted
        });
        let (before, value) = (line.get(..colon?.0)?, line.get(colon?.0 + 1..)?);
        let (name, params) = before.split_once(';').unwrap_or((before, ""));
        Some(Field { name: name.to_uppercase(), params: params.to_string(), value: value.to_string() })
    }

    /// The time zone that it names.
    fn zone(&self) -> &str {
        let param = self.params.split(';').find_map(|param| param.strip_prefix("TZID="));
        param.unwrap_or("").trim_matches('"')
    }
}

fn value<'a>(fields: &'a [Field], name: &str) -> Option<&'a Field> {
    fields.iter().find(|field| field.name == name)
}

/// The event that such lines tell of; nothing where one of them cannot be read.
fn event(fields: &[Field], offset_s: i64) -> Option<Event> {
    let text = |name: &str| value(fields, name).map_or("", |field| field.value.trim());
    let moment = |name: &str| value(fields, name).map(|field| Moment::read(field.value.trim(), offset_s));
    let start = moment("DTSTART")??;
    // Further dates beside the rule, and rules that take some away, are not read.
    if ["RDATE", "EXRULE"].iter().any(|name| value(fields, name).is_some()) {
        return None;
    }
    let length = match (moment("DTEND"), value(fields, "DURATION")) {
        (Some(end), _) => end?.minutes() - start.minutes(),
        (None, Some(field)) => duration(field.value.trim())?,
        (None, None) if start.minute.is_none() => DAY,
        (None, None) => 0,
    };
    let rule = match value(fields, "RRULE") {
        Some(field) => Some(Rule::read(field.value.trim(), offset_s)?),
        None => None,
    };
    let except = fields.iter().filter(|field| field.name == "EXDATE").flat_map(|field| field.value.trim().split(','));
    let except: Vec<Moment> = except.map(|text| Moment::read(text, offset_s)).collect::<Option<_>>()?;
    let instead_of = match moment("RECURRENCE-ID") {
        Some(moment) => Some(moment?),
        None => None,
    };
    let event = Event {
        id: text("UID").to_string(),
        title: title(fields),
        place: plain(text("LOCATION")),
        start,
        length,
        zone: plain(value(fields, "DTSTART")?.zone()),
        rule,
        except,
        instead_of,
        cancelled: text("STATUS").eq_ignore_ascii_case("CANCELLED"),
    };
    Some(event).filter(|event| event.length >= 0)
}

fn title(fields: &[Field]) -> String {
    let title = plain(value(fields, "SUMMARY").map_or("", |field| &field.value));
    if title.is_empty() { "?".to_string() } else { title }
}

/// A text on one line: its escapes read, without control characters and of at most 120 characters.
fn plain(text: &str) -> String {
    let (mut out, mut letters) = (String::new(), text.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') | Some('N') => out.push(' '),
                Some(other) => out.push(other),
                None => {}
            },
            other => out.push(other),
        }
    }
    let seen: String = out.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(120).collect()
}

// @include day

// @include german

const GERMAN: &[&str] = &[
    "was", "steht", "liegt", "an", "los", "heute", "morgen", "übermorgen", "gestern", "am", "habe", "hab", "haben", "vor", "termine",
    "kalender", "zeig", "zeige", "lies", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag",
];
