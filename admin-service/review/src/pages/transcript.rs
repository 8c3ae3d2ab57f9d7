//! How the source came about: each attempt with what was wrong with it, and what was sent to and said by whom.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use base::home::Home;
use base::package::{Package, Part};
use ledger::ticket::Ticket;
use shared_types::text::block;

use super::line::{Line, Origin, Page, Tone};
use crate::words::Words;

/// The most of one attempt's text that is read, in bytes; more is said.
const MOST: u64 = 1 << 20;

/// The page, once there is an attempt.
pub fn page(words: Words, home: &Home, ticket: &Ticket) -> Option<Page> {
    if ticket.attempts().is_empty() {
        return None;
    }
    let mut page = Page::new("transcript", words.say("transcript-page"));
    let mut add = |origin, tone, text: &str| page.lines.push(Line::new(origin, tone, text));
    let package = Package::of(home, ticket.id());
    for attempt in ticket.attempts() {
        let number = attempt.number.to_string();
        let facts = [("number", number.as_str()), ("author", attempt.author.text())];
        let head = match ticket.attempt() == Some(attempt) {
            true => words.fill("attempt-counts", &facts),
            false => words.fill("attempt", &facts),
        };
        add(Origin::Facts, Tone::Strong, &head);
        if !attempt.messages.is_empty() {
            add(Origin::Facts, Tone::Caution, words.say("found-wanting"));
        }
        for part in attempt
            .messages
            .iter()
            .flat_map(|m| block(m.text()).lines().map(str::to_owned).collect::<Vec<_>>())
        {
            add(Origin::Words, Tone::Plain, &part);
        }
        let path = package.path(Part::Transcript(attempt.number));
        match read(&path) {
            Ok((text, cut)) => {
                for part in block(&text).lines() {
                    add(Origin::Words, Tone::Plain, part);
                }
                if let Some(left) = cut {
                    let facts = [("bytes", left.to_string()), ("file", path.display().to_string())];
                    let facts = facts.each_ref().map(|(name, value)| (*name, value.as_str()));
                    let said = words.fill("bytes-left", &facts);
                    add(Origin::Facts, Tone::Caution, &said);
                }
            }
            Err(e) => {
                add(Origin::Facts, Tone::Caution, &words.fill("unreadable", &[("why", &e.to_string())]))
            }
        }
    }
    Some(page)
}

/// A file's text, and how many bytes of it are left over.
fn read(path: &Path) -> std::io::Result<(String, Option<u64>)> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut bytes = vec![];
    file.take(MOST).read_to_end(&mut bytes)?;
    let left = size.saturating_sub(bytes.len() as u64);
    Ok((String::from_utf8_lossy(&bytes).into_owned(), (left > 0).then_some(left)))
}
