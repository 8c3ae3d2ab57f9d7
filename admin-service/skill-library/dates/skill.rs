//! Counts the days between dates, and tells weekdays.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if until
            .tool(
                Tool::new("@until", "Counts the days from today until a date")
                    // @if !fixed
                    .param(Param::text("@until.date", "a date such as 2030-01-31, 24 December or Christmas"))
                    // @end
                    // @if fixed
                    .param(Param::text("@until.date", "a date such as 2030-01-31, 24 December or Christmas").optional())
                    .phrase("en", "how many days [are] left|remain")
                    .phrase("en", "how many days [to] go")
                    .phrase("en", "countdown")
                    .phrase("de", "wie viele tage [sind] [es] noch")
                    .phrase("de", "wie oft [muss|müssen] [ich|wir] noch schlafen")
                    // @end
                    .phrase("en", "[how] [many] days [are|is] [it|left|there] until|till|before {@until.date}")
                    .phrase("en", "how many days [are|is] [it|left|there] to {@until.date}")
                    .phrase("en", "how long [is|will] [it] [take] [be] until|till {@until.date}")
                    .phrase("en", "[start] [a] countdown to|until|for {@until.date}")
                    .phrase("en", "when is {@until.date}")
                    .phrase("en", "how many sleeps|nights [are] [there] [left] until|till|to|before {@until.date}")
                    .phrase("en", "[the] days until|till|to {@until.date}")
                    .phrase("de", "wie viele tage [sind|dauert|noch] [es] [noch] bis [zu|zum|zur] {@until.date}")
                    .phrase("de", "wie lange [dauert|ist] [es] [noch] bis [zu|zum|zur] {@until.date}")
                    .phrase("de", "wann ist {@until.date}")
                    .phrase("de", "wie oft [muss|müssen|darf|kann] [ich|wir] [noch] schlafen bis [zu|zum|zur] {@until.date}")
                    .phrase("de", "wie viele nächte [sind] [es] noch bis [zu|zum|zur] {@until.date}")
                    .phrase("de", "wie viele tage noch bis [zu|zum|zur] {@until.date}")
                    .phrase("de", "[noch] [die] tage bis [zu|zum|zur] {@until.date}")
                    .example("how many days until 2030-01-01?")
                    .example("wie viele Tage sind es noch bis zum 1.1.2030?"),
            )
            // @end
            // @if since
            .tool(
                Tool::new("@since", "Counts the days since a date")
                    .param(Param::text("@since.date", "a date such as 2020-01-31"))
                    .phrase("en", "how many days [have] [passed] since {@since.date}")
                    .phrase("en", "how many days [is|has] it [been] since {@since.date}")
                    .phrase("en", "days since {@since.date}")
                    .phrase("en", "how long [is] [it] since {@since.date}")
                    .phrase("en", "how long|many [days] ago is|was {@since.date}")
                    .phrase("de", "wie viele tage [sind] [es] seit {@since.date} [vergangen]")
                    .phrase("de", "wie lange ist [der] {@since.date} her")
                    .phrase("de", "wie lange ist es her seit {@since.date}")
                    .example("how many days since 2020-02-29?")
                    .example("wie viele Tage sind es seit dem 29.2.2020?"),
            )
            // @end
            // @if between
            .tool(
                Tool::new("@between", "Counts the days from one date to another")
                    .param(Param::text("@between.from", "the first date"))
                    .param(Param::text("@between.to", "the second date"))
                    .phrase("en", "[how] [many] days [are] [there] between {@between.from} and {@between.to}")
                    .phrase("en", "how many days [are|is] [it] from {@between.from} to|until|till {@between.to}")
                    .phrase("de", "wie viele tage [sind|liegen] zwischen {@between.from} und {@between.to}")
                    .phrase("de", "wie viele tage [sind] [es] von|vom {@between.from} bis|zum {@between.to}")
                    .example("how many days between 2024-02-01 and 2030-01-01?")
                    .example("wie viele Tage liegen zwischen dem 1.2.2024 und dem 1.1.2030?"),
            )
            // @end
            // @if weekday
            .tool(
                Tool::new("@weekday", "Tells the weekday of a date")
                    .param(Param::text("@weekday.date", "a date such as 2030-01-31"))
                    .phrase("en", "what|which day of the week is|was {@weekday.date}")
                    .phrase("en", "what|which weekday is|was|will {@weekday.date} [be]")
                    .phrase("en", "what|which day is|was {@weekday.date}")
                    .phrase("en", "[what] [is] [the] weekday of {@weekday.date}")
                    .phrase("en", "on|what which|weekday|day does|did {@weekday.date} fall [on]")
                    .phrase("de", "welcher|was|welchen wochentag|tag ist|war|haben|hatten [der|wir|am] {@weekday.date}")
                    .phrase("de", "was für ein wochentag|tag ist|war [der] {@weekday.date}")
                    .example("what day of the week is 2030-01-01?")
                    .example("welcher Wochentag ist der 1.1.2030?"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        let german = german(call);
        match call.tool() {
            // @if until
            // @if fixed
            "@until" => until(call.opt_text("@until.date")?.unwrap_or(DATE), german),
            // @end
            // @if !fixed
            "@until" => until(call.text("@until.date")?, german),
            // @end
            // @end
            // @if since
            "@since" => since(call.text("@since.date")?, german),
            // @end
            // @if between
            "@between" => between(call.text("@between.from")?, call.text("@between.to")?, german),
            // @end
            // @if weekday
            "@weekday" => weekday(call.text("@weekday.date")?, german),
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if fixed
const DATE: &str = "@date";
// @end

// @if until
fn until(text: &str, german: bool) -> Answer {
    let today = host::today()?;
    let date = read(text, today, true, german)?;
    let days = today.days_until(date);
    let (day, date) = (weekday_name(date, german), shown(date, german));
    Ok(match (days, german) {
        (0, false) => format!("{} is today, a {}.", date, day),
        (0, true) => format!("Das ist heute: der {}, ein {}.", date, day),
        (1, false) => format!("There is 1 day until {}, a {}.", date, day),
        (1, true) => format!("Es ist noch 1 Tag bis zum {}, einem {}.", date, day),
        (_, false) if days > 0 => format!("There are {} days until {}, a {}.", days, date, day),
        (_, true) if days > 0 => format!("Es sind noch {} Tage bis zum {}, einem {}.", days, date, day),
        (_, false) => format!("{}, a {}, was {} ago.", date, day, count(-days, false)),
        (_, true) => format!("Der {}, ein {}, liegt {} zurück.", date, day, count(-days, true)),
    })
}
// @end

// @if since
fn since(text: &str, german: bool) -> Answer {
    let today = host::today()?;
    let date = read(text, today, false, german)?;
    let (days, date) = (date.days_until(today), shown(date, german));
    Ok(match (days < 0, german) {
        (false, false) => format!("{} {} passed since {}.", count(days, false), if days == 1 { "has" } else { "have" }, date),
        (false, true) => format!("Seit dem {} {} {} vergangen.", date, if days == 1 { "ist" } else { "sind" }, count(days, true)),
        (true, false) => format!("{} is still to come, in {}.", date, count(-days, false)),
        (true, true) => format!("Der {} kommt erst noch, in {}.", date, if days == -1 { "1 Tag".to_string() } else { format!("{} Tagen", -days) }),
    })
}
// @end

// @if between
fn between(from: &str, to: &str, german: bool) -> Answer {
    let today = host::today()?;
    let (from, to) = (read(from, today, true, german)?, read(to, today, true, german)?);
    let days = count(from.days_until(to).abs(), german);
    let plural = from.days_until(to).abs() != 1;
    let (from, to) = (shown(from, german), shown(to, german));
    Ok(match german {
        false => format!("There {} {} between {} and {}.", if plural { "are" } else { "is" }, days, from, to),
        true => format!("Zwischen dem {} und dem {} {} {}.", from, to, if plural { "liegen" } else { "liegt" }, days),
    })
}
// @end

// @if weekday
fn weekday(text: &str, german: bool) -> Answer {
    let today = host::today()?;
    let date = read(text, today, true, german)?;
    let (day, past, date) = (weekday_name(date, german), date < today, shown(date, german));
    Ok(match (german, past) {
        (false, false) => format!("{} is a {}.", date, day),
        (false, true) => format!("{} was a {}.", date, day),
        (true, false) => format!("Der {} ist ein {}.", date, day),
        (true, true) => format!("Der {} war ein {}.", date, day),
    })
}
// @end

// @if until|since|between
fn count(days: i64, german: bool) -> String {
    match (days, german) {
        (1, false) => "1 day".to_string(),
        (1, true) => "1 Tag".to_string(),
        (_, false) => format!("{} days", days),
        (_, true) => format!("{} Tage", days),
    }
}
// @end

/// A date as it is written in the language.
fn shown(date: Date, german: bool) -> String {
    match german {
        false => date.to_string(),
        true => format!("{}.{}.{}", date.day(), date.month(), date.year()),
    }
}

fn weekday_name(date: Date, german: bool) -> &'static str {
    let index = (date.days() + 3).rem_euclid(7) as usize;
    let names = if german { GERMAN_DAYS } else { ENGLISH_DAYS };
    names.get(index).copied().unwrap_or_default()
}

const ENGLISH_DAYS: &[&str] = &["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const GERMAN_DAYS: &[&str] = &["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"];

/// Reads a date; one without a year is the nearest to come, or the last gone by.
fn read(text: &str, today: Date, to_come: bool, german: bool) -> Result<Date, Refusal> {
    let text = lower(text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | ',')));
    let text = text.trim_end_matches(" vergangen");
    let text = ["the ", "zum ", "dem ", "der ", "am "].iter().find_map(|start| text.strip_prefix(start)).unwrap_or(text);
    let whole = text.trim_end_matches('.').replace(" of ", " ");
    if let Some(date) = Date::parse(&whole) {
        return Ok(date);
    }
    match text {
        "today" | "heute" => return Ok(today),
        "tomorrow" | "morgen" => return Ok(today.plus_days(1).unwrap_or(today)),
        "yesterday" | "gestern" => return Ok(today.plus_days(-1).unwrap_or(today)),
        _ => {}
    }
    // A date that does not exist, such as 2030-02-30, deserves an answer; other words are for somebody else.
    let years = [today.year() - 1, today.year(), today.year() + 1, today.year() + 2, today.year() + 3, today.year() + 4];
    let candidates: Vec<Date> = years.iter().filter_map(|year| in_year(&whole, *year)).collect();
    let found = match to_come {
        true => candidates.iter().find(|date| **date >= today),
        false => candidates.iter().rev().find(|date| **date <= today),
    };
    match found {
        Some(date) => Ok(*date),
        None if whole.chars().filter(char::is_ascii_digit).count() >= 5 => Err(Refusal::failed(if german {
            "Diesen Tag kenne ich nicht; ein Datum sieht so aus: 31.1.2030 oder 31. Januar 2030."
        } else {
            "I know no such day; a date looks like 2030-01-31, 31.1.2030 or 31 January 2030."
        })),
        None => Err(Refusal::not_mine()),
    }
}

fn in_year(text: &str, year: i64) -> Option<Date> {
    let (name, year) = match text.rsplit_once(' ') {
        Some((name, digits)) if digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            (name, digits.parse().ok()?)
        }
        _ => (text, year),
    };
    let feast = FEASTS.iter().find(|(names, _, _)| names.split(", ").any(|known| known == name));
    match feast {
        Some((_, month, day)) => Date::new(year, *month, *day),
        None => Date::parse(&format!("{} {}", name, year)).or_else(|| Date::parse(&format!("{}.{}", name, year))),
    }
}

const FEASTS: &[(&str, i64, i64)] = &[
    ("new year, new years, new year's, new years day, new year's day, neujahr", 1, 1),
    ("valentine's day, valentines day, valentinstag", 2, 14),
    ("halloween", 10, 31),
    ("saint nicholas, nikolaus, nikolaustag", 12, 6),
    ("christmas eve, heiligabend, heilig abend", 12, 24),
    ("christmas, christmas day, xmas, weihnachten", 12, 25),
    ("new year's eve, new years eve, silvester", 12, 31),
];

// @include german

const GERMAN: &[&str] = &[
    "wie", "viele", "tage", "tag", "nächte", "schlafen", "bis", "seit", "zwischen", "wann", "welcher", "welchen",
    "wochentag", "für", "ist", "sind",
];
