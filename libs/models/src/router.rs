//! Which provider answers, and what to do when it does not.
//!
//! The order is that of the configuration; what a person or a task prefers comes first. A provider that failed is left
//! alone for a while ([`crate::breaker`]), so that a dead first choice does not cost its time-out every turn. That another one
//! answers in its place is reported once, and once that it is back.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::mem::discriminant;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use shared_types::text;

use crate::breaker::{Breaker, Health};
use crate::error::ModelError;
use crate::provider::{Kind, Piece, Provider, Watch};
use crate::request::{Request, Response};

/// Providers in order of priority, with a preferred one for some tasks.
pub struct Router {
    providers: Vec<Box<dyn Provider>>,
    tasks: BTreeMap<String, String>,
    clock: Clock,
    state: Mutex<State>,
}

type Clock = Box<dyn Fn() -> Instant + Send + Sync>;

#[derive(Default)]
struct State {
    /// One per provider.
    records: Vec<Record>,
    /// What the person prefers: which provider, and which of its models.
    choice: Option<(usize, Option<String>)>,
}

#[derive(Debug, Clone, Default)]
struct Record {
    breaker: Breaker,
    /// The last error, until the provider answers again.
    error: Option<ModelError>,
    /// Whether it was reported that another one answers because of it.
    told: bool,
}

/// An answer, and what happened on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Routed {
    /// The answer.
    pub response: Response,
    /// Why each provider before this one did not answer, now or at an earlier request, unless it was reported before.
    pub notes: Vec<String>,
    /// The names of those that were asked in vain.
    pub failed: Vec<String>,
    /// Whether it was reported that this provider did not answer: it does again.
    pub is_back: bool,
}

impl Routed {
    /// An answer that came without a way round.
    pub fn of(response: Response) -> Routed {
        Routed { response, notes: vec![], failed: vec![], is_back: false }
    }
}

/// One provider as `/model` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderStatus {
    /// The name in the configuration.
    pub name: String,
    /// What kind of provider.
    pub kind: Kind,
    /// The model that is asked; empty where there is only one.
    pub model: String,
    /// The models that may be chosen beside it.
    pub models: Vec<String>,
    /// Whether it would be asked.
    pub health: Health,
    /// Whether the person prefers it.
    pub preferred: bool,
    /// Why it did not answer the last time.
    pub error: Option<String>,
}

impl Router {
    /// Takes the providers in order of priority, and task to name of the provider that is asked first for it.
    pub fn new(providers: Vec<Box<dyn Provider>>, tasks: BTreeMap<String, String>) -> Self {
        Router::with_clock(providers, tasks, Box::new(Instant::now))
    }

    /// As [`Router::new`], with another clock.
    pub fn with_clock(
        providers: Vec<Box<dyn Provider>>,
        tasks: BTreeMap<String, String>,
        clock: Box<dyn Fn() -> Instant + Send + Sync>,
    ) -> Self {
        let records = vec![Record::default(); providers.len()];
        Router { providers, tasks, clock, state: Mutex::new(State { records, choice: None }) }
    }

    /// The providers, in order of priority.
    pub fn providers(&self) -> impl Iterator<Item = &dyn Provider> {
        self.providers.iter().map(AsRef::as_ref)
    }

    /// The provider that a request for this task would go to now.
    pub fn first(&self, task: &str) -> Option<&dyn Provider> {
        let order = self.order(task);
        let (state, now) = (self.state(), (self.clock)());
        let available = order.iter().find(|i| state.records[**i].breaker.health(now).is_available());
        Some(self.providers[*available.or(order.first())?].as_ref())
    }

    /// Every provider, in order of priority.
    pub fn status(&self) -> Vec<ProviderStatus> {
        let (state, now) = (self.state(), (self.clock)());
        let row = |(i, provider): (usize, &dyn Provider)| {
            let choice = state.choice.as_ref().filter(|(of, _)| *of == i);
            let model = choice.and_then(|(_, model)| model.as_deref()).unwrap_or(provider.model());
            ProviderStatus {
                name: provider.name().to_owned(),
                kind: provider.kind(),
                model: model.to_owned(),
                models: provider.models().to_vec(),
                health: state.records[i].breaker.health(now),
                preferred: choice.is_some(),
                error: state.records[i].error.as_ref().map(ModelError::to_string),
            }
        };
        self.providers().enumerate().map(row).collect()
    }

