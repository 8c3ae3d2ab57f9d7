//! `cl-bot telegram`: the profile's person talks to it in a private chat with a Telegram bot.
//!
//! - `server`: the calls of the Bot API

use bot_base::config::channel::Through;
use bot_base::error::Error;
use documents::profile_file::Profile;
use user_agent::start::Options;

use crate::messenger::rooms::{Channel, Person};
use crate::messenger::{Kind, Messenger, parts, poll};
use server::BotApi;

mod server;

/// The longest part of an answer, in UTF-16 units: a message has at most 4,096, with the number of the part and the mark of one that is
/// sent again.
const LONGEST: usize = 4_096 - 128;
/// The most messages of one answer; half of those that wait for a server.
const MOST_PARTS: usize = 100;

/// Answers until a signal ends it, or the bot's token is no longer accepted.
///
/// # Errors
/// What forbids the start.
pub fn run(options: &Options, readonly: bool) -> Result<u8, Error> {
    Kind { through: Through::Telegram, of: set_up }.run(options, readonly)
}

/// Is the process that talks to the server of the Bot API.
///
/// # Errors
/// No order, no socket, or nothing that confines it.
pub fn polls(number: &str) -> Result<u8, Error> {
    poll::run::<BotApi>(number)
}

fn set_up(settings: &Profile) -> Option<Messenger> {
    let telegram = settings.telegram.clone()?;
    let people = telegram.people.into_iter();
    let channel = Channel {
        name: "telegram",
        title: "Telegram",
        people: people.map(|one| Person { id: one.id.to_string(), may_confirm: one.may_confirm }).collect(),
        parts,
        // A message has no transaction.
        repeats: true,
        has_commands: true,
        drafts: telegram.drafts,
    };
    let (server, token, minors) = (telegram.server, telegram.token, telegram.minors);
    Some(Messenger { server, user: None, token, minors, channel })
}

/// What the body of an answer to `getUpdates` says to the assistant of these people: sender and line of each that was typed.
/// Nothing where it is not an answer.
pub fn typed_in(body: &[u8], people: &[String]) -> Option<Vec<(String, String)>> {
    let answer: serde_json::Value = serde_json::from_slice(body).ok()?;
    answer["result"].is_array().then(|| server::read(&answer["result"], None, 0, people).1.typed())
}

/// A text in parts that fit into messages, cut between lines or words where there are some, and numbered where there are several.
fn parts(text: &str) -> Vec<String> {
    let parts = parts::cut(text, MOST_PARTS, edge, &['\n', ' ']);
    let count = parts.len();
    if count == 1 {
        return parts;
    }
    parts.iter().enumerate().map(|(at, part)| format!("({}/{count})\n{part}", at + 1)).collect()
}

/// Where the start of a text ends that fits into a message, if it is too long.
fn edge(text: &str) -> Option<usize> {
    let mut units = 0;
    text.char_indices().find_map(|(at, letter)| {
        units += letter.len_utf16();
        (units > LONGEST).then_some(at)
    })
}

#[cfg(test)]
mod tests;
