//! One proposal as its journal tells it, with what it waits for.

use std::time::Duration;

use base::config::gates;
use serde::Serialize;
use shared_types::decision::Decision;
use shared_types::id::{ApproverId, Digest, ProposalId};
use shared_types::proposal::{HistoryEntry, Proposal};
use shared_types::signed::Signed;
use shared_types::status::{Status, Wait};

use super::attempt::{Author, Objection, joined};
use super::record::{ProposalEvent, Received, Reviewed};

/// An attempt at a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Counted from 1.
    pub number: u32,
    /// The template or model.
    pub author: Author,
    /// SHA-256 of the source as handed in.
    pub source_sha256: Digest,
    /// Why it did not pass; empty while nothing objects.
    pub messages: Vec<Objection>,
    /// The person who edited it; nobody for a source of the implementers.
    pub edited_by: Option<ApproverId>,
    /// How many attempts of the implementers there were up to this one: a person's edits do not count as repairs.
    pub tries: u32,
}

/// A move that the program would make and that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingMove {
    /// To where.
    pub to: Status,
    /// Which part of the program would.
    pub actor: String,
    /// Why.
    pub reason: Option<String>,
}

/// What a person left with a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// When, in RFC 3339.
    pub at: String,
    /// Who.
    pub by: ApproverId,
    /// The text as it was given.
    pub text: String,
}

/// A person's signature under the decision, as the journal tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignedBy {
    /// Who.
    pub by: ApproverId,
    /// When, in RFC 3339: as the decision says it, or when it was recorded for those who signed beside.
    pub at: String,
}

/// What models have cost a proposal so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// How many answers of models cost something.
    pub times: u64,
    /// Tokens read and written.
    pub tokens: u64,
    /// Time in which models were asked.
    pub time: Duration,
}

/// One proposal.
#[derive(Debug, Clone)]
pub struct Ticket {
    taken: Received,
    status: Status,
    waits: Option<(Wait, String)>,
    history: Vec<HistoryEntry>,
    attempts: Vec<Attempt>,
    /// Which of the attempts counts; not the last one where that was a person's edit that was dropped.
    current: Option<usize>,
    notes: Vec<Note>,
    held: Option<PendingMove>,
    /// Attempts beyond the configured ones that a person asked for.
    granted: u32,
    review: Option<Reviewed>,
    review_is_fresh: bool,
    decision: Option<Signed<Decision>>,
    first_yes: Option<Signed<Decision>>,
    signed: Vec<SignedBy>,
    installed_version: Option<u32>,
    recurrence: u32,
    spent: Spent,
    changed_late: bool,
    removed: Option<(String, String)>,
}

impl Ticket {
    /// A proposal that was just taken in.
    pub(crate) fn new(taken: Received, at: String) -> Ticket {
        let given = taken.given.clone();
        let actor = given.as_ref().map_or_else(|| "proposer".to_owned(), |given| given.by.to_string());
        let first = HistoryEntry { timestamp: at, status: Status::New, actor, reason: None };
        let mut ticket = Ticket {
            taken,
            status: Status::New,
            waits: None,
            history: vec![first],
            attempts: vec![],
            current: None,
            notes: vec![],
            held: None,
            granted: 0,
            review: None,
            review_is_fresh: false,
            decision: None,
            first_yes: None,
            signed: vec![],
            installed_version: None,
            recurrence: 0,
            spent: Spent::default(),
            changed_late: false,
            removed: None,
        };
        if let Some(given) = given {
            ticket.tried(1, Author::other(given.author), given.source_sha256, None);
        }
        ticket
    }

