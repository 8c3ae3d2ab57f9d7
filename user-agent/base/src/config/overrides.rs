//! What a command line tightens: never more than the configuration allows.

use std::time::Duration;

use models::provider::Kind;
use shared_types::text;

use super::Config;
use crate::error::Error;

/// What a command line tightens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The only provider that is asked.
    pub provider: Option<String>,
    /// The model that it is asked for.
    pub model: Option<String>,
    /// The most rounds of tool calls in a turn.
    pub max_iterations: Option<u32>,
    /// How long a turn, and each request to a model in it, may take.
    pub timeout: Option<Duration>,
    /// Whether no more than calls of low risk happen, regardless of what the profile allows.
    pub readonly: bool,
}

impl Overrides {
    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        *self == Overrides::default()
    }

    /// Writes what was said into a configuration.
    ///
    /// # Errors
    /// What the configuration does not allow, with what it does.
    pub fn tighten(&self, config: &mut Config) -> Result<(), Error> {
        if let Some(name) = &self.provider {
            only(name, config)?;
        }
        if let Some(model) = &self.model {
            ask_for(model, config)?;
        }
        if let Some(rounds) = self.max_iterations {
            let limit = config.limits.max_tool_rounds;
            if rounds > limit {
                return Err(wrong(
                    format!(
                        "--max-iterations {rounds} is more than `limits.max_tool_rounds: {limit}` allows"
                    ),
                    "a command line can only tighten what config/default.yaml says",
                ));
            }
            config.limits.max_tool_rounds = rounds;
        }
        if let Some(timeout) = self.timeout {
            within(timeout, config)?;
        }
        Ok(())
    }
}

/// Leaves one provider; no other is asked instead when it does not answer.
fn only(name: &str, config: &mut Config) -> Result<(), Error> {
    let models = &mut config.models;
    let Some(place) = models.providers.iter().position(|provider| provider.name == name) else {
        let known: Vec<&str> = models.providers.iter().map(|provider| provider.name.as_str()).collect();
        return Err(wrong(
            format!("there is no provider `{}`; configured: {}", text::cut(name, 80), known.join(" ")),
            "providers are added under `providers` in config/default.yaml",
        ));
    };
    let provider = models.providers.swap_remove(place);
    models.providers = vec![provider];
    models.tasks.retain(|_, named| named == name);
    Ok(())
}

/// Lets the provider that is asked first be asked for another model.
fn ask_for(model: &str, config: &mut Config) -> Result<(), Error> {
    let task = config.models.tasks.get("chat").cloned();
    let providers = &mut config.models.providers;
    let place = task.and_then(|name| providers.iter().position(|p| p.name == name)).unwrap_or(0);
    let hint = "choose a provider on a server with --provider";
    match providers.get_mut(place) {
        // The companion has no model, and that of a script is the name of its file.
        Some(provider) if matches!(provider.kind, Kind::Embedded | Kind::Mock | Kind::Human) => {
            Err(wrong(format!("the provider `{}` has no choice of models", provider.name), hint))
        }
        Some(provider) => {
            let known: Vec<&String> = provider.model.iter().chain(&provider.models).collect();
            if !known.iter().any(|name| *name == model) {
                let known: Vec<&str> = known.into_iter().map(String::as_str).collect();
                return Err(wrong(
                    format!(
                        "the provider `{}` is not configured for the model `{}`; configured: {}",
                        provider.name,
                        text::cut(model, 80),
                        known.join(" ")
                    ),
                    "models that may be chosen are listed under the provider's `models` in config/default.yaml",
                ));
            }
            provider.model = Some(model.to_owned());
            Ok(())
        }
        None => Err(wrong("no provider is configured".to_owned(), hint)),
    }
}

fn within(timeout: Duration, config: &mut Config) -> Result<(), Error> {
    let providers = &mut config.models.providers;
    let limit = providers.iter().map(|provider| provider.total).max().unwrap_or(timeout);
    if timeout > limit {
        return Err(wrong(
            format!(
                "--timeout {} is more than the longest `total_seconds: {}` of the providers",
                timeout.as_secs(),
                limit.as_secs()
            ),
            "a command line can only tighten what config/default.yaml says",
        ));
    }
    for provider in providers {
        provider.timeout = provider.timeout.min(timeout);
        provider.total = provider.total.min(timeout);
    }
    config.limits.tool_timeout = config.limits.tool_timeout.min(timeout);
    Ok(())
}

fn wrong(what: String, hint: &str) -> Error {
    Error::Usage { what, hint: hint.to_owned() }
}

#[cfg(test)]
mod tests;
