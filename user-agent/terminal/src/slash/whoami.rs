//! `/whoami`: the profile, the conversation, and what holds.

use shared_types::message::{self, Answer};
use shared_types::{exit, text};

use super::{Command, Done, Here};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/whoami", argument: "", help: "show profile, conversation and isolation", run };

fn run(here: &Here<'_>) -> Done {
    let shared = here.ctx.shared();
    let tier = shared.session.tier.map_or("unknown".to_owned(), |t| t.to_string());
    render::show(&format!("profile {}", shared.profile));
    // What only the conversation knows is told where it tells it.
    if let Some(Answer::Policy(policy)) = here.ctx.ask(message::Command::Policy) {
        render::show(&format!("audience {}", policy.audience));
        if let Some(auth) = policy.auth {
            render::show(&format!("auth {}", text::cut(&auth, 100)));
        }
    }
    if let Some(language) = &shared.language {
        render::show(&format!("language {language}"));
    }
    render::show(&format!("conversation {}", here.ctx.conversation()));
    render::show(&format!("isolation {tier} ({})", shared.session.held));
    Done::Handled(exit::DONE)
}
