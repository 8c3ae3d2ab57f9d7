//! `cl-admin grant`

use api::Request;
use base::error::Error;
use base::home::Home;
use jiff::Timestamp;
use ledger::Ledger;
use ledger::allowances::Allowance;
use serde_json::json;
use service::session::submit_on;
use shared_types::exit;
use shared_types::id::ApproverId;
use shared_types::text::line;

use crate::commands::out::{self, outln};

/// An id that is of no grant.
#[derive(Debug, thiserror::Error)]
#[error("no grant has the id `{0}`: `cl-admin grant list` shows them")]
struct NoGrant(String);

/// What may be run again without asking, as `approve --always` granted it
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// List the commands that are always allowed: for whom, until when, by whom
    List {
        /// Print one JSON value a line
        #[arg(long)]
        json: bool,
    },
    /// Ask about a command again from now on
    Remove {
        /// The id of the action with which it was granted, or the first characters of it
        id: String,
        /// Who takes it back
        #[arg(long, value_name = "NAME", default_value = "owner")]
        approver: ApproverId,
    },
}

/// Lists or removes.
///
/// # Errors
/// A journal that cannot be read or written, or an unknown grant.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::List { json } => list(home, *json)?,
        Verb::Remove { id, approver } => {
            let by = approver.clone();
            let mut ledger = Ledger::read(home)?;
            let fits = |a: &&Allowance| {
                a.id.as_str() == id || (id.len() >= 8 && a.id.as_str().starts_with(id.as_str()))
            };
            let found: Vec<&Allowance> = ledger.cases().allowances().values().filter(fits).collect();
            let id = match found.as_slice() {
                [one] => one.id.clone(),
                [] => {
                    let id = shared_types::text::cut(id, 60);
                    return Err(Error::usage(NoGrant(id)));
                }
                many => {
                    let ids = many.iter().map(|a| a.id.as_str()).collect::<Vec<_>>().join(" ");
                    return Err(Error::Ambiguous { name: id.clone(), ids });
                }
            };
            outln!("{}", submit_on(home, &mut ledger, Request::RemoveAllowance { id, by })?);
        }
    }
    Ok(exit::DONE)
}

fn list(home: &Home, json: bool) -> Result<(), Error> {
    let ledger = Ledger::read(home)?;
    let now = Timestamp::now();
    if ledger.cases().allowances().is_empty() {
        eprintln!("no command is always allowed; `cl-admin approve ID --always` grants one");
    }
    for allowance in ledger.cases().allowances().values() {
        let Allowance { id, profile, line: text, always, by, .. } = allowance;
        let over = allowance.is_over(now);
        if json {
            let programs = &always.programs;
            out::json(
                &json!({"id": id, "profile": profile, "line": text, "until": always.until, "by": by, "over": over,
                       "programs": programs}),
            );
            continue;
        }
        let until = if over { "is over since" } else { "until" };
        outln!("{id}  profile {profile}, {until} {}, by {by}", always.until);
        outln!("    {}", line(text));
        for program in &always.programs {
            outln!("    {}  {}", program.sha256, program.path.display());
        }
    }
    Ok(())
}
