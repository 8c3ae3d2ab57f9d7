//! The commands that begin with `/`: one registry, one file per command.

use std::sync::PoisonError;

use language::fill;
use ports::KernelContext;
use shared_types::text;

use super::{Cli, render};

mod approve;
mod attach;
mod call;
mod clear;
mod help;
mod here;
mod leave;
mod login;
mod memory;
mod model;
mod new;
mod permissions;
mod policy;
mod proposals;
mod retry;
mod skills;
mod tokens;
mod tools;
mod voice;
mod whoami;

pub(super) use here::Done;
use here::{Command, Here, asked};

const COMMANDS: [Command; 22] = [
    help::COMMAND,
    tools::COMMAND,
    call::COMMAND,
    attach::COMMAND,
    skills::COMMAND,
    memory::COMMAND,
    proposals::COMMAND,
    policy::COMMAND,
    permissions::COMMAND,
    model::COMMAND,
    tokens::COMMAND,
    whoami::COMMAND,
    voice::COMMAND,
    login::LOGIN,
    login::LOGOUT,
    retry::COMMAND,
    new::COMMAND,
    clear::COMMAND,
    leave::EXIT,
    leave::QUIT,
    approve::APPROVE,
    approve::REJECT,
];

/// Runs a line if it is a command; an unknown one is answered with the nearest. A second `/` makes it text. The way out is
/// found without the `/` too.
pub(super) fn run(line: &str, cli: &Cli, ctx: &KernelContext) -> Done {
    let trimmed = line.trim();
    if let Some(meant) = trimmed.strip_prefix("//") {
        return Done::Text(format!("/{meant}"));
    }
    if leaves(trimmed, cli, ctx) {
        return Done::Leave;
    }
    // What was pasted in several lines is text, such as a path with what follows it.
    if !trimmed.starts_with('/') || trimmed.contains('\n') {
        return Done::Text(line.to_owned());
    }
    let (name, argument) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
    match COMMANDS.iter().find(|c| c.name == name) {
        Some(command) => (command.run)(&Here { cli, ctx, argument: argument.trim() }),
        None => {
            let tongue = ctx.shared().tongue();
            let meant = |near| fill(tongue.say("; did you mean {near}?"), &[("near", near)]);
            let near = text::nearest(name, names()).map_or(".".to_owned(), meant);
            let said =
                tongue.say("there is no command {name}{near} /help shows all, and /{name} sends it as text");
            render::notice(&fill(said, &[("name", &text::cut(name, 40)), ("near", &near)]));
            Done::Unknown
        }
    }
}

/// The words by which people leave a program; those of a language count in a chat of it alone.
const LEAVING: [(&str, &str); 4] = [("", "exit"), ("", "quit"), ("de", "beenden"), ("de", "ende")];

/// Whether a line is one of the words by which people leave a program. The chat's language is the profile's, or else that of the
/// last line that told one.
pub(super) fn leaves(line: &str, cli: &Cli, ctx: &KernelContext) -> bool {
    let mut spoken = cli.spoken.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(told) = language::told(line) {
        *spoken = Some(told.code());
    }
    let code = ctx.shared().language.as_deref().or(*spoken);
    let is_said =
        |of: &str, word: &str| (of.is_empty() || code == Some(of)) && line.trim().eq_ignore_ascii_case(word);
    LEAVING.iter().any(|(of, word)| is_said(of, word))
}

/// The name of the command that a line is; what has several lines is text.
pub(super) fn named(line: &str) -> Option<&'static str> {
    let line = line.trim();
    let name = line.split_whitespace().next().filter(|_| !line.contains('\n'))?;
    COMMANDS.iter().map(|command| command.name).find(|known| *known == name)
}

/// What can stand in place of the word before the cursor, and where that word begins.
pub(super) fn complete(typed: &str, providers: &[String]) -> (usize, Vec<String>) {
    let beginning = |known: Vec<&str>, word: &str| -> Vec<String> {
        known.into_iter().filter(|k| k.starts_with(word)).map(str::to_owned).collect()
    };
    if let Some(word) = typed.strip_prefix("/model ") {
        let known = providers.iter().map(String::as_str).collect();
        return ("/model ".len(), beginning(known, word));
    }
    if !typed.starts_with('/') || typed.contains(char::is_whitespace) {
        return (0, Vec::new());
    }
    (0, beginning(names().collect(), typed))
}

/// The names of the commands that are shown.
fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().filter(|c| !c.help.is_empty()).map(|c| c.name)
}

#[cfg(test)]
mod tests;
