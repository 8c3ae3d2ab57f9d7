//! What was found of one command, and the worse of two.

use shared_types::risk::Risk;
use shared_types::text::cut;

/// What was found of one command, before it is a [`Part`](super::Part).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) risk: Risk,
    pub(super) rule: &'static str,
    pub(super) why: String,
}

impl Finding {
    pub(super) fn medium(why: impl Into<String>) -> Finding {
        Finding { risk: Risk::Medium, rule: "allowed", why: why.into() }
    }

    pub(super) fn high(rule: &'static str, why: impl Into<String>) -> Finding {
        Finding { risk: Risk::High, rule, why: why.into() }
    }

    pub(super) fn blocked(rule: &'static str, why: impl Into<String>) -> Finding {
        Finding { risk: Risk::Blocked, rule, why: why.into() }
    }

    /// What one program fetches and another would run.
    pub(super) fn piped(source: &str, runner: &str) -> Finding {
        Finding::blocked(
            "piped-to-interpreter",
            format!("what `{}` fetches would be run by `{}`", cut(source, 40), cut(runner, 40)),
        )
    }

    /// The worse of the two; this one where they are even.
    pub(super) fn or_worse(self, other: Finding) -> Finding {
        if other.risk > self.risk { other } else { self }
    }

    /// The same, where there may be no other.
    pub(super) fn or_worse_if(self, other: Option<Finding>) -> Finding {
        match other {
            Some(other) => self.or_worse(other),
            None => self,
        }
    }
}
