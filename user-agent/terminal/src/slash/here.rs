//! One command, where it runs, and what comes of it.

use language::fill;
use ports::KernelContext;
use shared_types::message::{self, Answer};
use shared_types::text;

use crate::{Cli, render};

/// What came of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Done {
    /// It was a command, which ended with this exit code.
    Handled(u8),
    /// It looks like a command, and there is none of that name; the person was informed.
    Unknown,
    /// It was a command to leave.
    Leave,
    /// It is a line for the conversation.
    Text(String),
}

pub(super) struct Command {
    pub(super) name: &'static str,
    /// What may stand behind the name, for people.
    pub(super) argument: &'static str,
    pub(super) help: &'static str,
    pub(super) run: fn(&Here<'_>) -> Done,
}

/// Where a command runs, and what stands behind its name.
pub(super) struct Here<'a> {
    pub(super) cli: &'a Cli,
    pub(super) ctx: &'a KernelContext,
    pub(super) argument: &'a str,
}

/// Asks the conversation for something that it or another skill knows; where it does not answer, says why.
pub(super) fn asked(
    here: &Here<'_>,
    command: &str,
    question: message::Command,
    needs: &str,
) -> Option<Answer> {
    match here.ctx.ask(question) {
        Some(Answer::Failed(error)) => {
            render::notice(&text::line(&error));
            return None;
        }
        Some(answer) => return Some(answer),
        None => {}
    }
    let (skills, tongue) = (here.ctx.skills(), here.ctx.shared().tongue());
    let is_active = |name: &str| skills.iter().any(|skill| skill.name.as_str() == name);
    let missing = ["reasoning", needs].into_iter().find(|name| !is_active(name));
    match missing {
        Some(name) => {
            let said = tongue.say("/{command} needs the skill `{name}`, which is not active");
            render::notice(&fill(said, &[("command", command), ("name", name)]));
        }
        None => render::notice(&fill(tongue.say("/{command} has no answer here"), &[("command", command)])),
    }
    None
}
