//! `/new`: another conversation.

use shared_types::exit;
use shared_types::id::ConversationId;

use super::{Command, Done, Here};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/new", argument: "", help: "begin a new conversation", run };

fn run(here: &Here<'_>) -> Done {
    here.ctx.turn_to(ConversationId::generate());
    render::notice(here.ctx.shared().tongue().say("a new conversation"));
    Done::Handled(exit::DONE)
}
