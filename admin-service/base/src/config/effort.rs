//! `implementer_limits`: what models may cost.

use std::time::Duration;

use shared_types::settings::Section;

/// What models may cost one proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Tokens read and written, over all attempts.
    pub tokens: u64,
    /// The longest time that one attempt may ask models. Waiting for a model that cannot be reached does not count.
    pub time: Duration,
    /// The longest answer, in tokens, of a model whose provider names none.
    pub answer: u32,
    /// For how many proposals models are asked at the same time.
    pub at_once: usize,
}

impl Effort {
    /// Reads the section.
    pub(super) fn read(top: &Section) -> Effort {
        let below = top.section("implementer_limits");
        Effort {
            tokens: below.number("tokens"),
            time: Duration::from_secs(below.number("seconds")),
            answer: u32::try_from(below.number("answer_tokens")).unwrap_or(u32::MAX),
            at_once: usize::try_from(below.number("at_once")).unwrap_or(usize::MAX),
        }
    }
}
