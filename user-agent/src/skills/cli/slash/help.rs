//! `/help`: the commands, and how to type what is not one line.

use shared_types::exit;

use super::{COMMANDS, Command, Done, Here};
use crate::skills::cli::render;

pub(super) const COMMAND: Command = Command { name: "/help", argument: "", help: "show the commands", run };

fn run(_: &Here<'_>) -> Done {
    for command in COMMANDS.iter().filter(|c| !c.help.is_empty()) {
        render::show(&format!("{:<23} {}", format!("{} {}", command.name, command.argument), command.help));
    }
    render::show(
        "Several lines: end a line with \\, or put them between two lines of \"\"\"; a paste is one input.",
    );
    render::show(
        "A line that begins with // is text: //tmp sends /tmp. Ctrl-C ends the answer, or the chat.",
    );
    Done::Handled(exit::DONE)
}
