//! What is counted between days and times, and from them: `how many days till christmas`, `10 minutes before 8:05`.

use jiff::civil::Date;
use jiff::{Span, ToSpan, Unit, Zoned};
use kernel::skill::Call;
use language::{Language, fill};
use ports::KernelContext;
use ports::own::{parameters, phrases};
use serde_json::json;
use shared_types::described::Tool;

use super::{when, words};

/// The units of a span, as people type them in a sentence pattern.
const UNITS: [&str; 26] = [
    "minutes",
    "minute",
    "min",
    "mins",
    "hours",
    "hour",
    "days",
    "day",
    "weeks",
    "week",
    "fortnight",
    "months",
    "month",
    "years",
    "year",
    "Minuten",
    "Stunden",
    "Stunde",
    "Tage",
    "Tagen",
    "Wochen",
    "Woche",
    "Monate",
    "Monaten",
    "Jahre",
    "Jahren",
];

/// The keywords of a short text in a schema, where `TEXT` stands for them.
const TEXT: &str = r#""type": "string", "minLength": 1, "maxLength": 64"#;

pub(super) fn tools() -> Vec<Tool> {
    const MOVED: &str = r#"{"type": "object", "properties": {
        "count": {"type": "integer", "minimum": 1, "maximum": 100000, "description": "1 without it"},
        "unit": {"type": "string", "enum": UNITS},
        "span": {TEXT, "description": "in the place of both, such as `3 and a half hours`"},
        "what": {TEXT, "description": "what is then; it changes nothing"},
        "from": {TEXT, "description": "a day or a time of day; now without it"}}}"#;
    vec![
        tool(
            "until",
            "Counts the time from one day to another, or from one time of day to another",
            r#"{"type": "object", "properties": {
                "from": {TEXT, "description": "a day or a time of day; today without it"},
                "until": {TEXT, "description": "a day or a time of day; today without it"},
                "unit": {TEXT, "description": "days, weeks, months or years; days without it"},
                "name": {TEXT, "description": "what is then; it changes nothing"},
                "pause": {TEXT, "description": "a span that does not count"}}}"#,
            UNTIL,
            ["how many days until christmas?", "wie viele Tage noch bis Weihnachten?"],
        ),
        tool(
            "later",
            "Tells the day or the time that is so long after another",
            MOVED,
            LATER,
            ["what day is it in 3 weeks?", "welcher Tag ist in 3 Wochen?"],
        ),
        tool(
            "earlier",
            "Tells the day or the time that is so long before another",
            MOVED,
            EARLIER,
            ["10 minutes before 8:05", "10 Minuten vor 8:05"],
        ),
        tool(
            "week",
            "Tells the number of the calendar week",
            r#"{"type": "object", "properties": {"day": {TEXT, "description": "a day; today without it"}}}"#,
            WEEK,
            ["which calendar week is it?", "welche Kalenderwoche haben wir?"],
        ),
        tool(
            "age",
            "Tells how old somebody is who was born on a day, or in which year somebody of an age was born",
            r#"{"type": "object", "properties": {
                "from": {TEXT, "description": "the day of birth; the birthday with an age"},
                "years": {"type": "integer", "minimum": 1, "maximum": 130, "description": "an age: the year of birth is asked"}}}"#,
            AGE,
            [
                "how old is somebody born on 14 June 2015?",
                "wie alt ist jemand, der am 14. Juni 2015 geboren ist?",
            ],
        ),
    ]
}

fn tool(name: &str, description: &str, schema: &str, patterns: &[(&str, &str)], examples: [&str; 2]) -> Tool {
    Tool {
        name: name.parse().expect("the clock's tool names are well-formed"),
        description: description.to_owned(),
        parameters: parameters(schema, &[("TEXT", &TEXT), ("UNITS", &json!(UNITS))]),
        phrases: phrases(patterns),
        examples: examples.map(str::to_owned).into(),
    }
}

