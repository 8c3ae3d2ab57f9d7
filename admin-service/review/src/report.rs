//! The report of one package: facts that the program derived, apart from words that others wrote.

use builder::workers::{TrialKind, TrialRun};
use compose::rules::Finding;
use guest::{Described, Facts};
use ledger::Recommendation;
use serde::{Deserialize, Serialize};
use shared_types::capability::TokenSet;
use shared_types::id::{Digest, EventType, HostName, ProfileId, ProposalId, SecretName, SkillName};
use shared_types::proposal::Scope;

/// `report.yaml`: all that a decision rests on; its digest is in the decision.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    pub proposal_id: ProposalId,
    /// The profile that asked.
    pub profile_id: ProfileId,
    /// The skill.
    pub name: SkillName,
    /// The version that it would have.
    pub version: u32,
    /// The version that it would replace; 0 for none.
    pub base_version: u32,
    /// The serial that the analysis was made against.
    pub manifest_serial: u64,
    /// APPROVE, APPROVE WITH NOTE or REJECT, by rule.
    pub recommendation: Recommendation,
    /// One plain sentence, made from the derived tokens.
    pub sentence: String,
    /// The tokens that the module's imports need: these are granted.
    pub derived: TokenSet,
    /// The tokens that the proposal asked for.
    pub declared: TokenSet,
    /// Hosts.
    pub network: Vec<HostName>,
    /// Secrets, by name.
    pub secrets: Vec<SecretName>,
    /// How far memory reaches.
    pub memory_scope: Scope,
    /// How far files reach.
    pub file_scope: Scope,
    /// Events that it may send.
    pub emits_events: Vec<EventType>,
    /// Events that it receives.
    pub handles_events: Vec<EventType>,
    /// What a person should weigh.
    pub findings: Vec<Finding>,
    pub trials: Vec<TrialRun>,
    /// The module's shape.
    pub module: Facts,
    /// What the module says that it offers; words of its author.
    pub described: Described,
    /// By which template or model the source was written, in which attempt.
    pub author: String,
    pub attempt: u32,
    /// The compiler and its flags.
    pub compiler: String,
    /// Lines of the canonical source.
    pub lines: usize,
    /// SHA-256 of the proposal's snapshot.
    pub spec_sha256: Digest,
    /// SHA-256 of the canonical source.
    pub source_sha256: Digest,
    /// SHA-256 of the module.
    pub module_sha256: Digest,
}

impl Report {
    /// One ordinary call, for the first page: a sentence that the skill says it answers, or else an example.
    pub fn ordinary(&self) -> Option<&TrialRun> {
        let said = self.trials.iter().find(|t| t.kind == TrialKind::Said);
        said.or_else(|| self.trials.iter().find(|t| t.is_example() && !t.held_back))
            .or_else(|| self.trials.iter().find(|t| t.is_edge()))
    }

    /// The tools of which no example was held back from the writer of the source.
    pub fn all_shown(&self) -> Vec<&str> {
        let held_back = |tool: &&str| self.trials.iter().any(|t| t.held_back && t.tool == *tool);
        self.described.tools.iter().map(|tool| tool.name.as_str()).filter(|tool| !held_back(tool)).collect()
    }
}

/// What the program recommends: what follows from findings and trials.
pub fn recommend(findings: &[Finding], trials: &[TrialRun]) -> Recommendation {
    let dangerous = findings.iter().any(|f| f.violation || AGAINST.contains(&f.rule.as_str()));
    let mut examples = trials.iter().filter(|t| t.is_example()).peekable();
    let none_passed = examples.peek().is_some() && examples.all(|t| !t.passed);
    if dangerous || none_passed {
        Recommendation::Reject
    } else if findings.is_empty() {
        Recommendation::Approve
    } else {
        Recommendation::ApproveWithNote
    }
}

/// The rules whose findings speak against a package.
const AGAINST: [&str; 4] =
    ["dangerous-combination", compose::events::CORE_EVENT, "missing-dependency", HELD_BACK];

/// The rule that an example fails which the writer of the source was not shown: it may know nothing but the others.
const HELD_BACK: &str = "held-back-example";

/// Findings about the package itself: tokens asked for and not used, trials that failed or lack.
pub fn own_findings(derived: &TokenSet, declared: &TokenSet, trials: &[TrialRun]) -> Vec<Finding> {
    let mut findings = vec![];
    let finding = |rule: &str, text: String| Finding { rule: rule.to_owned(), text, violation: false };
    let unused = declared.without(derived);
    if !unused.is_empty() {
        findings.push(finding("unused-token", format!("asked for, but not used and not granted: {unused}")));
    }
    for trial in trials.iter().filter(|t| !t.passed && t.is_example()) {
        let text = format!(
            "{} with {} should give `{}`, but: {}",
            trial.tool, trial.args, trial.expect, trial.answer
        );
        let rule = if trial.held_back { HELD_BACK } else { "failing-example" };
        findings.push(finding(rule, shared_types::text::cut(&text, 600)));
    }
    let broken: Vec<&TrialRun> = trials.iter().filter(|t| !t.passed && t.is_edge()).collect();
    if let Some(first) = broken.first() {
        let text = format!(
            "{} edge case(s) broke it; the first: {} with {}: {}",
            broken.len(),
            first.tool,
            shared_types::text::cut(&first.args.to_string(), 120),
            first.answer
        );
        findings.push(finding("edge-case-trap", shared_types::text::cut(&text, 600)));
    }
    if let Some((trial, what)) = trials.iter().find_map(|t| Some((t, t.steers.as_ref()?))) {
        let args = shared_types::text::cut(&trial.args.to_string(), 120);
        findings.push(finding("answer-steers", format!("{} with {args} answers with {what}", trial.tool)));
    }
    if !trials.iter().any(TrialRun::is_example) {
        findings.push(finding("untried", "no example was tried".to_owned()));
    }
    findings
}

#[cfg(test)]
mod tests;
