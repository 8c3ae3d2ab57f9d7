//! `/retry`: the last line once more.

use serde_json::json;

use super::{Command, Done, Here};
use crate::turn;

pub(super) const COMMAND: Command =
    Command { name: "/retry", argument: "", help: "answer the last line once more", run };

fn run(here: &Here<'_>) -> Done {
    Done::Handled(turn::run(here.cli, json!({"command": "retry", "argument": ""}), here.ctx).exit)
}
