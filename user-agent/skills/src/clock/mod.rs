//! The date and the time, of the person's place or of a named zone.
//!
//! - [`count`]: what is counted between days and times, and from them

use jiff::tz::TimeZone;
use kernel::skill::{Call, Outcome, Skill};
use language::{Language, fill};
use models::phrases::{route, route_loosely};
use models::{Phrase, ToolSpec};
use ports::own::{own_name, parameters, phrases};
use ports::{KernelContext, Shared};
use serde_json::json;
use shared_types::capability::TokenSet;
use shared_types::described::Tool;
use shared_types::id::{SkillName, ToolName};
use shared_types::text::cut;

use crate::{when, words};

mod count;

/// The skill.
pub struct Clock {
    name: SkillName,
    tools: Vec<Tool>,
}

impl Default for Clock {
    fn default() -> Self {
        Clock {
            name: own_name("clock"),
            tools: vec![
                tool(
                    "time",
                    "Tells the time of day, here, in a city, or in a zone such as Asia/Tokyo",
                    TIME_PHRASES,
                    r#""at": {"type": "string", "maxLength": 32, "description": "a time of day here; now without it"},
                        "with": {"type": "string", "enum": ["day", "date", "weekday", "tag", "datum", "wochentag"], "description": "the day as well"},"#,
                    ["what time is it in Tokyo?", "wie spät ist es in Tokio?"],
                ),
                tool(
                    "date",
                    "Tells the date and the day of the week, here or in a zone",
                    DATE_PHRASES,
                    r#""day": {"type": "string", "maxLength": 64,
                        "description": "`today` without it, `tomorrow`, `yesterday`, or a day of the week to compare with"},"#,
                    ["what day is it?", "welcher Tag ist heute?"],
                ),
            ]
            .into_iter()
            .chain(count::tools())
            .collect(),
        }
    }
}

