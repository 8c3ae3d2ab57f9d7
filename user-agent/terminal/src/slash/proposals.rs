//! `/proposals`: what was asked for, and what each waits for.

use shared_types::message::{self, Answer};
use shared_types::status::Wait;
use shared_types::{exit, text};

use super::{Command, Done, Here, asked};
use crate::{render, rows};

pub(super) const COMMAND: Command =
    Command { name: "/proposals", argument: "", help: "show what was asked for and what it waits for", run };

fn run(here: &Here<'_>) -> Done {
    let asked = asked(here, "proposals", message::Command::Proposals, "proposer");
    let Some(Answer::Proposals(rows)) = asked else { return Done::Handled(exit::FAILED) };
    if rows.is_empty() {
        render::show("nothing was asked for yet");
    }
    let any = rows.iter().any(|row| row.waits_for == Some(Wait::Person));
    for row in rows::nearest_first(rows) {
        render::show(&format!("{} ({}): {}", row.name, row.status, rows::in_words(&row)));
        let what = rows::what(&row).unwrap_or_else(|| text::cut(&text::line(&row.description), 200));
        render::show(&format!("    {}  {what}", row.id));
    }
    if any {
        render::notice("an approver decides with `cl-admin review`; nothing said here can");
    }
    Done::Handled(exit::DONE)
}
