//! `/retry`: the last line once more.

use shared_types::message::{Command as Asked, Input};

use super::{Command, Done, Here};
use crate::turn;

pub(super) const COMMAND: Command =
    Command { name: "/retry", argument: "", help: "answer the last line once more", run };

fn run(here: &Here<'_>) -> Done {
    Done::Handled(turn::run(here.cli, |stream| Input::Command(Asked::Retry { stream }), here.ctx).exit)
}
