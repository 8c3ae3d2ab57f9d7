//! `cl-bot agent`: the conversation.

use std::time::Duration;

use bot_base::config::Overrides;
use bot_base::error::{Error, say};
use clap::Args;
use shared_types::id::ConversationId;

use crate::start::Options;
use crate::start::mind::{Purpose, become_mind};

/// What `agent` takes.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Answer one message and end; `-` reads it from standard input
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    message: Option<String>,

    /// Go on with a conversation: its identifier, or `last`
    #[arg(long, value_name = "ID", value_parser = conversation)]
    conversation: Option<String>,

    /// Answer each turn with one JSON value
    #[arg(long)]
    json: bool,

    /// Ask this provider alone
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,

    /// Ask for this model
    #[arg(long, value_name = "MODEL", value_parser = model)]
    model: Option<String>,

    /// Allow fewer rounds of tool calls than the configuration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_iterations: Option<u32>,

    /// Give up on a turn after so many seconds
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,

    /// Let no more than calls of low risk happen, whatever the profile allows
    #[arg(long)]
    readonly: bool,

    /// Start without optional and learned skills, should one of them be the trouble
    #[arg(long)]
    core_only: bool,
}

impl Arguments {
    /// Whether nothing was said.
    pub(super) fn is_empty(&self) -> bool {
        self.message.is_none()
            && self.conversation.is_none()
            && !self.json
            && !self.core_only
            && self.overrides().is_empty()
    }

    fn overrides(&self) -> Overrides {
        Overrides {
            provider: self.provider.clone(),
            model: self.model.clone(),
            max_iterations: self.max_iterations,
            timeout: self.timeout.map(Duration::from_secs),
            readonly: self.readonly,
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error(
    "a conversation is `last` or an identifier of 36 characters such as 01a2070a-1852-76cb-95fa-73927dd28e8b; \
     `cl-bot memory list --conversations` shows those that there are"
)]
struct NoConversation;

fn conversation(text: &str) -> Result<String, NoConversation> {
    let id: ConversationId = text.parse().map_err(|_| NoConversation)?;
    if text == "last" || id.is_generated() { Ok(id.into()) } else { Err(NoConversation) }
}

/// The longest name of a model, in characters.
const MAX_MODEL: usize = 200;

#[derive(Debug, thiserror::Error)]
#[error("a model's name has 1 to {MAX_MODEL} characters and no blanks")]
struct NoModelName;

fn model(text: &str) -> Result<String, NoModelName> {
    let is_fine = |c: char| !shared_types::text::is_unsafe(c) && !c.is_whitespace();
    match text.chars().all(is_fine) && (1..=MAX_MODEL).contains(&text.chars().count()) {
        true => Ok(text.to_owned()),
        false => Err(NoModelName),
    }
}

/// Talks.
pub(super) fn run(options: &Options, arguments: Arguments) -> Result<u8, Error> {
    let purpose = Purpose {
        talks: true,
        overrides: arguments.overrides(),
        message: arguments.message,
        conversation: arguments.conversation,
        json: arguments.json,
        core_only: arguments.core_only,
        scheduled: false,
    };
    let (kernel, warnings) = become_mind(options, purpose)?;
    for warning in warnings {
        say(&warning);
    }
    let ended = kernel.run();
    // The process ends with this; to take apart what is in it would only take time.
    std::mem::forget(kernel);
    ended
}
