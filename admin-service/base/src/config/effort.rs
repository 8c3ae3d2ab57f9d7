//! `implementer_limits`: what models may cost one proposal.

use std::time::Duration;

use shared_types::settings::Section;

/// What models may cost one proposal, over all its attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Tokens read and written.
    pub tokens: u64,
    /// Time in which models are asked; waiting for one that is away does not count.
    pub time: Duration,
}

impl Effort {
    /// Reads the section.
    pub(super) fn read(top: &Section) -> Effort {
        let below = top.section("implementer_limits");
        Effort { tokens: below.number("tokens"), time: Duration::from_secs(below.number("seconds")) }
    }
}
