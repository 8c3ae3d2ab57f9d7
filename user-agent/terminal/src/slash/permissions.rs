//! `/permissions`: the rights of each skill, and what this profile was granted.

use shared_types::exit;

use super::{Command, Done, Here, asked};
use crate::render;

pub(super) const COMMAND: Command = Command {
    name: "/permissions",
    argument: "",
    help: "show the rights of the skills and of this profile",
    run,
};

fn run(here: &Here<'_>) -> Done {
    let Some(grants) = asked(here, "permissions", "reasoning") else { return Done::Handled(exit::FAILED) };
    render::show(&render::outline(&grants));
    Done::Handled(exit::DONE)
}
