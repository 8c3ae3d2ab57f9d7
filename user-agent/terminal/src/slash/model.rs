//! `/model`: who answers; with a name, who answers from now on.

use serde_json::Value;
use shared_types::{exit, text};

use super::{Command, Done, Here, asked};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/model", argument: "[NAME [MODEL]]", help: "show who answers, or choose", run };

fn run(here: &Here<'_>) -> Done {
    let Some(answer) = asked(here, "model", "reasoning") else { return Done::Handled(exit::FAILED) };
    if let Some(error) = answer["error"].as_str() {
        render::notice(&text::line(error));
        return Done::Handled(exit::FAILED);
    }
    if let Some(current) = answer["current"].as_str() {
        render::notice(&format!("{} answers from now on", text::line(current)));
    }
    for row in answer.as_array().into_iter().flatten() {
        render::show(&line(row));
    }
    Done::Handled(exit::DONE)
}

/// One provider; a star marks the one that answers.
fn line(row: &Value) -> String {
    let field = |key: &str| text::line(row[key].as_str().unwrap_or_default());
    let mark = if row["current"] == true { '*' } else { ' ' };
    let shown = format!(
        "{mark} {:<16} {:<18} {:<24} {}",
        field("name"),
        field("kind"),
        field("model"),
        field("state")
    );
    shown.trim_end().to_owned()
}
