//! `/proposals`: what was asked for, and what each waits for.

use serde_json::Value;
use shared_types::{exit, text};

use super::{Command, Done, Here, asked};
use crate::{render, rows};

pub(super) const COMMAND: Command =
    Command { name: "/proposals", argument: "", help: "show what was asked for and what it waits for", run };

fn run(here: &Here<'_>) -> Done {
    let Some(found) = asked(here, "proposals", "proposer") else { return Done::Handled(exit::FAILED) };
    let rows = found.as_array().cloned().unwrap_or_default();
    if rows.is_empty() {
        render::show("nothing was asked for yet");
    }
    let waits_for_person = |row: &Value| row["waits_for"] == "person";
    let any = rows.iter().any(waits_for_person);
    for row in rows::nearest_first(rows) {
        let field = |key: &str| text::line(row[key].as_str().unwrap_or_default());
        render::show(&format!("{} ({}): {}", field("name"), field("status"), rows::in_words(&row)));
        render::show(&format!(
            "    {}  {}",
            field("id"),
            rows::what(&row).unwrap_or(text::cut(&field("description"), 200))
        ));
    }
    if any {
        render::notice("an approver decides with `cl-admin review`; nothing said here can");
    }
    Done::Handled(exit::DONE)
}
