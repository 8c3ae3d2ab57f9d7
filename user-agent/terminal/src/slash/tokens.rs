//! `/tokens`: what this conversation has cost so far.

use std::sync::PoisonError;

use shared_types::exit;

use super::{Command, Done, Here};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/tokens", argument: "", help: "show turns, time and tokens since the start", run };

fn run(here: &Here<'_>) -> Done {
    let tongue = here.ctx.shared().tongue();
    let used = here.cli.used.lock().unwrap_or_else(PoisonError::into_inner).line(tongue);
    render::show(used.as_deref().unwrap_or(tongue.say("nothing yet")));
    Done::Handled(exit::DONE)
}
