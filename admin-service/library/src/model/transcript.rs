//! One attempt as it is kept for the person: who wrote it, what it cost, what was sent and answered, what came of it.

use std::time::Duration;

use models::{Message, Request, Role, Usage};
use shared_types::id::Digest;
use shared_types::text::{block, line};

use super::bounds::Cost;

/// What is recorded of one attempt; a provider adds its key later, so no key is in here.
pub(super) struct Transcript {
    attempt: u32,
    instructions: (usize, Digest),
    sent: Vec<Message>,
    /// The provider and the model.
    pub(super) author: String,
    pub(super) cost: Cost,
    /// How long it took.
    pub(super) time: Duration,
    /// What was answered.
    pub(super) answer: String,
    /// What it was taken for.
    pub(super) came_to: String,
}

impl Transcript {
    /// The transcript of what is about to be sent.
    pub(super) fn of(attempt: u32, request: &Request) -> Transcript {
        Transcript {
            attempt,
            instructions: (request.system.len(), Digest::of(request.system.as_bytes())),
            sent: request.messages.clone(),
            author: String::new(),
            cost: Cost::default(),
            time: Duration::ZERO,
            answer: String::new(),
            came_to: String::new(),
        }
    }

    /// The whole as text, the outcome first; what others wrote is harmless to show.
    pub(super) fn text(&self) -> String {
        let tokens = match self.cost.told {
            Some(usage) => {
                format!("{} ({} read, {} written)", self.cost.tokens, usage.input, usage.output)
            }
            None => format!("about {} (estimated from the bytes: the server tells none)", self.cost.tokens),
        };
        let mut text = format!(
            "attempt {} by model {}\ntokens: {tokens}\ntime: {:.1} s\ncame to: {}\ninstructions: {} bytes, \
             sha256 {}, in instructions.txt\n",
            self.attempt,
            line(&self.author),
            self.time.as_secs_f32(),
            line(&self.came_to),
            self.instructions.0,
            self.instructions.1,
        );
        for message in &self.sent {
            let who = if message.role == Role::Assistant { "sent: the attempt before" } else { "sent" };
            text.push_str(&format!("\n[{who}]\n{}\n", block(&message.content)));
        }
        text.push_str(&format!("\n[answer of {}]\n{}\n", line(&self.author), block(&self.answer)));
        text
    }
}

/// What the server said of the tokens of a transcript's first question; nothing where they are an estimate. The line stands above
/// all that others wrote.
pub fn tokens_told(transcript: &str) -> Option<Usage> {
    let line = transcript.lines().nth(1)?.strip_prefix("tokens: ")?;
    let (_, figures) = line.split_once(" (")?;
    let (read, written) = figures.strip_suffix(" written)")?.split_once(" read, ")?;
    Some(Usage { input: read.parse().ok()?, output: written.parse().ok()? })
}
