//! `cl-admin skill list`

use std::sync::atomic::AtomicBool;

use base::error::Error;
use base::home::Home;
use ledger::ticket::SignedBy;
use ledger::{Ledger, past};
use pipeline::lifecycle::tally::{self, Calls};
use serde_json::json;
use shared_types::manifest::Learned;

use crate::commands::out::{self, outln};

/// List the skills: version, capabilities, since when and by whom, and how often the chat called their tools.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Lists the skills.
///
/// # Errors
/// A journal that cannot be read.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    let calls = tally::of_home(home, &AtomicBool::new(false));
    let called = |name: &str| calls.get(name).copied().unwrap_or_default();
    if args.json {
        for b in ledger.builtin() {
            let Calls { calls, failures } = called(b.name.as_str());
            out::json(
                &json!({"name": b.name, "learned": false, "capabilities": b.capabilities, "calls": calls, "failures": failures}),
            );
        }
        for entry in ledger.active().values() {
            let Calls { calls, failures } = called(entry.name.as_str());
            let mut value = json(&ledger, entry);
            value["calls"] = json!(calls);
            value["failures"] = json!(failures);
            out::json(&value);
        }
        return Ok(shared_types::exit::DONE);
    }
    for b in ledger.builtin() {
        outln!("{}  built in", b.name);
        outln!("    may: {}", b.capabilities);
    }
    for entry in ledger.active().values() {
        let Calls { calls, failures } = called(entry.name.as_str());
        outln!("{}  version {}", entry.name, entry.version);
        outln!("    may: {}", entry.capabilities);
        if !entry.network.is_empty() {
            outln!("    hosts: {}", words(&entry.network));
        }
        outln!("    for: {}", entry.recipients);
        outln!("    approved by {}", signatures(&signed(&ledger, entry)));
        outln!("    called {calls} times, {failures} of them failed, as the chat's records say");
    }
    if ledger.active().is_empty() {
        eprintln!("no skill was learned yet; the chat writes a proposal when it is asked to learn something");
    }
    Ok(shared_types::exit::DONE)
}

/// A learned skill as JSON.
pub(super) fn json(ledger: &Ledger, entry: &Learned) -> serde_json::Value {
    let signed = signed(ledger, entry);
    let first = signed.first();
    json!({
        "name": entry.name, "learned": true, "version": entry.version, "description": entry.description,
        "capabilities": entry.capabilities, "network": entry.network, "secrets": entry.secrets,
        "memory_scope": entry.memory_scope, "file_scope": entry.file_scope,
        "dependencies": entry.dependencies,
        "emits_events": entry.emits_events, "handles_events": entry.handles_events,
        "tools": entry.described.tools.iter().map(|t| &t.name).collect::<Vec<_>>(),
        "module_sha256": entry.module_sha256, "for": entry.recipients.to_string(),
        "since": first.map(|s| &s.at), "by": first.map(|s| &s.by),
        "signed": signed,
    })
}

/// Everybody who signed the decision of the active version.
fn signed(ledger: &Ledger, entry: &Learned) -> Vec<SignedBy> {
    let versions = past::versions(ledger, &entry.name);
    let active = versions.iter().find(|past| past.decision.version == entry.version);
    active.map(|past| past.ticket.signed().to_vec()).unwrap_or_default()
}

/// Who signed, each with the time.
pub(super) fn signatures(signed: &[SignedBy]) -> String {
    let words: Vec<String> = signed.iter().map(|s| format!("{} at {}", s.by, s.at)).collect();
    words.join(" and ")
}

/// Names beside each other.
pub(super) fn words<T: std::fmt::Display>(items: &[T]) -> String {
    if items.is_empty() {
        return "none".into();
    }
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
