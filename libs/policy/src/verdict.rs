//! Whether one call runs, asks a person, or is refused.

use shared_types::provenance::Provenance;
use shared_types::risk::{Autonomy, Risk};

/// What one call would do, found before it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weight {
    /// What it could do at worst.
    pub risk: Risk,
    /// What it does, in a few words for a person.
    pub reason: String,
    /// Where data could go with it: a host, a plugin, a command. `None` where nothing can leave.
    pub carries_to: Option<String>,
    /// What its answer brings into the conversation.
    pub brings: Provenance,
}

impl Weight {
    /// A call that does nothing but answer.
    pub fn harmless(reason: impl Into<String>) -> Weight {
        Weight { risk: Risk::Low, reason: reason.into(), carries_to: None, brings: Provenance::NONE }
    }
}

/// Under which circumstances a call is made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// How much happens without asking.
    pub autonomy: Autonomy,
    /// What the conversation holds.
    pub holds: Provenance,
    /// Whether the arguments are made only of words that the person typed in this conversation.
    pub typed: bool,
    /// Whether a person said yes to the same tool and destination in this conversation already.
    pub said_yes: bool,
}

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// It runs.
    Run {
        /// The risk at which it was judged.
        risk: Risk,
        /// Whether a person's earlier yes covers it; otherwise the policy does.
        by_person: bool,
    },
    /// A person is asked first; without a yes it does not run.
    Ask {
        /// The risk at which it was judged.
        risk: Risk,
        /// Why it asks, in words.
        why: String,
    },
    /// It does not run.
    Refuse {
        /// The risk at which it was judged.
        risk: Risk,
        /// The rule, by its name in the documentation.
        rule: &'static str,
        /// Why, with a lawful next step.
        why: String,
    },
}

impl Verdict {
    /// The risk at which the call was judged.
    pub fn risk(&self) -> Risk {
        match self {
            Verdict::Run { risk, .. } | Verdict::Ask { risk, .. } | Verdict::Refuse { risk, .. } => *risk,
        }
    }
}

/// Decides. In a conversation that holds outside and private content, a call that can carry data out rises one level and
/// at least asks, whatever the autonomy; not so where the person typed the arguments.
pub fn decide(weight: &Weight, now: &Circumstances) -> Verdict {
    let leaks = now.holds.is_mixed() && weight.carries_to.is_some() && !now.typed;
    let risk = if leaks { weight.risk.raised() } else { weight.risk };
    let refuse = |rule, why: String| Verdict::Refuse { risk, rule, why };
    let mixed = || {
        let to = weight.carries_to.as_deref().unwrap_or_default();
        format!(
            "this conversation holds private content and content from outside, and this could carry it to {to}"
        )
    };
    let why = || if leaks { format!("{}; {}", weight.reason, mixed()) } else { weight.reason.clone() };
    match (risk, now.autonomy) {
        (Risk::Blocked, _) => refuse("blocked", format!("{}; this never runs, whoever asks", weight.reason)),
        (Risk::High, _) => refuse(
            "high-risk",
            format!("{}: the risk is high, and that is refused; a person can do it by hand", why()),
        ),
        (Risk::Medium, Autonomy::Readonly) => refuse(
            "readonly",
            format!(
                "{}: with `autonomy: readonly` only calls of low risk run; the profile's file sets that",
                why()
            ),
        ),
        (Risk::Medium, _) if now.said_yes => Verdict::Run { risk, by_person: true },
        (Risk::Medium, Autonomy::Supervised) => Verdict::Ask { risk, why: why() },
        (Risk::Medium, Autonomy::Full) if leaks => Verdict::Ask { risk, why: why() },
        (Risk::Low, _) | (Risk::Medium, Autonomy::Full) => Verdict::Run { risk, by_person: false },
    }
}

/// What becomes of calls of a risk where nothing raises it, in two words for people.
pub fn outlook(risk: Risk, autonomy: Autonomy) -> &'static str {
    let weight = Weight { risk, ..Weight::harmless("") };
    match decide(&weight, &Circumstances { autonomy, ..Circumstances::default() }) {
        Verdict::Run { .. } => "runs",
        Verdict::Ask { .. } => "asks",
        Verdict::Refuse { .. } => "is refused",
    }
}

#[cfg(test)]
mod tests;
