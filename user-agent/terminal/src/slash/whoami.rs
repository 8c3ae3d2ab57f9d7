//! `/whoami`: the profile, the conversation, and what holds.

use shared_types::message::{self, Answer};
use shared_types::{exit, text};

use super::{Command, Done, Here};
use crate::render;

pub(super) const COMMAND: Command =
    Command { name: "/whoami", argument: "", help: "show profile, conversation and isolation", run };

fn run(here: &Here<'_>) -> Done {
    let (shared, tongue) = (here.ctx.shared(), here.ctx.shared().tongue());
    let show = |what: &str, value: &str| render::show(&format!("{} {value}", tongue.say(what)));
    let tier = shared.session.tier.map_or("unknown".to_owned(), |t| t.to_string());
    show("profile", shared.profile.as_str());
    // What only the conversation knows is shown where the conversation reports it.
    if let Some(Answer::Policy(policy)) = here.ctx.ask(message::Command::Policy) {
        show("audience", &policy.audience.to_string());
        if let Some(auth) = policy.auth {
            show("auth", &text::cut(&auth, 100));
        }
    }
    if let Some(language) = &shared.language {
        show("language", language);
    }
    show("conversation", here.ctx.conversation().as_str());
    show("isolation", &format!("{tier} ({})", shared.session.held));
    Done::Handled(exit::DONE)
}
