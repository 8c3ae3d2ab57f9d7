//! `cl-admin skill show`

use base::error::Error;
use base::home::Home;
use ledger::{Ledger, past};
use review::sentence::{Powers, sentence};
use review::words::Words;
use serde_json::json;
use shared_types::id::SkillName;
use shared_types::text::line;

use super::list::{self, words};
use crate::commands::out::{self, outln};

/// Show one installed skill: what it may do, its secrets, its versions, and who depends on it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name
    name: SkillName,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Shows the skill.
///
/// # Errors
/// A skill that was never installed, or a journal that cannot be read.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    if let Some(built_in) = ledger.builtin().iter().find(|b| b.name == args.name) {
        if args.json {
            out::json(
                &json!({"name": built_in.name, "learned": false, "capabilities": built_in.capabilities}),
            );
        } else {
            outln!("{}  a part of the bot itself\n  may: {}", built_in.name, built_in.capabilities);
        }
        return Ok(shared_types::exit::DONE);
    }
    let versions = past::versions(&ledger, &args.name);
    if versions.is_empty() {
        return Err(past::unknown(&args.name));
    }
    let active = ledger.active().get(&args.name);
    let users = past::dependants(&ledger, &args.name);
    if args.json {
        let mut value = active
            .map_or_else(|| json!({"name": args.name, "learned": true}), |entry| list::json(&ledger, entry));
        value["installed"] = json!(active.is_some());
        let row = |p: &past::Past<'_>| {
            json!({"version": p.decision.version, "decided_at": p.decision.decided_at, "approver": p.decision.approver, "signed": p.ticket.signed(),
                   "proposal_id": p.decision.proposal_id, "module_sha256": p.decision.module_sha256})
        };
        value["versions"] = json!(versions.iter().map(row).collect::<Vec<_>>());
        value["needed_by"] = json!(users);
        out::json(&value);
        return Ok(shared_types::exit::DONE);
    }
    match active {
        None => outln!("{}  not installed any more", args.name),
        Some(entry) => {
            outln!("{}  version {}", entry.name, entry.version);
            outln!("  {}", sentence(Words::DEFAULT, &Powers::from(entry)));
            outln!("  for:      {}", entry.recipients);
            outln!("  may:      {}", entry.capabilities);
            outln!("  hosts:    {}", words(&entry.network));
            outln!("  secrets:  {}", words(&entry.secrets));
            outln!("  sends:    {}", words(&entry.emits_events));
            outln!("  receives: {}", words(&entry.handles_events));
            let tools: Vec<_> = entry.described.tools.iter().map(|t| &t.name).collect();
            outln!("  tools:    {}", words(&tools));
            outln!("  module:   {}", entry.module_sha256);
            outln!("  | it says of itself: {}", line(&entry.description));
        }
    }
    outln!("  needed by: {}", words(&users));
    for past in &versions {
        let d = &past.decision;
        let signed = list::signatures(past.ticket.signed());
        outln!("  version {}: approved by {signed} ({})", d.version, d.proposal_id);
    }
    if let Some((by, reason)) = versions.last().and_then(|p| p.ticket.removed()).filter(|_| active.is_none())
    {
        outln!("  removed by {by}: {}", line(reason));
    }
    Ok(shared_types::exit::DONE)
}
