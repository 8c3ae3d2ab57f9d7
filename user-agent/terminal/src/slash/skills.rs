//! `/skills`: what is active with its rights, and what was asked for and is not there yet.

use shared_types::message::{self, Answer, ProposalRow};
use shared_types::proposal::Kind;
use shared_types::{exit, text};

use super::{Command, Done, Here};
use crate::{render, rows};

pub(super) const COMMAND: Command = Command {
    name: "/skills",
    argument: "",
    help: "show the active skills, their rights, and open wishes",
    run,
};

fn run(here: &Here<'_>) -> Done {
    for skill in here.ctx.skills() {
        let origin = skill.origin().replace('-', " ");
        let described = text::cut(&skill.description, 200);
        render::show(&format!("{} {} ({origin}): {described} [{}]", skill.name, skill.version, skill.tokens));
    }
    // Without a proposer there are no wishes; that is not a fault of this command.
    let rows = match here.ctx.ask(message::Command::Proposals) {
        Some(Answer::Proposals(rows)) => rows,
        _ => vec![],
    };
    let open = |row: &&ProposalRow| row.kind == Kind::Skill && !row.status.is_settled();
    for row in rows::nearest_first(rows).iter().filter(open) {
        render::show(&format!("{} (not yet): {}", row.name, rows::in_words(row)));
    }
    Done::Handled(exit::DONE)
}
