//! `/tools`: what the skills can do.

use ports::offered;
use shared_types::risk::Risk;
use shared_types::{exit, text};

use super::{Command, Done, Here};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/tools", argument: "", help: "show what the skills can do", run };

fn run(here: &Here<'_>) -> Done {
    let tools = offered::listed(here.ctx);
    if tools.is_empty() {
        render::show("no tools");
    }
    for tool in tools {
        let risk = tool.risk.map_or("varies", Risk::as_str);
        render::show(&format!(
            "{} ({risk}, of {}): {}",
            tool.name,
            tool.skill,
            text::cut(&tool.description, 200)
        ));
    }
    Done::Handled(exit::DONE)
}
