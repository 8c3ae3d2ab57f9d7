//! `/voice`: how to talk by voice, or why that is not possible yet.

use shared_types::capability::Token;
use shared_types::exit;
use shared_types::profile::SystemCapability;

use super::{Command, Done, Here};
use crate::render;

pub(super) const COMMAND: Command = Command {
    name: "/voice",
    argument: "",
    help: "show how to talk by voice, or what is missing for it",
    run,
};

fn run(here: &Here<'_>) -> Done {
    let shared = here.ctx.shared();
    let skills = here.ctx.skills();
    let may = |token| skills.iter().any(|skill| skill.learned && skill.tokens.contains(token));
    let offers = |ability| shared.system.offers(ability);
    let said = if may(Token::AudioRead) && may(Token::AudioWrite) {
        "I may hear and speak: start `cl-ear serve` and `cl-mouth serve`, then `cl-bot voice`, as docs/guides/voice.md describes."
    } else if offers(SystemCapability::AudioInput) && offers(SystemCapability::AudioOutput) {
        "I may not hear and speak yet. Write here: learn to talk to me by voice. Somebody who may approve it says yes."
    } else {
        "Nothing here hears or speaks for me: docs/guides/hear.md and docs/guides/speak.md say how to set up `cl-ear` and `cl-mouth`."
    };
    render::show(shared.tongue().say(said));
    Done::Handled(exit::DONE)
}
