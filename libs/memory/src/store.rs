//! What a memory can be asked and what it can be given, regardless of what keeps it.

use std::io::{BufRead, Write};

use jiff::Timestamp;

use crate::aged::{Aged, OnStays};
use crate::error::Error;
use shared_types::memory::{Fact, Record, Summary, Turn};

/// A memory to read.
pub trait Recall: Send + Sync {
    /// The newest facts, at most `limit`, oldest first.
    ///
    /// # Errors
    /// A memory that cannot be read.
    fn facts(&self, limit: usize) -> Result<Vec<Fact>, Error>;

    /// The facts that fit a query, the best first.
    ///
    /// # Errors
    /// A memory that cannot be read.
    fn search_facts(&self, query: &str, limit: usize) -> Result<Vec<Fact>, Error>;

    /// The facts that somebody means who names them to be forgotten: those that hold every word that counts; none for a
    /// query without such words.
    ///
    /// # Errors
    /// A memory that cannot be read.
    fn meant(&self, query: &str, limit: usize) -> Result<Vec<Fact>, Error>;

    /// The messages that fit a query, the best first.
    ///
    /// # Errors
    /// A memory that cannot be read.
    fn search_turns(&self, query: &str, limit: usize) -> Result<Vec<Turn>, Error>;

    /// What an identifier names: one fact, or the messages of a turn or of a conversation, oldest first.
    ///
    /// # Errors
    /// A memory that cannot be read.
    fn show(&self, id: &str) -> Result<Vec<Record>, Error>;

    /// The newest messages of a conversation, at most `limit`, oldest first.
    ///
    /// # Errors
    /// A memory that cannot be read.
    fn conversation(&self, id: &str, limit: usize) -> Result<Vec<Turn>, Error>;

    /// The same of several conversations, in the order of `ids`.
    ///
    /// # Errors
    /// A memory that cannot be read.
    fn each_conversation(&self, ids: &[&str], limit: usize) -> Result<Vec<Vec<Turn>>, Error> {
        ids.iter().map(|id| self.conversation(id, limit)).collect()
    }

    /// The conversations with the newest messages, the newest first.
    ///
    /// # Errors
    /// A memory that cannot be read.
    fn conversations(&self, limit: usize) -> Result<Vec<Summary>, Error>;

    /// The conversation of the newest message.
    ///
    /// # Errors
    /// A memory that cannot be read.
    fn last_conversation(&self) -> Result<Option<String>, Error>;

    /// Counts what was said before a moment.
    ///
    /// # Errors
    /// A memory that cannot be read.
    fn aged(&self, before: Timestamp) -> Result<Aged, Error>;

    /// Writes every record that counts, one [`Record`] a line; answers how many.
    ///
    /// # Errors
    /// A memory that cannot be read, or an error of the writer.
    fn export(&self, to: &mut dyn Write) -> Result<u64, Error>;
}

/// A memory to read and write. What a call has accepted survives in every case.
pub trait Store: Recall {
    /// Keeps a fact, unless it is known; a fact about the same is replaced. Outside facts replace outside facts only.
    ///
    /// # Errors
    /// An invalid fact, or a memory that cannot be written; it is then as it was.
    fn add_fact(&self, fact: Fact) -> Result<Stored, Error>;

    /// Keeps a fact in the place of the one with an identifier, in one step: in every case, one of both is there. Facts about
    /// the same go as [`Store::add_fact`] replaces them. Answers the fact as it is kept, which may be one with the same words
    /// that was known already; none where no fact has the identifier.
    ///
    /// # Errors
    /// An invalid fact, or a memory that cannot be written; it is then as it was.
    fn correct(&self, id: &str, fact: Fact) -> Result<Option<Fact>, Error>;

    /// Keeps the messages of a turn.
    ///
    /// # Errors
    /// An invalid message, or a memory that cannot be written; it is then as it was.
    fn add_turns(&self, turns: &[Turn]) -> Result<(), Error>;

    /// Forgets one fact, or a whole conversation; answers whether there was one.
    ///
    /// # Errors
    /// A memory that cannot be written.
    fn forget(&self, id: &str, at: &str) -> Result<bool, Error>;

    /// Removes what was said before a moment for good, with what had taken its place or was forgotten by then, and counts
    /// it. A record without a time stays. It needs room on the disk for a copy of what stays.
    ///
    /// # Errors
    /// A memory that cannot be read or written; of facts and messages one kind may be removed already.
    fn forget_before(&self, before: Timestamp, stays: OnStays<'_>) -> Result<Aged, Error>;

    /// Empties the memory.
    ///
    /// # Errors
    /// A memory that cannot be written.
    fn clear(&self) -> Result<(), Error>;

    /// Takes what an export wrote. Lines that are not records are passed over and named, records that are known too;
    /// what was taken stays when a later line fails, so that the same import can be run again.
    ///
    /// # Errors
    /// An error of the reader, or a memory that cannot be written.
    fn import(&self, from: &mut dyn BufRead) -> Result<Imported, Error>;
}

/// What became of a fact.
#[derive(Debug, Clone, PartialEq)]
pub enum Stored {
    New,
    /// It was known already, as this one.
    Known(Box<Fact>),
    /// It took the place of this one.
    Replaced(Box<Fact>),
}

/// What an import came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// How many records were taken.
    pub taken: u64,
    /// How many were there already.
    pub known: u64,
    /// How many lines are not records.
    pub bad: u64,
    /// The first of them, by their number from 1, with what is wrong.
    pub first_bad: Vec<(u64, String)>,
}

/// How many bad lines are named.
const MOST_NAMED: usize = 20;
/// How many records are written at once.
const BATCH: usize = 2_000;

/// Reads an import and hands its records out in batches, those that `is_known` does not know.
pub(crate) fn import(
    from: &mut dyn BufRead,
    mut is_known: impl FnMut(&Record) -> bool,
    mut keep: impl FnMut(Vec<Record>) -> Result<(), Error>,
) -> Result<Imported, Error> {
    let mut imported = Imported::default();
    let mut batch = Vec::new();
    let mut line = Vec::new();
    let mut number = 0;
    while take_line(from, &mut line).map_err(Error::io("import"))? {
        number += 1;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match Record::parse(&line) {
            Ok(record) if is_known(&record) => imported.known += 1,
            Ok(record) => {
                imported.taken += 1;
                batch.push(record);
                if batch.len() == BATCH {
                    keep(std::mem::take(&mut batch))?;
                }
            }
            Err(why) => {
                imported.bad += 1;
                if imported.first_bad.len() < MOST_NAMED {
                    imported.first_bad.push((number, why.to_string()));
                }
            }
        }
    }
    keep(batch)?;
    Ok(imported)
}

/// Reads a line of which no more is kept than tells that it is too long; `false` at the end.
fn take_line(from: &mut dyn BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let part = from.fill_buf()?;
        if part.is_empty() {
            return Ok(any);
        }
        any = true;
        let newline = part.iter().position(|b| *b == b'\n');
        let taken = newline.unwrap_or(part.len());
        if line.len() <= shared_types::memory::MAX_LINE {
            line.extend(&part[..taken]);
        }
        from.consume(newline.map_or(taken, |n| n + 1));
        if newline.is_some() {
            return Ok(true);
        }
    }
}

/// What tells a message from others, for an import.
pub(crate) fn identity(turn: &Turn) -> u64 {
    let parts = [&turn.conversation_id, &turn.turn_id, &turn.timestamp, &turn.role, &turn.content];
    crate::hash::hash(parts.map(String::as_str).join("\u{0}").as_bytes())
}

#[cfg(test)]
pub(crate) mod testing;