const TIME_PHRASES: &[(&str, &str)] = &[
    ("en", "what time is it and what|which {with} [is] [it] [is] [it|today] [today]"),
    ("en", "what is|are the time|hour and [the] {with} [today|now|please]"),
    ("en", "[the] time and {with} [please]"),
    ("en", "what|which {with} and [what] time is it [now]"),
    (
        "de",
        "wie spät|spaet ist|ists es und welcher|welches|welchen|was {with} [ist|haben|is] [heute|wir|es] [heute]",
    ),
    (
        "de",
        "wie spät|spaet ists und welcher|welches|welchen|was {with} [ist|haben|is] [heute|wir|es] [heute]",
    ),
    (
        "de",
        "wie viel uhr ist es und welcher|welches|welchen|was {with} [ist|haben|is] [heute|wir|es] [heute]",
    ),
    ("de", "[die] uhrzeit und [das|den] {with} [bitte]"),
    (
        "de",
        "welcher|welches|welchen {with} [ist|haben] [heute|wir] [heute] und wie spät|spaet ist|haben es|wir",
    ),
    ("en", "what time is it [now]"),
    ("en", "what is [the] [current] time [now]"),
    ("en", "tell|show|give me the [current] time"),
    ("en", "time|clock [now]"),
    ("en", "the time"),
    ("en", "current time"),
    ("en", "what is|are the time|hour|clock [now]"),
    ("en", "is|are {zone:6} [still|already] asleep|awake|sleeping|up what time is it there [now]"),
    ("en", "what time is it there in {zone:3}"),
    ("en", "what time is it [now] [there] in|at|for|with {zone:6}"),
    ("en", "what time is it [then|there] in|at {zone:3} when|if it is {at:3}"),
    ("en", "what time is it [then|there] in|at {zone:3} when|if it is {at:3} here|now"),
    ("en", "what time is it [then|there] in|at {zone:3} when|if its {at:3} here|now"),
    ("en", "when|if it is {at:3} here what time is it [then|there] in|at {zone:3}"),
    ("en", "when|if its {at:3} here what time is it [then|there] in|at {zone:3}"),
    ("en", "how late is it"),
    ("en", "what time do|have we|you have|got"),
    ("en", "do you have|know the time"),
    ("en", "what time is it in zone {zone:1}"),
    ("en", "what time is it [now] in|at|for {zone:3}"),
    ("en", "what is the [current] time [now] in|at|for {zone:3}"),
    ("en", "how late is it [now] in|at {zone:3}"),
    ("en", "[current] time in|at|for {zone:3}"),
    ("en", "tell me the time in {zone:3}"),
    ("en", "what time do they have in {zone:3}"),
    ("en", "is it [still|already] morning|noon|afternoon|evening|night|day|late|early|daytime in {zone:3}"),
    ("de", "wie spät|spaet ist es [jetzt|gerade|grade|denn]"),
    ("de", "wie spät|spaet is|isses es"),
    ("de", "wie viel uhr ist es [jetzt]"),
    ("de", "wie viel uhr haben wir"),
    ("de", "wieviel uhr ist|is es [jetzt|gerade]"),
    ("de", "wieviel uhr haben wir"),
    ("de", "welche uhrzeit ist|haben [es|wir] [jetzt|gerade]"),
    ("de", "was ist die [aktuelle] uhrzeit"),
    ("de", "uhrzeit"),
    (
        "de",
        "ist|sind {zone:6} [noch|schon|wohl] wach|müde|auf|im [bett] wie spät|spaet ist es dort|da [jetzt|gerade]",
    ),
    ("de", "schläft|schlaeft|schlafen {zone:6} [noch|schon] wie spät|spaet ist es dort|da [jetzt|gerade]"),
    ("de", "wie spät|spaet ist es [jetzt|gerade] in|bei {zone:6}"),
    ("de", "wie spät|spaet ist es [dann] in|bei {zone:3} wenn es [hier|bei] [uns] {at:3} [hier] ist"),
    ("de", "wie viel uhr ist es [dann] in|bei {zone:3} wenn es [hier|bei] [uns] {at:3} [hier] ist"),
    ("de", "wenn es [hier|bei] [uns] {at:3} [hier] ist wie spät|spaet ist es [dann] in|bei {zone:3}"),
    ("de", "die|aktuelle|genaue uhrzeit"),
    ("de", "sag|sage|nenn|nenne|zeig mir die uhrzeit"),
    ("de", "[mir] die uhrzeit sagen|nennen"),
    ("de", "kannst du mir [bitte] die uhrzeit sagen"),
    ("de", "wie spät|spaet ist es in zone {zone:1}"),
    (
        "de",
        "wie spät|spaet ist|is|isses|hamma|haben [es|wir|sie] [jetzt|gerade|grad|grade|denn] [jetzt] in|bei {zone:3}",
    ),
    ("de", "wie viel uhr ist|is|isses [es] [jetzt|gerade|grad|grade] in|bei {zone:3}"),
    ("de", "wieviel uhr ist|is|isses [es] [jetzt|gerade|grad|grade] in|bei {zone:3}"),
    ("de", "welche uhrzeit ist|haben|hat [es|die|man|wir] [jetzt|gerade] in|bei {zone:3}"),
    ("de", "uhrzeit [in] {zone:3}"),
    (
        "de",
        "ist es [noch|schon] morgen|morgens|mittag|nachmittag|abend|abends|nacht|nachts|tag|dunkel|hell in {zone:3}",
    ),
];

