//! `/tools`: what the skills can do.

use language::fill;
use ports::offered;
use shared_types::risk::Risk;
use shared_types::{exit, text};

use super::{Command, Done, Here};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/tools", argument: "", help: "show what the skills can do", run };

fn run(here: &Here<'_>) -> Done {
    let (tools, tongue) = (offered::listed(here.ctx), here.ctx.shared().tongue());
    if tools.is_empty() {
        render::show(tongue.say("no tools"));
    }
    for tool in tools {
        let risk = tongue.say(tool.risk.map_or("varies", Risk::as_str));
        let about = text::cut(&tool.description, 200);
        let facts =
            [("tool", tool.name.as_str()), ("risk", risk), ("skill", tool.skill.as_str()), ("about", &about)];
        render::show(&fill(tongue.say("{tool} ({risk}, of {skill}): {about}"), &facts));
    }
    Done::Handled(exit::DONE)
}
