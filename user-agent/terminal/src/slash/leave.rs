//! `/exit` and `/quit`.

use super::{Command, Done};

pub(super) const EXIT: Command = Command {
    name: "/exit",
    argument: "",
    help: "leave; exit or quit typed alone does too",
    run: |_| Done::Leave,
};
pub(super) const QUIT: Command = Command { name: "/quit", argument: "", help: "leave", run: |_| Done::Leave };
