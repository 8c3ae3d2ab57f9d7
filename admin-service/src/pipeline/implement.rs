//! Has a source written: by the first implementer that takes the wish, repaired within bounds.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use shared_types::home::Home;
use shared_types::id::{Digest, ProposalId};
use shared_types::status::{Status, Wait};

use super::advance::{advance, wait};
use crate::config::Config;
use crate::error::Error;
use crate::implementer::{
    Answer, Assignment, Feedback, Implementer, ModelImplementer, Templates, Trial, Written,
};
use crate::install::{PRIVATE, make_folder};
use crate::journal::Record;
use crate::service::Shared;

/// The file of an attempt's source.
pub fn source_path(home: &Home, id: &ProposalId, attempt: u32) -> PathBuf {
    home.package(id).join(format!("attempt-{attempt}.rs"))
}

/// The file of the implementer's own examples.
pub fn trials_path(home: &Home, id: &ProposalId) -> PathBuf {
    home.package(id).join("trials.json")
}

/// Writes the next attempt and moves the proposal on, lets it wait, or rejects it with the reason.
///
/// # Errors
/// A journal or folder that cannot be written.
pub fn implement(
    shared: &Shared,
    config: &Config,
    id: &ProposalId,
    cancel: &AtomicBool,
) -> Result<(), Error> {
    let Some((proposal, last, number)) =
        shared.book().ticket(id).map(|t| (t.proposal().clone(), t.attempt().cloned(), t.next_attempt()))
    else {
        return Ok(());
    };
    if last.as_ref().is_some_and(|a| a.messages.is_empty()) {
        // The source was written before a crash: it goes on from there.
        return advance(&mut shared.book(), id, Status::AgentReview, "implementer", None);
    }
    let source_before = match &last {
        Some(a) => fs::read_to_string(source_path(&shared.home, id, a.number)).unwrap_or_default(),
        None => String::new(),
    };
    let feedback =
        last.as_ref().map(|a| Feedback { attempt: a.number, source: &source_before, messages: &a.messages });
    let assignment = Assignment { proposal: &proposal, feedback: feedback.as_ref() };

    let mut reasons = vec![];
    let mut infeasible = vec![];
    for name in &config.implementers {
        // A template cannot learn from messages: repairs are for models.
        if name == "templates" && feedback.is_some() {
            continue;
        }
        let implementer = implementer(config, name).map_err(Error::Failed)?;
        match implementer.write(&assignment, cancel) {
            Ok(Answer::Written(written)) => return keep(shared, id, number, &written),
            Ok(Answer::Garbage { message, transcript }) => {
                return garbage(shared, config, id, number, name, message, &transcript);
            }
            Ok(Answer::Infeasible(reason)) => infeasible.push(format!("{name}: {reason}")),
            Ok(Answer::NotMine(reason)) => reasons.push(format!("{name}: {reason}")),
            Err(unavailable) => return wait(&mut shared.book(), id, Wait::Model, &unavailable.0),
        }
    }
    // Whoever knows that it cannot be done outweighs those who only leave it to others.
    if !infeasible.is_empty() {
        let reason = format!("INFEASIBLE: {}", infeasible.join("; "));
        return advance(&mut shared.book(), id, Status::Rejected, "implementer", Some(reason));
    }
    if let Some(attempt) = &last {
        let reason = format!(
            "attempt {} was found wanting, and nobody can repair it: {}",
            attempt.number,
            attempt.messages.join("; ")
        );
        return advance(&mut shared.book(), id, Status::Rejected, "implementer", Some(reason));
    }
    let why = format!("no implementer takes it ({}); name a model in admin.yaml", reasons.join("; "));
    wait(&mut shared.book(), id, Wait::Model, &why)
}

fn implementer(config: &Config, name: &str) -> Result<Box<dyn Implementer>, String> {
    if name == "templates" {
        return Ok(Box::new(Templates));
    }
    let provider = config
        .providers
        .iter()
        .find(|p| p.name == name)
        .ok_or_else(|| format!("no provider is named `{name}`"))?;
    let model = super::provider::connect(provider)?;
    Ok(Box::new(ModelImplementer::new(model)))
}

fn keep(shared: &Shared, id: &ProposalId, number: u32, written: &Written) -> Result<(), Error> {
    save(shared, id, number, &written.source, &written.transcript)?;
    let path = trials_path(&shared.home, id);
    let trials = serde_json::to_vec(&written.examples).map_err(|e| Error::Failed(e.to_string()))?;
    durable::replace(&path, &trials, 0o600).map_err(Error::io(&path))?;
    let mut book = shared.book();
    let source_sha256 = Digest::of(written.source.as_bytes());
    book.append(Record::Written {
        id: id.clone(),
        attempt: number,
        author: written.author.clone(),
        source_sha256,
    })?;
    advance(&mut book, id, Status::AgentReview, "implementer", None)
}

fn garbage(
    shared: &Shared,
    config: &Config,
    id: &ProposalId,
    number: u32,
    name: &str,
    message: String,
    transcript: &str,
) -> Result<(), Error> {
    save(shared, id, number, "", transcript)?;
    let mut book = shared.book();
    let author = format!("model {name}");
    book.append(Record::Written { id: id.clone(), attempt: number, author, source_sha256: Digest::of(b"") })?;
    book.append(Record::Wanting { id: id.clone(), attempt: number, messages: vec![message.clone()] })?;
    if book.ticket(id).is_some_and(|t| t.attempts_are_spent(config.max_repairs)) {
        let reason = format!("{number} attempts, and the last answer was no source: {message}");
        return advance(&mut book, id, Status::Rejected, "implementer", Some(reason));
    }
    Ok(())
}

pub(super) fn save(
    shared: &Shared,
    id: &ProposalId,
    number: u32,
    source: &str,
    transcript: &str,
) -> Result<(), Error> {
    let folder = shared.home.package(id);
    make_folder(&folder, PRIVATE)?;
    for (path, text) in [
        (source_path(&shared.home, id, number), source),
        (folder.join(format!("transcript-{number}.txt")), transcript),
    ] {
        durable::replace(&path, text.as_bytes(), 0o600).map_err(Error::io(&path))?;
    }
    Ok(())
}

/// The implementer's own examples, kept with the attempt.
pub fn kept_trials(home: &Home, id: &ProposalId) -> Vec<Trial> {
    fs::read(trials_path(home, id))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default()
}