    /// Lets the state follow what happened to this proposal.
    pub(crate) fn follow(&mut self, at: String, event: ProposalEvent) {
        match event {
            ProposalEvent::Moved { to, actor, reason, .. } => {
                self.status = to;
                self.waits = None;
                self.held = None;
                self.review_is_fresh = false;
                self.first_yes = None;
                self.history.push(HistoryEntry { timestamp: at, status: to, actor, reason });
            }
            ProposalEvent::Held { to, actor, reason } => {
                let gate = gates::name(self.status, to);
                let why = reason.as_deref().map(|r| format!(": {r}")).unwrap_or_default();
                self.waits = Some((Wait::Person, format!("the gate {gate} is a person's{why}")));
                self.held = Some(PendingMove { to, actor, reason });
            }
            ProposalEvent::SentBack { by } => {
                // From agent-review the source goes back to be repaired; any other stage is done again where it is.
                if self.status == Status::AgentReview {
                    self.status = Status::Implementation;
                }
                self.granted += 1;
                self.waits = None;
                self.held = None;
                let (status, actor) = (self.status, by.to_string());
                let reason = Some("sent back instead of rejected: once more".to_owned());
                self.history.push(HistoryEntry { timestamp: at, status, actor, reason });
            }
            ProposalEvent::Waits { on, why } => self.waits = on.map(|w| (w, why)),
            ProposalEvent::Written { attempt, author, source_sha256 } => {
                self.tried(attempt, author, source_sha256, None);
                self.review_is_fresh = false;
            }
            ProposalEvent::Wanting { messages, .. } => {
                if let Some(attempt) = self.current.and_then(|at| self.attempts.get_mut(at)) {
                    attempt.messages = messages;
                }
            }
            ProposalEvent::Edited { by, attempt, source_sha256 } => {
                let author = Author::other(format!("edited by {by}"));
                self.status = Status::AgentReview;
                self.waits = None;
                self.held = None;
                self.void_first_yes("the source was edited");
                let reason = Some(format!("attempt {attempt}: edited by hand"));
                let actor = by.to_string();
                self.history.push(HistoryEntry { timestamp: at, status: Status::AgentReview, actor, reason });
                self.tried(attempt, author, source_sha256, Some(by));
                self.review_is_fresh = false;
            }
            ProposalEvent::EditDropped { attempt, messages } => {
                let reason = format!("the edit (attempt {attempt}) is dropped: {}", joined(&messages));
                let reason = Some(shared_types::text::cut(&reason, 2_000));
                let actor = "review".to_owned();
                self.history.push(HistoryEntry { timestamp: at, status: self.status, actor, reason });
                if let Some(edit) = self.attempts.iter_mut().find(|a| a.number == attempt) {
                    edit.messages = messages;
                }
                self.current =
                    self.attempts.iter().rposition(|a| a.number < attempt && a.messages.is_empty());
            }
            ProposalEvent::Noted { by, text } => self.notes.push(Note { at, by, text }),
            ProposalEvent::Reviewed { review } => {
                self.review = Some(review);
                self.review_is_fresh = true;
                // What was held for the analysis before this one is judged anew.
                self.waits = None;
                self.held = None;
                self.void_first_yes("the package was analysed anew");
            }
            ProposalEvent::FirstYes { decision } => {
                let by = decision.read().map(|d| d.approver.to_string()).unwrap_or_default();
                let reason = Some("the first of two yeses".to_owned());
                let step = HistoryEntry { timestamp: at, status: self.status, actor: by.clone(), reason };
                self.history.push(step);
                self.waits = Some((Wait::Person, format!("waits for a second approver; `{by}` said yes")));
                self.first_yes = Some(decision);
            }
            ProposalEvent::Decided { decision } => {
                self.signed = vec![];
                if let Ok(Decision { approver, decided_at, .. }) = decision.read() {
                    self.signed.push(SignedBy { by: approver, at: decided_at });
                }
                for other in &decision.others {
                    self.signed_beside(&other.approver, &at);
                }
                self.decision = Some(decision);
            }
            ProposalEvent::Installed { entry } => self.installed_version = Some(entry.version),
            ProposalEvent::Recurred { .. } => self.recurrence += 1,
            ProposalEvent::Spent { tokens, millis, .. } => {
                self.spent.times = self.spent.times.saturating_add(1);
                self.spent.tokens = self.spent.tokens.saturating_add(tokens);
                self.spent.time = self.spent.time.saturating_add(Duration::from_millis(millis));
            }
            ProposalEvent::Changed { .. } => self.changed_late = true,
            ProposalEvent::Compiled { .. } => {}
        }
    }

