//! The date and the time of the person's place.

use shared_types::capability::TokenSet;
use shared_types::id::{SkillName, ToolName};
use shared_types::schema::Parameters;

use crate::kernel::context::KernelContext;
use crate::skills::{Call, Outcome, Skill, Tool, own_name};

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
        let german = crate::skills::words::is_german(ctx, call.line);
        Outcome::Said(match (tool.as_str(), german) {
            ("time", false) => format!("It is {}.", now.strftime("%H:%M")),
            ("time", true) => format!("Es ist {} Uhr.", now.strftime("%H:%M")),
            (_, false) => format!("Today is {}.", now.strftime("%A, %-d %B %Y")),
            (_, true) => format!("Heute ist {}.", german_date(&now)),
        })
    }
}

fn german_date(now: &jiff::Zoned) -> String {
    const DAYS: [&str; 7] = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"];
    const MONTHS: [&str; 12] = [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ];
    let day = DAYS[usize::from(now.weekday().to_monday_zero_offset().unsigned_abs())];
    let month = MONTHS[usize::from(now.month().unsigned_abs()) - 1];
    format!("{day}, der {}. {month} {}", now.day(), now.year())
}

#[cfg(test)]
mod tests;
