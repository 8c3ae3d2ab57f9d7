//! `/help`: the commands, and how to type what is not one line.

use ports::tongue::Tongue;
use shared_types::exit;

use super::{COMMANDS, Command, Done, Here};
use crate::render;

pub(super) const COMMAND: Command = Command { name: "/help", argument: "", help: "show the commands", run };

const NOTES: [&str; 4] = [
    "Several lines: end a line with \\, or put them between two lines of \"\"\".",
    "A paste is one input.",
    "A line that begins with // is text: //tmp sends /tmp.",
    "Ctrl-C ends the answer that is being given, and at the prompt the chat.",
];

fn run(here: &Here<'_>) -> Done {
    for line in lines(here.ctx.shared().tongue()) {
        render::show(&line);
    }
    Done::Handled(exit::DONE)
}

/// What is shown; narrow and short enough for a console of 80 by 24.
pub(super) fn lines(tongue: Tongue) -> Vec<String> {
    let shown = COMMANDS.iter().filter(|command| !command.help.is_empty());
    let rows = shown.map(|c| format!("{:<23} {}", format!("{} {}", c.name, c.argument), tongue.say(c.help)));
    rows.chain(NOTES.into_iter().map(|note| tongue.say(note).to_owned())).collect()
}