const UNTIL: &[(&str, &str)] = &[
    (
        "en",
        "how many {unit:1} [are|is|do] [there|we|i] [have] [still] left|remaining|remain in|of {until:feast}",
    ),
    ("en", "how many {unit:1} [are|is|does|do|has] [there] [in] {from:feast} [have|has]"),
    ("en", "how many {unit:1} in {from:feast}"),
    (
        "de",
        "wie viele|viel {unit:1} [sind|bleiben|hat] [es|uns|noch] [noch] [ubrig|uebrig] in {until:feast} [noch|ubrig|uebrig]",
    ),
    (
        "de",
        "wieviel|wieviele {unit:1} [sind|bleiben|hat] [es|uns|noch] [noch] in {until:feast} [noch|ubrig|uebrig]",
    ),
    ("de", "wie viele|viel {unit:1} hat {from:feast}"),
    ("de", "wieviel|wieviele {unit:1} hat {from:feast}"),
    (
        "en",
        "how many {unit:1} [are|is|do|till] [there|it|we|i|left] [left|have|now|still] [to] [go] until|till|til|before {until:6}",
    ),
    ("en", "how many {unit:1} to {until:6}"),
    ("en", "how many {unit:2} until|till|til|before {until:6}"),
    ("en", "[the] [number] [of] {unit:1} between {from:4} and {until:4}"),
    ("en", "how many {unit:1} remain|remains|remaining until|till|til|before|to {until:6}"),
    ("en", "how many more {unit:1} until|till|til|to {until:6}"),
    ("en", "how long [is|do] [it|there|we] [have|still|left] [to] [go] until|till|til|before {until:6}"),
    ("en", "{unit:1} until|till|til {until:4}"),
    ("en", "how many {unit:1} [are|is|lie|will] [there|it] [be] between {from:6} and|to {until:6}"),
    ("en", "how many {unit:1} [are|is] [there|it] from {from:6} to|until|till {until:6}"),
    ("en", "how long [is] [it|that|there] from|between {from:4} to|and|until|till {until:4}"),
    (
        "en",
        "from {from:3} to|until|till {until:3} how long|many [hours] [is|did|do|have|are] [that|it|i] [work|worked]",
    ),
    (
        "en",
        "[i] [worked] from {from:3} to|until|till {until:3} with|minus|less [a|an] {pause:3} break|lunch|pause how long|many|much [hours] [is|did|do|have|are] [that|it|i] [work|worked]",
    ),
    ("en", "how long|many [hours] did|do|have i work|worked from {from:3} to|until|till {until:3}"),
    (
        "en",
        "it is {from:3} and i get|have|need|must|wake|am up|to|getting [get|wake|be] [up] at|by {until:3} how much|many|long [hours] [of] [sleep] [can|do|will|is] [i|that] [get|have|sleep] [left]",
    ),
    (
        "en",
        "[if] i go|am [going] to bed|sleep at {from:3} and [i] [have|must|need] [to] get|wake up at|by {until:3} how much|many|long [hours] [of] [sleep] [can|do|will|is] [i|that] [get|have|sleep]",
    ),
    ("en", "how many {unit:1} [have|has|is|are] [it|passed|been] [passed|been] since {from:6}"),
    ("en", "how many {unit:1} ago was|is {from:6}"),
    ("en", "how long ago was|is {from:6}"),
    ("en", "how many {unit:1} until|till|til|to|before my|the|our {name:3} it|which|that is [on] {until:5}"),
    ("en", "how many {unit:1} until|till|til|to|before my|the|our {name:3} on {until:5}"),
    ("en", "{name:6} from {from:4} to|until|till {until:4} how many {unit:1} is|are|will that|it [be]"),
    (
        "de",
        "{name:6} vom|von {from:4} bis [zum|zu] {until:4} wie viele|viel {unit:1} sind|ist|macht|sinds das|es",
    ),
    ("de", "{name:6} vom|von {from:4} bis [zum|zu] {until:4} wie viele|viel {unit:1} sinds"),
    (
        "de",
        "wie viele|viel {unit:1} [sind] [es] [noch] bis zu|zum|zur [meinem|meiner|dem|der] {name:3} der|die|das|er|sie|es ist [am] {until:5}",
    ),
    ("en", "how long is it since {from:6}"),
    (
        "de",
        "wie viele|viel {unit:1} [sind|ist|sinds|dauert|haben|muss] [es|das|wir|ich|noch] [jetzt|noch|denn] bis [zu|zum|zur] {until:6}",
    ),
    (
        "de",
        "wieviel|wieviele {unit:1} [sind|ist|sinds|dauert|haben|muss] [es|das|wir|ich|noch] [jetzt|noch|denn] bis [zu|zum|zur] {until:6}",
    ),
    (
        "de",
        "wie lange|lang|oft [ist|dauert|sind|muss|schlafe] [es|das|ich|noch|wir] [noch|denn] [warten|schlafen] bis [zu|zum|zur] {until:6}",
    ),
    ("de", "noch wie viele {unit:1} bis [zu|zum|zur] {until:6}"),
    ("de", "wie viele|viel {unit:1} bleiben|verbleiben [uns|mir|noch] [noch] bis [zu|zum|zur] {until:6}"),
    ("de", "{unit:1} [noch] bis [zu|zum|zur] {until:6}"),
    ("de", "in wie vielen|viel {unit:1} ist|haben [wir] {until:6}"),
    (
        "de",
        "wie viele|viel {unit:1} [sind|liegen|sinds|ist|vergehen] [es|das] von|vom|zwischen {from:6} bis|und {until:6}",
    ),
    (
        "de",
        "wieviel|wieviele {unit:1} [sind|liegen|sinds|ist|vergehen] [es|das] von|vom|zwischen {from:6} bis|und {until:6}",
    ),
    ("de", "wie lange|lang ist|dauert [es|das] von|vom|zwischen {from:4} bis|und {until:4}"),
    ("de", "anzahl [der] {unit:1} von|vom|zwischen {from:4} bis|und {until:4}"),
    ("de", "{unit:1} vom|zwischen {from:4} bis|und {until:4}"),
    (
        "de",
        "von {from:3} bis {until:3} wie lange|lang|viele|viel [stunden] [ist|sind|habe|war|bin] [das|ich|es] [da] [gearbeitet]",
    ),
    (
        "de",
        "[ich] [habe] von {from:3} bis {until:3} mit|minus|abzüglich|abzueglich [einer] {pause:3} pause [gearbeitet] wie lange|lang|viele|viel [stunden] [ist|sind|habe|war] [das|ich|es] [da] [gearbeitet]",
    ),
    (
        "de",
        "es ist {from:3} und ich muss|stehe um {until:3} raus|auf|aufstehen wie lange|lang|viel|viele [stunden|schlaf] [kann|schlafe|bekomme|habe|bleibt|bleiben] [ich|mir] [noch] [schlaf|schlafen]",
    ),
    (
        "de",
        "[wenn] ich gehe|um [um] {from:3} [ins] bett|schlafen [gehe] und [ich] muss|stehe|um [um] {until:3} raus|auf|aufstehen [muss] wie lange|lang|viel|viele [stunden|schlaf] [kann|schlafe|bekomme|habe] [ich] [noch] [schlaf|schlafen]",
    ),
    ("de", "{until:3} in wie viel|viele|vielen {unit:1} wenn es jetzt|gerade|grade|grad {from:5} ist"),
    ("de", "{until:3} in wieviel {unit:1} wenn es jetzt|gerade|grade|grad {from:5} ist"),
    ("de", "in wie vielen|viel {unit:1} ist [es] {until:4} wenn es jetzt|gerade|grade|grad {from:5} ist"),
    ("de", "wie viele|viel {unit:1} [sind|ist] [es|seit] seit|vergangen {from:6} [vergangen|her]"),
    ("de", "wie lange|lang ist {from:6} her"),
    ("de", "vor wie vielen|viel {unit:1} war {from:6}"),
];

