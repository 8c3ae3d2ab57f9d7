//! `/model`: who answers; with a name, who answers from now on.

use shared_types::message::{self, Answer, ProviderRow};
use shared_types::{exit, text};

use super::{Command, Done, Here, asked};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/model", argument: "[NAME [MODEL]]", help: "show who answers, or choose", run };

fn run(here: &Here<'_>) -> Done {
    let question = message::Command::Model { argument: here.argument.to_owned() };
    match asked(here, "model", question, "reasoning") {
        Some(Answer::Chosen(current)) => {
            if let Some(current) = current {
                render::notice(&format!("{} answers from now on", text::line(&current)));
            }
        }
        Some(Answer::Providers(rows)) => rows.iter().for_each(|row| render::show(&line(row))),
        _ => return Done::Handled(exit::FAILED),
    }
    Done::Handled(exit::DONE)
}

/// One provider; a star marks the one that answers.
fn line(row: &ProviderRow) -> String {
    let [name, kind, model, state] =
        [&row.name, &row.kind, &row.model, &row.state].map(|word| text::line(word));
    let mark = if row.current { '*' } else { ' ' };
    let shown = format!("{mark} {name:<16} {kind:<18} {model:<24} {state}");
    shown.trim_end().to_owned()
}
