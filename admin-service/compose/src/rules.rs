//! The rules file, and what it says about a graph.

use std::fs;
use std::path::Path;

use base::config::AllowedPair;
use base::error::Error;
use base::home::Home;
use serde::{Deserialize, Serialize};
use settings::admin::RULES;
use shared_types::capability::{Token, TokenSet};

use super::graph::{Graph, Reach};

/// The shipped rules.
pub const SHIPPED: &str = include_str!("../../../config/composition_rules.yaml");

/// `admin/composition_rules.yaml`.
#[derive(Debug, Clone)]
pub struct Rules {
    dangerous: Vec<Rule>,
    max_total: usize,
}

#[derive(Debug, Clone)]
struct Rule {
    sources: Vec<Token>,
    sink: Token,
    reason: String,
}

/// Something that a person should weigh, or that stops a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule, in a word.
    pub rule: String,
    /// What was found, which skill brings which token by which path, and why it matters.
    pub text: String,
    /// Whether it stops the package.
    pub violation: bool,
}

impl Rules {
    /// Reads the home's rules; an absent file means the shipped ones.
    ///
    /// # Errors
    /// Every fault in one pass.
    pub fn read(home: &Home) -> Result<Rules, Error> {
        let path = home.composition_rules();
        match fs::read_to_string(&path) {
            Ok(text) => Rules::parse(&path, &text),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Rules::parse(&path, SHIPPED),
            Err(e) => Err(Error::io(&path)(e)),
        }
    }

    /// Reads rules from their text.
    ///
    /// # Errors
    /// Every fault in one pass.
    pub fn parse(path: &Path, text: &str) -> Result<Rules, Error> {
        let mut top = documents::settings::section(RULES, text);
        let max_total = top.number("max_total_capabilities") as usize;
        let mut dangerous = vec![];
        for mut rule in top.sections("dangerous") {
            let words = rule.texts("sources");
            let mut sources = vec![];
            for word in &words {
                match word.parse() {
                    Ok(token) => sources.push(token),
                    Err(e) => rule.fault("sources", format!("{e}")),
                }
            }
            if sources.is_empty() {
                rule.fault("sources", "names no token");
            }
            let sink =
                rule.text("sink").unwrap_or_default().parse().map_err(|e| rule.fault("sink", format!("{e}")));
            let reason = rule.text("reason").unwrap_or_default();
            if reason.is_empty() {
                rule.fault("reason", "missing: the reviewer needs it");
            }
            if let Ok(sink) = sink {
                dangerous.push(Rule { sources, sink, reason });
            }
            top.close(rule);
        }
        let faults = top.finish();
        if !faults.is_empty() {
            return Err(Error::Config { file: path.to_owned(), faults });
        }
        Ok(Rules { dangerous, max_total })
    }

    /// What the rules say about a new skill in its graph: about itself, and about those that reach it.
    pub fn judge(&self, graph: &Graph, name: &str, allowed: &[AllowedPair]) -> Vec<Finding> {
        let mut findings = vec![];
        for skill in graph.reaching(name) {
            let reached = graph.effective(skill);
            // A combination that stands without the new skill is not its doing.
            let concerns = |r: &Reach| skill == name || r.path.iter().any(|p| p == name);
            findings.extend(self.joined(skill, &reached, &concerns));
            findings.extend(private_to_network(skill, &reached, &concerns, allowed));
            // One more hop makes those that reach it reach more: each of them is asked.
            findings.extend(self.too_many(skill, &reached));
        }
        findings.extend(super::events::findings(graph, name));
        findings.dedup();
        findings
    }

    /// What the rules say about a whole system as it is, skill by skill.
    pub fn judge_all(&self, graph: &Graph, allowed: &[AllowedPair]) -> Vec<Finding> {
        let mut findings = vec![];
        for node in graph.nodes() {
            let name = node.name.as_str();
            let reached = graph.effective(name);
            findings.extend(self.joined(name, &reached, &|_| true));
            findings.extend(private_to_network(name, &reached, &|_| true, allowed));
            findings.extend(self.too_many(name, &reached));
            if node.version.is_some() {
                findings.extend(super::events::findings(graph, name));
            }
        }
        findings
    }

    /// The dangerous combinations of one skill.
    fn joined(&self, skill: &str, reached: &[Reach], concerns: &dyn Fn(&Reach) -> bool) -> Vec<Finding> {
        let mut findings = vec![];
        for rule in &self.dangerous {
            for source in reached.iter().filter(|r| rule.sources.contains(&r.token)) {
                for sink in reached.iter().filter(|r| r.token == rule.sink) {
                    if concerns(source) || concerns(sink) {
                        findings.push(combination(skill, source, sink, &rule.reason));
                    }
                }
            }
        }
        findings
    }

    /// More tokens than one skill should reach.
    fn too_many(&self, skill: &str, reached: &[Reach]) -> Option<Finding> {
        let total: TokenSet = reached.iter().map(|r| r.token).collect();
        (total.len() > self.max_total).then(|| Finding {
            rule: "max-total-capabilities".into(),
            text: format!(
                "`{skill}` reaches {} capabilities ({total}); the limit is {}",
                total.len(),
                self.max_total
            ),
            violation: false,
        })
    }
}

/// Whether what a private source brings leaves by a sink: by the network, and what the microphone hears by anything but the loudspeaker and
/// the answer itself.
fn leaves_by(source: Token, sink: Token) -> bool {
    match sink {
        Token::NetworkRead | Token::NetworkWrite => true,
        Token::MemoryWrite | Token::FileWrite | Token::LlmCall | Token::GpioWrite => {
            source == Token::AudioRead
        }
        _ => false,
    }
}

/// A private source joined to the network in one skill stops the package, unless the configuration names it; so does a microphone that
/// is joined to any sink but the loudspeaker.
fn private_to_network(
    skill: &str,
    reached: &[Reach],
    concerns: &dyn Fn(&Reach) -> bool,
    allowed: &[AllowedPair],
) -> Vec<Finding> {
    let mut found = vec![];
    for source in reached.iter().filter(|r| r.private) {
        for sink in reached.iter().filter(|r| leaves_by(source.token, r.token)) {
            let named = |a: &AllowedPair| {
                a.skill.as_str() == skill && a.source == source.token && a.sink == sink.token
            };
            if allowed.iter().any(named) || !(concerns(source) || concerns(sink)) {
                continue;
            }
            let is_network = matches!(sink.token, Token::NetworkRead | Token::NetworkWrite);
            let (rule, reason) = match is_network {
                true => ("private-source-to-network", "what is yours alone could leave the machine"),
                false => ("microphone-to-sink", "what the microphone hears could be kept or passed on"),
            };
            let mut finding = combination(skill, source, sink, reason);
            finding.rule = rule.into();
            finding.violation = true;
            found.push(finding);
        }
    }
    found
}

fn combination(skill: &str, source: &Reach, sink: &Reach, reason: &str) -> Finding {
    let by = |r: &Reach| {
        if r.path.len() == 1 { "itself".to_owned() } else { format!("by {}", r.path.join(" -> ")) }
    };
    Finding {
        rule: "dangerous-combination".into(),
        text: format!(
            "`{skill}` joins {} ({}) with {} ({}): {reason}",
            source.token,
            by(source),
            sink.token,
            by(sink)
        ),
        violation: false,
    }
}