const LATER: &[(&str, &str)] = &[
    ("en", "what|which time|day|date|weekday is|will [it] [be] [in] {count} {unit} [from] [now|today]"),
    ("en", "what|which day of the week is|will [it] [be] [in] {count} {unit} [from] [now|today]"),
    ("en", "what is the date|time|day|weekday [in] {count} {unit} [from] [now|today]"),
    ("en", "what is the date|day|weekday [in] a {unit} from now|today"),
    ("en", "what|which day|date|weekday is|will [it] [be] [in] a {unit} [from] [now|today]"),
    ("en", "[the] date [in] {count} {unit} [from] [now|today]"),
    ("en", "[the] date a {unit} from now|today"),
    ("en", "{count} {unit} from now|today"),
    ("en", "a {unit} from now|today"),
    ("en", "{count} {unit} after|from|past {from:4}"),
    ("en", "what [time|day|date] is|will [it] [be] {count} {unit} after|from|past {from:4}"),
    ("en", "add {count} {unit} to {from:4}"),
    ("en", "what time is it [now] plus|in {span:6}"),
    ("en", "what time is|will [it] [be] in {span:6}"),
    ("en", "[the] [time] now plus|+ {span:6}"),
    ("en", "today plus|+ {count} {unit}"),
    ("en", "{what:6} is|are in {count} {unit} [on] [a] [{span:1}] what|which date|day is|will that|it [be]"),
    ("de", "heute plus|+ {count} {unit}"),
    ("de", "jetzt plus|+ {span:6}"),
    ("de", "wie spät|spaet ist|wird es [jetzt] plus|in {span:6}"),
    ("de", "wie viel uhr ist|wird es [jetzt] plus|in {span:6}"),
    ("de", "{what:6} ist|is|sind in {count} {unit} welcher|welches|was tag|datum ist|is das [dann]"),
    ("de", "wie spät|spaet ist|wird es in {count} {unit}"),
    ("de", "wie viel uhr ist es in {count} {unit}"),
    ("de", "wieviel uhr ist es in {count} {unit}"),
    ("de", "welcher|welches|welchen tag|datum|wochentag ist|haben|wird [es|wir] [heute] in {count} {unit}"),
    ("de", "was für|fuer ein tag|datum|wochentag ist|haben [es|wir] [heute] in {count} {unit}"),
    ("de", "was ist [heute] in {count} {unit} für|fuer ein tag|datum|wochentag"),
    ("de", "welches datum ist heute in {count} {unit}"),
    ("de", "der wievielte ist [heute] in {count} {unit}"),
    ("de", "heute in {count} {unit}"),
    ("de", "datum in {count} {unit}"),
    ("de", "{count} {unit} nach|ab {from:4}"),
    ("de", "wie spät|spaet|viel ist|uhr [ist] [es] {count} {unit} nach {from:4}"),
];

