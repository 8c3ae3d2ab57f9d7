//! `/clear`: an empty screen; the conversation continues.

use shared_types::exit;

use super::{Command, Done, Here};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/clear", argument: "", help: "clear the screen; the conversation continues", run };

fn run(here: &Here<'_>) -> Done {
    let session = &here.ctx.shared().session;
    if session.colour && session.interactive {
        render::raw("\u{1b}[H\u{1b}[2J");
    } else {
        render::notice("this screen cannot be cleared from here; /new begins a new conversation");
    }
    Done::Handled(exit::DONE)
}
