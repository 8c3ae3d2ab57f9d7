//! Which provider answers, and what to do when it does not.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::ModelError;
use crate::provider::{Piece, Provider, Watch};
use crate::request::{Request, Response};

/// Providers in order of priority, with a preferred one for some tasks.
pub struct Router {
    providers: Vec<Box<dyn Provider>>,
    tasks: BTreeMap<String, String>,
}

/// An answer, and what happened on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Routed {
    /// The answer.
    pub response: Response,
    /// One sentence per provider that was asked in vain.
    pub notes: Vec<String>,
}

impl Router {
    /// Takes the providers in order of priority, and task to name of the provider that is asked first for it.
    pub fn new(providers: Vec<Box<dyn Provider>>, tasks: BTreeMap<String, String>) -> Self {
        Router { providers, tasks }
    }

    /// The providers, in order of priority.
    pub fn providers(&self) -> impl Iterator<Item = &dyn Provider> {
        self.providers.iter().map(AsRef::as_ref)
    }

    /// Asks the provider that the task prefers, then the others in order; only network, key, rate and time-out errors
    /// lead to the next one.
    ///
    /// # Errors
    /// The first error that no other provider can mend, or that of the first provider when all fail.
    pub fn chat(
        &self,
        request: &Request,
        watch: &mut Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Routed, ModelError> {
        let preferred = self.tasks.get(request.task());
        let first = self.providers.iter().filter(|p| preferred.is_some_and(|name| name == p.name()));
        let others = self.providers.iter().filter(|p| preferred.is_none_or(|name| name != p.name()));
        let mut notes = Vec::new();
        let mut first_error = None;
        for provider in first.chain(others) {
            if cancel.load(Ordering::Relaxed) {
                return Err(ModelError::Cancelled { provider: provider.name().to_owned() });
            }
            // A model's name means something to the provider it was meant for only.
            let plain;
            let request = if notes.is_empty() || request.model.is_none() {
                request
            } else {
                plain = Request { model: None, ..request.clone() };
                &plain
            };
            if !notes.is_empty() {
                watch(Piece::Again);
            }
            match provider.chat(request, watch, cancel) {
                Ok(response) => return Ok(Routed { response, notes }),
                Err(error) if error.falls_back() => {
                    notes.push(error.to_string());
                    first_error.get_or_insert(error);
                }
                // The fallback's own refusal hides what really went wrong.
                Err(ModelError::Refused { .. }) if first_error.is_some() => {}
                Err(error) => return Err(error),
            }
        }
        Err(first_error.unwrap_or_else(|| self.unknown("any")))
    }

    /// Asks one provider by name, and no other.
    ///
    /// # Errors
    /// The provider's own, or [`ModelError::Unknown`].
    pub fn chat_with(
        &self,
        name: &str,
        request: &Request,
        watch: &mut Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Routed, ModelError> {
        let provider = self.providers.iter().find(|p| p.name() == name).ok_or_else(|| self.unknown(name))?;
        Ok(Routed { response: provider.chat(request, watch, cancel)?, notes: Vec::new() })
    }

    fn unknown(&self, name: &str) -> ModelError {
        let known: Vec<&str> = self.providers.iter().map(|p| p.name()).collect();
        ModelError::Unknown { provider: shared_types::text::cut(name, 40), known: known.join(" ") }
    }
}

#[cfg(test)]
mod tests;