const DATE_PHRASES: &[(&str, &str)] = &[
    ("en", "what is the [current] date [today]"),
    ("en", "date|today"),
    ("en", "today's|todays|current date"),
    ("en", "what is today's|todays date"),
    ("en", "what is today"),
    ("en", "what|which date|day|weekday is it [today|now]"),
    ("en", "what|which day|date|weekday is today"),
    ("en", "what|which day|date is it today"),
    ("en", "what is the day|weekday [of] [the] [week] [today]"),
    ("en", "what|which day of the week|month is it|today [today]"),
    ("en", "what|which day of the week do we have [today]"),
    ("en", "what|which day|date|year|month do we have [today]"),
    ("en", "what|which year|month is it [now]"),
    ("en", "what|which year|month are we in"),
    ("en", "what|which date|day is [it] {day:4}"),
    ("en", "what date|day will it be {day:4}"),
    ("en", "what|which day of the week is|was|will [it|be] {day:8} [be|on|fall]"),
    ("en", "what|which weekday|day|date was|is|will [it|be] {day:8} [be|on|fall]"),
    ("en", "[on] what|which day|weekday does|did|will {day:6} fall|be|land [on]"),
    ("en", "on what|which day|weekday is|was {day:6}"),
    ("en", "what is|was|will the date {day:6}"),
    ("en", "the date of {day:6}"),
    (
        "en",
        "is|does|will {day:6} [fall|be|land] a|on [a|the] weekend|weekday|workday|monday|tuesday|wednesday|thursday|friday|saturday|sunday",
    ),
    ("en", "is it|today {day:2} [yet|today|already]"),
    ("de", "ist schon|endlich|bereits [heute] {day:2}"),
    ("en", "the date|day"),
    ("en", "when is|are|was [the] [this] {day:feast} [this] [year]"),
    ("en", "when do|does we|people|they have|celebrate {day:feast} [this] [year]"),
    ("en", "what|which day|date|weekday is|was|will [it] [be] the day {day:3}"),
    ("en", "what is|was|will [be] the day {day:3}"),
    ("en", "the day {day:3} is what|which day|weekday|date"),
    ("en", "what is the [current] year|month"),
    ("en", "what|which year|month is this"),
    (
        "de",
        "wann ist|is|sind|war|feiern|haben|kommt [wir] [denn|der|das|dieses|heuer] [jahr] {day:feast} [dieses] [jahr]",
    ),
    ("de", "{day:4} ist|is|war welcher|welches|was tag|wochentag|datum"),
    ("de", "{day:4} ist|is|war was für|fuer ein tag|wochentag"),
    ("de", "in welchem jahr|monat ist|sind|leben|befinden es|wir [gerade|jetzt|uns]"),
    ("en", "what [date|day] is today plus {day:2}"),
    ("en", "today plus {day:2}"),
    ("de", "welches datum ist heute"),
    ("de", "welches datum heute ist"),
    ("de", "welcher tag|wochentag ist heute"),
    (
        "de",
        "welches|welchen|welcher datum|tag|wochentag|jahr|monat haben|ist wir|es|gerade|jetzt|is [heute|gerade]",
    ),
    ("de", "welches|welcher jahr|monat ist|is|haben [wir|es|gerade|jetzt]"),
    ("de", "in welchem jahr|monat sind|leben wir"),
    ("de", "der wievielte ist heute"),
    ("de", "den wievielten haben wir [heute]"),
    ("de", "was ist|is heute|heut [denn|eigentlich] für|fuer ein|a tag|datum"),
    ("de", "was für|fuer ein|a tag|datum ist|is heute|heut"),
    (
        "de",
        "was|welchen|what für|fuer|tag [einen|ein|a|nen] [tag|datum|wochentag] haben|hamma|hama|hammer [wir|ma|mir] [denn] [heute|heut]",
    ),
    (
        "de",
        "was|what haben|hamma|hama|hammer [wir|ma|mir] [denn] heute|heut [denn] [für|fuer] [einen|ein|a|nen] tag|datum|wochentag",
    ),
    ("de", "heute|datum"),
    ("de", "datum [von] heute"),
    ("de", "welcher|welches|was tag|wochentag|datum ist|war|wird [am] {day:6}"),
    ("de", "was für|fuer ein tag|wochentag|datum ist|war|wird {day:6}"),
    ("de", "auf welchen|was tag|wochentag|datum fällt|faellt|fiel {day:6}"),
    ("de", "an welchem tag|wochentag ist|war|fällt|faellt {day:6}"),
    ("de", "was ist {day:5} für|fuer ein tag|wochentag"),
    ("de", "welches datum haben wir {day:5}"),
    (
        "de",
        "fällt|faellt|fiel {day:6} auf|aufs [ein|einen|das] wochenende|werktag|wochentag|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag",
    ),
    ("de", "ist {day:6} ein wochenende|werktag|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"),
    ("de", "was ist {day:1} für|fuer ein tag"),
    ("de", "der wievielte ist {day:1}"),
    ("de", "ist heute [schon|erst] {day:6}"),
    ("de", "das|welches datum"),
    ("de", "welches|welchen|was datum|tag|wochentag haben|ist [wir|es] {day:4}"),
    ("de", "heute plus {day:2} [ist] [welcher|welches|was] [tag|datum]"),
];

