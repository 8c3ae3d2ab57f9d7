//! Every action and every standing permission, as the journal tells them.

use std::collections::{BTreeMap, BTreeSet};

use base::error::Error;
use base::error::journal::{Illegal, Stand};
use shared_types::id::ProposalId;
use shared_types::status::Status;

use super::action_ticket::ActionTicket;
use super::allowances::Allowance;
use super::record::ActionRecord;

/// The actions of a journal. Skills are not in here, and nothing of the skills' pipeline sees what is.
#[derive(Debug, Default)]
pub struct ActionTickets {
    all: BTreeMap<ProposalId, ActionTicket>,
    /// Those with which something may still happen.
    open: BTreeSet<ProposalId>,
    allowances: BTreeMap<ProposalId, Allowance>,
}

impl ActionTickets {
    /// Lets the state follow a record about an action.
    pub(crate) fn follow(&mut self, at: &str, record: ActionRecord) {
        let id = match record {
            ActionRecord::Taken(taken) => {
                let case = ActionTicket::new(taken.taken, taken.judged, at);
                let id = case.id().clone();
                self.all.insert(id.clone(), case);
                id
            }
            ActionRecord::AllowanceRemoved { id, .. } => {
                self.allowances.remove(&id);
                return;
            }
            ActionRecord::Decided { ref id, .. }
            | ActionRecord::Rejected { ref id, .. }
            | ActionRecord::Started { ref id }
            | ActionRecord::Done { ref id, .. } => {
                let id = id.clone();
                let Some(case) = self.all.get_mut(&id) else { return };
                case.follow(at, record);
                if let Some(allowance) = Allowance::of(case) {
                    self.allowances.entry(id.clone()).or_insert(allowance);
                }
                id
            }
        };
        if self.all.get(&id).is_some_and(ActionTicket::is_over) {
            self.open.remove(&id);
        } else {
            self.open.insert(id);
        }
    }

    /// Every action, in the order of their ids, which is that of their making.
    pub fn all(&self) -> impl Iterator<Item = &ActionTicket> {
        self.all.values()
    }

    /// Those that wait for a person or are still to be done.
    pub fn open(&self) -> impl Iterator<Item = &ActionTicket> {
        self.open.iter().filter_map(|id| self.all.get(id))
    }

    /// One action.
    pub fn case(&self, id: &ProposalId) -> Option<&ActionTicket> {
        self.all.get(id)
    }

    /// An action that waits for a person.
    ///
    /// # Errors
    /// None, or one that does not wait.
    pub fn waiting(&self, id: &ProposalId) -> Result<&ActionTicket, Error> {
        let case = self.case(id).ok_or_else(|| Error::NotFound(id.to_string()))?;
        if case.status() == Status::HumanReview {
            return Ok(case);
        }
        let (from, to) = (Stand::At(case.status()), Stand::At(Status::Accepted));
        Err(Error::IllegalMove(Illegal { id: id.clone(), from, to }))
    }

    /// The action with that id, id prefix or name; the open one when several share a name.
    ///
    /// # Errors
    /// None or several that fit.
    pub fn find(&self, word: &str) -> Result<&ActionTicket, Error> {
        let fits = |c: &&ActionTicket| {
            c.id().as_str() == word
                || c.taken().proposal.name.as_str() == word
                || (word.len() >= 8 && c.id().as_str().starts_with(word))
        };
        let mut found: Vec<&ActionTicket> = self.all().filter(fits).collect();
        if found.len() > 1 {
            let open: Vec<&ActionTicket> =
                found.iter().copied().filter(|c| !c.status().is_settled()).collect();
            if !open.is_empty() {
                found = open;
            }
        }
        match found.as_slice() {
            [] => Err(Error::NotFound(shared_types::text::cut(word, 60))),
            [one] => Ok(one),
            many => Err(Error::Ambiguous {
                name: word.to_owned(),
                ids: many.iter().map(|c| c.id().as_str()).collect::<Vec<_>>().join(" "),
            }),
        }
    }

    /// What other actions that wait are the same as one, from the same profile.
    pub fn alike<'a>(&'a self, case: &'a ActionTicket) -> impl Iterator<Item = &'a ActionTicket> {
        self.open().filter(move |other| {
            other.id() != case.id()
                && other.waits_for().is_some()
                && other.taken().profile == case.taken().profile
                && other.action() == case.action()
        })
    }

    /// The standing permissions, the ended ones included.
    pub fn allowances(&self) -> &BTreeMap<ProposalId, Allowance> {
        &self.allowances
    }
}
