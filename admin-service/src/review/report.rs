//! The report of one package: facts that the program derived, apart from words that others wrote.

use guest::{Described, Facts};
use serde::{Deserialize, Serialize};
use shared_types::capability::{Token, TokenSet};
use shared_types::id::{Digest, EventType, HostName, ProfileId, ProposalId, SecretName, SkillName};
use shared_types::proposal::Scope;

use crate::children::TrialRun;
use crate::compose::rules::Finding;

/// `report.yaml`: all that a decision rests on; its digest is in the decision.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// The proposal.
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
    /// Trial runs.
    pub trials: Vec<TrialRun>,
    /// The module's shape.
    pub module: Facts,
    /// What the module says that it offers; words of its author.
    pub described: Described,
    /// By which template or model the source was written, in which attempt.
    pub author: String,
    /// The attempt.
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

/// What the program recommends; a person decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Recommendation {
    /// Nothing was found.
    #[serde(rename = "APPROVE")]
    Approve,
    /// Something was found that should be read.
    #[serde(rename = "APPROVE WITH NOTE")]
    ApproveWithNote,
    /// A dangerous combination, or every trial failed.
    #[serde(rename = "REJECT")]
    Reject,
}

impl Recommendation {
    /// The words that a person reads.
    pub fn as_str(self) -> &'static str {
        match self {
            Recommendation::Approve => "APPROVE",
            Recommendation::ApproveWithNote => "APPROVE WITH NOTE",
            Recommendation::Reject => "REJECT",
        }
    }

    /// The recommendation that these words are for.
    pub fn named(words: &str) -> Option<Recommendation> {
        [Recommendation::Approve, Recommendation::ApproveWithNote, Recommendation::Reject]
            .into_iter()
            .find(|r| r.as_str() == words)
    }

    /// What follows from findings and trials.
    pub fn of(findings: &[Finding], trials: &[TrialRun]) -> Recommendation {
        let dangerous = findings.iter().any(|f| f.violation || AGAINST.contains(&f.rule.as_str()));
        let none_passed = !trials.is_empty() && trials.iter().all(|t| !t.passed);
        if dangerous || none_passed {
            Recommendation::Reject
        } else if findings.is_empty() {
            Recommendation::Approve
        } else {
            Recommendation::ApproveWithNote
        }
    }
}

/// The rules whose findings speak against a package.
const AGAINST: [&str; 3] =
    ["dangerous-combination", crate::compose::events::CORE_EVENT, "missing-dependency"];

/// Findings about the package itself: tokens asked for and not used, trials that failed or lack.
pub fn own_findings(derived: &TokenSet, declared: &TokenSet, trials: &[TrialRun]) -> Vec<Finding> {
    let mut findings = vec![];
    let finding = |rule: &str, text: String| Finding { rule: rule.to_owned(), text, violation: false };
    let unused = declared.without(derived);
    if !unused.is_empty() {
        findings.push(finding("unused-token", format!("asked for, but not used and not granted: {unused}")));
    }
    for trial in trials.iter().filter(|t| !t.passed) {
        let text = format!(
            "{} with {} should give `{}`, but: {}",
            trial.tool, trial.args, trial.expect, trial.answer
        );
        findings.push(finding("failing-example", shared_types::text::cut(&text, 600)));
    }
    if trials.is_empty() {
        findings.push(finding("untried", "no example was tried".to_owned()));
    }
    findings
}

/// One sentence about what a skill can do, from derived tokens alone.
pub fn sentence(derived: &TokenSet, network: &[HostName], memory: Scope, files: Scope) -> String {
    if derived.is_empty() {
        return "It can only compute: no memory, no files, no network, no model.".to_owned();
    }
    let hosts = network.iter().map(HostName::as_str).collect::<Vec<_>>().join(", ");
    let words: Vec<String> = derived
        .iter()
        .map(|token| {
            let words = token.in_words();
            match token {
                Token::NetworkRead | Token::NetworkWrite => format!("{words} ({hosts})"),
                Token::MemoryRead | Token::MemoryWrite => format!("{words} ({})", reach(memory)),
                Token::FileRead | Token::FileWrite => format!("{words} ({})", reach(files)),
                _ => words.to_owned(),
            }
        })
        .collect();
    let mut lacking = vec![];
    let lacks = |a: Token, b: Token| !derived.contains(a) && !derived.contains(b);
    if lacks(Token::NetworkRead, Token::NetworkWrite) {
        lacking.push("no network");
    }
    if lacks(Token::FileRead, Token::FileWrite) {
        lacking.push("no files");
    }
    if lacks(Token::MemoryRead, Token::MemoryWrite) {
        lacking.push("no memory");
    }
    let tail = if lacking.is_empty() { String::new() } else { format!(" It has {}.", lacking.join(", ")) };
    format!("It can {}.{tail}", words.join("; "))
}

fn reach(scope: Scope) -> &'static str {
    match scope {
        Scope::Own => "its own only",
        Scope::Profile => "the whole profile's",
    }
}