fn tool(
    name: &str,
    description: &str,
    patterns: &[(&str, &str)],
    properties: &str,
    examples: [&str; 2],
) -> Tool {
    const SCHEMA: &str = r#"{"type": "object", "properties": {OWN "zone": {"type": "string", "maxLength": 64,
        "description": "`local`, `utc`, a city, or a zone of the IANA database such as Europe/Zurich"}}}"#;
    Tool {
        name: name.parse().expect("the clock's tool names are well-formed"),
        description: description.to_owned(),
        parameters: parameters(SCHEMA, &[("OWN", &properties)]),
        phrases: phrases(patterns),
        examples: examples.map(str::to_owned).into(),
    }
}

impl Skill<Shared> for Clock {
    fn name(&self) -> &SkillName {
        &self.name
    }

    fn description(&self) -> &str {
        "Knows the date and the time"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn capabilities(&self) -> TokenSet {
        TokenSet::new()
    }

    fn tools(&self) -> &[Tool] {
        &self.tools
    }

    fn full_name(&self, tool: &ToolName) -> String {
        tool.to_string()
    }

    fn call_tool(&self, tool: &ToolName, call: &Call<'_>, ctx: &KernelContext) -> Outcome {
        if !matches!(tool.as_str(), "time" | "date") {
            return count::call(tool.as_str(), call, ctx).map_or(Outcome::NotMine, Outcome::Said);
        }
        let named = call.args["zone"].as_str().unwrap_or("local");
        let at = call.args["at"].as_str().unwrap_or_default();
        // `if it is 3 pm in London, what time is it in New York?` asks for no time that is now.
        let names_other = || call.line.replacen(named, "", 1).contains(|c: char| c.is_ascii_digit());
        if tool.as_str() == "time" && at.is_empty() && names_other() {
            return Outcome::NotMine;
        }
        let local = language::place(named) == Some("local") || named == "local";
        let zone = match zone(if local { "local" } else { named }, &ctx.shared().zone) {
            Ok(zone) => zone,
            // `3 and a half hours` is not a place, and a line such as `and you?` names none.
            Err(_) if crate::memory::reminders::span(named).is_some() => return Outcome::NotMine,
            Err(_) if !asks_for_time(call.line) => return Outcome::NotMine,
            Err(_) => {
                let says = words::language(ctx, call.line).says();
                return Outcome::Failed(fill(says.no_place, &[("place", &cut(named, 64))]));
            }
        };
        let now = jiff::Timestamp::now().to_zoned(zone);
        let now = match at {
            "" => now,
            at => {
                let here = now.with_time_zone(ctx.shared().zone.clone());
                let then = when::time(at).and_then(|(time, _)| here.with().time(time).build().ok());
                let Some(then) = then else { return Outcome::NotMine };
                then.with_time_zone(now.time_zone().clone())
            }
        };
        let language = words::language(ctx, call.line);
        let said = match tool.as_str() {
            "time" if call.args["with"].is_string() => {
                let time = fill(language.says().time, &[("time", &words::clock(now.time()))]);
                format!("{time} {}", date(&now, language))
            }
            "time" => fill(language.says().time, &[("time", &words::clock(now.time()))]),
            _ => match on_day(&now, call.args["day"].as_str().unwrap_or_default(), call.line, language) {
                Some(said) => said,
                None => return Outcome::NotMine,
            },
        };
        // A person who asks for the time here wants no more; a model, a workflow and `tool run` get zone and UTC as well.
        if local && !call.line.is_empty() {
            return Outcome::Said(said);
        }
        // The name is one of the database by now, or one of ours.
        let minutes = now.offset().seconds() / 60;
        let (hours, minutes) = (minutes / 60, (minutes % 60).abs());
        let sign = if now.offset().is_negative() { '-' } else { '+' };
        let offset = format!("UTC{sign}{:02}:{minutes:02}", hours.abs());
        let zone = now.time_zone().iana_name().map_or(offset.clone(), |name| format!("{name}, {offset}"));
        let utc = now.with_time_zone(TimeZone::UTC);
        Outcome::Said(match tool.as_str() {
            "time" if local => format!("{said} ({zone}; {} UTC)", words::clock(utc.time())),
            _ => format!("{said} ({zone})"),
        })
    }
}

/// Whether a line itself asks for the time.
fn asks_for_time(line: &str) -> bool {
    let spec = ToolSpec {
        name: "time".to_owned(),
        description: String::new(),
        parameters: json!({"properties": {"zone": {"type": "string"}}}),
        phrases: TIME_PHRASES
            .iter()
            .map(|(language, pattern)| Phrase { language: (*language).into(), pattern: (*pattern).into() })
            .collect(),
        examples: vec![],
        only_answers: false,
    };
    let tools = [spec];
    !route(line, &tools, None).is_empty() || !route_loosely(line, &tools, None).is_empty()
}

/// What is said of a day: of today, of one that is named, or whether today is that day of the week.
fn on_day(now: &jiff::Zoned, day: &str, line: &str, language: Language) -> Option<String> {
    let today = date(now, language);
    let named: Vec<usize> = language::words::lower(day).filter_map(|word| language::weekday(&word)).collect();
    let says = language.says();
    // `is it friday?` asks for a yes; `what date is friday?` does not.
    let first = language::words::lower(line).next();
    let compares = first.is_none_or(|word| matches!(word.as_str(), "is" | "ist"));
    match (day.trim(), named.as_slice()) {
        ("", _) => Some(today),
        (_, [_, _, ..]) => Some(today),
        (day, [one]) if compares && day.split_whitespace().count() <= 2 => {
            let is = usize::from(now.weekday().to_monday_zero_offset().unsigned_abs()) == *one;
            Some(fill(if is { says.date_yes } else { says.date_no }, &[("answer", &today)]))
        }
        (day, _) => {
            let then = when::day(day, now.date())?;
            if then == now.date() {
                return Some(today);
            }
            Some(words::on_day(says.date_other, &then.to_zoned(now.time_zone().clone()).ok()?, language))
        }
    }
}

/// A name that is not a zone's.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` is not a time zone that this system knows; allowed: `local`, `utc`, or a name of the IANA database such as \
     Europe/Zurich, America/New_York, Asia/Tokyo", cut(.0, 64)
)]
struct UnknownZone(String);

