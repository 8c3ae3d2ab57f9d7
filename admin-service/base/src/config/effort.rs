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
    pub(super) fn read(top: &mut Section) -> Effort {
        let mut below = top.section("implementer_limits");
        let effort = Effort {
            tokens: below.number("tokens", 100_000, 1_000..=100_000_000),
            time: Duration::from_secs(below.number("seconds", 1_800, 1..=86_400)),
        };
        top.close(below);
        effort
    }
}
