//! Has a source written: by the first implementer that takes the wish, repaired within bounds.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use base::config::Config;
use base::error::Error;
use base::failpoints::{Point, at};
use base::home::Home;
use base::log::Event;
use base::package::{Package, Part};
use builder::workers::Trial;
use ledger::attempt::{Author, AuthorKind, joined};
use ledger::ticket::Attempt;
use ledger::{ProposalEvent, Store};
use library::{
    Answer, Assignment, Examples, Feedback, Implementer, Left, ModelImplementer, Templates, Written,
    instructions,
};
use models::config::ProviderConfig;
use shared_types::id::{Digest, ProposalId, SkillName};
use shared_types::status::{Status, Wait};

use super::advance::{advance, wait};
use super::budget::lacks_tokens;
use super::provider::{NotConnected, connect};

/// Where models are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Models {
    /// Here: the caller waits for them.
    Here,
    /// In another thread: the caller does what needs none.
    Beside,
}

/// Whose turn it is after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Nobody's in this stage: what came of it stands in the journal.
    Over,
    /// A model's, with [`Models::Here`]; nothing was recorded.
    OfModels,
}

/// Writes the next attempt and moves the proposal on, lets it wait, or rejects it with the reason.
///
/// # Errors
/// A journal or folder that cannot be written.
pub fn implement(
    store: &Store,
    config: &Config,
    id: &ProposalId,
    models: Models,
    cancel: &AtomicBool,
) -> Result<Turn, Error> {
    let Some((proposal, last, number)) =
        store.ledger().ticket(id).map(|t| (t.proposal().clone(), t.attempt().cloned(), t.next_attempt()))
    else {
        return Ok(Turn::Over);
    };
    if last.as_ref().is_some_and(|a| a.messages.is_empty()) {
        // The source was written before a crash: it continues from there.
        return advance(&mut store.ledger(), id, Status::AgentReview, "implementer", None).map(over);
    }
    let spent = |t: &ledger::ticket::Ticket| t.attempts_are_spent(config.max_repairs);
    if let Some(attempt) = last.as_ref().filter(|_| store.ledger().ticket(id).is_some_and(spent)) {
        // The last attempt did not pass before a crash, which must not make room for one more.
        return give_up(store, id, attempt.number, &joined(&attempt.messages)).map(over);
    }
    at(Point::ImplementBefore);
    let source_before = match &last {
        Some(a) => attempted(&store.home, id, a.number).unwrap_or_default(),
        None => String::new(),
    };
    let feedback = last.as_ref().map(|a| Feedback {
        attempt: a.number,
        source: &source_before,
        scaffolded: a.author.kind() == AuthorKind::Model { scaffolded: true },
        messages: &a.messages,
    });
    let installed = installed_source(store, &proposal.name);

    let by_examples = [EXAMPLES.to_owned()];
    let taught = Examples::takes(&proposal);
    let implementers = if taught { by_examples.as_slice() } else { &config.implementers };
    let (mut reasons, mut infeasible, mut away) = (vec![], vec![], vec![]);
    for name in implementers {
        let is_model = name != TEMPLATES && !taught;
        // A template or a rule cannot learn from messages: repairs are for models.
        if !is_model && feedback.is_some() {
            continue;
        }
        if is_model && models == Models::Beside {
            return Ok(Turn::OfModels);
        }
        if is_model && lacks_tokens(store, config, id)? {
            return Ok(Turn::Over);
        }
        let implementer =
            match if taught { Ok(Box::new(Examples) as _) } else { implementer(store, config, name) } {
                Ok(implementer) => implementer,
                Err(why) => {
                    away.push(why.to_string());
                    continue;
                }
            };
        let left = left(store, config, id);
        let assignment = Assignment {
            proposal: &proposal,
            feedback: feedback.as_ref(),
            installed: installed.as_deref(),
            left,
        };
        let start = Instant::now();
        let answer = implementer.write(&assignment, cancel);
        let tokens = match &answer {
            Ok(Answer::Written(Written { tokens, .. })) => *tokens,
            Ok(
                Answer::Infeasible { tokens, .. }
                | Answer::Garbage { tokens, .. }
                | Answer::Over { tokens, .. },
            ) => *tokens,
            Ok(Answer::NotMine(_)) | Err(_) => 0,
        };
        if tokens > 0 {
            let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            let by = name.clone();
            store.ledger().append(ProposalEvent::Spent { attempt: number, by, tokens, millis }.of(id))?;
        }
        match answer {
            Ok(Answer::Written(written)) => return keep(store, id, number, &written).map(over),
            Ok(Answer::Garbage { message, transcript, .. }) => {
                return garbage(store, config, id, number, name, message, &transcript).map(over);
            }
            Ok(Answer::Over { bound, .. }) => return too_dear(store, id, last.as_ref(), &bound).map(over),
            Ok(Answer::Infeasible { reason, transcript, .. }) => {
                save(store, id, number, "", &transcript)?;
                if taught {
                    // No rule, or the question that decides between rules: the person who asked reads it as it is.
                    return reject(store, id, reason).map(over);
                }
                infeasible.push((name == TEMPLATES, format!("{name}: {reason}")));
            }
            Ok(Answer::NotMine(reason)) => reasons.push(format!("{name}: {reason}")),
            Err(unavailable) => away.push(unavailable.0),
        }
    }
    // A model that knows that it cannot be done is believed at once; a template only when no model is still to come.
    let known = infeasible.iter().any(|(template, _)| !template || away.is_empty());
    if known {
        let said: Vec<String> = infeasible.into_iter().map(|(_, said)| said).collect();
        let reason = format!("INFEASIBLE: {}", said.join("; "));
        return reject(store, id, reason).map(over);
    }
    if !away.is_empty() {
        return wait(&mut store.ledger(), id, Wait::Model, &away.join("; ")).map(over);
    }
    if let Some(attempt) = &last {
        let reason = format!(
            "attempt {} did not pass, and nobody can repair it: {}",
            attempt.number,
            joined(&attempt.messages)
        );
        return reject(store, id, reason).map(over);
    }
    let why = format!("no implementer takes it ({}); name a model in admin.yaml", reasons.join("; "));
    wait(&mut store.ledger(), id, Wait::Model, &why).map(over)
}

