//! Looks at an attempt from all sides: scan, compile, compare, try, compose.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use base::config::Config;
use base::error::Error;
use base::failpoints::{Point, at};
use base::package::{Package, Part};
use builder::compile::{CompileFault, Compiled, compile, mend};
use builder::scan::{Scanned, Violation};
use builder::toolchain::Toolchain;
use builder::workers::{self, ChildFault, Inspection, Job, NotInspected, Trial, TrialInput};
use compose::graph::{Graph, Node};
use compose::rules::{Finding, Rules};
use ledger::attempt::{AuthorKind, Check, Objection, joined};
use ledger::ticket::Attempt;
use ledger::{Ledger, ProposalEvent, Recommendation, Reviewed, Store};
use review::package::stands;
use review::report::{Report, own_findings, recommend};
use review::sentence::{Powers, sentence};
use review::words::Words;
use shared_types::id::{Digest, ProposalId};
use shared_types::proposal::{Example, Proposal, ToolWish};
use shared_types::status::{Status, Wait};

use super::advance::{advance, wait};
use super::budget::{lacks_compiler, record_compile};
use super::edit;
use super::implement::{kept_trials, tell_outcome};

/// What a look at an attempt came to.
enum Verdict {
    /// A package for a person.
    Clean(Box<Built>),
    /// It did not pass, for these reasons.
    Wanting(Vec<Objection>),
    /// What is missing on this machine.
    Waits(String),
}

struct Built {
    source: Scanned,
    module: Vec<u8>,
    compiler: String,
    inspection: Inspection,
}

/// Reviews the last attempt and moves the proposal on.
///
/// # Errors
/// A journal, folder or rules file that cannot be used.
pub fn agent_review(
    store: &Store,
    config: &Config,
    id: &ProposalId,
    cancel: &AtomicBool,
) -> Result<(), Error> {
    let found = store
        .ledger()
        .ticket(id)
        .map(|t| (t.proposal().clone(), t.attempt().cloned(), t.fresh_review().cloned()));
    let Some((proposal, Some(attempt), review)) = found else { return Ok(()) };
    if !attempt.messages.is_empty() {
        // It failed the review before a crash: only the move is left.
        return send_back(&mut store.ledger(), config, id, &attempt, &attempt.messages);
    }
    if review.is_some_and(|review| stands(&store.home, id, &review)) {
        // The package was complete before a crash; was anything installed since, it is analysed again where it waits.
        return advance(&mut store.ledger(), id, Status::HumanReview, "review", None);
    }
    if lacks_compiler(store, config, id)? {
        return Ok(());
    }
    at(Point::ReviewBefore);
    let source = Package::of(&store.home, id).text(Part::Attempt(attempt.number))?;
    match look(store, config, &proposal, &attempt, &source, cancel)? {
        // Ended by a stop or with the service: it lacks nothing.
        Verdict::Waits(_) if cancel.load(Ordering::Relaxed) => Ok(()),
        Verdict::Waits(why) => wait(&mut store.ledger(), id, Wait::Compiler, &why),
        Verdict::Wanting(messages) => wanting(store, config, id, &attempt, messages),
        Verdict::Clean(built) => finish(store, config, id, &attempt, *built),
    }
}

