//! `/attach`: a picture of the workspace goes with the next line. It is a call of the skill `files`, judged as any other.

use serde_json::json;
use shared_types::exit;
use shared_types::message::{Input, Line, NamedCall};

use super::{Command, Done, Here};
use crate::{render, turn};

pub(super) const COMMAND: Command = Command {
    name: "/attach",
    argument: "[FILE|none]",
    help: "take a picture along with the next line",
    run,
};

const TOOL: &str = "file_attach";

fn run(here: &Here<'_>) -> Done {
    let pictures = &here.ctx.shared().session.pictures;
    let path = here.argument;
    if path.is_empty() || path == "none" {
        let waiting = pictures.shown();
        render::notice(&match (&waiting[..], path) {
            ([], _) => "no picture waits; /attach FILE takes one of the workspace".to_owned(),
            (some, "") => format!("with your next line go: {}; /attach none drops them", some.join("; ")),
            (some, _) => format!("dropped: {}", some.join("; ")),
        });
        if !path.is_empty() {
            pictures.take();
        }
        return Done::Handled(exit::DONE);
    }
    if here.ctx.tools().all(|tool| tool.full_name != TOOL) {
        render::notice("/attach needs the skill `files`, which is not active");
        return Done::Handled(exit::FAILED);
    }
    let call = NamedCall { tool: TOOL.to_owned(), arguments: json!({"path": path}) };
    let line = Line { text: format!("/attach {path}"), call: Some(call), ..Line::default() };
    Done::Handled(turn::run(here.cli, |_| Input::Line(line), here.ctx).exit)
}
