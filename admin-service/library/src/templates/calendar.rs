//! A calendar file: `what is on tomorrow?`.

use std::collections::BTreeMap;

use serde_json::json;
use shared_types::capability::Token;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, optional, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "calendar",
    source: include_str!("skills/calendar.rs"),
    words: &[
        "calendar*",
        "kalender*",
        "agenda",
        "schedule",
        "appointment*",
        "termin*",
        "event*",
        "read*",
        "les*",
        "vorles*",
        "lies*",
        "show*",
        "zeig*",
        "check*",
        "look*",
        "nachseh*",
        "nachschau*",
        "file*",
        "datei*",
        "ics",
        "named",
        "called",
        "namens",
        "today",
        "heute",
        "tomorrow",
        "morgen",
        "day*",
        "tag*",
        "steh*",
        "anstehen*",
        "family",
        "familienkalender",
        "week",
        "woche",
        "from",
    ],
    // A word before `.ics` may be any name.
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "events",
    &["event", "calendar", "kalender", "appointment", "termin", "agenda", "schedule", "day", "read", "show"],
    &[&[optional("day", &["date", "when", "tag", "datum"])]],
)];

/// The file that is read where the wish names none.
const USUAL: &str = "calendar.ics";

fn fit(wish: &Wish) -> Fit {
    const CALENDAR: &[&str] =
        &["calendar*", "kalender", "familienkalender", "agenda", "appointments", "termine", "ics"];
    const READ: &[&str] = &[
        "read*",
        "les*",
        "vorles*",
        "lies*",
        "show*",
        "zeig*",
        "check*",
        "look*",
        "nachseh*",
        "nachschau*",
        "tell*",
        "sag*",
        "what is on",
        "ics",
        "access*",
        "use",
    ];
    const OTHER: &[&str] = &[
        "days until",
        "tage bis",
        "week number*",
        "calendar week*",
        "kalenderwoche*",
        "weekday*",
        "wochentag*",
        "leap*",
        "schaltjahr*",
        "moon*",
        "mond*",
        "advent*",
        "gregorian",
        "julian",
    ];
    const CHANGE: &[&str] = &[
        "write*",
        "add*",
        "create*",
        "chang*",
        "mov*",
        "delete*",
        "sync*",
        "share*",
        "schreib*",
        "eintrag*",
        "einzutragen",
        "anleg*",
        "anzulegen",
        "aender*",
        "loesch*",
        "verschieb*",
        "google",
        "outlook",
        "icloud",
        "caldav",
    ];
    if !wish.has(CALENDAR) || wish.has(OTHER) {
        return Fit::No;
    }
    if wish.has(CHANGE) {
        return Fit::Beyond(
            "the template reads a calendar file (.ics) of the skill's own folder; it changes none and asks no \
             server; it needs a model to write it"
                .to_owned(),
        );
    }
    if !wish.has(READ) {
        return Fit::No;
    }
    let file = named_file(&wish.said).unwrap_or_else(|| USUAL.to_owned());
    let trial = |day: &str| example("events", &[("day", json!(day))], file.as_str());
    Fit::Yes(Plan {
        parameters: format!("file={file}"),
        tools: TOOLS.to_vec(),
        trials: vec![trial("tomorrow"), trial("2030-01-31")],
        texts: BTreeMap::from([("file", file)]),
        needs: vec![Token::FileRead],
        ..Plan::default()
    })
}

/// The calendar file that a wish names: a plain name without a folder.
fn named_file(line: &str) -> Option<String> {
    let is_plain = |name: &&str| {
        let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        letters && !name.starts_with('.') && name.len() > ".ics".len() && name.len() <= 60
    };
    line.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '„' | '“' | '”'))
        .map(|word| word.trim_end_matches(['.', '!', '?', ')', ':']).trim_start_matches('('))
        .filter(|word| word.ends_with(".ics"))
        .find(is_plain)
        .map(str::to_owned)
}
