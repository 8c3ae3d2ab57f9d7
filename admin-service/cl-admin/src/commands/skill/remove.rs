//! `cl-admin skill remove`, and `cl-admin remove`

use api::Request;
use base::error::Error;
use base::home::Home;
use ledger::Ledger;
use pipeline::removal;
use service::session::submit_on;
use shared_types::id::SkillName;

use crate::commands::decider::Decider;
use crate::commands::out::outln;

use super::EmptyReason;

/// Remove an installed skill, with the approver's key; its source stays, so that it can be brought back.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name, or the id of the proposal from which it came
    name: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    decider: Decider,
}

/// Removes the skill.
///
/// # Errors
/// A part of the bot, a skill that others need or that is not installed, or a key that does not open.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    if args.reason.trim().is_empty() {
        return Err(Error::usage(EmptyReason));
    }
    let mut ledger = Ledger::read(home)?;
    let name = named(&ledger, &args.name)?;
    // What is refused is refused before anybody types a passphrase.
    removal::removable(&ledger, &name)?;
    let signer = args.decider.key(home)?;
    let code = args.decider.code(&ledger)?;
    let removal = removal::sign(&ledger, &name, &args.reason, &args.decider.approver, &signer)?;
    outln!("{}", submit_on(home, &mut ledger, Request::RemoveSkill { removal, code })?);
    Ok(shared_types::exit::DONE)
}

/// The skill of that name, or that came from the proposal of that id.
fn named(ledger: &Ledger, word: &str) -> Result<SkillName, Error> {
    match word.parse::<SkillName>() {
        Ok(name)
            if ledger.active().contains_key(&name) || ledger.builtin().iter().any(|b| b.name == name) =>
        {
            Ok(name)
        }
        parsed => match ledger.find(word) {
            Ok(ticket) => Ok(ticket.proposal().name.clone()),
            Err(Error::NotFound(_)) => match parsed {
                Ok(name) => Ok(name),
                Err(e) => Err(Error::usage(e)),
            },
            Err(error) => Err(error),
        },
    }
}
