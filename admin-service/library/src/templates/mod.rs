//! The offline library: a wish is recognised by its words, and a family's template is filled from the proposal.
//!
//! - `wish`: the proposal's words
//! - one file per family: which wishes it takes, its tools, its parameters, its examples
//! - `offer`: the tools and parameters that the proposal names, mapped to the family's
//! - `fill`: the only place where a proposal's text enters source: as an escaped literal
//! - `skills/`: the templates themselves, readable Rust

mod age;
mod average;
mod bases;
mod bill;
mod bmi;
mod calculator;
mod calendar;
mod chance;
mod checks;
mod chores;
mod cipher;
mod counting;
mod dates;
mod dice;
mod family;
mod fill;
mod leap;
mod list;
mod news;
mod offer;
mod password;
mod percent;
mod pins;
mod prices;
mod primes;
mod quiz;
mod roman;
mod rps;
mod sayings;
mod spelling;
#[cfg(test)]
mod tests;
mod units;
mod voice;
mod weather;
mod wish;
mod wordplay;

use std::sync::atomic::AtomicBool;

use builder::children::Trial;
use language::Language;
use ledger::attempt::{Author, Objection};
use serde_json::Value;
use shared_types::proposal::Proposal;

use self::family::{Example, Family, Fit, Plan};
use self::fill::Fills;
use self::offer::Offer;
use self::wish::Wish;
use super::{Answer, Assignment, Implementer, Unavailable, Written};

/// The library of templates; needs no model, no network and no file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Templates;

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
        Ok(answer(assignment.proposal))
    }
}

/// The families; of two that fit equally well the first is taken.
static FAMILIES: [&Family; 31] = [
    &dice::FAMILY,
    &units::FAMILY,
    &quiz::FAMILY,
    &cipher::FAMILY,
    &dates::FAMILY,
    &leap::FAMILY,
    &roman::FAMILY,
    &prices::FAMILY,
    &bill::FAMILY,
    &list::FAMILY,
    &percent::FAMILY,
    &calculator::FAMILY,
    &counting::FAMILY,
    &chance::FAMILY,
    &password::FAMILY,
    &primes::FAMILY,
    &bases::FAMILY,
    &wordplay::FAMILY,
    &age::FAMILY,
    &bmi::FAMILY,
    &rps::FAMILY,
    &checks::FAMILY,
    &spelling::FAMILY,
    &average::FAMILY,
    &sayings::FAMILY,
    &calendar::FAMILY,
    &news::FAMILY,
    &weather::FAMILY,
    &chores::FAMILY,
    &voice::FAMILY,
    &pins::FAMILY,
];

fn answer(proposal: &Proposal) -> Answer {
    let wish = Wish::of(proposal);
    if let Some(reason) = impossible(&wish) {
        return Answer::NotMine(reason.to_owned());
    }
    let mut beyond = None;
    let mut best: Option<(usize, &Family, Plan)> = None;
    for family in FAMILIES {
        match (family.fit)(&wish) {
            Fit::No => {}
            Fit::Beyond(reason) => beyond = beyond.or(Some(reason)),
            Fit::Yes(plan) => {
                let strangers = wish.strangers(family.words);
                let better = best.as_ref().is_none_or(|(least, ..)| strangers < *least);
                if strangers <= family.most_strangers && better {
                    best = Some((strangers, family, plan));
                }
            }
        }
    }
    match (best, beyond) {
        (Some((_, family, plan)), _) => write(proposal, wish.language, family, &plan),
        (None, Some(reason)) => Answer::NotMine(reason),
        (None, None) => {
            Answer::NotMine("no template fits this wish; it needs a model to write it".to_owned())
        }
    }
}

fn write(proposal: &Proposal, language: Language, family: &Family, plan: &Plan) -> Answer {
    let missing: Vec<&str> =
        plan.needs.iter().filter(|t| !proposal.capabilities.contains(**t)).map(|t| t.as_str()).collect();
    if !missing.is_empty() {
        let reason = format!("needs {}, which the proposal does not ask for", missing.join(" and "));
        let transcript = format!("template {}\n{reason}\n", family.name);
        return Answer::Infeasible { reason, transcript, tokens: 0 };
    }
    let offer = match Offer::arrange(&plan.tools, &proposal.tools) {
        Ok(offer) => offer,
        Err(reason) => return Answer::NotMine(format!("{reason}; it needs a model to write it")),
    };
    let mut texts = plan.texts.clone();
    texts.insert("about", proposal.description.clone());
    texts.insert("folder", proposal.name.to_string());
    texts.insert("language", language.code().to_owned());
    let fills = Fills { offer: &offer, switches: &plan.switches, texts: &texts, words: &plan.words };
    let source = fill::fill(family.source, &fills);
    let author = match plan.parameters.as_str() {
        "" => Author::template(family.name),
        parameters => Author::template(&format!("{} ({parameters})", family.name)),
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

fn trials(plan: &Plan, language: Language, offer: &Offer) -> Vec<Trial> {
    let trial = |example: &Example| {
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

/// Wishes that no template can serve, with the reason for the person.
fn impossible(wish: &Wish) -> Option<&'static str> {
    const TIMER: &[&str] =
        &["timer*", "alarm*", "remind*", "stopwatch*", "wecker*", "erinner*", "stoppuhr*", "pomodoro*"];
    const TALE: &[&str] = &[
        "story*",
        "stories",
        "tale*",
        "poem*",
        "poet*",
        "song*",
        "rhyme*",
        "lyrics",
        "essay*",
        "letter to",
        "geschichte*",
        "maerchen*",
        "gedicht*",
        "lied*",
        "reim*",
    ];
    const OUTSIDE: &[&str] = &[
        "weather*",
        "wetter*",
        "forecast*",
        "news",
        "nachrichten",
        "stock price*",
        "exchange rate*",
        "currency",
        "currencies",
        "waehrung*",
        "wikipedia*",
        "website*",
        "internet",
        "email*",
        "traffic",
    ];
    if wish.says(TIMER) {
        Some(
            "a skill runs only while it answers, so it cannot ring later; no template fits, it needs a model to write it",
        )
    } else if wish.says(TALE)
        || (wish.says(OUTSIDE) && news::feed(wish).is_none() && weather::service(wish).is_none())
    {
        Some("needs a model to write it")
    } else {
        None
    }
}