    /// Prefers a provider for conversations, and one of the models that its configuration lists; a model without a
    /// provider chooses the first that lists it, and neither goes back to the configuration's own order.
    ///
    /// # Errors
    /// [`ModelError::Unknown`] for a provider that is not configured, [`ModelError::UnknownModel`] for a model that is
    /// not listed; then nothing has changed.
    pub fn prefer(&self, provider: Option<&str>, model: Option<&str>) -> Result<(), ModelError> {
        let lists = |i: &usize, model: &str| {
            let provider = &self.providers[*i];
            provider.model() == model || provider.models().iter().any(|m| m == model)
        };
        let named = match provider {
            None => None,
            Some(name) => Some(self.position(name).ok_or_else(|| self.unknown(name))?),
        };
        let mut all = 0..self.providers.len();
        let choice = match (named, model) {
            (None, None) => None,
            (Some(i), None) => Some((i, None)),
            (Some(i), Some(model)) if lists(&i, model) => Some((i, Some(model.to_owned()))),
            (Some(i), Some(model)) => return Err(self.unknown_model(&[i], model)),
            (None, Some(model)) => match all.find(|i| lists(i, model)) {
                Some(i) => Some((i, Some(model.to_owned()))),
                None => return Err(self.unknown_model(&(0..self.providers.len()).collect::<Vec<_>>(), model)),
            },
        };
        self.state().choice = choice;
        Ok(())
    }

    /// Asks the provider that the person or the task prefers, then the others in order; only network, key, rate and
    /// time-out errors lead to the next one. A provider in its pause is passed over, unless all are. Pictures go only to
    /// providers that take them.
    ///
    /// # Errors
    /// [`ModelError::NoImages`] where pictures go with the request and no provider takes them.
    /// The first error that no other provider can mend, or that of the first provider when all fail. An answer to a
    /// conversation that broke off is such an error: what a person has seen, no other provider begins anew.
    pub fn chat(
        &self,
        request: &Request,
        watch: &mut Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Routed, ModelError> {
        let order = self.order_for(request)?;
        let mut left = order.clone();
        // Of a provider that takes no pictures another one does not get the model's name either.
        let intended = self.order(request.task()).first().copied();
        let mut failed = Vec::new();
        let mut first_error = None;
        while let Some(i) = self.take_next(&mut left) {
            let provider = &self.providers[i];
            if cancel.load(Ordering::Relaxed) {
                self.state().records[i].breaker.unclear();
                return Err(ModelError::Cancelled { provider: provider.name().to_owned() });
            }
            if first_error.is_some() {
                watch(Piece::Again);
            }
            let request = self.fitted(request, i, intended);
            match self.ask(i, &request, watch, cancel) {
                Ok(response) => {
                    let notes = self.notes(order.iter().take_while(|before| **before != i));
                    let is_back = std::mem::take(&mut self.state().records[i].told);
                    return Ok(Routed { response, notes, failed, is_back });
                }
                Err(error @ ModelError::BrokeOff { .. }) if request.is_chat() => return Err(error),
                Err(error) if error.falls_back() => {
                    failed.push(provider.name().to_owned());
                    first_error.get_or_insert(error);
                }
                // The fallback's own refusal hides what really went wrong.
                Err(ModelError::Refused { .. }) if first_error.is_some() => {}
                Err(error) => return Err(error),
            }
        }
        Err(first_error.unwrap_or_else(|| self.unknown("any")))
    }

    /// Asks one provider by name, and no other, regardless of what is known of its health.
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
        let i = self.position(name).ok_or_else(|| self.unknown(name))?;
        self.takes(i, request)?;
        self.state().records[i].breaker.asked();
        Ok(Routed::of(self.ask(i, request, watch, cancel)?))
    }

