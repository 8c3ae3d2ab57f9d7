//! Which intent a line has.

use std::ops::Range;

use crate::compiled::{Compiled, Take};
use crate::data::Kind;
use crate::languages::{self, Language, readings};
use crate::pattern::Found;
use crate::slot::said;
use crate::words::Words;

/// What a person's line means, beyond what tools take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    /// Wants an ability.
    Learn {
        /// What the ability is, in the person's words.
        wish: String,
    },
    /// Says yes.
    Confirm,
    /// Says no.
    Decline,
    /// Tells a fact that is to be kept.
    Remember {
        /// The fact, in the person's words.
        fact: String,
    },
    /// Wants something forgotten.
    Forget {
        /// What, in the person's words; `me` for everything.
        what: String,
    },
    /// Asks for something that was told before.
    Recall {
        /// What, in the person's words; `me` for everything.
        what: String,
    },
    /// Greets.
    Greeting,
    /// Thanks.
    Thanks,
    /// Takes leave.
    Goodbye,
    /// Asks what the assistant can do.
    Capabilities,
    /// Asks what the assistant can not do.
    Limits,
    /// Asks who or what the assistant is.
    WhoAreYou,
    /// Asks how the assistant is.
    HowAreYou,
    /// Speaks of the assistant: its age, its feelings, what it is like.
    AboutYou,
    /// Says how the person feels.
    Feeling,
    /// Wants an ability and does not say which.
    LearnWhat,
    /// Orders something: a verb and what it is done to.
    Order,
}

/// An intent, and the language it was said in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// The intent.
    pub intent: Intent,
    /// The language of the pattern that matched.
    pub language: Language,
}

/// The intent of a line; of all patterns that match the whole line, the one with the most words decides.
pub fn intent(line: &str) -> Option<Meant> {
    let readings = readings(line);
    let asks = line.trim_end().ends_with('?');
    let first: Vec<&str> = readings.iter().map(|words| words.norm(0)).collect();
    let mut best: Option<(i32, Language, Compiled, Found, &Words<'_>)> = None;
    for language in Language::all() {
        for compiled in language.data().patterns(&first) {
            // A question is no statement to be kept; it may be one for a tool.
            if asks && compiled.kind == Kind::Remember && !matches!(compiled.take, Take::Slot) {
                continue;
            }
            let found = readings.iter().filter_map(|w| Some((compiled.pattern.matches(w, &[])?, w)));
            let Some((found, words)) = found.max_by_key(|(f, _)| f.score) else { continue };
            if best.as_ref().is_none_or(|(score, ..)| found.score > *score) {
                best = Some((found.score, language, compiled, found, words));
            }
        }
    }
    let (_, language, compiled, found, words) = best?;
    let payload = payload(&compiled, &found, words);
    let intent = match compiled.kind {
        Kind::None => return None,
        Kind::Learn => Intent::Learn { wish: payload },
        Kind::Confirm => Intent::Confirm,
        Kind::Decline => Intent::Decline,
        Kind::Remember => Intent::Remember { fact: payload },
        Kind::Forget => Intent::Forget { what: payload },
        Kind::Recall => Intent::Recall { what: if payload.is_empty() { "me".to_owned() } else { payload } },
        Kind::Greeting => Intent::Greeting,
        Kind::Thanks => Intent::Thanks,
        Kind::Goodbye => Intent::Goodbye,
        Kind::Capabilities => Intent::Capabilities,
        Kind::Limits => Intent::Limits,
        Kind::WhoAreYou => Intent::WhoAreYou,
        Kind::HowAreYou => Intent::HowAreYou,
        Kind::AboutYou => Intent::AboutYou,
        Kind::Feeling => Intent::Feeling,
        Kind::LearnWhat => Intent::LearnWhat,
        Kind::Order => Intent::Order,
    };
    Some(Meant { intent, language })
}

fn payload(compiled: &Compiled, found: &Found, words: &Words<'_>) -> String {
    let text = |slot: &Option<Range<usize>>| slot.clone().map(|taken| said(words, taken));
    match compiled.take {
        Take::Slot => found.slots.iter().find_map(text).unwrap_or_default().to_owned(),
        Take::Line => words.span(0..words.len()).to_owned(),
        Take::Text(template) => {
            let names = compiled.pattern.slots().iter().zip(&found.slots);
            let values: Vec<(&str, &str)> =
                names.filter_map(|(name, slot)| Some((name.as_str(), text(slot)?))).collect();
            languages::fill(template, &values)
        }
    }
}

/// Whether a line is a question, by its mark or by its first word.
pub fn is_question(line: &str) -> bool {
    let begins = |words: &Words<'_>| Language::all().any(|l| l.data().questions.contains(&words.norm(0)));
    let readings = readings(line);
    !readings.is_empty() && (line.trim_end().ends_with('?') || readings.iter().any(begins))
}

/// Whether a line asks for something: a question, a request by its first words, or said with politeness before it.
pub fn looks_like_request(line: &str) -> bool {
    is_question(line)
        || readings(line).iter().any(|words| {
            Language::all().flat_map(|l| l.data().requests).any(|request| {
                request.len() <= words.len() && request.iter().enumerate().all(|(i, w)| words.norm(i) == *w)
            })
        })
}
