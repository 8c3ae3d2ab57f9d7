//! Writes the source of a skill from a validated proposal, two ways behind one trait.
//!
//! - [`Templates`]: the offline library, one file per family of wishes
//! - [`ModelImplementer`]: a language model, given the SDK's reference, the rules and the wish as data
//!
//! Whatever is written here is hostile until the build has looked at it: nothing is believed of it.

mod model;
mod templates;

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_types::proposal::Proposal;

pub use model::ModelImplementer;
pub use templates::Templates;

/// What is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Assignment<'a> {
    /// The wish.
    pub proposal: &'a Proposal,
    /// What became of the attempt before, if there was one.
    pub feedback: Option<&'a Feedback<'a>>,
}

/// An attempt that failed, and why.
#[derive(Debug, Clone, Copy)]
pub struct Feedback<'a> {
    /// Which attempt it was, from 1.
    pub attempt: u32,
    /// The source that failed; empty if there was none.
    pub source: &'a str,
    /// What scan, compiler, link or trial said.
    pub messages: &'a [String],
}

/// A source, and where it comes from.
#[derive(Debug, Clone)]
pub struct Written {
    /// The skill's one file.
    pub source: String,
    /// Who wrote it, such as `template dice` or `model NAME/MODEL`.
    pub author: String,
    /// Examples to try, beside those of the proposal.
    pub examples: Vec<Trial>,
    /// What was sent to a model and what it answered; how a template was chosen and filled.
    pub transcript: String,
    /// Tokens of a model that it cost.
    pub tokens: u64,
}

/// One call to try, and a text that its answer must contain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub args: Value,
    /// What the answer must contain; the empty text is in every answer.
    pub expect: String,
}

/// What an implementer makes of an assignment.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A source.
    Written(Written),
    /// It cannot be done, and why.
    Infeasible(String),
    /// Another implementer must write it; why, for the person.
    NotMine(String),
    /// The model answered, but with nothing that is a source; what is wrong with it, to be fed back.
    Garbage {
        /// What the next attempt is told.
        message: String,
        /// What was sent and answered.
        transcript: String,
        /// Tokens of the model that it cost.
        tokens: u64,
    },
}

/// The implementer cannot work now; the proposal waits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unavailable(pub String);

/// Writes the source of skills.
pub trait Implementer {
    /// Its name, for the journal.
    fn name(&self) -> &str;

    /// Writes one attempt; `cancel` ends it early.
    ///
    /// # Errors
    /// It cannot work now: the model does not answer, refuses the key, or was cancelled.
    fn write(&self, assignment: &Assignment<'_>, cancel: &AtomicBool) -> Result<Answer, Unavailable>;
}
