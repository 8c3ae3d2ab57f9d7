//! The date and the time, of the person's place or of a named zone.

use jiff::tz::TimeZone;
use kernel::skill::{Call, Outcome, Skill};
use language::{Language, fill};
use ports::own::{own_name, phrases};
use ports::{KernelContext, Shared};
use serde_json::json;
use shared_types::capability::TokenSet;
use shared_types::described::Tool;
use shared_types::id::{SkillName, ToolName};
use shared_types::schema::Parameters;
use shared_types::text::cut;

use crate::words;

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
                ),
                tool("date", "Tells today's date and the day of the week, here or in a zone", DATE_PHRASES),
            ],
        }
    }
}

const TIME_PHRASES: &[(&str, &str)] = &[
    ("en", "what time is it [now]"),
    ("en", "what is|whats the time [now]"),
    ("en", "tell me the time"),
    ("en", "how late is it"),
    ("en", "what time is it in zone {zone:1}"),
    ("en", "what time is it in {zone:3}"),
    ("en", "what is the time in {zone:3}"),
    ("en", "whats the time in {zone:3}"),
    ("en", "time in {zone:3}"),
    ("de", "wie spät|spaet ist es [jetzt]"),
    ("de", "wie viel uhr ist es [jetzt]"),
    ("de", "wieviel uhr ist es [jetzt]"),
    ("de", "sag mir die uhrzeit"),
    ("de", "kannst du mir [bitte] die uhrzeit sagen"),
    ("de", "wie spät|spaet ist es in zone {zone:1}"),
    ("de", "wie spät|spaet ist es in {zone:3}"),
    ("de", "wie viel uhr ist es in {zone:3}"),
    ("de", "wieviel uhr ist es in {zone:3}"),
    ("de", "uhrzeit in {zone:3}"),
];

const DATE_PHRASES: &[(&str, &str)] = &[
    ("en", "what is the date [today]"),
    ("en", "whats the date [today]"),
    ("en", "what is today's date"),
    ("en", "whats todays date"),
    ("en", "what|which date is it [today]"),
    ("en", "what|which day is it [today]"),
    ("en", "what|which day is today"),
    ("en", "what|which day of the week is it [today]"),
    ("de", "welches datum ist heute"),
    ("de", "welcher tag|wochentag ist heute"),
    ("de", "welches|welchen datum|tag|wochentag haben wir [heute]"),
    ("de", "der wievielte ist heute"),
    ("de", "den wievielten haben wir [heute]"),
    ("de", "was ist heute für|fuer ein tag"),
    ("de", "was für|fuer ein tag ist heute"),
    ("de", "was für|fuer einen tag haben wir heute"),
];

fn tool(name: &str, description: &str, patterns: &[(&str, &str)]) -> Tool {
    Tool {
        name: name.parse().expect("the clock's tool names are well-formed"),
        description: description.to_owned(),
        parameters: Parameters::parse(json!({"type": "object", "properties": {"zone": {
            "type": "string", "maxLength": 64,
            "description": "`local`, `utc`, a city, or a zone of the IANA database such as Europe/Zurich"}}}))
        .expect("the clock's parameters are within the subset"),
        phrases: phrases(patterns),
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
        let named = call.args["zone"].as_str().unwrap_or("local");
        let zone = match zone(named, &ctx.shared().zone) {
            Ok(zone) => zone,
            Err(unknown) => return Outcome::Failed(unknown.to_string()),
        };
        let now = jiff::Timestamp::now().to_zoned(zone);
        let language = words::language(ctx, call.line);
        let said = match tool.as_str() {
            "time" => fill(language.says().time, &[("time", &now.strftime("%H:%M").to_string())]),
            _ => date(&now, language),
        };
        // A person who asks for the time here wants no more; a model, a workflow and `tool run` get zone and UTC as well.
        if call.args["zone"].is_null() && !call.line.is_empty() {
            return Outcome::Said(said);
        }
        // The name is one of the database by now, or one of ours.
        let zone = now.strftime("%Q, UTC%:z").to_string();
        let utc = now.with_time_zone(TimeZone::UTC);
        Outcome::Said(match named {
            "local" if tool.as_str() == "time" => format!("{said} ({zone}; {} UTC)", utc.strftime("%H:%M")),
            _ => format!("{said} ({zone})"),
        })
    }
}

/// A name that is no zone's.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` is no time zone that this system knows; allowed: `local`, `utc`, or a name of the IANA database such as \
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
            let found = TimeZone::get(known).ok().or_else(|| city(known));
            found.ok_or_else(|| UnknownZone(name.to_owned()))
        }
    }
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
    let (weekdays, months) = language.calendar();
    let weekday = weekdays[usize::from(now.weekday().to_monday_zero_offset().unsigned_abs())];
    let month = months[usize::from(now.month().unsigned_abs()) - 1];
    let (day, year) = (now.day().to_string(), now.year().to_string());
    let values = [("weekday", weekday), ("day", &day), ("month", month), ("year", &year)];
    fill(language.says().date, &values)
}

#[cfg(test)]
mod tests;
