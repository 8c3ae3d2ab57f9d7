//! `/policy`: what the assistant may do by itself.

use shared_types::exit;

use super::{Command, Done, Here, asked};
use crate::render;

pub(super) const COMMAND: Command = Command {
    name: "/policy",
    argument: "",
    help: "show what runs by itself, what asks, and the limits",
    run,
};

fn run(here: &Here<'_>) -> Done {
    let Some(policy) = asked(here, "policy", "reasoning") else { return Done::Handled(exit::FAILED) };
    render::show(&render::outline(&policy));
    Done::Handled(exit::DONE)
}
