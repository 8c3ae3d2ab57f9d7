//! `cl-admin skill rollback`

use api::Request;
use base::error::Error;
use base::home::Home;
use service::session::submit;
use shared_types::id::{ApproverId, SkillName};

use crate::commands::out::outln;

/// Propose an earlier version of a skill again, a removed one too; it is reviewed by today's rules and waits for a person.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The skill
    name: SkillName,
    /// The version [default: the one before]
    #[arg(long, value_name = "VERSION")]
    to: Option<u32>,
    /// Who asks
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: ApproverId,
}

/// Proposes the earlier version.
///
/// # Errors
/// An unknown version, or a record that was changed.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let by = args.approver.clone();
    outln!("{}", submit(home, Request::RollBackSkill { name: args.name.clone(), to: args.to, by })?);
    Ok(shared_types::exit::DONE)
}
