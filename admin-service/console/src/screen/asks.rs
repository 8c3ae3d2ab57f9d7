//! The questions of the console, and the answers as pages.

use api::TrialRun;
use base::error::Error;
use review::ask::Needs;
use review::pages::line::{Line, Origin, Page, Tone};
use review::report::Report;
use shared_types::recipients::Recipients;

use super::field::Field;
use super::form::{Form, Purpose};
use super::look::Look;
use super::view::View;
use crate::yes;
use review::queue::Package;

/// The label of the field for the passphrase.
pub const PASSPHRASE: &str = "passphrase";
/// The label of the field for the one-time code.
pub const CODE: &str = "one-time code";
/// The label of the field for how long the same action is allowed.
pub const ALWAYS: &str = "the same for days (0: only this once)";
/// The label of the field for the profiles that get a skill.
pub const RECIPIENTS: &str = "goes to";
/// The label of the field for a reason.
pub const REASON: &str = "reason";
/// The label of the field for a note.
pub const NOTE: &str = "note";
/// The label of the field for a tool's name.
pub const TOOL: &str = "tool";
/// The label of the field for a tool's arguments.
pub const ARGUMENTS: &str = "arguments (JSON)";

/// Shall this become a skill, and for whom? Repeats all that is granted, and what was not looked at.
pub fn approve(view: &View, report: &Report, choices: &[Recipients], needs: Needs, look: Look) -> Form {
    let is_choice = choices.len() > 1;
    let shown = Some(&view.package().recipients).filter(|_| !is_choice);
    let page = yes::skill(look.words, report, shown, &view.unread());
    let mut fields = vec![];
    if needs.passphrase {
        fields.push(Field::hidden(PASSPHRASE));
    }
    if needs.code {
        fields.push(Field::shown(CODE, ""));
    }
    if is_choice {
        let choices = choices.iter().map(|choice| (choice.to_string(), String::new())).collect();
        fields.push(Field::choice(RECIPIENTS, choices));
    }
    Form::new(Purpose::Approve, page, fields, look)
}

/// Shall this action be done? Repeats what it is, how it was judged, and what was not looked at.
pub fn action(view: &View, needs: Needs, look: Look) -> Form {
    let page = yes::action(look.words, view.package(), &view.unread());
    let mut fields = vec![Field::number(ALWAYS, 0)];
    if needs.passphrase {
        fields.push(Field::hidden(PASSPHRASE));
    }
    if needs.code {
        fields.push(Field::shown(CODE, ""));
    }
    Form::new(Purpose::Approve, page, fields, look)
}

/// Shall a proposal that a gate holds continue by one step?
pub fn gate(view: &View, look: Look) -> Form {
    let page = yes::gate(look.words, view.package(), &view.unread());
    Form::new(Purpose::Gate, page, vec![], look)
}

/// Shall it be rejected?
pub fn reject(package: &Package, look: Look) -> Form {
    let mut page = Page::new("reject", "REJECT?");
    page.add(Origin::Facts, Tone::Strong, "proposal", package.item.name.as_str());
    let words = "It is not built again. The reason is kept, and the asking person reads it. `cl-admin reopen` takes a rejection back.";
    page.add(Origin::Facts, Tone::Plain, "", words);
    Form::new(Purpose::Reject, page, vec![Field::shown(REASON, "")], look)
}

/// What is to be kept for the person who looks next?
pub fn note(package: &Package, look: Look) -> Form {
    let mut page = Page::new("note", "A NOTE");
    page.add(Origin::Facts, Tone::Strong, "proposal", package.item.name.as_str());
    let words = "The note stays with the package, for the person who looks at it next.";
    page.add(Origin::Facts, Tone::Plain, "", words);
    Form::new(Purpose::Note, page, vec![Field::shown(NOTE, "")], look)
}

