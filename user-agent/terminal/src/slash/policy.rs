//! `/policy`: what the assistant may do on its own.

use shared_types::exit;
use shared_types::message;

use super::{Command, Done, Here, asked};
use crate::render;

pub(super) const COMMAND: Command = Command {
    name: "/policy",
    argument: "",
    help: "show what runs automatically, what asks, and the limits",
    run,
};

fn run(here: &Here<'_>) -> Done {
    let asked = asked(here, "policy", message::Command::Policy, "reasoning");
    let Some(answer) = asked else { return Done::Handled(exit::FAILED) };
    render::show(&render::outline(&answer.to_json(), here.ctx.shared().tongue()));
    Done::Handled(exit::DONE)
}
