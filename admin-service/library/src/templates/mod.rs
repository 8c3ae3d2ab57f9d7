//! The offline library: a wish is recognised by its words, and a family's template is filled from the proposal.
//!
//! A family is a folder of `admin-service/skill-library`: `wish.yaml` says which wishes it takes, `examples.yaml` what is tried,
//! `skill.rs` is the template. None of it is compiled into the program.
//!
//! - `library`: finds the folders, compares each file with its digest, and reads it
//! - `format`, `condition`, `patterns`, `check`: what the files say
//! - `wish`, `slots`, `facts`: the proposal's words, and what a family reads from them
//! - `family`: whether a wish is of this kind, and how the template is filled
//! - `offer`: the tools and parameters that the proposal names, mapped to the family's
//! - `fill`: the only place where a proposal's text enters source: as an escaped literal

mod check;
mod condition;
mod facts;
mod family;
mod fault;
mod fill;
mod format;
mod library;
mod offer;
mod patterns;
mod slots;
#[cfg(test)]
mod tests;
mod wish;

use std::sync::atomic::AtomicBool;

use base::home::Home;
use builder::workers::Trial;
use language::Language;
use ledger::attempt::{Author, Objection};
use serde_json::Value;
use shared_types::proposal::Proposal;

use self::family::{Example, Family, Plan};
pub use self::fault::Fault;
use self::fill::Fills;
use self::library::Asked;
pub use self::library::Library;
use self::offer::Offer;
use self::wish::Wish;
use super::{Answer, Assignment, Implementer, Unavailable, Written};

/// The library of templates; needs no model and no network.
#[derive(Debug)]
pub struct Templates {
    /// What the household added.
    own: Library,
}

impl Templates {
    /// The shipped families alone.
    pub fn shipped() -> Templates {
        Templates { own: Library::default() }
    }

    /// The shipped families, and behind them those of a household.
    pub fn of(home: &Home) -> Templates {
        Templates { own: Library::of_household(home) }
    }

    /// The faults of both libraries.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        Library::shipped().faults().iter().chain(self.own.faults())
    }

    fn answer(&self, proposal: &Proposal) -> Answer {
        let wish = Wish::of(proposal);
        let shipped = Library::shipped();
        let reason = match shipped.ask(&wish) {
            Asked::Fits(family, plan) => return write(proposal, wish.language, shipped, family, &plan),
            Asked::Reason(reason) => Some(reason),
            Asked::Nothing => None,
        };
        // The household's families come behind: none takes a wish away from a shipped one.
        let own = match self.own.ask(&wish) {
            Asked::Fits(family, plan) => return write(proposal, wish.language, &self.own, family, &plan),
            Asked::Reason(reason) => Some(reason),
            Asked::Nothing => None,
        };
        let reason = reason.or(own);
        Answer::NotMine(
            reason.unwrap_or_else(|| "no template fits this wish; it needs a model to write it".to_owned()),
        )
    }
}

impl Implementer for Templates {
    fn name(&self) -> &str {
        "templates"
    }

    fn write(&self, assignment: &Assignment<'_>, _cancel: &AtomicBool) -> Result<Answer, Unavailable> {
        if let Some(feedback) = assignment.feedback {
            // A template is what it is: a second attempt would be the same.
            let message = feedback.messages.first().map_or("it failed", Objection::text);
            return Ok(Answer::NotMine(format!(
                "the template's skill did not pass ({message}); it needs a model to write it"
            )));
        }
        Ok(self.answer(assignment.proposal))
    }
}

fn write(
    proposal: &Proposal,
    language: Language,
    library: &Library,
    family: &Family,
    plan: &Plan<'_>,
) -> Answer {
    let missing: Vec<&str> =
        plan.needs.iter().filter(|t| !proposal.capabilities.contains(**t)).map(|t| t.as_str()).collect();
    if !missing.is_empty() {
        let reason = format!("needs {}, which the proposal does not ask for", missing.join(" and "));
        let transcript = format!("template {}\n{reason}\n", family.name());
        return Answer::Infeasible { reason, transcript, tokens: 0 };
    }
    let offer = match Offer::arrange(&plan.tools, &proposal.tools) {
        Ok(offer) => offer,
        Err(reason) => return Answer::NotMine(format!("{reason}; it needs a model to write it")),
    };
    let mut texts = plan.texts.clone();
    texts.insert("about".to_owned(), proposal.description.clone());
    texts.insert("folder".to_owned(), proposal.name.to_string());
    texts.insert("language".to_owned(), language.code().to_owned());
    let fills = Fills {
        offer: &offer,
        switches: &plan.switches,
        texts: &texts,
        words: &plan.words,
        shared: &library.shared,
    };
    let source = fill::fill(&family.source, &fills);
    let author = match plan.parameters.as_str() {
        "" => Author::template(family.name()),
        parameters => Author::template(&format!("{} ({parameters})", family.name())),
    };
    let tools: Vec<String> = offer.names().map(|(own, name)| format!("{own} as {name}")).collect();
    let transcript = format!(
        "attempt 1 by {author}\ntokens: none, no model was asked\nname: {}\noffers: {}\n",
        proposal.name,
        tools.join(", ")
    );
    Answer::Written(Written {
        source,
        author,
        examples: trials(plan, language, &offer),
        transcript,
        tokens: 0,
    })
}

fn trials(plan: &Plan<'_>, language: Language, offer: &Offer) -> Vec<Trial> {
    let trial = |example: &Example<'_>| {
        let args = example.args.iter().map(|(param, value)| offer.argument(example.tool, param, value));
        let args: Option<serde_json::Map<String, Value>> = args.collect();
        Some(Trial {
            tool: offer.tool(example.tool)?.to_owned(),
            args: Value::Object(args?),
            expect: example.expected(language),
        })
    };
    plan.trials.iter().filter_map(trial).collect()
}
