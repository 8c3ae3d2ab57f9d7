//! The date and the time of the person's place.

use models::language::{Language, fill};
use shared_types::capability::TokenSet;
use shared_types::id::{SkillName, ToolName};
use shared_types::schema::Parameters;

use crate::kernel::context::KernelContext;
use crate::skills::{Call, Outcome, Skill, Tool, own_name, words};

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
                tool("time", "Tells the time of day", &TIME_PHRASES),
                tool("date", "Tells today's date and the day of the week", &DATE_PHRASES),
            ],
        }
    }
}

const TIME_PHRASES: [(&str, &str); 8] = [
    ("en", "what time is it"),
    ("en", "what is the time"),
    ("en", "tell me the time"),
    ("en", "how late is it"),
    ("de", "wie spät ist es"),
    ("de", "wie viel uhr ist es"),
    ("de", "wieviel uhr ist es"),
    ("de", "sag mir die uhrzeit"),
];

const DATE_PHRASES: [(&str, &str); 12] = [
    ("en", "what is the date"),
    ("en", "what is the date today"),
    ("en", "what is today's date"),
    ("en", "what date is it"),
    ("en", "what day is it"),
    ("en", "what day is today"),
    ("en", "which day is it"),
    ("de", "welches datum ist heute"),
    ("de", "welcher tag ist heute"),
    ("de", "welches datum haben wir"),
    ("de", "der wievielte ist heute"),
    ("de", "was ist heute für ein tag"),
];

fn tool(name: &str, description: &str, phrases: &[(&str, &str)]) -> Tool {
    let phrase = |(language, pattern): &(&str, &str)| models::Phrase {
        language: (*language).to_owned(),
        pattern: (*pattern).to_owned(),
    };
    Tool {
        name: name.parse().expect("the clock's tool names are well-formed"),
        description: description.to_owned(),
        parameters: Parameters::none(),
        phrases: phrases.iter().map(phrase).collect(),
    }
}

impl Skill for Clock {
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

    fn call_tool(&self, tool: &ToolName, call: &Call<'_>, ctx: &KernelContext) -> Outcome {
        let now = jiff::Timestamp::now().to_zoned(ctx.shared().zone.clone());
        let language = words::language(ctx, call.line);
        Outcome::Said(match tool.as_str() {
            "time" => fill(language.says().time, &[("time", &now.strftime("%H:%M").to_string())]),
            _ => date(&now, language),
        })
    }
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
