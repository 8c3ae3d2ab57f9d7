//! The admin's own receipts: of what it ran for the bot, and of skills that a person brought in, in `admin/receipts.jsonl`.

use std::io::{Read, Seek, SeekFrom};

use base::error::Error;
use base::home::Home;
use receipts::{Attempt, Chain, Disk, Files, Receipt, ReceiptError, Status};
use serde_json::json;
use shared_types::decision::Decision;
use shared_types::risk::Risk;

/// Appends the receipt of something that the admin ran, or refused to run; the watch signs it within seconds.
///
/// # Errors
/// It cannot be written; the chain is then as it was.
pub fn record(home: &Home, attempt: &Attempt<'_>) -> Result<Receipt, Error> {
    Chain::new(Disk::new(&home.admin()), None).write(attempt).map_err(failed)
}

/// What a person's decision does to a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The first of two approvers said yes.
    FirstYes,
    /// The decision was checked and recorded.
    Approved,
    /// The module is in place, and the manifest names it.
    Activated,
}

/// Appends the receipt of a step of a skill, unless it is there: what a crash cut off is done again.
///
/// # Errors
/// As [`record`].
pub fn record_skill(home: &Home, step: Step, decision: &Decision, by: &str) -> Result<(), Error> {
    let verb = match step {
        Step::FirstYes => "first-yes",
        Step::Approved => "approve",
        Step::Activated => "activate",
    };
    let tool = format!("{verb}:{}", decision.name);
    let conversation = decision.proposal_id.as_str();
    if stands(home, conversation, &tool, by).map_err(Error::io(&home.admin()))? {
        return Ok(());
    }
    let args = json!({
        "name": decision.name, "version": decision.version, "module_sha256": decision.module_sha256,
        "report_sha256": decision.report_sha256, "capabilities": decision.capabilities,
    });
    let result = format!("{} version {}", decision.name, decision.version);
    // A person is asked about it in every home, regardless of the configuration.
    let (status, risk) = (Status::Allowed, Risk::High);
    let (tool, args, result) = (&tool, &args, &result);
    let attempt = Attempt { conversation, tool, args, result, status, approved_by: by, risk, network: &[] };
    record(home, &attempt).map(|_| ())
}

/// Whether one of the last receipts is about this.
fn stands(home: &Home, conversation: &str, tool: &str, by: &str) -> std::io::Result<bool> {
    let Some(mut file) = Disk::new(&home.admin()).open(receipts::files::CURRENT)? else { return Ok(false) };
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    let lines = tail.split(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| serde_json::from_slice::<Receipt>(line).ok()).any(|receipt| {
        receipt.conversation_id == conversation
            && receipt.tool == tool
            && receipt.approved_by == by
            && receipt.status == Status::Allowed
    }))
}

/// How much of the end of the chain is looked at, in bytes: a step that was cut off is among the last.
const TAIL: u64 = 256 * 1024;

/// Whether the receipt of something that is about to be run can be written; else it must not be run.
///
/// # Errors
/// Why it cannot.
pub fn ready(home: &Home) -> Result<(), Error> {
    Chain::new(Disk::new(&home.admin()), None).ready().map_err(failed)
}

/// A full disk stays one, so that room is given up for what a person decided.
fn failed(error: ReceiptError) -> Error {
    match error {
        ReceiptError::Io { file, source } => Error::Io { path: file.into(), source },
        other => Error::step("the admin's receipts")(other),
    }
}
