//! `cl-bot matrix`: the profile's person talks to it from a Matrix client.
//!
//! - `server`: the calls of the homeserver

use bot_base::config::channel::Through;
use bot_base::error::Error;
use documents::profile_file::Profile;
use user_agent::start::Options;

use crate::messenger::rooms::{Channel, Person};
use crate::messenger::{Kind, Messenger, parts, poll};
use server::Homeserver;

mod server;

/// The longest message, in bytes; a longer answer goes out in several. An event has at most 65,536 bytes, with its escapes.
const LONGEST: usize = 16_000;
/// The most messages of one answer.
const MOST_PARTS: usize = 8;

/// Answers until a signal ends it, or the account is no longer accepted.
///
/// # Errors
/// What forbids the start.
pub fn run(options: &Options, readonly: bool) -> Result<u8, Error> {
    Kind { through: Through::Matrix, of: set_up }.run(options, readonly)
}

/// Is the process that talks to the homeserver.
///
/// # Errors
/// No order, no socket, or nothing that confines it.
pub fn polls(number: &str) -> Result<u8, Error> {
    poll::run::<Homeserver>(number)
}

fn set_up(settings: &Profile) -> Option<Messenger> {
    let matrix = settings.matrix.clone()?;
    let people = matrix.people.into_iter();
    let channel = Channel {
        name: "matrix",
        title: "Matrix",
        people: people.map(|one| Person { id: one.id, may_confirm: one.may_confirm }).collect(),
        parts,
        // It takes each transaction once.
        repeats: false,
        has_commands: false,
        drafts: matrix.drafts,
    };
    let (server, user, token, minors) = (matrix.server, Some(matrix.user), matrix.token, matrix.minors);
    Some(Messenger { server, user, token, minors, channel })
}

/// What the body of an answer to `/sync` says to the account `user` of the assistant of these people: sender and line of each that was
/// typed. Nothing where it is not an answer.
pub fn typed_in(body: &[u8], user: &str, people: &[String]) -> Option<Vec<(String, String)>> {
    let answer: serde_json::Value = serde_json::from_slice(body).ok()?;
    answer["next_batch"].as_str()?;
    let rooms = server::joined(&answer).map(|(room, timeline)| {
        let events = timeline["events"].as_array().map(Vec::as_slice).unwrap_or_default();
        server::read(room, events, user, people).typed()
    });
    Some(rooms.flatten().collect())
}

/// A text in parts that fit into messages, cut between lines where there are some.
fn parts(text: &str) -> Vec<String> {
    let edge = |text: &str| (text.len() > LONGEST).then(|| text.floor_char_boundary(LONGEST));
    parts::cut(text, MOST_PARTS, edge, &['\n'])
}

#[cfg(test)]
mod tests;
