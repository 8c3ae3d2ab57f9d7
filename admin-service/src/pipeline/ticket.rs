//! One proposal as its journal tells it, with what it waits for.

use shared_types::decision::SignedDecision;
use shared_types::id::{Digest, ProposalId};
use shared_types::proposal::{HistoryEntry, Proposal};
use shared_types::status::{Status, Wait};

use crate::journal::{Record, Reviewed, Taken};

/// An attempt at a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Counted from 1.
    pub number: u32,
    /// The template or model.
    pub author: String,
    /// SHA-256 of the source as handed in.
    pub source_sha256: Digest,
    /// What was found wanting; empty while nothing was.
    pub messages: Vec<String>,
}

/// One proposal.
#[derive(Debug, Clone)]
pub struct Ticket {
    taken: Taken,
    status: Status,
    waits: Option<(Wait, String)>,
    history: Vec<HistoryEntry>,
    attempt: Option<Attempt>,
    review: Option<Reviewed>,
    decision: Option<SignedDecision>,
    first_yes: Option<SignedDecision>,
    installed_version: Option<u32>,
    recurrence: u32,
}

impl Ticket {
    /// A proposal that was just taken in.
    pub(crate) fn new(taken: Taken, at: String) -> Ticket {
        let first =
            HistoryEntry { timestamp: at, status: Status::New, actor: "proposer".into(), reason: None };
        Ticket {
            taken,
            status: Status::New,
            waits: None,
            history: vec![first],
            attempt: None,
            review: None,
            decision: None,
            first_yes: None,
            installed_version: None,
            recurrence: 0,
        }
    }

    /// Lets the state follow a record about this proposal.
    pub(crate) fn follow(&mut self, at: String, record: Record) {
        match record {
            Record::Moved { to, actor, reason, .. } => {
                self.status = to;
                self.waits = None;
                self.first_yes = None;
                self.history.push(HistoryEntry { timestamp: at, status: to, actor, reason });
            }
            Record::Waits { on, why, .. } => self.waits = on.map(|w| (w, why)),
            Record::Written { attempt, author, source_sha256, .. } => {
                self.attempt = Some(Attempt { number: attempt, author, source_sha256, messages: vec![] });
            }
            Record::Wanting { messages, .. } => {
                if let Some(attempt) = &mut self.attempt {
                    attempt.messages = messages;
                }
            }
            Record::Reviewed { review, .. } => {
                self.review = Some(review);
                self.void_first_yes("the package was analysed anew");
            }
            Record::FirstYes { decision, .. } => {
                let by = decision.read().map(|d| d.approver.to_string()).unwrap_or_default();
                self.waits = Some((Wait::Person, format!("waits for a second approver; `{by}` said yes")));
                self.first_yes = Some(decision);
            }
            Record::Decided { decision, .. } => self.decision = Some(decision),
            Record::Installed { entry, .. } => self.installed_version = Some(entry.version),
            Record::Recurred { .. } => self.recurrence += 1,
            _ => {}
        }
    }

    /// Takes a first yes back: it was for what does not hold any more.
    pub(crate) fn void_first_yes(&mut self, because: &str) {
        if self.first_yes.take().is_some() {
            let why = format!("the first yes is void, since {because}: both approvers look again");
            self.waits = Some((Wait::Person, why));
        }
    }

    /// The identifier.
    pub fn id(&self) -> &ProposalId {
        &self.taken.proposal.id
    }

    /// The wish.
    pub fn proposal(&self) -> &Proposal {
        &self.taken.proposal
    }

    /// The wish as it was taken in.
    pub fn taken(&self) -> &Taken {
        &self.taken
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// What it waits for; in human-review always a person.
    pub fn waits_for(&self) -> Option<Wait> {
        match self.status {
            Status::HumanReview => Some(Wait::Person),
            status if status.is_settled() => None,
            _ => self.waits.as_ref().map(|(wait, _)| *wait),
        }
    }

    /// Why it waits, in words for the admin.
    pub fn waits_because(&self) -> Option<&str> {
        self.waits.as_ref().map(|(_, why)| why.as_str())
    }

    /// How it came here.
    pub fn history(&self) -> &[HistoryEntry] {
        &self.history
    }

    /// The last attempt at a source.
    pub fn attempt(&self) -> Option<&Attempt> {
        self.attempt.as_ref()
    }

    /// The digests of the complete package.
    pub fn review(&self) -> Option<&Reviewed> {
        self.review.as_ref()
    }

    /// The person's decision.
    pub fn decision(&self) -> Option<&SignedDecision> {
        self.decision.as_ref()
    }

    /// The yes of the first of two persons, while the second is missing.
    pub fn first_yes(&self) -> Option<&SignedDecision> {
        self.first_yes.as_ref()
    }

    /// The version that was installed from it.
    pub fn installed_version(&self) -> Option<u32> {
        self.installed_version
    }

    /// How often the same wish came again while it was open.
    pub fn recurrence(&self) -> u32 {
        self.recurrence
    }

    /// The reason of the last step, where one was given.
    pub fn last_reason(&self) -> Option<&str> {
        self.history.last().and_then(|h| h.reason.as_deref())
    }
}