const EARLIER: &[(&str, &str)] = &[
    ("en", "{count} {unit} before|prior {from:4}"),
    ("en", "what|which [time|day|date] is|was [it] {count} {unit} before {from:4}"),
    ("en", "what|which time|day|date|weekday was [it] {count} {unit} ago"),
    ("en", "what was the date|time|day {count} {unit} ago"),
    ("en", "[the] date {count} {unit} ago"),
    ("en", "subtract {count} {unit} from {from:4}"),
    ("en", "today minus|- {count} {unit}"),
    ("de", "heute minus|- {count} {unit}"),
    ("de", "{count} {unit} vor {from:4}"),
    ("de", "wie spät|spaet ist|war es {count} {unit} vor {from:4}"),
    ("de", "wie spät|spaet war es vor {count} {unit}"),
    ("de", "welcher|welches|welchen tag|datum|wochentag war|hatten [es|wir] vor {count} {unit}"),
    ("de", "was war vor {count} {unit} für|fuer ein tag|datum"),
];

const WEEK: &[(&str, &str)] = &[
    (
        "en",
        "which|what [calendar] week [number] [of] [the] [year] is|are [it|we|this] [in] [now|today|currently|right]",
    ),
    ("en", "what is the [current] calendar|week week|number [number] [today]"),
    ("en", "what is the week number [today]"),
    ("en", "calendar week [number] [now|today|please]"),
    ("en", "week number [now|today|please]"),
    ("en", "[which|what] [calendar] week [number] [is|of|on|for] {day:5}"),
    ("en", "[in] which|what calendar|week week|number [number] is {day:5} [in]"),
    (
        "de",
        "welche kalenderwoche|kw|woche haben|ist|hamma|hama|hammer|sind [wir|es|ma] [grad|gerade|grade|jetzt|heute|denn] [grad|gerade|jetzt]",
    ),
    ("de", "in welcher kalenderwoche|kw|woche sind|leben|ist [wir|heute] [grad|gerade|grade|jetzt]"),
    ("de", "in welcher kalenderwoche|kw ist|liegt {day:5}"),
    ("de", "[welche] kalenderwoche|kw|woche [ist|hat|haben|war] [wir|am|vom] {day:5}"),
    ("de", "die|aktuelle [aktuelle] kalenderwoche|kw"),
    ("de", "kalenderwoche|kw [heute|jetzt|aktuell|grad]"),
    ("de", "was|wie ist|lautet [die] [aktuelle] kalenderwoche|kw"),
];

