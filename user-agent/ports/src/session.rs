//! How the program was started, and what holds.

use std::sync::{Arc, Mutex, PoisonError};

use bot_base::config::Overrides;
use confine::{Held, Tier};

/// How the program was started, and what holds.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// The line of `-m`.
    pub message: Option<String>,
    /// The conversation that was asked for, or `last`.
    pub conversation: Option<String>,
    /// Whether each turn is answered with one JSON value.
    pub json: bool,
    /// What the command line tightened; the configuration holds it already.
    pub overrides: Overrides,
    /// Whether a person sits at a terminal.
    pub interactive: bool,
    /// Whether a schedule started this, so that nobody is there to ask.
    pub scheduled: bool,
    /// Whether answers go to a terminal.
    pub terminal: bool,
    /// Whether nothing but the core skills was started.
    pub core_only: bool,
    /// Whether something starts the program again after exit code 75.
    pub supervised: bool,
    /// Whether escapes may be written.
    pub colour: bool,
    /// The tier of isolation.
    pub tier: Option<Tier>,
    /// What holds.
    pub held: Held,
    /// The serial of the manifest.
    pub serial: u64,
    /// Whether there is a network process.
    pub network: bool,
    /// What the person is told between two prompts.
    pub later: Later,
}

/// Sentences that wait for the next prompt, so that none is written over a line that is being typed.
#[derive(Debug, Clone, Default)]
pub struct Later(Arc<Mutex<Vec<String>>>);

impl Later {
    /// Adds sentences.
    pub fn add(&self, sentences: Vec<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(sentences);
    }

    /// Takes all that wait.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