    /// Lets the state follow that one more approver signed the decision.
    pub(crate) fn signed_beside(&mut self, by: &ApproverId, at: &str) {
        if !self.signed.iter().any(|signed| signed.by == *by) {
            self.signed.push(SignedBy { by: by.clone(), at: at.to_owned() });
        }
    }

    /// Lets the state follow that the skill of this proposal is no longer active.
    pub(crate) fn uninstalled(&mut self, by: Option<&ApproverId>, reason: &str) {
        if self.status == Status::Accepted {
            let by = by.map_or_else(|| "admin".into(), ToString::to_string);
            self.removed = Some((by, reason.to_owned()));
        }
    }

    fn tried(&mut self, number: u32, author: Author, source_sha256: Digest, edited_by: Option<ApproverId>) {
        let before = self.attempts.last().map_or(0, |a| a.tries);
        let tries = before + u32::from(edited_by.is_none());
        self.current = Some(self.attempts.len());
        self.attempts.push(Attempt { number, author, source_sha256, messages: vec![], edited_by, tries });
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
    pub fn taken(&self) -> &Received {
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

    /// The attempt at a source that counts: the last one but for edits that were dropped.
    pub fn attempt(&self) -> Option<&Attempt> {
        self.current.and_then(|at| self.attempts.get(at))
    }

    /// Every attempt, in order.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The number that the next attempt has.
    pub fn next_attempt(&self) -> u32 {
        self.attempts.last().map_or(1, |a| a.number + 1)
    }

    /// Whether the implementers have had all the attempts that they get: the first, the repairs, and what a person granted.
    pub fn attempts_are_spent(&self, max_repairs: u32) -> bool {
        self.attempt().is_some_and(|a| a.tries > max_repairs + self.granted)
    }

    /// The move that waits for a person at a configured gate.
    pub fn held(&self) -> Option<&PendingMove> {
        self.held.as_ref()
    }

    /// What people left with it, in order.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The digests of the complete package.
    pub fn review(&self) -> Option<&Reviewed> {
        self.review.as_ref()
    }

    /// The digests of the package, if it was completed where the proposal stands now: a crash came before the move.
    pub fn fresh_review(&self) -> Option<&Reviewed> {
        self.review.as_ref().filter(|_| self.review_is_fresh)
    }

    /// The person's decision.
    pub fn decision(&self) -> Option<&Signed<Decision>> {
        self.decision.as_ref()
    }

    /// Everybody who signed the decision, the first first.
    pub fn signed(&self) -> &[SignedBy] {
        &self.signed
    }

    /// The yes of the first of two persons, while the second is missing.
    pub fn first_yes(&self) -> Option<&Signed<Decision>> {
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

    /// What models have cost it so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Whether its file changed after it was taken in.
    pub fn changed_late(&self) -> bool {
        self.changed_late
    }

    /// Who took the installed skill away again, and why; its move to `removed` may still be due.
    pub fn removed(&self) -> Option<(&str, &str)> {
        self.removed.as_ref().map(|(by, reason)| (by.as_str(), reason.as_str()))
    }

    /// The last step of one that a person rejected.
    pub fn refusal(&self) -> Option<&HistoryEntry> {
        self.history.last().filter(|last| last.is_refusal())
    }

    /// The reason of the last step, where one was given.
    pub fn last_reason(&self) -> Option<&str> {
        self.history.last().and_then(|h| h.reason.as_deref())
    }
}
