//! Writes a skill from the examples of a wish alone: a search finds the rule, or the question that is left.

use std::sync::atomic::AtomicBool;

use learner::{Learned, NoRule, Pair, Skill};
use ledger::attempt::Author;
use shared_types::proposal::{Example, Proposal, lesson};

use super::{Answer, Assignment, Implementer, Unavailable, Written};

/// The search for a rule; needs no model, no network and no file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Examples;

impl Examples {
    /// Whether a wish is described by examples alone. No other implementer takes such a wish, and this one takes no other.
    pub fn takes(proposal: &Proposal) -> bool {
        told(proposal).is_some()
    }
}

impl Implementer for Examples {
    fn name(&self) -> &str {
        "examples"
    }

    fn write(&self, assignment: &Assignment<'_>, cancel: &AtomicBool) -> Result<Answer, Unavailable> {
        let Some(pairs) = told(assignment.proposal) else {
            return Ok(Answer::NotMine("the wish is not told by examples".to_owned()));
        };
        let pairs: Vec<Pair> = pairs.iter().map(|(input, output)| Pair::new(input, output)).collect();
        answer(assignment.proposal, &pairs, cancel)
    }
}

fn answer(proposal: &Proposal, pairs: &[Pair], cancel: &AtomicBool) -> Result<Answer, Unavailable> {
    let head = format!("attempt 1 by examples\ntokens: none, no model was asked\npairs: {}\n", pairs.len());
    let reason = match learner::learn(pairs, cancel) {
        Learned::Rule(rule) => {
            let source = source(&rule, proposal, pairs);
            let author = Author::other(format!("examples ({} pairs)", pairs.len()));
            return Ok(Answer::Written(Written {
                source,
                author,
                examples: vec![],
                transcript: head,
                tokens: 0,
            }));
        }
        Learned::Question(input) => learner::question(input.as_deref()),
        Learned::Nothing(why @ NoRule::Stopped) => return Err(Unavailable(why.to_string())),
        Learned::Nothing(why) => why.to_string(),
    };
    Ok(Answer::Infeasible { transcript: format!("{head}{reason}\n"), reason, tokens: 0 })
}

/// The pairs of a wish by examples; nothing for any other wish.
fn told(proposal: &Proposal) -> Option<Vec<(String, String)>> {
    let [tool] = proposal.tools.as_slice() else { return None };
    if tool.name.as_str() != lesson::TOOL {
        return None;
    }
    let pair = |example: &Example| {
        Some((example.args.get(lesson::PARAM)?.as_str()?.to_owned(), example.expect.clone()))
    };
    tool.examples.iter().map(pair).collect()
}

fn source(rule: &learner::Rule, proposal: &Proposal, pairs: &[Pair]) -> String {
    let name = proposal.name.as_str().replace('-', " ");
    let slot = format!("{{{}}}", lesson::PARAM);
    let mut phrases = vec![
        ("en", format!("{name} {slot}")),
        ("en", format!("{name} for|of|from {slot}")),
        ("en", format!("what is [the] {name} for|of|from {slot}")),
        ("en", format!("what is {slot} in|as [a|an] {name}")),
        ("de", format!("{name} für|von {slot}")),
        ("de", format!("was ist {name} für|von {slot}")),
        ("de", format!("was ist {slot} in|als {name}")),
    ];
    if are_marked(pairs) {
        phrases.push(("en", format!("[and] what is {slot}")));
        phrases.push(("de", format!("[und] was ist {slot}")));
    }
    let lines: Vec<String> = pairs.iter().take(2).map(|pair| format!("{name} {}", pair.input)).collect();
    let skill = Skill {
        about: &proposal.description,
        tool: lesson::TOOL,
        param: lesson::PARAM,
        phrases: &phrases,
        lines: &lines,
    };
    learner::source(rule, &skill)
}

/// Whether `what is ...` can only mean the rule: each input is a number, or has a mark that plain words have not.
fn are_marked(pairs: &[Pair]) -> bool {
    let is_number = |pair: &Pair| pair.input.chars().all(|c| c.is_ascii_digit());
    let mark = |c: char| !c.is_alphanumeric() && c != ' ';
    let shared = |c: char| pairs.iter().all(|pair| pair.input.contains(c));
    pairs.iter().all(is_number) || pairs.iter().any(|pair| pair.input.chars().any(|c| mark(c) && shared(c)))
}

#[cfg(test)]
mod tests;
