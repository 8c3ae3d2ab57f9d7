//! What a line orders: read from what the person typed this turn, never from a model, a skill or a memory.

use language::Intent;

/// An order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Directive {
    /// Ask for an ability.
    Learn {
        /// The ability.
        wish: String,
        /// The line in which it was wished for.
        line: String,
    },
    /// Keep a fact.
    Remember { fact: String },
    /// Forget all facts, after a question.
    ForgetAll,
    /// Forget facts.
    Forget {
        /// What they are about.
        what: String,
    },
}

/// Reads the order in a line; `offer` is the line that the assistant offered to learn for, right before.
pub(super) fn read(line: &str, offer: Option<&str>) -> Option<Directive> {
    if let Some(lesson) = language::pairs::lesson(line) {
        return Some(Directive::Learn { wish: lesson.name.unwrap_or_default(), line: line.to_owned() });
    }
    match language::intent(line)?.intent {
        Intent::Learn { wish } => Some(Directive::Learn { wish, line: line.to_owned() }),
        Intent::Confirm => {
            offer.map(|earlier| Directive::Learn { wish: wish_of(earlier), line: earlier.to_owned() })
        }
        Intent::Remember { fact } => Some(Directive::Remember { fact }),
        Intent::ForgetAll => Some(Directive::ForgetAll),
        Intent::Forget { what } => Some(Directive::Forget { what }),
        _ => None,
    }
}

/// Whether a line says what is to be kept or forgotten.
pub(super) fn is_about_memory(line: &str) -> bool {
    use Directive::{Forget, ForgetAll, Remember};
    matches!(read(line, None), Some(Remember { .. } | Forget { .. } | ForgetAll))
}

/// The wish in a line that was not a wish yet: what the library of skills has for it, or else the line itself, without
/// what surrounds it.
fn wish_of(line: &str) -> String {
    if let Some((wish, _)) = language::wished(line) {
        return wish;
    }
    let polite = language::readings(line);
    let bare = polite.last().map_or(line, |words| words.typed(0..words.len()));
    bare.trim().trim_end_matches(['?', '!', '.', ' ']).to_owned()
}
