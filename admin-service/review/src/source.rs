//! What a person's own source must be, asked before it is handed in and again by the service.

use base::error::Error;
use shared_types::text::is_unsafe;

/// The largest source, in bytes; the scan takes no larger one.
pub const LARGEST: usize = 64 << 10;

/// What a source must be before anybody looks at it more closely.
///
/// # Errors
/// An empty or too large text, or one with a character that nobody can see, with its line.
pub fn check(source: &str) -> Result<(), Error> {
    if source.trim().is_empty() {
        return Err(Error::usage("the source is empty; nothing was handed in"));
    }
    if source.len() > LARGEST {
        let has = source.len();
        return Err(Error::usage(format!("the source has {has} bytes; at most {LARGEST} are read")));
    }
    for (number, line) in source.lines().enumerate() {
        if let Some(c) = line.chars().find(|c| *c != '\t' && is_unsafe(*c)) {
            let (number, c) = (number + 1, c.escape_unicode());
            return Err(Error::usage(format!("line {number} of the source has the invisible character {c}")));
        }
    }
    Ok(())
}
