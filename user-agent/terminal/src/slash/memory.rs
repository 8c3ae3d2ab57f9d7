//! `/memory`: what is remembered.

use shared_types::{exit, text};

use super::{Command, Done, Here, asked};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/memory", argument: "[WORDS]", help: "show what is remembered", run };

fn run(here: &Here<'_>) -> Done {
    let Some(found) = asked(here, "memory", "memory") else { return Done::Handled(exit::FAILED) };
    if let Some(error) = found["error"].as_str() {
        render::notice(&text::line(error));
        return Done::Handled(exit::FAILED);
    }
    let facts = found.as_array().or_else(|| found["facts"].as_array()).map_or(&[][..], Vec::as_slice);
    if facts.is_empty() {
        render::show(if here.argument.is_empty() { "nothing yet" } else { "nothing about that" });
    }
    for fact in facts {
        render::show(&text::line(fact["text"].as_str().or_else(|| fact.as_str()).unwrap_or_default()));
    }
    Done::Handled(exit::DONE)
}
