//! What goes out: no control characters, no secrets, no links that carry data away, not the system's own text.
//!
//! A text may come whole or in pieces; the result is the same. Each stage holds back only what it cannot decide yet:
//!
//! - `shown`: characters without a safe shape
//! - `needles`: exact secrets that the caller knows
//! - `units`: words, keys, links and images, one after the other
//! - `carried`: what an address carries of what is private
//! - `leak`: long runs of the system's own text

mod carried;
mod leak;
mod links;
mod needles;
mod notes;
mod secrets;
mod shown;
mod units;

use crate::verdict::Noticed;
use notes::Notes;

pub use needles::Needles;

/// A text that may go out.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned {
    pub text: String,
    /// What was taken out or changed, each kind once.
    pub noticed: Vec<Noticed>,
}

/// Cleans a whole text.
pub fn output(text: &str, needles: &Needles) -> Cleaned {
    let mut stream = OutputStream::new(needles);
    let mut cleaned = stream.push(text);
    let (rest, noticed) = stream.finish();
    cleaned.push_str(&rest);
    Cleaned { text: cleaned, noticed }
}

/// Cleans a text that comes in pieces. The pieces joined are what [`output`] makes of the whole.
#[derive(Debug)]
pub struct OutputStream {
    needles: needles::Filter,
    units: units::Filter,
    leak: leak::Filter,
    noticed: Notes,
}

impl OutputStream {
    /// Begins a text.
    #[must_use]
    pub fn new(needles: &Needles) -> OutputStream {
        OutputStream {
            needles: needles::Filter::new(&needles.secrets),
            units: units::Filter::new(needles),
            leak: leak::Filter::new(&needles.system),
            noticed: Notes::default(),
        }
    }

    /// Takes the next piece and gives what may be shown now: all but an unfinished word, link or run.
    #[must_use]
    pub fn push(&mut self, piece: &str) -> String {
        let shown = shown::safe(piece, &mut self.noticed);
        self.through(&shown, false)
    }

    /// Ends the text: the rest, and what was taken out or changed, each kind once.
    #[must_use]
    pub fn finish(mut self) -> (String, Vec<Noticed>) {
        let rest = self.through("", true);
        (rest, self.noticed.into_noticed())
    }

    fn through(&mut self, text: &str, done: bool) -> String {
        let text = self.needles.take(text, done, &mut self.noticed);
        let text = self.units.take(&text, done, &mut self.noticed);
        self.leak.take(&text, done, &mut self.noticed)
    }
}

#[cfg(test)]
mod tests;