fn over((): ()) -> Turn {
    Turn::Over
}

fn reject(store: &Store, id: &ProposalId, reason: String) -> Result<(), Error> {
    advance(&mut store.ledger(), id, Status::Rejected, "implementer", Some(reason))
}

/// The offline library among the names of implementers.
const TEMPLATES: &str = "templates";

/// The search for a rule, which takes the wishes that are described by examples, and no others.
const EXAMPLES: &str = "examples";

/// What the next attempt may spend: the tokens that the attempts before have left, and its own time.
fn left(store: &Store, config: &Config, id: &ProposalId) -> Left {
    let spent = store.ledger().ticket(id).map(|t| t.spent()).unwrap_or_default();
    Left { tokens: config.effort.tokens.saturating_sub(spent.tokens), time: config.effort.time }
}

/// The source of the installed skill of that name, if there is one: the wish is then to change it.
fn installed_source(store: &Store, name: &SkillName) -> Option<String> {
    let version = store.ledger().active().get(name)?.version;
    Package::installed(&store.home, name, version).text(Part::Source).ok()
}

/// Ends a proposal that has used up what it may cost.
fn too_dear(store: &Store, id: &ProposalId, last: Option<&Attempt>, bound: &str) -> Result<(), Error> {
    let spent = store.ledger().ticket(id).map(|t| t.spent()).unwrap_or_default();
    let last = match last {
        Some(a) => format!("; attempt {} did not pass: {}", a.number, joined(&a.messages)),
        None => String::new(),
    };
    let reason = format!(
        "over what one proposal may cost: {bound}; spent so far: {} tokens, {} s{last}",
        spent.tokens,
        spent.time.as_secs()
    );
    reject(store, id, reason)
}

fn implementer(store: &Store, config: &Config, name: &str) -> Result<Box<dyn Implementer>, NotConnected> {
    if name == TEMPLATES {
        let templates = Templates::of(&store.home);
        for fault in templates.faults() {
            let file = fault.file.display().to_string();
            store.tell(&Event::TemplateUnread { file: &file }, &format!("{fault}; {}", fault.next()));
        }
        return Ok(Box::new(templates));
    }
    let provider = config
        .providers
        .iter()
        .find(|p| p.name == name)
        .ok_or_else(|| NotConnected::Unknown(name.to_owned()))?;
    let provider =
        ProviderConfig { max_tokens: provider.max_tokens.or(Some(config.effort.answer)), ..provider.clone() };
    Ok(Box::new(ModelImplementer::new(connect(&provider)?)))
}

