//! Judges every line that comes in and every text that goes out, with the library `guard`.
//!
//! It is advice: whatever it says, a text can neither get nor lose a right by it.

use guard::{Judge, Judgement, Needles};
use shared_types::audience::Audience;

pub use guard::{MAX_TYPED as MAX_INPUT, Source};

/// What the guard says of a text.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing stands against it.
    Pass,
    /// It goes on, but these rules spoke up: it reads like an instruction to a machine, or like something harmful.
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
    /// The verdict.
    pub verdict: Verdict,
    /// What was noticed, in words for people; empty for a text that passes.
    pub reasons: Vec<&'static str>,
}

/// Judges a line from a grown-up: as [`input_for`].
pub fn input(line: &str) -> Judged {
    input_for(Audience::Adult, line)
}

/// Judges a line from the person: too long is blocked, control characters are taken out.
pub fn input_for(audience: Audience, line: &str) -> Judged {
    if line.len() > MAX_INPUT {
        let reasons = vec!["is longer than a line may be (32 KiB)"];
        return Judged { text: String::new(), verdict: Verdict::Block(vec!["too-long"]), reasons };
    }
    let text: String = line
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| *c == '\n' || !shared_types::text::is_refused(*c))
        .collect();
    // The line as it came is judged: what is hidden in it is gone from the text that goes on.
    judged(text.trim().to_owned(), &Judge::new(audience, Source::Typed).judge(line))
}

/// Judges a text that a tool or a skill brought to a grown-up: as [`outside_for`].
pub fn outside(text: &str, limit: usize) -> Judged {
    outside_for(Audience::Adult, Source::Tool, text, limit)
}

/// Judges a text that no person typed: at most `limit` bytes of it, made safe to show.
pub fn outside_for(audience: Audience, source: Source, text: &str, limit: usize) -> Judged {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut kept = shared_types::text::block(&text[..end]);
    if end < text.len() {
        kept.push_str(&format!("\n[... {} more bytes]", text.len() - end));
    }
    judged(kept, &Judge::new(audience, source).judge(&text[..end]))
}

/// Makes a text fit to be shown: no unsafe character, no secret, no link that carries data away.
#[must_use]
pub fn output(text: &str) -> String {
    shared_types::text::block(&guard::output(text, &Needles::default()).text)
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
