//! Which moves of a proposal wait for a person.
//!
//! The table of `status.rs` says who opens each gate by default; `gates` in `admin.yaml` says it for this home. Four gates
//! are a person's regardless of the configuration: only a person accepts, edits and removes a skill, and takes a rejection back.

use shared_types::settings::Section;
use shared_types::status::{Gate, Status, TRANSITIONS};

/// Who wants to move a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mover {
    /// The service, when a stage is done.
    Program,
    Person,
}

/// What a gate says to a mover.
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// Continue.
    Open,
    /// There is a way, but only a person may take it.
    Person,
    /// There is no way.
    None,
}

/// Who opens each gate of the table, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gates([Gate; TRANSITIONS.len()]);

impl Default for Gates {
    fn default() -> Gates {
        Gates(TRANSITIONS.map(|(_, _, gate)| gate))
    }
}

impl Gates {
    /// Every gate a person's: what holds as long as the configuration cannot be read.
    pub fn closed() -> Gates {
        Gates([Gate::Human; TRANSITIONS.len()])
    }

    /// Who opens the gate between two statuses, or `None` where there is no way.
    pub fn between(&self, from: Status, to: Status) -> Option<Gate> {
        TRANSITIONS.iter().zip(self.0).find(|((f, t, _), _)| (*f, *t) == (from, to)).map(|(_, gate)| gate)
    }

    /// Whether a mover may go from one status to another.
    pub fn passage(&self, from: Status, to: Status, mover: Mover) -> Passage {
        match (self.between(from, to), mover) {
            (None, _) => Passage::None,
            (Some(Gate::Auto), _) | (Some(Gate::Human), Mover::Person) => Passage::Open,
            (Some(Gate::Human), Mover::Program) => Passage::Person,
        }
    }

    /// Reads the section `gates`.
    pub fn read(section: &mut Section) -> Gates {
        let mut gates = Gates::default();
        for (index, (from, to, _)) in TRANSITIONS.into_iter().enumerate() {
            let key = name(from, to);
            match (section.word(key), always_human(from, to)) {
                ("auto", Some(why)) => section.fault(key, format!("{why}; only `human` is allowed")),
                ("auto", None) => gates.0[index] = Gate::Auto,
                _ => gates.0[index] = Gate::Human,
            }
        }
        gates
    }
}

/// The name of a gate in `admin.yaml` and on screens; the empty text where there is no way.
pub fn name(from: Status, to: Status) -> &'static str {
    use Status::{Accepted, AgentReview, Discovered, HumanReview, Implementation, New, Rejected, Removed};
    match (from, to) {
        (New, Discovered) => "new_to_discovered",
        (Discovered, Implementation) => "discovered_to_implementation",
        (Implementation, AgentReview) => "implementation_to_agent_review",
        (AgentReview, HumanReview) => "agent_review_to_human_review",
        (AgentReview, Implementation) => "agent_review_to_implementation",
        (HumanReview, AgentReview) => "human_review_to_agent_review",
        (HumanReview, Accepted) => "human_review_to_accepted",
        (Accepted, Removed) => "accepted_to_removed",
        (New, Rejected) => "new_to_rejected",
        (Discovered, Rejected) => "discovered_to_rejected",
        (Implementation, Rejected) => "implementation_to_rejected",
        (AgentReview, Rejected) => "agent_review_to_rejected",
        (HumanReview, Rejected) => "human_review_to_rejected",
        (Rejected, HumanReview) => "rejected_to_human_review",
        _ => "",
    }
}

/// Why a gate is a person's regardless of the configuration.
pub fn always_human(from: Status, to: Status) -> Option<&'static str> {
    match (from, to) {
        (_, Status::Accepted) => {
            Some("a skill is installed by a person's signed decision and by nothing else")
        }
        (Status::HumanReview, Status::AgentReview) => Some("only a person edits a source at the gate"),
        (Status::Rejected, Status::HumanReview) => Some("only a person takes a rejection back"),
        (_, Status::Removed) => Some("only a person removes what a person approved"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