const AGE: &[(&str, &str)] = &[
    ("en", "which|what year was somebody|someone born who|that is {years}"),
    (
        "en",
        "which|what year was somebody|someone born who|that is {years} and whose birthday is [on] [the] {from:4}",
    ),
    ("de", "in welchem jahr ist jemand geboren der {years} [jahre] [alt] ist"),
    ("en", "what is my age if i was born [on|in] {from:4}"),
    ("en", "i am|was born [on|in] [the] {from:4} how old am|will i [now|today|be]"),
    ("en", "born [on|in] [the] {from:4} how old am i"),
    ("en", "how old am i if|when i am|was born [on|in] [the] {from:4}"),
    ("en", "how old is somebody|someone|anybody [who|that|if] [was|is] born [on|in] [the] {from:4}"),
    ("en", "how old is a|the person|child|man|woman [who|that] [was|is] born [on|in] [the] {from:4}"),
    ("de", "ich bin|wurde [am] {from:4} geboren wie alt bin|werde ich [jetzt|heute|dann]"),
    ("de", "[am] {from:4} geboren wie alt bin ich"),
    ("de", "geboren [am] {from:4} wie alt bin ich"),
    ("de", "wie alt bin ich wenn ich [am] {from:4} geboren bin|wurde"),
    ("de", "wie alt ist jemand|man der|wenn [man] [am|im|in] [jahr] {from:4} geboren ist|wurde"),
];

/// The oldest that somebody may be of whom the year of birth alone is said.
const MOST_YEARS: i16 = 130;

/// The answer to a call; `None` where it names no day and no time.
pub(super) fn call(tool: &str, call: &Call<'_>, ctx: &KernelContext) -> Option<String> {
    let language = words::language(ctx, call.line);
    let now = jiff::Timestamp::now().to_zoned(ctx.shared().zone.clone());
    let given = |name: &str| call.args[name].as_str().unwrap_or_default();
    match tool {
        "until" => until(&now, [given("from"), given("until"), given("unit"), given("pause")], language),
        "week" => {
            let day = if given("day").is_empty() { now.date() } else { when::day(given("day"), now.date())? };
            let week = day.iso_week_date().week().to_string();
            Some(fill(language.says().week, &[("week", &week)]))
        }
        "age" if let Some(years) = call.args["years"].as_i64() => {
            let years = i16::try_from(years).ok().filter(|years| (1..=MOST_YEARS).contains(years))?;
            if given("from").is_empty() {
                let year = now.year() - years;
                let values = [("less", &*(year - 1).to_string()), ("year", &year.to_string())];
                return Some(fill(language.says().born_by_age, &values));
            }
            let year = year_of_birth(years, when::day(given("from"), now.date())?, now.date());
            Some(fill(language.says().born, &[("year", &year.to_string())]))
        }
        "age" if let Ok(year) = given("from").trim().parse::<i16>() => {
            let years = now.year().checked_sub(year).filter(|years| (1..=MOST_YEARS).contains(years))?;
            let (less, years) = ((years - 1).to_string(), years.to_string());
            Some(fill(language.says().age_by_year, &[("less", &less), ("years", &years)]))
        }
        "age" => {
            let born = when::day(given("from"), now.date()).filter(|born| *born < now.date())?;
            let age = now.date().since((Unit::Year, born)).ok()?;
            Some(fill(language.says().age, &[("years", &age.get_years().to_string())]))
        }
        _ => {
            let span = match (given("unit"), given("span")) {
                ("", span) => crate::memory::reminders::span(span)?,
                (unit, weekday) => {
                    let span = when::span(&format!("{} {unit}", call.args["count"].as_i64().unwrap_or(1)))?;
                    match language::weekday(&language::fold::word(weekday)) {
                        Some(weekday) => on_weekday(&now, span, weekday)?,
                        None => span,
                    }
                }
            };
            moved(&now, given("from"), if tool == "earlier" { span.negate() } else { span }, language)
        }
    }
}