/// The zone of that name; looking one up reads the system's database.
fn zone(name: &str, local: &TimeZone) -> Result<TimeZone, UnknownZone> {
    match name.to_ascii_lowercase().as_str() {
        "local" | "" => Ok(local.clone()),
        "utc" => Ok(TimeZone::UTC),
        _ => {
            let known = language::place(name).unwrap_or(name);
            let found = TimeZone::get(known).ok().or_else(|| city(known)).or_else(|| within(known));
            found.ok_or_else(|| UnknownZone(name.to_owned()))
        }
    }
}

/// The zone of the only place in a longer text, as in `my aunt in Vancouver`.
fn within(text: &str) -> Option<TimeZone> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let runs = (1..=2).rev().flat_map(|n| words.windows(n)).map(|run| run.join(" "));
    let place = |name: String| {
        let known = language::place(&name).filter(|known| *known != "local");
        known.map_or_else(|| city(&name), |known| TimeZone::get(known).ok())
    };
    (words.len() > 1).then(|| runs.into_iter().find_map(place)).flatten()
}

/// The areas of the IANA database in which cities stand.
const AREAS: [&str; 8] =
    ["Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian"];

/// The zone of a city that the database names one after.
fn city(name: &str) -> Option<TimeZone> {
    let city = language::terms::fold(name).replace(' ', "_");
    AREAS.iter().find_map(|area| TimeZone::get(&format!("{area}/{city}")).ok())
}

fn date(now: &jiff::Zoned, language: Language) -> String {
    words::on_day(language.says().date, now, language)
}

#[cfg(test)]
mod tests;
