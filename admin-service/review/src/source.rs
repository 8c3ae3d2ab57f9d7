//! What a person's own source must be, asked before it is handed in and again by the service.

use base::error::Error;
use shared_types::text::is_unsafe;

/// The largest source, in bytes; the scan takes no larger one.
pub const LARGEST: usize = 64 << 10;

/// A source that is not taken.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Nothing is in it.
    #[error("the source is empty; nothing was handed in")]
    Empty,
    /// It is the one that is there.
    #[error("the source is unchanged; nothing was handed in")]
    Unchanged,
    /// More than a scan takes.
    #[error("the source has {has} bytes; at most {LARGEST} are read")]
    TooLarge {
        /// Its size, in bytes.
        has: usize,
    },
    /// A character that nobody can see.
    #[error("line {line} of the source has the invisible character {}", .character.escape_unicode())]
    Invisible {
        /// Its line, counted from 1.
        line: usize,
        character: char,
    },
}

/// What a source must be before anybody looks at it more closely.
///
/// # Errors
/// An empty or too large text, or one with a character that nobody can see, with its line.
pub fn check(source: &str) -> Result<(), Error> {
    if source.trim().is_empty() {
        return Err(Error::usage(Fault::Empty));
    }
    if source.len() > LARGEST {
        return Err(Error::usage(Fault::TooLarge { has: source.len() }));
    }
    for (number, line) in source.lines().enumerate() {
        if let Some(c) = line.chars().find(|c| *c != '\t' && is_unsafe(*c)) {
            return Err(Error::usage(Fault::Invisible { line: number + 1, character: c }));
        }
    }
    Ok(())
}
