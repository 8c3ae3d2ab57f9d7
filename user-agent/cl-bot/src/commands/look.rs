//! What verbs have in common: a look through a booted kernel, and lines on standard output.

use std::sync::Arc;

use bot_base::error::{Error, say};
use bot_base::output::Output;
use clap::Args;
use ports::{Kernel, KernelContext};
use shared_types::message::{Answer, Request};

use crate::start::Options;
use crate::start::mind::{Purpose, become_mind};

/// How a list is printed.
#[derive(Debug, Clone, Copy, Args)]
pub struct Format {
    /// Print one JSON value a line
    #[arg(long)]
    pub(super) json: bool,
}

/// Boots for a verb that only looks something up, and lends it the context of the conversation.
pub(super) fn looking<T>(options: &Options, look: impl FnOnce(&KernelContext) -> T) -> Result<T, Error> {
    let (_kernel, ctx) = booted(options)?;
    Ok(look(&ctx))
}

/// The same, for a verb that looks at what no skill may use.
pub(super) fn booted(options: &Options) -> Result<(Arc<Kernel>, KernelContext), Error> {
    let (kernel, warnings) = become_mind(options, Purpose::default())?;
    for warning in warnings {
        say(&warning);
    }
    let ctx = kernel.context_of("reasoning").ok_or(Error::NoDriver)?;
    Ok((kernel, ctx))
}

/// Asks the proposer; an error that it answers is reported.
pub(super) fn asked(ctx: &KernelContext, request: Request) -> Option<Answer> {
    match ctx.ask(request) {
        Some(Answer::Failed(error)) => say(&error),
        None => say("the skill `proposer` is not active"),
        answer => return answer,
    }
    None
}

/// Prints a value as one line of JSON that steers no terminal.
pub(super) fn print_json(value: &impl serde::Serialize) {
    print(&shared_types::json::line(value));
}

/// Prints a line to standard output; the end of the program tells of a failure.
pub(super) fn print(line: &str) {
    use std::io::Write;
    let _ = writeln!(Output, "{line}");
}