fn look(
    store: &Store,
    config: &Config,
    proposal: &Proposal,
    attempt: &Attempt,
    source: &str,
    cancel: &AtomicBool,
) -> Result<Verdict, Error> {
    let scanned: Result<Scanned, Vec<Violation>> = match workers::run(Job::Scan, source.as_bytes(), cancel) {
        Ok(verdict) => verdict,
        Err(fault) if fault.blames_input() => {
            return Ok(Verdict::Wanting(vec![objection(&Violation::of_a_crash(&fault.to_string()))]));
        }
        Err(fault) => return Ok(waits(store, &fault)),
    };
    let source = match scanned {
        Ok(scanned) => scanned,
        Err(violations) => return Ok(Verdict::Wanting(violations.iter().map(objection).collect())),
    };
    let toolchain = match Toolchain::find(&config.compiler) {
        Ok(toolchain) => toolchain,
        Err(why) => return Ok(Verdict::Waits(why.to_string())),
    };
    let (source, compiled) = match compiled(store, config, proposal, attempt, toolchain, source, cancel)? {
        Ok(compiled) => compiled,
        Err(verdict) => return Ok(verdict),
    };
    at(Point::ReviewCompiled);
    let mut trials = wished_trials(proposal);
    let kept = kept_trials(&store.home, &proposal.id);
    let held_back = held_back(proposal, attempt, &kept);
    trials.extend(kept.into_iter().filter(|t| !trials.contains(t)).collect::<Vec<_>>());
    let mut inspection =
        match inspect_whole(proposal, trials, &compiled.module, config.limits.trial.as_secs(), cancel) {
            Ok(Ok(inspection)) => inspection,
            Ok(Err(why)) => return Ok(Verdict::Wanting(vec![Objection::module(why)])),
            Err(fault) if fault.blames_input() => {
                return Ok(Verdict::Wanting(vec![Objection::module(fault)]));
            }
            Err(fault) => return Ok(waits(store, &fault)),
        };
    store.children_run();
    at(Point::ReviewInspected);
    for run in inspection.runs.iter_mut().filter(|run| run.is_example()) {
        run.held_back =
            held_back.iter().any(|t| (&t.tool, &t.args, &t.expect) == (&run.tool, &run.args, &run.expect));
    }
    let mut messages = mismatches(proposal, &inspection);
    let handed_in = |t: &ledger::ticket::Ticket| t.taken().given.is_some() && attempt.number == 1;
    let last_try = store
        .ledger()
        .ticket(&proposal.id)
        .is_some_and(|t| t.attempts_are_spent(config.max_repairs) || handed_in(t))
        || attempt.author.kind() == AuthorKind::Template
        || attempt.edited_by.is_some();
    // An example of a model may be wrong itself: one repair is asked for, and then it is a note for the person.
    let is_told = |t: &ledger::ticket::Ticket| {
        t.attempts().iter().any(|a| a.messages.iter().any(|o| matches!(o.check(), Check::Trial { .. })))
    };
    let is_note =
        proposal.has_examples_of_a_model() && store.ledger().ticket(&proposal.id).is_some_and(is_told);
    if messages.is_empty() && !last_try && !is_note {
        // As long as repairs are left, a failing example is one more thing to repair.
        messages.extend(inspection.runs.iter().filter(|r| !r.passed && r.is_example()).map(|r| {
            if r.held_back {
                // An example that was shown once is not held back any more.
                return Objection::trial(&r.tool, "fails with an example that you were not shown");
            }
            let words = format!("with {} must contain `{}`, but gave: {}", r.args, r.expect, r.answer);
            Objection::trial(&r.tool, words)
        }));
    }
    if messages.is_empty() {
        let built = Built { source, module: compiled.module, compiler: compiled.by, inspection };
        return Ok(Verdict::Clean(Box::new(built)));
    }
    Ok(Verdict::Wanting(messages))
}

/// How often the compiler's suggestions are followed before the writer is asked.
const MOST_MENDS: usize = 5;

/// Compiles a source. What a model wrote is changed first as the compiler itself suggests, and judged by the scan each time; the
/// package holds the source that was compiled.
fn compiled(
    store: &Store,
    config: &Config,
    proposal: &Proposal,
    attempt: &Attempt,
    toolchain: Toolchain,
    mut source: Scanned,
    cancel: &AtomicBool,
) -> Result<Result<(Scanned, Compiled), Verdict>, Error> {
    let is_models = matches!(attempt.author.kind(), AuthorKind::Model { .. }) && attempt.edited_by.is_none();
    let mut left = if is_models { MOST_MENDS } else { 0 };
    loop {
        let start = Instant::now();
        let ended = compile(&store.home, &toolchain, &source.source, &config.limits, cancel);
        let compile_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        record_compile(store, &proposal.id, compile_ms)?;
        let (words, fixes) = match ended {
            Ok(compiled) => return Ok(Ok((source, compiled))),
            Err(CompileFault::Source { words, fixes }) => (words, fixes),
            Err(CompileFault::NoJail(why)) => {
                store.children_wait(&why);
                return Ok(Err(Verdict::Waits(why)));
            }
            Err(CompileFault::Waits(why)) => return Ok(Err(Verdict::Waits(why))),
            Err(CompileFault::Own(error)) => return Err(error),
        };
        let mended = mend(&source.source, &fixes).filter(|_| left > 0);
        match mended.and_then(|text| workers::run(Job::Scan, text.as_bytes(), cancel).ok()) {
            Some(Ok(scanned)) => source = scanned,
            Some(Err::<Scanned, Vec<Violation>>(_)) | None => {
                let said = library::of_compiler(&words, &source.source);
                return Ok(Err(Verdict::Wanting(said.into_iter().map(Objection::from).collect())));
            }
        }
        left -= 1;
        Package::of(&store.home, &proposal.id)
            .keep(Part::Mended(attempt.number), source.source.as_bytes())?;
    }
}

