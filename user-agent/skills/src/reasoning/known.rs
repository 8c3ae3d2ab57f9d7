//! What a model gets from the beginning of a conversation.

use ports::KernelContext;

use super::{memories, past};

/// What a model gets, a line each.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    /// What the person prefers.
    pub preferences: Vec<String>,
    /// What earlier conversations were about.
    pub past: Vec<String>,
}

impl Known {
    /// What is known now.
    pub(super) fn now(ctx: &KernelContext) -> Known {
        Known { preferences: memories::preferences(ctx), past: past::for_model(ctx) }
    }
}
