//! `/tokens`: what this conversation has cost so far, and what is left of the day's budgets where the profile has some.

use std::sync::PoisonError;

use language::fill;
use ports::talk::Left;
use ports::tongue::Tongue;
use shared_types::exit;

use super::{Command, Done, Here};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/tokens", argument: "", help: "show turns, time and tokens since the start", run };

fn run(here: &Here<'_>) -> Done {
    let tongue = here.ctx.shared().tongue();
    let used = here.cli.used.lock().unwrap_or_else(PoisonError::into_inner).line(tongue);
    render::show(used.as_deref().unwrap_or(tongue.say("nothing yet")));
    left(here, tongue);
    Done::Handled(exit::DONE)
}

/// Shows the profile's limits of talk.
fn left(here: &Here<'_>, tongue: Tongue) {
    let talk = &here.ctx.shared().talk;
    let rules = talk.rules();
    let show = |template, values: &[(&str, &str)]| render::show(&fill(tongue.say(template), values));
    if rules.counts() {
        match talk.left() {
            Ok(Left { seconds, tokens }) => {
                if let (Some(left), Some(all)) = (seconds, rules.minutes_a_day) {
                    let left = left.cast_unsigned().div_ceil(60).to_string();
                    show(
                        "left today: {left} of {all} minutes of talk",
                        &[("left", &left), ("all", &all.to_string())],
                    );
                }
                if let (Some(left), Some(all)) = (tokens, rules.tokens_a_day) {
                    let (left, all) = (left.to_string(), all.to_string());
                    show("left today: {left} of {all} tokens", &[("left", &left), ("all", &all)]);
                }
            }
            Err(why) => render::notice(&why.to_string()),
        }
    }
    if !rules.quiet_hours.is_empty() {
        let times: Vec<String> = rules.quiet_hours.iter().map(ToString::to_string).collect();
        show("quiet hours: {times}", &[("times", &times.join(", "))]);
    }
}