/// What this machine lacks; that no child can be confined concerns more than this proposal.
fn waits(store: &Store, fault: &ChildFault) -> Verdict {
    let why = fault.to_string();
    if matches!(fault, ChildFault::NoJail(_)) {
        store.children_wait(&why);
    }
    Verdict::Waits(why)
}

/// One line about a violation, for the implementer and for `scan`.
pub fn objection(v: &Violation) -> Objection {
    Objection::scan(format_args!(
        "{}:{} [{}] `{}`: {} {}",
        v.line, v.column, v.rule, v.excerpt, v.why, v.next
    ))
}

/// The examples of a proposal, as trials.
pub fn wished_trials(proposal: &Proposal) -> Vec<Trial> {
    let examples = proposal.tools.iter().flat_map(|t| t.examples.iter().map(move |e| (t, e)));
    examples
        .map(|(t, e)| Trial { tool: t.name.to_string(), args: e.args.clone(), expect: e.expect.clone() })
        .collect()
}

/// The examples that the writer of the source was not shown: the proposal's own, and for the other tools of a template's skill
/// those of the template. Somebody who edited the source may have read all of them.
fn held_back(proposal: &Proposal, attempt: &Attempt, kept: &[Trial]) -> Vec<Trial> {
    let of = |tool: &ToolWish, e: &Example| Trial {
        tool: tool.name.to_string(),
        args: e.args.clone(),
        expect: e.expect.clone(),
    };
    let wished = proposal.tools.iter().filter_map(|tool| Some(of(tool, library::examples(tool).1?)));
    let mut held_back: Vec<Trial> = wished.collect();
    if attempt.author.kind() == AuthorKind::Template && attempt.edited_by.is_none() {
        for trial in library::examples_of_template(kept) {
            if !held_back.iter().any(|held| held.tool == trial.tool) {
                held_back.push(trial.clone());
            }
        }
    }
    held_back
}

/// Inspects a module in a confined child, with these trials alone.
///
/// # Errors
/// The outer: the child. The inner: what is wrong with the module.
pub fn inspect(
    proposal: &Proposal,
    trials: Vec<Trial>,
    module: &[u8],
    seconds: u64,
    cancel: &AtomicBool,
) -> Result<Result<Inspection, NotInspected>, ChildFault> {
    let declared = proposal.capabilities.clone();
    let emits = !proposal.emits_events.is_empty();
    in_child(&TrialInput { declared, emits, trials, seconds, edges: false }, module, cancel)
}

/// As [`inspect`], with edge cases besides.
fn inspect_whole(
    proposal: &Proposal,
    trials: Vec<Trial>,
    module: &[u8],
    seconds: u64,
    cancel: &AtomicBool,
) -> Result<Result<Inspection, NotInspected>, ChildFault> {
    let declared = proposal.capabilities.clone();
    let emits = !proposal.emits_events.is_empty();
    in_child(&TrialInput { declared, emits, trials, seconds, edges: true }, module, cancel)
}

fn in_child(
    asked: &TrialInput,
    module: &[u8],
    cancel: &AtomicBool,
) -> Result<Result<Inspection, NotInspected>, ChildFault> {
    let mut input =
        serde_json::to_vec(asked).map_err(|e| ChildFault::Failed { code: 0, words: e.to_string() })?;
    input.push(b'\n');
    input.extend_from_slice(module);
    workers::run(Job::Inspect, &input, cancel)
}

/// Where the module is not what the proposal says; each one stops the package.
pub fn mismatches(proposal: &Proposal, inspection: &Inspection) -> Vec<Objection> {
    let mut messages = vec![];
    let facts = &inspection.facts;
    let undeclared = facts.derived.without(&proposal.capabilities);
    if !undeclared.is_empty() {
        let imports: Vec<&str> = facts.imports.iter().map(|f| f.name()).collect();
        messages.push(Objection::imports(format_args!(
            "the module needs {undeclared}, which the proposal does not ask for (it imports {})",
            imports.join(" ")
        )));
        return messages;
    }
    if facts.emits && proposal.emits_events.is_empty() {
        let words = "the module sends events, but the proposal names none in emits_events";
        messages.push(Objection::imports(words));
    }
    let Some(described) = &inspection.described else {
        messages.push(Objection::describe("the module could not be asked what it offers"));
        return messages;
    };
    let offered: BTreeSet<&str> = described.tools.iter().map(|t| t.name.as_str()).collect();
    for tool in proposal.tools.iter().filter(|t| !offered.contains(t.name.as_str())) {
        let words = format_args!("the tool `{}` that the proposal asks for is not offered", tool.name);
        messages.push(Objection::describe(words));
    }
    let wished_events = |said: &[shared_types::id::EventType], asked: &[shared_types::id::EventType]| {
        said.iter().find(|e| !asked.contains(e)).map(ToString::to_string)
    };
    if let Some(event) = wished_events(&described.handles, &proposal.handles_events) {
        let words = format_args!("it wants to receive `{event}`, which the proposal does not name");
        messages.push(Objection::describe(words));
    }
    if let Some(event) = wished_events(&described.emits, &proposal.emits_events) {
        let words = format_args!("it wants to send `{event}`, which the proposal does not name");
        messages.push(Objection::describe(words));
    }
    messages
}

