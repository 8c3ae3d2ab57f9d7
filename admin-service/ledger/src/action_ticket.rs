//! One action as its journal tells it.

use serde::Serialize;
use shared_types::action::{Action, ActionResult};
use shared_types::id::{Digest, ProposalId};
use shared_types::proposal::{Document, HistoryEntry};
use shared_types::status::{Status, Wait};

use super::judgement::{Judged, Kept};
use super::record::{ActionRecord, Received};
use super::statements::Signed;
use super::statements::action::ActionDecision;

#[derive(Debug, Clone)]
pub struct ActionTicket {
    taken: Received,
    judged: Judged,
    status: Status,
    history: Vec<HistoryEntry>,
    started: bool,
    result: Option<Kept>,
    decision: Option<Signed<ActionDecision>>,
}

/// What a person saw of an action: a yes is for exactly that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// SHA-256 of what is asked for.
    pub action_sha256: Digest,
    /// SHA-256 of the judgement.
    pub judgement_sha256: Digest,
}

impl Seen {
    /// What there is to see now.
    pub fn of(case: &ActionTicket) -> Seen {
        let of = |text: String| Digest::of(text.as_bytes());
        Seen { action_sha256: of(case.asked_text()), judgement_sha256: of(case.judged_text()) }
    }
}

impl ActionTicket {
    /// An action that was just taken in and judged; its way so far is the table's.
    pub fn new(taken: Received, judged: Judged, at: &str) -> ActionTicket {
        let mut case = ActionTicket {
            taken,
            judged,
            status: Status::New,
            history: vec![],
            started: false,
            result: None,
            decision: None,
        };
        let asked_by = "proposer";
        case.step(at, Status::New, asked_by, None);
        case.step(at, Status::Discovered, "discovery", None);
        case.step(at, Status::AgentReview, "policy", None);
        let (to, why) =
            (case.judged.verdict.leads_to(), format!("{}: {}", case.judged.rule, case.judged.why));
        case.step(at, to, "policy", Some(why));
        case
    }

    /// Lets the state follow a record about this action.
    pub(crate) fn follow(&mut self, at: &str, record: ActionRecord) {
        match record {
            ActionRecord::Decided { decision, .. } => {
                let by = decision.read().map(|d| d.approver.to_string()).unwrap_or_default();
                self.decision = Some(decision);
                self.step(at, Status::Accepted, &by, None);
            }
            ActionRecord::Rejected { actor, reason, .. } => {
                self.step(at, Status::Rejected, &actor, Some(reason));
            }
            ActionRecord::Started { .. } => self.started = true,
            ActionRecord::Done { result, .. } => self.result = Some(result),
            ActionRecord::Taken(_) | ActionRecord::AllowanceRemoved { .. } => {}
        }
    }

    fn step(&mut self, at: &str, to: Status, actor: &str, reason: Option<String>) {
        self.status = to;
        let reason = reason.map(|r| shared_types::text::cut(&r, 2_000));
        self.history.push(HistoryEntry {
            timestamp: at.to_owned(),
            status: to,
            actor: actor.to_owned(),
            reason,
        });
    }

    /// The identifier.
    pub fn id(&self) -> &ProposalId {
        &self.taken.proposal.id
    }

    /// The wish as it was taken in.
    pub fn taken(&self) -> &Received {
        &self.taken
    }

    /// What is to be done; the intake keeps nothing without it as an action.
    pub fn action(&self) -> Option<&Action> {
        self.taken.proposal.action.as_ref()
    }

    /// The judgement.
    pub fn judged(&self) -> &Judged {
        &self.judged
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// How it came here.
    pub fn history(&self) -> &[HistoryEntry] {
        &self.history
    }

    /// Since when it stands there, in RFC 3339.
    pub fn since(&self) -> &str {
        self.history.last().map_or("", |h| h.timestamp.as_str())
    }

    pub fn waits_for(&self) -> Option<Wait> {
        (self.status == Status::HumanReview).then_some(Wait::Person)
    }

    /// Whether its child was started; it never is again.
    pub fn started(&self) -> bool {
        self.started
    }

    /// What came of it.
    pub fn result(&self) -> Option<&Kept> {
        self.result.as_ref()
    }

    /// The person's decision.
    pub fn decision(&self) -> Option<&Signed<ActionDecision>> {
        self.decision.as_ref()
    }

    /// Whether it is allowed and still to be done; a permission is for the bot to use, and nothing runs here.
    pub fn is_due(&self) -> bool {
        let runs = !matches!(self.action(), None | Some(Action::Permit { .. }));
        self.status == Status::Accepted && runs && self.result.is_none()
    }

    /// Whether nothing will happen with it any more.
    pub fn is_over(&self) -> bool {
        self.status.is_settled() && !self.is_due()
    }

    /// What is asked for, as canonical JSON.
    pub fn asked_text(&self) -> String {
        canonical(&self.action())
    }

    /// The judgement, as canonical JSON.
    pub fn judged_text(&self) -> String {
        canonical(&self.judged)
    }

    /// The mirror, with its result.
    pub fn document(&self, result: Option<ActionResult>) -> Document {
        Document {
            proposal: self.taken.proposal.clone(),
            status: self.status,
            waits_for: self.waits_for(),
            history: self.history.clone(),
            result,
        }
    }
}

fn canonical<T: Serialize>(value: &T) -> String {
    // Texts, numbers and maps with names for keys: there is nothing in it that could not be written.
    serde_json_canonicalizer::to_string(value).unwrap_or_default()
}
