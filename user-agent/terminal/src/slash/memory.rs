//! `/memory`: what is remembered.

use language::fill;
use shared_types::message::{self, Answer};
use shared_types::{exit, text};

use super::{Command, Done, Here, asked};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/memory", argument: "[WORDS]", help: "show what is remembered", run };

fn run(here: &Here<'_>) -> Done {
    let question = message::Command::Memory { argument: here.argument.to_owned() };
    let Some(Answer::Facts(facts)) = asked(here, "memory", question, "memory") else {
        return Done::Handled(exit::FAILED);
    };
    let tongue = here.ctx.shared().tongue();
    if facts.is_empty() {
        let none = if here.argument.is_empty() { "nothing yet" } else { "nothing about that" };
        render::show(tongue.say(none));
    }
    for fact in facts {
        render::show(&text::line(&fact.text));
    }
    let keep = here.ctx.shared().keep;
    if !keep.is_forever() {
        let said = tongue.say("facts and conversations are kept for {keep}, then removed");
        render::notice(&fill(said, &[("keep", &keep.to_string())]));
    }
    Done::Handled(exit::DONE)
}