fn wanting(
    store: &Store,
    config: &Config,
    id: &ProposalId,
    attempt: &Attempt,
    messages: Vec<Objection>,
) -> Result<(), Error> {
    let messages: Vec<Objection> = messages
        .iter()
        .take(40)
        .map(|m| shared_types::text::block(m.text()).chars().take(2_000).collect::<String>().into())
        .collect();
    tell_outcome(&store.home, id, attempt.number, &format!("it did not pass:\n{}", lines(&messages)))?;
    let mut ledger = store.ledger();
    if attempt.edited_by.is_some() {
        return edit::drop_edit(&store.home, &mut ledger, id, attempt, messages);
    }
    at(Point::WantingBefore);
    ledger.append(ProposalEvent::Wanting { attempt: attempt.number, messages: messages.clone() }.of(id))?;
    at(Point::WantingRecorded);
    send_back(&mut ledger, config, id, attempt, &messages)
}

/// One objection below the other.
fn lines(objections: &[Objection]) -> String {
    objections.iter().map(Objection::text).collect::<Vec<_>>().join("\n")
}

/// Sends an attempt that did not pass back to be repaired, or rejects it when there were enough.
fn send_back(
    ledger: &mut Ledger,
    config: &Config,
    id: &ProposalId,
    attempt: &Attempt,
    messages: &[Objection],
) -> Result<(), Error> {
    let messages = joined(messages);
    let Some(ticket) = ledger.ticket(id) else { return Ok(()) };
    if ticket.taken().given.is_some() && attempt.number == 1 {
        // Nobody here wrote it, so nobody here repairs it.
        let reason = format!("{}; it did not pass: {messages}", attempt.author);
        advance(ledger, id, Status::Rejected, "review", Some(reason))?;
    } else if ticket.attempts_are_spent(config.max_repairs) {
        let reason = format!("{} attempts; the last one did not pass: {messages}", attempt.tries);
        advance(ledger, id, Status::Rejected, "review", Some(reason))?;
    } else {
        advance(ledger, id, Status::Implementation, "review", Some(messages))?;
    }
    at(Point::WantingMoved);
    Ok(())
}

fn finish(
    store: &Store,
    config: &Config,
    id: &ProposalId,
    attempt: &Attempt,
    built: Built,
) -> Result<(), Error> {
    tell_outcome(&store.home, id, attempt.number, "nothing that stops it; the package shows the rest")?;
    let rules = Rules::read(&store.home)?;
    let source_sha256 = Digest::of(built.source.source.as_bytes());
    let module_sha256 = Digest::of(&built.module);
    let mut ledger = store.ledger();
    let Some(ticket) = ledger.ticket(id) else { return Ok(()) };
    let proposal = ticket.proposal();
    let facts = built.inspection.facts;
    let Some(described) = built.inspection.described else { return Ok(()) };
    let uses_network = facts.derived.iter().any(|t| t.as_str().starts_with("network:"));
    let report = Report {
        proposal_id: id.clone(),
        profile_id: ticket.taken().profile.clone(),
        name: proposal.name.clone(),
        version: 0,
        base_version: 0,
        manifest_serial: 0,
        recommendation: Recommendation::Reject,
        sentence: String::new(),
        derived: facts.derived.clone(),
        declared: proposal.capabilities.clone(),
        network: if uses_network { proposal.network.clone() } else { vec![] },
        secrets: proposal.secrets.clone(),
        memory_scope: proposal.memory_scope,
        file_scope: proposal.file_scope,
        emits_events: if facts.emits { proposal.emits_events.clone() } else { vec![] },
        handles_events: described.handles.clone(),
        findings: vec![],
        trials: built.inspection.runs,
        module: facts,
        described,
        author: attempt.author.to_string(),
        attempt: attempt.number,
        compiler: built.compiler,
        lines: built.source.lines,
        spec_sha256: ticket.taken().spec_sha256.clone(),
        source_sha256,
        module_sha256,
    };
    let report = weigh(&ledger, &rules, config, report);
    if let Some(stop) = report.findings.iter().find(|f| f.violation) {
        let objection = Objection::composition(&stop.text);
        let reason = objection.to_string();
        if attempt.edited_by.is_some() {
            return edit::drop_edit(&store.home, &mut ledger, id, attempt, vec![objection]);
        }
        // A person at the gate may have the author asked once more, who must know why.
        let messages = vec![objection];
        ledger.append(ProposalEvent::Wanting { attempt: attempt.number, messages }.of(id))?;
        return advance(&mut ledger, id, Status::Rejected, "review", Some(reason));
    }
    // Only now: until here the files of the package before an edit may be wanted again.
    let package = Package::of(&store.home, id);
    package.keep(Part::Source, built.source.source.as_bytes())?;
    at(Point::ReviewSource);
    package.keep(Part::Module, &built.module)?;
    at(Point::ReviewModule);
    record(store, &mut ledger, &report, [Point::ReviewReport, Point::ReviewRecorded])?;
    advance(&mut ledger, id, Status::HumanReview, "review", None)?;
    at(Point::ReviewMoved);
    Ok(())
}