    /// One provider, asked a second time where it only wants a moment, with its health recorded.
    fn ask(
        &self,
        i: usize,
        request: &Request,
        watch: &mut Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Response, ModelError> {
        let provider = &self.providers[i];
        let mut outcome = provider.chat(request, watch, cancel);
        if let Err(ModelError::Rate { retry_after: Some(wait), .. }) = &outcome
            && *wait <= SHORT
            && pause(*wait, cancel)
        {
            watch(Piece::Again);
            outcome = provider.chat(request, watch, cancel);
        }
        let now = (self.clock)();
        let record = &mut self.state().records[i];
        match &outcome {
            Err(error) if error.falls_back() => {
                let error = if let ModelError::BrokeOff { why, .. } = error { why } else { error };
                let wish = if let ModelError::Rate { retry_after, .. } = error { *retry_after } else { None };
                record.breaker.failed(now, wish);
                // Another kind of failure is news.
                record.told &=
                    record.error.as_ref().is_some_and(|old| discriminant(old) == discriminant(error));
                record.error = Some(error.clone());
            }
            Err(ModelError::Cancelled { .. } | ModelError::Denied { .. }) => record.breaker.unclear(),
            Ok(_) | Err(_) => {
                record.breaker.answered();
                record.error = None;
            }
        }
        outcome
    }

    /// The next one to ask: the first that is healthy, at last the one of the others whose pause is over first.
    fn take_next(&self, left: &mut Vec<usize>) -> Option<usize> {
        let now = (self.clock)();
        let state = &mut *self.state();
        let remaining = |i: &usize| match state.records[*i].breaker.health(now) {
            Health::Closed | Health::HalfOpen => Duration::ZERO,
            Health::Open(pause) => pause,
            Health::Probing => LEAST_LIKELY,
        };
        let at = match left.iter().position(|i| remaining(i).is_zero()) {
            Some(at) => at,
            None => {
                let least_bad =
                    left.iter().enumerate().min_by_key(|(_, i)| remaining(i)).map(|(at, _)| at)?;
                let i = left[least_bad];
                // After this one, those that are worse are not worth their time-out.
                *left = vec![i];
                0
            }
        };
        let i = left.remove(at);
        state.records[i].breaker.asked();
        Some(i)
    }

    /// The places of all providers in the order in which a task asks them.
    fn order(&self, task: &str) -> Vec<usize> {
        let chosen = self.state().choice.as_ref().map(|(i, _)| *i);
        let configured = self.tasks.get(task).and_then(|name| self.position(name));
        // For a conversation the person's word counts; another task keeps the provider that was configured for it.
        let first = if task == "chat" { chosen.or(configured) } else { configured.or(chosen) };
        first.into_iter().chain((0..self.providers.len()).filter(|i| Some(*i) != first)).collect()
    }

    /// The places of the providers that may get a request, in order: pictures go only to those that take them.
    fn order_for(&self, request: &Request) -> Result<Vec<usize>, ModelError> {
        let order = self.order(request.task());
        let takers: Vec<usize> = order.iter().copied().filter(|i| self.takes(*i, request).is_ok()).collect();
        match order.first() {
            Some(first) if takers.is_empty() => self.takes(*first, request).map(|()| takers),
            _ => Ok(takers),
        }
    }

    /// Whether a provider may get a request.
    fn takes(&self, i: usize, request: &Request) -> Result<(), ModelError> {
        let provider = &self.providers[i];
        if provider.takes_images() || !request.has_pictures() {
            return Ok(());
        }
        Err(ModelError::NoImages { provider: provider.name().to_owned() })
    }

    /// The request as this provider is to get it: a model's name means something to the provider it was meant for only.
    fn fitted<'r>(&self, request: &'r Request, i: usize, intended: Option<usize>) -> Cow<'r, Request> {
        let chosen = self.state().choice.clone().filter(|(of, _)| *of == i).and_then(|(_, model)| model);
        let own = request.model.clone().filter(|_| intended == Some(i));
        let model = own.or(chosen);
        if model == request.model {
            return Cow::Borrowed(request);
        }
        Cow::Owned(Request { model, ..request.clone() })
    }

    /// What to say about providers that another one takes the place of, each failure once.
    fn notes<'i>(&self, passed: impl Iterator<Item = &'i usize>) -> Vec<String> {
        let state = &mut *self.state();
        let note = |i: &usize| {
            let record = &mut state.records[*i];
            let error = record.error.as_ref().filter(|_| !record.told)?;
            record.told = true;
            Some(error.to_string())
        };
        passed.filter_map(note).collect()
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.providers.iter().position(|p| p.name() == name)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unknown(&self, name: &str) -> ModelError {
        let known: Vec<&str> = self.providers.iter().map(|p| p.name()).collect();
        ModelError::Unknown { provider: text::cut(name, 40), known: known.join(" ") }
    }

    fn unknown_model(&self, places: &[usize], model: &str) -> ModelError {
        let of = |i: &usize| {
            let provider = &self.providers[*i];
            std::iter::once(provider.model()).chain(provider.models().iter().map(String::as_str))
        };
        let known: Vec<&str> = places.iter().flat_map(of).filter(|m| !m.is_empty()).collect();
        let known = if known.is_empty() { "none".to_owned() } else { text::cut(&known.join(" "), 400) };
        let provider = match places {
            [only] => self.providers[*only].name().to_owned(),
            _ => "any".to_owned(),
        };
        ModelError::UnknownModel { provider, model: text::cut(model, 80), known }
    }
}

/// A wait that is short enough to be worth it; beyond it the next provider is asked.
const SHORT: Duration = Duration::from_secs(3);
/// Where a provider that is being tried out comes in the search for the least bad.
const LEAST_LIKELY: Duration = Duration::MAX;

/// Waits; whether it was not cancelled.
pub(crate) fn pause(wait: Duration, cancel: &AtomicBool) -> bool {
    let end = Instant::now() + wait;
    while !cancel.load(Ordering::Relaxed) {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        std::thread::sleep(left.min(Duration::from_millis(20)));
    }
    false
}

#[cfg(test)]
mod tests;
