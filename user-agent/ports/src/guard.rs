//! Judges every line that comes in and every text that goes out, with the library `guard`.
//!
//! It is advice: regardless of what it says, a text can neither get nor lose a right by it.

use guard::{Judge, Judgement};
pub use guard::{MAX_TYPED as MAX_INPUT, Needles, Source};
use shared_types::audience::Audience;

use crate::Shared;

/// What the guard says of a text.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing stands against it.
    Pass,
    /// It passes, but these rules matched: it reads like an instruction to a machine, or like something harmful.
    Caution(Vec<&'static str>),
    /// It goes no further.
    Block(Vec<&'static str>),
}

/// A text together with what the guard says of it.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The text without what may not pass.
    pub text: String,
    pub verdict: Verdict,
    /// What was noticed, in words for people; empty for a text that passes.
    pub reasons: Vec<&'static str>,
}

/// The guard of one profile: how strict it is, and what is held back beyond its rules.
#[derive(Debug, Clone, Copy)]
pub struct Guard<'a> {
    audience: Audience,
    words: &'a [String],
}

impl<'a> Guard<'a> {
    /// The guard for an audience; `words` are held back from people as well.
    pub fn new(audience: Audience, words: &'a [String]) -> Guard<'a> {
        Guard { audience, words }
    }

    /// Judges a line from the person: too long is blocked, control characters are taken out.
    pub fn input(&self, line: &str) -> Judged {
        if line.len() > MAX_INPUT {
            let reasons = vec!["is longer than a line may be (1 MiB)"];
            return Judged { text: String::new(), verdict: Verdict::Block(vec!["too-long"]), reasons };
        }
        let text: String = line
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| *c == '\n' || !shared_types::text::is_refused(*c))
            .collect();
        // The line as it came is judged: what is hidden in it is gone from the text that is passed on.
        judged(text.trim().to_owned(), &self.judge(Source::Typed, line))
    }

    /// Judges a text that no person typed: at most `limit` bytes of it, made safe to show.
    pub fn outside(&self, source: Source, text: &str, limit: usize) -> Judged {
        let mut end = text.len().min(limit);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let mut kept = shared_types::text::block(&text[..end]);
        if end < text.len() {
            kept.push_str(&format!("\n[... {} more bytes]", text.len() - end));
        }
        judged(kept, &self.judge(source, &text[..end]))
    }

    fn judge(&self, source: Source, text: &str) -> Judgement {
        Judge::new(self.audience, source).with_words(self.words).judge(text)
    }
}

impl Shared {
    /// The guard, as strict as the profile's audience asks for.
    pub fn guard(&self) -> Guard<'_> {
        Guard::new(self.audience, &self.config.blocked_words)
    }
}

/// Makes a text fit to be shown: no unsafe character, no secret, no link that carries data away.
#[must_use]
pub fn output(text: &str) -> String {
    cleaned(text, &Needles::default())
}

/// As [`output`], with what must not leave this conversation.
#[must_use]
pub fn cleaned(text: &str, needles: &Needles) -> String {
    shared_types::text::block(&guard::output(text, needles).text)
}

/// A text on its way out, piece by piece: what it lets through, joined, is what [`cleaned`] makes of the whole, with the
/// newline at its end.
#[derive(Debug)]
pub struct Outgoing {
    stream: guard::OutputStream,
    shown: shared_types::text::Pieces,
}

impl Outgoing {
    /// Begins.
    #[must_use]
    pub fn new(needles: &Needles) -> Outgoing {
        Outgoing { stream: guard::OutputStream::new(needles), shown: shared_types::text::Pieces::default() }
    }

    /// Takes a piece; gives back what may be shown now.
    #[must_use]
    pub fn push(&mut self, piece: &str) -> String {
        self.shown.show(&self.stream.push(piece))
    }

    /// What was held back to the end.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.shown.show(&self.stream.finish().0)
    }
}

fn judged(text: String, judgement: &Judgement) -> Judged {
    let rules = || judgement.noticed.iter().map(|noticed| noticed.id).collect();
    let (verdict, noticed) = match judgement.verdict {
        guard::Verdict::Pass => (Verdict::Pass, &[][..]),
        guard::Verdict::Caution => (Verdict::Caution(rules()), judgement.noticed.as_slice()),
        guard::Verdict::Block => (Verdict::Block(rules()), judgement.noticed.as_slice()),
    };
    Judged { text, verdict, reasons: noticed.iter().map(|noticed| noticed.says).collect() }
}

#[cfg(test)]
mod tests;