/// A span until that day of the week which is nearest to its end.
fn on_weekday(now: &Zoned, span: Span, weekday: usize) -> Option<Span> {
    let end = now.date().checked_add(span).ok()?;
    let ahead = i64::try_from(weekday).ok()? - i64::from(end.weekday().to_monday_zero_offset());
    let ahead = (ahead + 10).rem_euclid(7) - 3;
    Some(i64::from(now.date().until(end.checked_add(ahead.days()).ok()?).ok()?.get_days()).days())
}

/// The year in which somebody was born who is so many years old and has that birthday next.
pub(super) fn year_of_birth(years: i16, birthday: Date, today: Date) -> i16 {
    let is_to_come = (birthday.month(), birthday.day()) > (today.month(), today.day());
    today.year() - years - i16::from(is_to_come)
}

/// What is between two days, or two times of day.
fn until(now: &Zoned, [from, until, unit, pause]: [&str; 4], language: Language) -> Option<String> {
    let says = language.says();
    let unit = match language::span(&language::fold::word(unit)) {
        _ if unit.is_empty() => None,
        Some(meant) => Some(meant.split_once(' ')?),
        None => return None,
    };
    let today = now.date();
    let named = |text: &str| if text.is_empty() { Some(today) } else { when::day(text, today) };
    // `my 80th birthday on 3 March`
    let is_named = |text: &str| named(text).is_some() || when::time(text).is_some();
    let until = if is_named(until) { until } else { when_named(until).unwrap_or(until) };
    let is_day = unit.is_some_and(|(_, kind)| kind != "min");
    if !is_day && let Some(said) = between_times(now, [from, until, pause], language) {
        return Some(said);
    }
    if until.is_empty() && language::feast(&language::terms::fold(from)) == Some(when::MONTH) {
        return Some(counted(today.days_in_month().into(), DAY, language));
    }
    let (mut start, mut end) = (named(from)?, named(until)?);
    if from.is_empty() && end == today && language::feast(&language::terms::fold(until)) == Some(when::MONTH)
    {
        return Some(counted(0, DAY, language));
    }
    if until.is_empty() {
        // What was is in the past, whichever year that was.
        start = if start > today { start.checked_sub(1.year()).ok()? } else { start };
    }
    if end < start {
        (start, end) = (end, start);
    }
    let days = i64::from(start.until(end).ok()?.get_days());
    let whole = counted(days, DAY, language);
    let weeks = [counted(days / 7, WEEKS, language), counted(days % 7, DAY, language)];
    let weeks = if days % 7 == 0 { weeks[0].clone() } else { weeks.join(" ") };
    let span = match unit {
        Some((_, "w")) => {
            let works = |day: &Date| day.weekday().to_monday_zero_offset() < 5;
            let count = start.series(1.day()).take_while(|day| *day < end).filter(works).count();
            counted(i64::try_from(count).ok()?, WORKDAY, language)
        }
        Some(("7", _)) => format!("{weeks} ({whole})"),
        Some((_, "m" | "y")) => {
            let largest = if unit == Some(("1", "y")) { Unit::Year } else { Unit::Month };
            let span = end.since((largest, start)).ok()?;
            let parts = [
                (span.get_years().into(), YEAR),
                (span.get_months().into(), MONTH),
                (span.get_days().into(), DAY),
            ];
            let parts = parts
                .into_iter()
                .filter(|(n, _): &(i64, usize)| *n > 0)
                .map(|(n, unit)| counted(n, unit, language));
            format!("{} ({whole})", parts.collect::<Vec<_>>().join(" "))
        }
        Some(("60", _)) => format!("{} ({whole})", counted(days * 24, HOUR, language)),
        Some((_, "min")) => format!("{} ({whole})", counted(days * 24 * 60, MINUTE, language)),
        _ if days >= 14 => format!("{whole} ({weeks})"),
        _ => whole,
    };
    let written = |day: Date| {
        Some(words::on_day(says.span_day, &day.to_zoned(now.time_zone().clone()).ok()?, language))
    };
    Some(match (start == today, end == today) {
        (true, true) => words::on_day(says.date, now, language),
        (true, false) => fill(says.span_until, &[("span", &span), ("day", &written(end)?)]),
        (false, true) => fill(says.span_since, &[("span", &span), ("day", &written(start)?)]),
        _ => {
            fill(says.span_between, &[("span", &span), ("from", &written(start)?), ("until", &written(end)?)])
        }
    })
}

