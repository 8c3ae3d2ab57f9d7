//! A model that this program fetches and `llama-server` runs: what is offered, and the server for the time of a trial.

use std::path::PathBuf;

use base::home::Home;
use language::fill;

use super::person::{Person, Stop};
use crate::commands::model::connect::Trial;
use crate::commands::model::list::{Model, ModelName, memory};
use crate::commands::model::place::Place;
use crate::commands::model::{available, fetch, serve};

/// A model that could be run here.
pub(super) struct Offer {
    name: ModelName,
    /// Where it has to be fetched first.
    model: Option<Model>,
    /// What it costs, for the person.
    pub(super) text: String,
}

/// The server of a model, where it is to be tried.
#[derive(Debug, Clone)]
pub(super) struct Own {
    pub(super) name: ModelName,
    pub(super) port: u16,
    pub(super) program: Option<PathBuf>,
}

/// What could run here, by `llama-server`: what was fetched, and the largest model of the list that fits. Without that program
/// there is no offer, and a sentence says what to install.
pub(super) fn offers(home: &Home, person: &Person<'_>) -> Result<Vec<Offer>, Stop> {
    let words = person.words;
    if serve::installed(serve::PROGRAM).is_none() {
        let installed = serve::installed("ollama").is_some();
        person.say(if installed { words.say("onboard-own-ollama") } else { words.say("onboard-own-none") });
        return Ok(vec![]);
    }
    let here = Place::of(home).fetched();
    let best = available::best().map_err(|e| person.stop(e))?;
    let best = best.filter(|model| !here.iter().any(|known| known.name == model.name));
    let mut offers: Vec<Offer> = here
        .into_iter()
        .map(|known| {
            let text = filled(words.say("onboard-own-here"), &known.name, known.bytes, "");
            Offer { name: known.name, model: None, text }
        })
        .collect();
    offers.extend(best.map(|model| {
        let text = filled(words.say("onboard-own-fetch"), &model.name, model.bytes, &model.licence);
        Offer { name: model.name.clone(), model: Some(model), text }
    }));
    Ok(offers)
}

fn filled(text: &str, name: &ModelName, bytes: u64, licence: &str) -> String {
    let mb = |bytes: u64| (bytes / 1_000_000).to_string();
    let (name, need, bytes) = (name.to_string(), mb(memory(bytes)), mb(bytes));
    fill(text, &[("model", &name), ("bytes", &bytes), ("memory", &need), ("licence", licence)])
}

/// Fetches what was chosen, unless it is here.
pub(super) fn provided(home: &Home, offer: Offer, person: &Person<'_>) -> Result<ModelName, Stop> {
    if let Some(model) = offer.model {
        let wanted = fetch::Wanted::of(model).map_err(|e| person.stop(e))?;
        if !fetch::fetch(home, &wanted, person.interrupted()).map_err(|e| person.stop(e))? {
            return Err(Stop::Left);
        }
    }
    Ok(offer.name)
}

/// Starts the server, and says how it is kept running later.
pub(super) fn started(home: &Home, own: &Own, person: &Person<'_>) -> Result<Trial, Stop> {
    let words = person.words;
    let shown = own.name.to_string();
    person.say(&words.fill("onboard-own-starting", &[("model", &shown)]));
    let goes_on = || !person.was_interrupted();
    let trial = Trial::start(home, &own.name, own.port, own.program.as_ref(), &goes_on);
    let trial = trial.map_err(|e| person.stop(e))?;
    person.say(&words.fill("onboard-own-later", &[("model", &shown)]));
    Ok(trial)
}
