//! `/approve` and `/reject`: not here. They are known only to say who decides, and how.

use shared_types::exit;

use super::{Command, Done, Here};
use crate::render;

pub(super) const APPROVE: Command = Command { name: "/approve", argument: "", help: "", run };
pub(super) const REJECT: Command = Command { name: "/reject", argument: "", help: "", run };

fn run(_: &Here<'_>) -> Done {
    render::notice(
        "nothing can be decided here: a person with the approver's key does it with `cl-admin review`, or with Ctrl-G \
         where the chat runs in `cl-admin up`",
    );
    Done::Handled(exit::REFUSED)
}
