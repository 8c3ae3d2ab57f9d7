//! `cl-bot provider`: who may be asked to think, and whether they answer.

use std::path::PathBuf;

use bot_base::error::Error;
use bot_base::paths::Folder;
use clap::Subcommand;
use models::{ModelsConfig, ProviderConfig};
use net::credentials::{Found, find};
use serde_json::json;
use shared_types::home::Home;
use shared_types::{exit, text};
use trial::Trial;

use super::Format;
use crate::start::mind::{Purpose, become_mind};
use crate::start::{Options, home, read_config};

mod trial;

/// What can be done with providers.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the configured providers, in the order in which they are asked
    List(Format),
    /// Ask a provider, and tell how fast it answers, whether piece by piece, and whether it calls tools
    Test {
        /// The provider's name
        name: String,
        /// How the outcome is printed
        #[command(flatten)]
        format: Format,
    },
}

/// Lists or tests.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    let home = home::choose(options)?;
    let models = read_config(&home, &Folder::root(&home.config())?)?.models;
    match verb {
        Verb::List(format) => {
            list(&home, &models, *format)?;
            Ok(exit::DONE)
        }
        Verb::Test { name, format } => match models.provider(name) {
            Some(provider) => test(options, &home, provider, *format),
            None => {
                let known = models.providers.iter().map(|p| p.name.clone()).collect::<Vec<_>>().join(" ");
                Err(Error::NoProvider { name: text::cut(name, 40), known })
            }
        },
    }
}

fn list(home: &Home, models: &ModelsConfig, format: Format) -> Result<(), Error> {
    for provider in &models.providers {
        let tasks: Vec<&str> = models
            .tasks
            .iter()
            .filter(|(_, of)| **of == provider.name)
            .map(|(task, _)| task.as_str())
            .collect();
        let address = provider.base_url.as_ref().map(ToString::to_string);
        let key = key_of(home, provider)?;
        if format.json {
            let row = json!({
                "name": provider.name, "kind": provider.kind, "model": provider.model, "models": provider.models,
                "address": address, "key": key.map(|found| found != Found::Nowhere), "tasks": tasks,
                "images": provider.images,
            });
            super::print_json(&row);
            continue;
        }
        let key = match key {
            None => "no key needed",
            Some(Found::Login) => "key: a login",
            Some(Found::File) => "key: a file",
            Some(Found::Nowhere) => "key NOT set",
            Some(_) => "key: a variable",
        };
        let model = provider.model.as_deref().map(|m| text::cut(m, 60)).unwrap_or_else(|| "-".to_owned());
        let address = address.as_deref().unwrap_or("-");
        let images = if provider.images { "  takes pictures" } else { "" };
        let tasks =
            if tasks.is_empty() { String::new() } else { format!("  first for: {}", tasks.join(" ")) };
        super::print(&format!(
            "{:<16} {:<18} {model:<24} {address}  {key}{images}{tasks}",
            provider.name,
            provider.kind.as_str()
        ));
    }
    Ok(())
}

/// Where the key comes from that the configuration names; `None` when it names none.
fn key_of(home: &Home, provider: &ProviderConfig) -> Result<Option<Found>, Error> {
    let system = std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
    let has_value = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let found = find(home, system.as_deref(), provider, has_value)?;
    Ok(Some(found).filter(|found| *found != Found::NotNeeded))
}

fn test(options: &Options, home: &Home, provider: &ProviderConfig, format: Format) -> Result<u8, Error> {
    // With a message there is no conversation at the terminal, so Ctrl-C simply ends the program.
    let purpose = Purpose { talks: true, message: Some(String::new()), ..Purpose::default() };
    let key_is_missing = key_of(home, provider)? == Some(Found::Nowhere);
    let (kernel, warnings) = become_mind(options, purpose)?;
    for warning in warnings {
        bot_base::error::say(&warning);
    }
    let ctx = kernel.context_of("reasoning").ok_or(Error::NoDriver)?;
    let model = ctx.handles().model().ok_or(Error::NoModel)?;
    let trial = Trial::of(model.router(), provider, key_is_missing, ctx.cancel());
    if format.json {
        super::print_json(&trial.as_json());
    } else {
        trial.lines().iter().for_each(|line| super::print(line));
    }
    if let Some(failure) = &trial.failure {
        bot_base::error::say(&format!("{}\nHint: {}", failure.message, failure.hint));
        return Ok(exit::FAILED);
    }
    if let Some(advice) = trial.advice {
        bot_base::error::say(&format!("Hint: {advice}"));
    }
    Ok(exit::DONE)
}
