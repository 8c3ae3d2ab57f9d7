//! `cl-bot agent`: the conversation.

use clap::Args;

use crate::error::{Error, say};
use crate::start::Options;
use crate::start::mind::{Purpose, become_mind};

/// What `agent` takes.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Answer one message and end
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,

    /// Go on with a conversation: its identifier, or `last`
    #[arg(long, value_name = "ID", value_parser = conversation)]
    conversation: Option<String>,

    /// Start without optional and learned skills, should one of them be the trouble
    #[arg(long)]
    core_only: bool,
}

impl Arguments {
    /// Whether nothing was said.
    pub(super) fn is_empty(&self) -> bool {
        self.message.is_none() && self.conversation.is_none() && !self.core_only
    }
}

fn conversation(text: &str) -> Result<String, String> {
    text.parse::<shared_types::id::ConversationId>().map(String::from).map_err(|e| e.to_string())
}

/// Talks.
pub(super) fn run(options: &Options, arguments: Arguments) -> Result<u8, Error> {
    let purpose = Purpose {
        talks: true,
        message: arguments.message,
        conversation: arguments.conversation,
        core_only: arguments.core_only,
    };
    let (kernel, warnings) = become_mind(options, purpose)?;
    for warning in warnings {
        say(&warning);
    }
    kernel.run()
}
