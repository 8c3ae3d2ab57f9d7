//! Tells whose turn it is.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// Those who take turns, in their order.
const NAMES: &str = "@names";

/// The day on which this was wished for, which is the turn of the first of them.
const FIRST: &str = "@first";

/// What is done in turns; empty where the wish did not say it.
const CHORE: &str = "@chore";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@turn", "Tells whose turn it is on a day")
                .param(Param::text("@turn.day", "today, tomorrow, a day of the week, or a date such as 2030-01-31").optional())
                .phrase("en", "whose turn is it")
                .phrase("en", "whose turn is it {@turn.day}")
                .phrase("en", "[and] who is up|next|then")
                .phrase("en", "who does|has [to] [do] the dishes|chores|bins|rubbish|trash|cooking|laundry")
                .phrase("en", "who does|has [to] [do] the dishes|chores|bins|rubbish|trash|cooking|laundry {@turn.day}")
                .phrase("en", "who has the chores {@turn.day}")
                .phrase("en", "who has the chores")
                .phrase("de", "[und] wer ist dran")
                .phrase("de", "[und] wer ist dann|danach|nachher dran")
                .phrase("de", "wer muss|macht|hat [{@turn.day}] den|die|das abwasch|spüldienst|müll|geschirr|wäsche")
                .phrase("de", "wer wäscht|spült {@turn.day} ab")
                .phrase("de", "wer ist {@turn.day} dran")
                .phrase("de", "wer ist dran {@turn.day}")
                .phrase("de", "wer ist an der reihe")
                .phrase("de", "wer ist {@turn.day} an der reihe")
                .example("whose turn is it today?")
                .example("wer ist heute dran?"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@turn" => turn(call.opt_text("@turn.day")?.unwrap_or("today"), german(call)),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn turn(text: &str, german: bool) -> Answer {
    let today = host::today()?;
    let date = day_named(text, today).ok_or_else(Refusal::not_mine)?;
    let (who, next) = (name(date, 0), name(date, 1));
    let chore = if CHORE.is_empty() { String::new() } else { format!(" ({})", CHORE) };
    let day = match today.days_until(date) {
        0 if german => "Heute".to_string(),
        0 => "Today".to_string(),
        1 if german => "Morgen".to_string(),
        1 => "Tomorrow".to_string(),
        _ if german => format!("Am {}", shown(date, true)),
        _ => format!("On {}", shown(date, false)),
    };
    // @if daily
    let then = if german { "am Tag danach" } else { "the day after" };
    // @end
    // @if weekly
    let then = if german { "in der Woche danach" } else { "the week after" };
    // @end
    Ok(match (german, date < today) {
        (false, false) => format!("{} it is the turn of {}{}, {} of {}.", day, who, chore, then, next),
        (false, true) => format!("{} it was the turn of {}{}, {} of {}.", day, who, chore, then, next),
        (true, false) => format!("{} ist {} dran{}, {} {}.", day, who, chore, then, next),
        (true, true) => format!("{} war {} dran{}, {} {}.", day, who, chore, then, next),
    })
}

/// Who has a turn on that day, or this many turns later.
fn name(date: Date, later: i64) -> &'static str {
    let turn = turns(date) - Date::parse(FIRST).map_or(0, turns) + later;
    let names: Vec<&str> = NAMES.split(',').collect();
    names.get(turn.rem_euclid(names.len() as i64) as usize).copied().unwrap_or_default()
}

// @if daily
fn turns(date: Date) -> i64 {
    date.days()
}
// @end
// @if weekly
/// Weeks begin on Monday.
fn turns(date: Date) -> i64 {
    (date.days() + 3).div_euclid(7)
}
// @end

// @include day

// @include german

const GERMAN: &[&str] = &["wer", "ist", "dran", "reihe", "heute", "morgen", "übermorgen", "gestern", "am"];