/// Makes what depends on the active skills: version, serial, findings, recommendation.
fn weigh(ledger: &Ledger, rules: &Rules, config: &Config, mut report: Report) -> Report {
    let node = Node {
        name: report.name.to_string(),
        version: Some(ledger.highest_version(&report.name) + 1),
        tokens: report.derived.clone(),
        profile_memory: report.memory_scope == shared_types::proposal::Scope::Profile,
        profile_files: report.file_scope == shared_types::proposal::Scope::Profile,
        emits: report.emits_events.clone(),
        handles: report.handles_events.clone(),
    };
    let graph = Graph::of(ledger.nodes().chain([node]));
    let mut findings: Vec<Finding> = rules.judge(&graph, report.name.as_str(), &config.allowed_pairs);
    findings.extend(crate::lifecycle::upgrade::findings(ledger, &report));
    findings.extend(compose::offers::findings(
        report.name.as_str(),
        &report.described.tools,
        ledger.offers(),
    ));
    findings.extend(own_findings(&report.derived, &report.declared, &report.trials));
    report.base_version = ledger.active().get(&report.name).map_or(0, |l| l.version);
    report.version = ledger.highest_version(&report.name) + 1;
    report.manifest_serial = ledger.serial();
    report.sentence = sentence(Words::DEFAULT, &Powers::from(&report));
    report.recommendation = recommend(&findings, &report.trials);
    report.findings = findings;
    report
}

fn record(
    store: &Store,
    ledger: &mut Ledger,
    report: &Report,
    [kept, recorded]: [Point; 2],
) -> Result<(), Error> {
    let text = documents::yaml::to_string(report).map_err(Error::step("the report"))?;
    Package::of(&store.home, &report.proposal_id).keep(Part::Report, text.as_bytes())?;
    at(kept);
    let review = Reviewed {
        source_sha256: report.source_sha256.clone(),
        module_sha256: report.module_sha256.clone(),
        report_sha256: Digest::of(text.as_bytes()),
        manifest_serial: report.manifest_serial,
        recommendation: report.recommendation,
    };
    ledger.append(ProposalEvent::Reviewed { review }.of(&report.proposal_id))?;
    at(recorded);
    Ok(())
}

/// Analyses every waiting package again whose analysis is older than the manifest.
///
/// # Errors
/// A journal, report or rules file that cannot be used.
pub fn weigh_again(store: &Store, config: &Config) -> Result<(), Error> {
    let stale: Vec<ProposalId> = {
        let ledger = store.ledger();
        let is_stale = |t: &&ledger::ticket::Ticket| {
            t.status() == Status::HumanReview
                && t.decision().is_none()
                && t.review().is_some_and(|r| r.manifest_serial != ledger.serial())
        };
        ledger.tickets().filter(is_stale).map(|t| t.id().clone()).collect()
    };
    if stale.is_empty() {
        return Ok(());
    }
    let rules = Rules::read(&store.home)?;
    for id in stale {
        let report = review::package::read_report(&store.home, &id)?;
        let mut ledger = store.ledger();
        let report = weigh(&ledger, &rules, config, report);
        at(Point::WeighBefore);
        // Either it is rejected or it is a package again: one record, so that no crash can come between.
        if let Some(stop) = report.findings.iter().find(|f| f.violation) {
            let reason = format!("composition with a skill installed since: {}", stop.text);
            advance(&mut ledger, &id, Status::Rejected, "review", Some(reason))?;
        } else {
            record(store, &mut ledger, &report, [Point::WeighReport, Point::WeighRecorded])?;
        }
    }
    Ok(())
}