/// Which tool is to be called, and how? A call that was tried before is the suggestion.
pub fn try_tool(package: &Package, report: Option<&Report>, look: Look) -> Form {
    let mut page = Page::new("try", "TRY IT (in the sandbox, beside a host that only records)");
    page.add(Origin::Facts, Tone::Strong, "skill", package.item.name.as_str());
    let mut choices = vec![];
    for (tool, parameters) in &package.tools {
        let words = if parameters.is_empty() { "none".to_owned() } else { parameters.join(", ") };
        page.add(Origin::Facts, Tone::Plain, "parameters", &format!("of {tool}: {words}"));
        choices.push((tool.clone(), suggestion(tool, parameters, report)));
    }
    let arguments = choices.first().map_or("{}", |(_, arguments)| arguments.as_str()).to_owned();
    let fields = vec![Field::choice(TOOL, choices), Field::shown(ARGUMENTS, &arguments)];
    Form::new(Purpose::Try, page, fields, look)
}

fn suggestion(tool: &str, parameters: &[String], report: Option<&Report>) -> String {
    let tried = report.and_then(|r| r.trials.iter().find(|t| t.tool == tool));
    tried.map_or_else(
        || {
            let empty = parameters.iter().map(|name| (name.clone(), serde_json::json!("")));
            serde_json::Value::Object(empty.collect()).to_string()
        },
        |trial| trial.args.to_string(),
    )
}

/// What a call came to; what the tool said is its author's word.
pub fn tried(run: &TrialRun) -> Page {
    let mut page = Page::new("tried", "TRIED (nothing was kept; the host only recorded)");
    page.add(Origin::Facts, Tone::Strong, "tool", &run.tool);
    page.add(Origin::Words, Tone::Plain, "arguments", &run.args.to_string());
    page.add(Origin::Words, Tone::Plain, "answer", &run.answer);
    let (tone, ended) = if run.passed { (Tone::Good, "it answered") } else { (Tone::Caution, "it failed") };
    page.add(Origin::Facts, tone, "result", ended);
    let calls: Vec<String> = run.host_calls.iter().map(|(name, n)| format!("{name} {n} x")).collect();
    let calls = if calls.is_empty() { "none".to_owned() } else { calls.join(", ") };
    page.add(Origin::Facts, Tone::Plain, "host calls", &calls);
    page.add(Origin::Facts, Tone::Plain, "fuel", &run.fuel.to_string());
    page.add(Origin::Facts, Tone::Plain, "memory", &format!("{} bytes", run.memory));
    page
}

/// Something to be read before it continues.
pub fn notice(heading: &'static str, tone: Tone, words: &str) -> Page {
    let mut page = Page::new("notice", heading);
    for line in shared_types::text::block(words).lines() {
        page.lines.push(Line::new(Origin::Facts, tone, line));
    }
    page
}

/// What went wrong, with the next step.
pub fn failure(error: &Error) -> Page {
    let mut page = notice("NOT DONE", Tone::Caution, &error.to_string());
    if let Some(hint) = error.hint() {
        page.lines.push(Line::new(Origin::Facts, Tone::Plain, &format!("hint: {hint}")));
    }
    page
}

/// The keys.
pub fn help() -> Page {
    let mut page = Page::new("help", "HELP");
    for (keys, what) in [
        ("Up, Down", "scroll, or choose in the queue; PgUp, PgDn, Home, End go further"),
        ("Enter", "opens a package; in it, does what the marked button says"),
        ("Left, Right", "move the mark along the buttons; it starts on View"),
        ("Tab, 1 to 9", "the next page of the package, or the one with that number"),
        ("A", "approve: asks once more and shows all that is granted"),
        ("R", "reject: asks for the reason"),
        ("V", "view the source that is compiled, in its canonical print"),
        ("E", "edit the source in your editor (VISUAL, EDITOR); it is scanned, built and tried again"),
        ("T", "try it: call a tool by hand in the sandbox"),
        ("N", "leave a note with the package"),
        ("S, P", "skip to the next package; back to the previous one"),
        ("Esc", "one step back"),
        ("Q, Ctrl-C", "leave the console; everything stays where it is"),
        ("Ctrl-Z", "back to the shell; `fg` continues here"),
        ("Ctrl-L", "draw the screen anew"),
    ] {
        page.add(Origin::Facts, Tone::Plain, keys, what);
    }
    page.add(Origin::Facts, Tone::Plain, "", "");
    let margin = "`|` at the left: written by the assistant, a person or a model, and not checked. `!`: to be weighed. \
        `!!`: speaks against it. `>` before code: the line above continues.";
    page.add(Origin::Facts, Tone::Plain, "margin", margin);
    page
}

#[cfg(test)]
mod tests;