/// What is between two times of day; the first is the present one where none is named.
fn between_times(now: &Zoned, [from, until, pause]: [&str; 3], language: Language) -> Option<String> {
    let (end, end_is_sure) = when::time(until)?;
    let (start, _) = if from.is_empty() { (now.time(), true) } else { when::time(from)? };
    let minutes = |time: jiff::civil::Time| i64::from(time.hour()) * 60 + i64::from(time.minute());
    let mut passed = minutes(end) - minutes(start);
    if passed <= 0 {
        // From 8:45 to 4:20 is a day's work, from 23:00 to 6:30 a night.
        passed += if !end_is_sure && passed > -12 * 60 && end.hour() < 12 { 12 * 60 } else { 24 * 60 };
    }
    if !pause.is_empty() {
        passed -= when::span(pause)?.total(Unit::Minute).ok()?.round() as i64;
    }
    if passed <= 0 {
        return None;
    }
    let parts = [(passed / 60, HOUR), (passed % 60, MINUTE)];
    let parts = parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, unit)| counted(n, unit, language));
    let said = parts.collect::<Vec<_>>().join(" ");
    let less = if pause.is_empty() { String::new() } else { format!(" (- {pause})") };
    let until = words::clock(end) + &less;
    Some(fill(
        language.says().span_between,
        &[("span", &said), ("from", &words::clock(start)), ("until", &until)],
    ))
}

/// The day or the time that is so long after another.
fn moved(now: &Zoned, from: &str, span: Span, language: Language) -> Option<String> {
    let says = language.says();
    if span.get_minutes() != 0 {
        let start = match from {
            "" => now.clone(),
            from => now.with().time(when::time(from)?.0).build().ok()?,
        };
        let then = start.checked_add(span).ok()?;
        return Some(fill(says.time, &[("time", &words::clock(then.time()))]));
    }
    let start = if from.is_empty() { now.date() } else { when::day(from, now.date())? };
    let then = start.checked_add(span).ok()?.to_zoned(now.time_zone().clone()).ok()?;
    Some(words::on_day(says.date_other, &then, language))
}

/// The places of the units in the sentence that names them.
const DAY: usize = 0;
const WEEKS: usize = 1;
const MONTH: usize = 2;
const YEAR: usize = 3;
const HOUR: usize = 4;
const MINUTE: usize = 5;
const WORKDAY: usize = 6;

/// The end of a text, from the last word on that stands before a day or a time.
fn when_named(text: &str) -> Option<&str> {
    let stands =
        |word: &&str| matches!(language::moment(&language::fold::word(word)), Some("on" | "by" | "at"));
    let word = text.split_whitespace().rfind(stands)?;
    Some(&text[word.as_ptr().addr() - text.as_ptr().addr()..])
}

/// A number of units, as `1 day` or `3 weeks`.
fn counted(number: i64, unit: usize, language: Language) -> String {
    let many = usize::from(number != 1);
    let name = language.says().span_units.split(" | ").nth(unit * 2 + many).unwrap_or_default();
    format!("{number} {name}")
}
