//! `/permissions`: the rights of each skill, and what this profile was granted.

use shared_types::exit;
use shared_types::message;

use super::{Command, Done, Here, asked};
use crate::render;

pub(super) const COMMAND: Command = Command {
    name: "/permissions",
    argument: "",
    help: "show the rights of the skills and of this profile",
    run,
};

fn run(here: &Here<'_>) -> Done {
    let asked = asked(here, "permissions", message::Command::Permissions, "reasoning");
    let Some(answer) = asked else { return Done::Handled(exit::FAILED) };
    render::show(&render::outline(&answer.to_json(), here.ctx.shared().tongue()));
    Done::Handled(exit::DONE)
}
