//! The kernel: the part of the mind that cannot be a skill.
//!
//! 1. One way: an event or a call of a tool reaches a skill through [`Kernel`] alone (here, `calls`, [`approval`]).
//! 2. One gate decides about every call before it is made, one after the other (`gate`; [`approval`] asks for a yes).
//! 3. The skills are frozen before the first of them is loaded ([`registry`], [`skill`]).
//! 4. A skill reaches what [`grants`] decided and nothing else; its handles are made for the proof [`program::ByKernel`] alone.
//! 5. What a conversation holds is noted where it passes; no skill is asked, and none takes it away (`taint`).
//! 6. While the emergency stop holds nothing begins, and it ends what runs ([`stop`]).
//! 7. Every attempted call leaves a receipt, regardless of the outcome (`calls`).
//! 8. No skill's name stands here: what a part of the bot may do beyond its tokens is a table that is handed in
//!    ([`shared_types::power`]).
//! 9. No file, socket or model is here: the program has them, and the kernel asks it by one trait ([`program`]).
#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use shared_types::capability::Token;
use shared_types::id::EventType;
use shared_types::message::{Answer, Message};

use context::KernelContext;
use program::{ByKernel, Program};
use registry::{Entry, Registry};

pub mod approval;
mod calls;
pub mod context;
mod gate;
pub mod grants;
pub mod program;
pub mod reach;
pub mod registry;
mod screen;
pub mod skill;
pub mod stop;
mod taint;

pub use context::Kernel;

/// How many dispatches may be above a call.
pub const MAX_DEPTH: u8 = 4;

/// A kernel, and what it warns of.
pub type Booted<P> = (Arc<Kernel<P>>, Vec<String>);

impl<P: Program> Kernel<P> {
    /// Freezes the registry, checks that somebody can talk with a person, and loads every skill; a skill that cannot
    /// load says so among the warnings.
    ///
    /// # Errors
    /// No active skill has `user:input`.
    pub fn boot(program: P, entries: Vec<Entry<P>>) -> Result<Booted<P>, P::Error> {
        let kernel = Arc::new(Kernel {
            registry: Registry::freeze(entries),
            program,
            taint: Mutex::default(),
            judging: Mutex::default(),
        });
        if !kernel
            .registry
            .entries()
            .iter()
            .any(|e| e.grants.tokens().contains(Token::UserInput) && !e.learned)
        {
            return Err(P::no_driver());
        }
        let mut warnings = Vec::new();
        for (n, entry) in kernel.registry.entries().iter().enumerate() {
            if let Err(why) = entry.skill.on_load(&kernel.context(n)) {
                warnings.push(format!("the skill {} did not load: {why}", entry.skill.name()));
            }
        }
        Ok((kernel, warnings))
    }

    /// Runs the driver until the person leaves, then unloads every skill.
    ///
    /// # Errors
    /// The channel is switched off, or another error ended the driver.
    pub fn run(self: &Arc<Self>) -> Result<u8, P::Error> {
        self.program.begin(&ByKernel::new())?;
        let mut drivers = (0..self.registry.entries().len())
            .filter_map(|n| self.registry.entries()[n].skill.run(&self.context(n)));
        let ended = drivers.next().unwrap_or_else(|| Err(P::no_driver()));
        self.unload();
        ended
    }

    /// Unloads every skill, so that what is still to be remembered is.
    pub fn unload(self: &Arc<Self>) {
        for (n, entry) in self.registry.entries().iter().enumerate() {
            entry.skill.on_unload(&self.context(n));
        }
    }

    /// Hands a message to its handler; source, session and profile are the kernel's to say.
    fn dispatch(self: &Arc<Self>, from: &KernelContext<P>, message: Message) -> Option<Answer> {
        let event = self.event(from.skill().as_str(), message);
        let place = self.registry.handler(&event.event_type).filter(|_| from.depth() < MAX_DEPTH)?;
        self.hear(from, &event.payload);
        let entry = &self.registry.entries()[place];
        let ctx = from.onward_with(place, &event.payload);
        let answer = match entry.learned {
            false => entry.skill.answer(&event, &ctx),
            true => self.unless_stopped(&ctx, |ctx| entry.skill.answer(&event, ctx)).ok()?,
        };
        self.recall(from, &event.payload, answer.as_ref());
        answer
    }
}

impl<P: Program> KernelContext<P> {
    /// Sends a message; `None` when no skill handles it, when this skill may not send it, or four dispatches deep.
    pub fn ask(&self, message: impl Into<Message>) -> Option<Answer> {
        let message = message.into();
        self.grants().emits(&message.event_type()).then(|| self.kernel().dispatch(self, message))?
    }

    /// The same with JSON, as learned skills send and receive it.
    pub fn dispatch(&self, event_type: &EventType, payload: Value) -> Option<Value> {
        if !self.grants().emits(event_type) {
            return None;
        }
        match Message::read(event_type, payload) {
            Ok(message) => self.ask(message).map(|answer| answer.to_json()),
            Err(why) => Some(json!({"error": why.to_string()})),
        }
    }
}

#[cfg(test)]
mod tests;
