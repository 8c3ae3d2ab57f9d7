//! Who may decide, and with which one-time codes, as the journal tells it.

use std::collections::BTreeMap;

use base::error::Error;
use shared_types::approvers::{Approvers, ChainError, SignedChange};
use shared_types::id::{ApproverId, Digest, DoorTokenName};
use shared_types::text::line;

use super::record::PeopleRecord;

/// Why it is not known who the approvers are.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the list of approvers is not signed yet: `cl-admin approver seal` signs it")]
    Unsealed,
    #[error("the journal: {}", line(&.0.to_string()))]
    Chain(ChainError),
}

/// One approver's one-time codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Codes {
    /// When they were set, in RFC 3339.
    pub set_at: String,
    /// The last step whose code was used; a step counts once.
    pub last_step: u64,
    /// Wrong codes since the last right one.
    pub wrong: u32,
    /// When the last wrong one was given, in RFC 3339.
    pub wrong_at: Option<String>,
}

/// A token with which an approver looks at the page of the review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageToken {
    /// Whose.
    pub approver: ApproverId,
    /// The digest of its text.
    pub sha256: Digest,
    /// When it was added, in RFC 3339.
    pub added_at: String,
}

/// The approvers' chain, the state of their codes, and the tokens of the page of the review.
#[derive(Debug, Clone, Default)]
pub struct People {
    changes: Vec<SignedChange>,
    codes: BTreeMap<ApproverId, Codes>,
    page_tokens: BTreeMap<DoorTokenName, PageToken>,
}

impl People {
    /// Lets the state follow a record.
    pub(super) fn follow(&mut self, at: &str, record: &PeopleRecord) {
        match record {
            PeopleRecord::ApproversChanged { change, .. } => self.changes.push(change.clone()),
            PeopleRecord::CodesSet { approver, step } => {
                let codes = Codes { set_at: at.to_owned(), last_step: *step, wrong: 0, wrong_at: None };
                self.codes.insert(approver.clone(), codes);
            }
            PeopleRecord::CodesRemoved { approver, .. } => {
                self.codes.remove(approver);
            }
            PeopleRecord::CodeUsed { approver, step } => {
                if let Some(codes) = self.codes.get_mut(approver) {
                    codes.last_step = codes.last_step.max(*step);
                    codes.wrong = 0;
                    codes.wrong_at = None;
                }
            }
            PeopleRecord::CodeWrong { approver } => {
                if let Some(codes) = self.codes.get_mut(approver) {
                    codes.wrong += 1;
                    codes.wrong_at = Some(at.to_owned());
                }
            }
            PeopleRecord::PageTokenAdded { name, approver, sha256 } => {
                let (approver, sha256) = (approver.clone(), sha256.clone());
                self.page_tokens
                    .insert(name.clone(), PageToken { approver, sha256, added_at: at.to_owned() });
            }
            PeopleRecord::PageTokenRemoved { name } => drop(self.page_tokens.remove(name)),
            PeopleRecord::Countersigned { .. } | PeopleRecord::PassphraseSet { .. } => {}
        }
    }

    /// Every change of the approvers.
    pub fn changes(&self) -> &[SignedChange] {
        &self.changes
    }

    /// The approvers; every signature of the chain is checked anew.
    ///
    /// # Errors
    /// A home whose list nobody has signed yet, or a chain that does not hold.
    pub fn approvers(&self) -> Result<Approvers, Error> {
        Approvers::replay(&self.changes).map_err(|e| match e {
            ChainError::Empty => Error::refused(Fault::Unsealed),
            other => Error::integrity(Fault::Chain(other)),
        })
    }

    /// The tokens of the page of the review, by their names.
    pub fn page_tokens(&self) -> &BTreeMap<DoorTokenName, PageToken> {
        &self.page_tokens
    }

    /// The present approver whose token this is.
    ///
    /// # Errors
    /// A chain of approvers that does not hold.
    pub fn looks(&self, token: &str) -> Result<Option<ApproverId>, Error> {
        let sha256 = Digest::of(token.as_bytes());
        let Some(found) = self.page_tokens.values().find(|known| known.sha256 == sha256) else {
            return Ok(None);
        };
        let present = self.approvers()?.named(&found.approver).is_some();
        Ok(present.then(|| found.approver.clone()))
    }

    /// The codes of one approver, who then needs one for every yes.
    pub fn codes(&self, approver: &ApproverId) -> Option<&Codes> {
        self.codes.get(approver)
    }
}
