//! Whether a proposal that was taken in can be followed up at all.

use base::error::Error;
use base::failpoints::{Point, at};
use ledger::ticket::Ticket;
use ledger::{Ledger, Store, system};
use shared_types::capability::Token;
use shared_types::id::ProposalId;
use shared_types::profile::{SystemCapability, SystemProfile};
use shared_types::status::Status;

use super::advance::advance;

/// Moves a new proposal on, or rejects it with the reason.
///
/// # Errors
/// A journal that cannot be written.
pub fn discover(store: &Store, id: &ProposalId) -> Result<(), Error> {
    let mut ledger = store.ledger();
    // The configuration may have changed since the service began.
    let profile = system::look(&store.home, &ledger);
    let Some(ticket) = ledger.ticket(id) else { return Ok(()) };
    at(Point::DiscoverBefore);
    match obstacle(&ledger, ticket, &profile) {
        Some(reason) => advance(&mut ledger, id, Status::Rejected, "discovery", Some(reason)),
        None => advance(&mut ledger, id, Status::Discovered, "discovery", None),
    }?;
    at(Point::DiscoverMoved);
    Ok(())
}

/// What a token needs of the machine, whether the proposal says so or not.
const NEEDED_BY_TOKENS: [(Token, SystemCapability); 4] = [
    (Token::AudioRead, SystemCapability::AudioInput),
    (Token::AudioWrite, SystemCapability::AudioOutput),
    (Token::GpioRead, SystemCapability::Gpio),
    (Token::GpioWrite, SystemCapability::Gpio),
];

/// What stands in the way of a proposal, in words with the next step.
pub fn obstacle(ledger: &Ledger, ticket: &Ticket, profile: &SystemProfile) -> Option<String> {
    let proposal = ticket.proposal();
    let name = &proposal.name;
    if ledger.builtin().iter().any(|b| b.name == *name) {
        return Some(format!("`{name}` is the name of a built-in skill; ask again under another name"));
    }
    // The name of a learned skill that is installed makes it an upgrade: the old version stays until a person's yes.
    let missing = |d: &&shared_types::id::SkillName| {
        !ledger.active().contains_key(*d) && !ledger.builtin().iter().any(|b| b.name == **d)
    };
    if let Some(missing) = proposal.dependencies.iter().find(missing) {
        return Some(format!("it depends on `{missing}`, which is not installed; learn that first"));
    }
    let of_tokens = NEEDED_BY_TOKENS.iter().filter(|(token, _)| proposal.capabilities.contains(*token));
    let mut needed =
        proposal.requirements.system_capabilities.iter().chain(of_tokens.map(|(_, needed)| needed));
    let lacking = needed.find(|ability| !profile.offers(**ability))?;
    Some(match lacking {
        SystemCapability::LanguageModel => {
            "it needs `language-model`, and the chat has none: docs/MODELS.md says how to set one up"
                .to_owned()
        }
        SystemCapability::AudioInput => {
            "it needs `audio-input`, and nothing here understands speech: docs/guides/hear.md says how to install `cl-ear`".to_owned()
        }
        SystemCapability::AudioOutput => {
            "it needs `audio-output`, and nothing here speaks: docs/guides/speak.md says how to install `cl-mouth`".to_owned()
        }
        SystemCapability::Gpio => {
            "it needs `gpio`, and this machine has no GPIO chip: docs/guides/pins.md says how to set up `cl-pins`".to_owned()
        }
        other => format!("it needs `{}`, which this system does not offer", other.as_str()),
    })
}
