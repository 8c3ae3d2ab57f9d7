//! What a verb may ask of the service, and how it is done; the same whether over the socket or by the verb itself.

use serde::{Deserialize, Serialize};
use shared_types::decision::SignedDecision;
use shared_types::id::{ApproverId, ProfileId, ProposalId};
use shared_types::status::Status;

use super::{Shared, codes, people};
use crate::config::Config;
use crate::error::Error;
use crate::journal::{Book, Record, mirror};
use crate::pipeline::advance::{accept, advance, settle};
use crate::pipeline::agent_review::weigh_again;
use crate::profiles;
use crate::review::approvers;
use crate::review::decision::{HumanDecision, Yes};

/// One request, a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// A person's yes.
    Approve {
        /// The proof.
        decision: SignedDecision,
        /// The one-time code of whoever says yes now, where they need one.
        #[serde(default)]
        code: Option<String>,
    },
    /// A person's no.
    Reject {
        /// The proposal.
        id: ProposalId,
        /// Who says so.
        by: ApproverId,
        /// Why.
        reason: String,
    },
    /// A profile is to be configured.
    AddProfile {
        /// The profile.
        id: ProfileId,
        /// Its file, as it will stand.
        text: String,
    },
    /// A profile's configuration is to go.
    RemoveProfile {
        /// The profile.
        id: ProfileId,
    },
    /// An approver's key was given a passphrase; the key itself the verb has changed already.
    PassphraseSet {
        /// Whose key.
        approver: ApproverId,
    },
    /// Something about the people who decide.
    People(people::Asked),
}

/// The answer, a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// Done; in words.
    Done(String),
    /// Not done; in words, with the exit code.
    Failed {
        /// Why.
        why: String,
        /// The exit code of the verb.
        exit: u8,
    },
}

/// Does what is asked.
///
/// # Errors
/// Why it could not be done.
pub fn handle(shared: &Shared, request: Request) -> Result<String, Error> {
    match request {
        Request::Approve { decision, code } => approve(shared, &decision, code.as_deref()),
        Request::Reject { id, by, reason } => {
            let mut book = shared.book();
            let name =
                book.ticket(&id).ok_or_else(|| Error::NotFound(id.to_string()))?.proposal().name.clone();
            advance(&mut book, &id, Status::Rejected, by.as_str(), Some(reason))?;
            if let Some(ticket) = book.ticket(&id) {
                mirror(&shared.home, ticket)?;
            }
            Ok(format!("{name} is rejected"))
        }
        Request::AddProfile { id, text } => profiles::add(&shared.home, &mut shared.book(), &id, &text),
        Request::RemoveProfile { id } => profiles::remove(&shared.home, &mut shared.book(), &id),
        Request::PassphraseSet { approver } => {
            shared.book().append(Record::PassphraseSet { approver: approver.clone() })?;
            approvers::reconcile(&shared.home, &mut shared.book())?;
            Ok(format!("the key of `{approver}` asks for its passphrase from now on"))
        }
        Request::People(asked) => people::handle(shared, asked),
    }
}

/// Takes a yes: it installs, or it is the first of two.
fn approve(shared: &Shared, signed: &SignedDecision, code: Option<&str>) -> Result<String, Error> {
    let (name, version) = {
        let mut book = shared.book();
        let speaker = people::speaker(&book, signed)?;
        let yes = HumanDecision::mint(&shared.home, &book, signed)?;
        waits_for_a_person(&book, signed)?;
        codes::spend(&shared.home, &mut book, &speaker, code)?;
        let decision = match yes {
            Yes::Whole(decision) => *decision,
            Yes::First(by) => {
                let id = signed.read().map_err(|e| Error::Refused(e.to_string()))?.proposal_id;
                book.append(Record::FirstYes { id: id.clone(), decision: signed.clone() })?;
                let name = book.ticket(&id).map(|t| t.proposal().name.to_string()).unwrap_or_default();
                let words = format!("the yes of `{by}` is recorded; {name} waits for a second approver");
                shared.say(&words);
                return Ok(words);
            }
        };
        let acceptance = accept(&mut book, decision)?;
        crate::install::install(&shared.home, &mut book, &acceptance)?;
        settle(&mut book, &acceptance)?;
        let decision = acceptance.decision();
        if let Some(ticket) = book.ticket(&decision.proposal_id) {
            mirror(&shared.home, ticket)?;
        }
        (decision.name.clone(), decision.version)
    };
    // What else waits was analysed beside fewer skills than there are now.
    weigh_again(shared, &Config::read(&shared.home)?)?;
    shared.say(&format!("{name} version {version} is installed"));
    Ok(format!("{name} version {version} is installed; a running chat takes it up at its next empty prompt"))
}

/// A yes is for what waits for one: told before a code is used up.
fn waits_for_a_person(book: &Book, signed: &SignedDecision) -> Result<(), Error> {
    let id = signed.read().map_err(|e| Error::Refused(e.to_string()))?.proposal_id;
    let status = book.ticket(&id).map(|t| t.status());
    if status == Some(Status::HumanReview) {
        return Ok(());
    }
    let from = status.map_or_else(|| "nowhere".to_owned(), |s| s.to_string());
    Err(Error::IllegalMove { id, from, to: Status::Accepted.to_string() })
}