/// Keeps a source that was handed in, and moves the proposal on to its review.
///
/// # Errors
/// A journal or folder that cannot be written.
pub fn keep(store: &Store, id: &ProposalId, number: u32, written: &Written) -> Result<(), Error> {
    save(store, id, number, &written.source, &written.transcript)?;
    let trials = serde_json::to_vec(&written.examples).map_err(Error::failed)?;
    Package::of(&store.home, id).keep(Part::Trials, &trials)?;
    at(Point::ImplementTrials);
    let mut ledger = store.ledger();
    let source_sha256 = Digest::of(written.source.as_bytes());
    ledger.append(
        ProposalEvent::Written { attempt: number, author: written.author.clone(), source_sha256 }.of(id),
    )?;
    at(Point::ImplementRecorded);
    advance(&mut ledger, id, Status::AgentReview, "implementer", None)?;
    at(Point::ImplementMoved);
    Ok(())
}

fn garbage(
    store: &Store,
    config: &Config,
    id: &ProposalId,
    number: u32,
    name: &str,
    message: String,
    transcript: &str,
) -> Result<(), Error> {
    save(store, id, number, "", transcript)?;
    let mut ledger = store.ledger();
    let author = Author::model(name, false);
    ledger
        .append(ProposalEvent::Written { attempt: number, author, source_sha256: Digest::of(b"") }.of(id))?;
    at(Point::GarbageRecorded);
    ledger
        .append(ProposalEvent::Wanting { attempt: number, messages: vec![message.clone().into()] }.of(id))?;
    at(Point::GarbageWanting);
    let spent = ledger.ticket(id).is_some_and(|t| t.attempts_are_spent(config.max_repairs));
    drop(ledger);
    if spent {
        give_up(store, id, number, &message)?;
        at(Point::GarbageMoved);
    }
    Ok(())
}

/// Rejects a proposal whose last attempt did not pass before there was anything to review.
fn give_up(store: &Store, id: &ProposalId, number: u32, message: &str) -> Result<(), Error> {
    let reason = format!("{number} attempts, and the last answer was no source: {message}");
    reject(store, id, reason)
}

/// Keeps what an implementer answered, and what it was asked.
fn save(store: &Store, id: &ProposalId, number: u32, source: &str, transcript: &str) -> Result<(), Error> {
    let package = Package::of(&store.home, id);
    package.make()?;
    let proposal = store.ledger().ticket(id).map(|ticket| ticket.proposal().clone());
    if let Some(proposal) = proposal {
        let installed = installed_source(store, &proposal.name).is_some();
        // The transcript names its digest.
        package.keep(Part::Instructions, instructions(&proposal, installed).as_bytes())?;
    }
    save_attempt(&package, number, source, transcript)
}

/// Keeps an attempt, regardless of its author.
pub(super) fn save_attempt(
    package: &Package,
    number: u32,
    source: &str,
    transcript: &str,
) -> Result<(), Error> {
    package.keep(Part::Attempt(number), source.as_bytes())?;
    at(Point::ImplementSource);
    package.keep(Part::Transcript(number), transcript.as_bytes())?;
    at(Point::ImplementTranscript);
    Ok(())
}

/// Adds to an attempt's transcript what the review found; once, however often the review is done again.
///
/// # Errors
/// A full or failing disk.
pub fn tell_outcome(home: &Home, id: &ProposalId, attempt: u32, outcome: &str) -> Result<(), Error> {
    const HEAD: &str = "\n[what the review found]\n";
    let (package, part) = (Package::of(home, id), Part::Transcript(attempt));
    let Ok(text) = package.text(part) else { return Ok(()) };
    let told = text.rsplit_once(HEAD).map_or(text.as_str(), |(told, _)| told);
    let text = format!("{told}{HEAD}{}\n", shared_types::text::block(outcome));
    package.keep(part, text.as_bytes())
}

/// The source of an attempt: as it was mended where the compiler's own suggestions were followed, else as it was written.
///
/// # Errors
/// A file that cannot be read.
pub fn attempted(home: &Home, id: &ProposalId, attempt: u32) -> Result<String, Error> {
    let package = Package::of(home, id);
    package.text(Part::Mended(attempt)).or_else(|_| package.text(Part::Attempt(attempt)))
}

/// The implementer's own examples, kept with the attempt.
pub fn kept_trials(home: &Home, id: &ProposalId) -> Vec<Trial> {
    let kept = Package::of(home, id).bytes(Part::Trials).ok();
    kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}
