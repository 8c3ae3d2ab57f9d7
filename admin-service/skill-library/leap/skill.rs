//! Tells leap years.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if leap
            .tool(
                Tool::new("@leap", "Tells whether a year is a leap year")
                    .param(Param::int("@leap.year", "the year").min(1).max(999999))
                    .phrase("en", "is|was [the] [year] {@leap.year} [a] leap [year]")
                    .phrase("en", "will [the] [year] {@leap.year} be a leap year")
                    .phrase("en", "leap year {@leap.year}")
                    .phrase("de", "ist|war|wird [das] [jahr] {@leap.year} ein schaltjahr")
                    .example("is 2100 a leap year?")
                    .example("ist 2100 ein Schaltjahr?"),
            )
            // @end
            // @if next
            .tool(
                Tool::new("@next", "Tells the next leap year")
                    .param(Param::int("@next.after", "the year after which to look; this year if not said").min(1).max(999999).optional())
                    .phrase("en", "when|what|which is the next leap year [after] [{@next.after}]")
                    .phrase("en", "next leap year [after] [{@next.after}]")
                    .phrase("de", "wann|was|welches ist das nächste schaltjahr [nach] [{@next.after}]"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if leap
            "@leap" => leap(call.int("@leap.year")?, german(call)),
            // @end
            // @if next
            "@next" => next(call.opt_int("@next.after")?, german(call)),
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if leap
fn leap(year: i64, german: bool) -> Answer {
    if year < 1 {
        return Err(Refusal::failed(if german { "Das Jahr muss über 0 liegen." } else { "The year must be above 0." }));
    }
    let (by_4, by_100, by_400) = (year % 4 == 0, year % 100 == 0, year % 400 == 0);
    Ok(match (by_4, by_100, by_400, german) {
        (_, _, true, false) => format!("Yes, {} is a leap year: it can be divided by 400.", year),
        (_, _, true, true) => format!("Ja, {} ist ein Schaltjahr: es ist durch 400 teilbar.", year),
        (_, true, false, false) => format!("No, {} is not a leap year: it can be divided by 100 but not by 400.", year),
        (_, true, false, true) => format!("Nein, {} ist kein Schaltjahr: es ist durch 100, aber nicht durch 400 teilbar.", year),
        (true, false, false, false) => format!("Yes, {} is a leap year: it can be divided by 4 and not by 100.", year),
        (true, false, false, true) => format!("Ja, {} ist ein Schaltjahr: es ist durch 4, aber nicht durch 100 teilbar.", year),
        (false, false, false, false) => format!("No, {} is not a leap year: it cannot be divided by 4.", year),
        (false, false, false, true) => format!("Nein, {} ist kein Schaltjahr: es ist nicht durch 4 teilbar.", year),
    })
}
// @end

// @if next
fn next(after: Option<i64>, german: bool) -> Answer {
    let after = match after {
        Some(year) => year,
        None => host::today()?.year(),
    };
    // Two leap years are at most eight years apart.
    let year = (1..=8).filter_map(|years| after.checked_add(years)).find(|year| Date::is_leap(*year));
    match (year, german) {
        (Some(year), false) => Ok(format!("The next leap year after {} is {}.", after, year)),
        (Some(year), true) => Ok(format!("Das nächste Schaltjahr nach {} ist {}.", after, year)),
        (None, false) => Err(Refusal::failed("The year is too large.")),
        (None, true) => Err(Refusal::failed("Das Jahr ist zu groß.")),
    }
}
// @end

// @include german

const GERMAN: &[&str] = &[
    "ist", "wann", "schaltjahr",
];
