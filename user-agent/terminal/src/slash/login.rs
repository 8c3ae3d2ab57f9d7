//! `/login` and `/logout`: not here, since the process that talks has no network. They tell what to type instead.

use language::fill;
use shared_types::{exit, text};

use super::{Command, Done, Here};
use crate::{render, tongue};

pub(super) const LOGIN: Command = Command {
    name: "/login",
    argument: "[NAME]",
    help: "tell how to log in at a provider, or out (/logout)",
    run: |here| told(here, "login"),
};
pub(super) const LOGOUT: Command =
    Command { name: "/logout", argument: "", help: "", run: |here| told(here, "logout") };

/// Tells the command for the provider that is named, or else for each that has a login.
fn told(here: &Here<'_>, verb: &str) -> Done {
    let shared = here.ctx.shared();
    if shared.audience.is_minor() {
        render::notice(tongue::says(here.ctx).not_allowed_minor);
        return Done::Handled(exit::REFUSED);
    }
    let tongue = shared.tongue();
    let with_login = shared.config.models.providers.iter().filter(|provider| provider.login.is_some());
    let names: Vec<String> = with_login.map(|provider| text::cut(&provider.name, 60)).collect();
    let asked = text::cut(here.argument, 60);
    let commands: Vec<String> = names
        .iter()
        .filter(|name| asked.is_empty() || **name == asked)
        .map(|name| format!("cl-bot {verb} {name}"))
        .collect();
    if commands.is_empty() {
        render::notice(&fill(
            tongue
                .say("no login: {names} can be logged in to; `cl-bot login` shows where each key comes from"),
            &[(
                "names",
                &if names.is_empty() { tongue.say("no provider").to_owned() } else { names.join(", ") },
            )],
        ));
        return Done::Handled(exit::USAGE);
    }
    let said = tongue.say("this chat has no network of its own; leave it and type: {commands}");
    render::notice(&fill(said, &[("commands", &commands.join("; "))]));
    Done::Handled(exit::DONE)
}
