//! `/skills`: what is active with its rights, and what was asked for and is not there yet.

use serde_json::{Value, json};
use shared_types::event::core;
use shared_types::{exit, text};

use super::{Command, Done, Here};
use crate::{render, rows};

pub(super) const COMMAND: Command = Command {
    name: "/skills",
    argument: "",
    help: "show the active skills, their rights, and open wishes",
    run,
};

fn run(here: &Here<'_>) -> Done {
    for skill in here.ctx.skills() {
        let origin = skill.origin().replace('-', " ");
        let described = text::cut(&skill.description, 200);
        render::show(&format!("{} {} ({origin}): {described} [{}]", skill.name, skill.version, skill.tokens));
    }
    // Without a proposer there are no wishes; that is no fault of this command.
    let found = here.ctx.send(core::USER_INPUT, json!({"command": "proposals", "argument": ""}));
    let rows = found.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
    for row in rows::nearest_first(rows).iter().filter(|row| row["kind"] == "skill" && rows::is_open(row)) {
        let name = text::line(row["name"].as_str().unwrap_or_default());
        render::show(&format!("{name} (not yet): {}", rows::in_words(row)));
    }
    Done::Handled(exit::DONE)
}
