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
mod secrets;
mod shown;
mod units;

use crate::verdict::Noticed;

/// What the cleaning looks for besides the shapes that it knows.
#[derive(Debug, Clone, Default)]
pub struct Needles {
    /// Exact values that must not go out; shorter than 6 bytes they are left alone.
    pub secrets: Vec<String>,
    /// The system's own text: a run of ten of its words is left out.
    pub system: String,
    /// What is private in this conversation, and what files and pages brought into it: no link may carry a word of it.
    pub private: Vec<String>,
    /// The lines that the person typed, the newest last: a link may be one of theirs, and carry the newest one's words as
    /// far as they hold no digit.
    pub typed: Vec<String>,
    /// Hosts that the person named: links to them stay, however much they carry, unless it is private.
    pub hosts: Vec<String>,
}

/// A text that may go out.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned {
    /// The text.
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
        (rest, self.noticed.0)
    }

    fn through(&mut self, text: &str, done: bool) -> String {
        let text = self.needles.take(text, done, &mut self.noticed);
        let text = self.units.take(&text, done, &mut self.noticed);
        self.leak.take(&text, done, &mut self.noticed)
    }
}

/// What was noticed, each kind once.
#[derive(Debug, Default)]
pub(crate) struct Notes(Vec<Noticed>);

impl Notes {
    fn add(&mut self, kind: Noticed) {
        if !self.0.contains(&kind) {
            self.0.push(kind);
        }
    }
}

/// What stands in the place of a secret.
pub(crate) const BLANK: &str = "[secret removed]";

const CONTROL: Noticed = Noticed { id: "control-characters", says: "held control characters" };
const INVISIBLE: Noticed = Noticed { id: "invisible-characters", says: "held characters without a shape" };
const SECRET: Noticed = Noticed { id: "secret", says: "held a key or another secret" };
const LEAK: Noticed = Noticed { id: "system-text", says: "repeated a long run of the system's own text" };
const IMAGE: Noticed =
    Noticed { id: "image", says: "held an image that would have been fetched from a host" };
const PRIVATE: Noticed = Noticed {
    id: "link-carries-private",
    says: "held a link that carries words of this conversation to a host",
};
const CARRIES: Noticed = Noticed { id: "link-carries-data", says: "held a link that carries data to a host" };
const DISGUISED: Noticed = Noticed { id: "link-disguised", says: "held a link that hides where it leads" };

#[cfg(test)]
mod tests;
