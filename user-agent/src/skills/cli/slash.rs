//! The commands that begin with `/`: a table, and what each shows.

use serde_json::{Value, json};
use shared_types::event::core;
use shared_types::id::ConversationId;
use shared_types::text;

use super::render;
use crate::kernel::context::KernelContext;

/// What came of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// It was a command.
    Handled,
    /// It was a command to leave.
    Leave,
    /// It was no command.
    NotACommand,
}

/// A command: its name, its argument, its help, and what it does.
struct Command {
    name: &'static str,
    argument: &'static str,
    help: &'static str,
    run: fn(&str, &KernelContext) -> Done,
}

const COMMANDS: [Command; 9] = [
    Command { name: "/help", argument: "", help: "show the commands", run: help },
    Command { name: "/skills", argument: "", help: "show the active skills and their rights", run: skills },
    Command { name: "/tools", argument: "", help: "show what the skills can do", run: tools },
    Command { name: "/memory", argument: "[WORDS]", help: "show what is remembered", run: memory },
    Command {
        name: "/proposals",
        argument: "",
        help: "show what was asked for and where it stands",
        run: proposals,
    },
    Command { name: "/new", argument: "", help: "begin a new conversation", run: new },
    Command { name: "/whoami", argument: "", help: "show profile, conversation and isolation", run: whoami },
    Command { name: "/exit", argument: "", help: "leave", run: leave },
    Command { name: "/quit", argument: "", help: "leave", run: leave },
];

/// The names of all commands.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|c| c.name)
}

/// Runs a line if it is a command; an unknown one is answered with the nearest.
pub(super) fn run(line: &str, ctx: &KernelContext) -> Done {
    let line = line.trim();
    if !line.starts_with('/') {
        return Done::NotACommand;
    }
    let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match COMMANDS.iter().find(|c| c.name == name) {
        Some(command) => (command.run)(argument.trim(), ctx),
        None => {
            let near = nearest(name).map_or(String::new(), |n| format!("; did you mean {n}?"));
            render::notice(&format!("there is no command {}{near}", text::cut(name, 40)));
            Done::Handled
        }
    }
}

fn nearest(name: &str) -> Option<&'static str> {
    names().map(|known| (distance(name, known), known)).filter(|(d, _)| *d <= 3).min().map(|(_, known)| known)
}

/// How many letters must be changed, added or taken away (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

fn help(_: &str, _: &KernelContext) -> Done {
    for command in &COMMANDS {
        render::show(&format!("{:<18} {}", format!("{} {}", command.name, command.argument), command.help));
    }
    Done::Handled
}

fn skills(_: &str, ctx: &KernelContext) -> Done {
    for skill in ctx.skills() {
        let origin = if skill.learned { "learned" } else { "built in" };
        render::show(&format!(
            "{} {} ({origin}): {} [{}]",
            skill.name, skill.version, skill.description, skill.tokens
        ));
    }
    Done::Handled
}

fn tools(_: &str, ctx: &KernelContext) -> Done {
    let tools = ctx.tools();
    if tools.is_empty() {
        render::show("no tools");
    }
    for tool in tools {
        render::show(&format!("{}: {}", tool.name, text::cut(&tool.description, 200)));
    }
    Done::Handled
}

fn memory(query: &str, ctx: &KernelContext) -> Done {
    let found = ctx.send(core::USER_INPUT, json!({"command": "memory", "argument": query}));
    match found.as_ref().and_then(Value::as_array) {
        None => render::notice("the skill `memory` is not active"),
        Some(facts) if facts.is_empty() => render::show("nothing"),
        Some(facts) => {
            for fact in facts {
                render::show(&text::line(fact["text"].as_str().unwrap_or_default()));
            }
        }
    }
    Done::Handled
}

fn proposals(_: &str, ctx: &KernelContext) -> Done {
    let found = ctx.send(core::USER_INPUT, json!({"command": "proposals"}));
    match found.as_ref().and_then(Value::as_array) {
        None => render::notice("the skill `proposer` is not active"),
        Some(rows) if rows.is_empty() => render::show("nothing was asked for yet"),
        Some(rows) => {
            for row in rows {
                render::show(&crate::commands::proposal::line(row));
            }
        }
    }
    Done::Handled
}

fn new(_: &str, ctx: &KernelContext) -> Done {
    ctx.turn_to(ConversationId::generate());
    render::notice("a new conversation");
    Done::Handled
}

fn whoami(_: &str, ctx: &KernelContext) -> Done {
    let shared = ctx.shared();
    let tier = shared.session.tier.map_or("unknown".to_owned(), |t| t.to_string());
    render::show(&format!("profile {}", shared.profile));
    render::show(&format!("conversation {}", ctx.conversation()));
    render::show(&format!("isolation {tier} ({})", shared.session.held));
    Done::Handled
}

fn leave(_: &str, _: &KernelContext) -> Done {
    Done::Leave
}

#[cfg(test)]
mod tests;
