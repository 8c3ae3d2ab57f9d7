//! Writes the source of a skill from a validated proposal, three ways behind one trait. This layer uses `learner` and the
//! layers below it.
//!
//! - [`Examples`]: a search for the rule that explains the examples of a wish
//! - [`Templates`]: the offline library, one folder per family of wishes
//! - [`ModelImplementer`]: a language model, given the SDK's reference, the rules and the wish as data
//!
//! A source that is written here is hostile until the build has checked it: nothing of it is trusted.
//!
//! # How it works
//!
//! Source is written by the implementers of `admin.yaml` in their order (`pipeline/src/implement.rs`): one that is away
//! or leaves a wish to others is skipped. What scan, compiler and trial found goes back to the next attempt, with lines
//! and excerpts (`library/src/messages.rs`) and with advice by kind of error (`library/src/model/advice.rs`); the wish,
//! an installed source and the messages are fenced as data. Attempts and tokens per proposal and seconds per attempt
//! are bounded; each request's cost is a record of the journal. Every attempt leaves `transcript-N.txt` in the package:
//! author, tokens, what was sent and answered, what the review found.
//!
//! Where a wish names its tools, a model writes one function for each of them, with the signature given, and only the
//! function that failed is asked for again (`library/src/model/functions.rs`). Description, parameters, phrases,
//! dispatch and the reading of arguments follow from the specification (`builder/src/scaffold`). The answer is read in
//! a child (`assemble`): prose, fences, a `main` and unused imports are left out, forgotten imports are added, other
//! types of numbers are converted, and a whole skill is taken as it is. The journal's author ends with `(scaffold)`
//! where only the functions are the model's. Before anybody is asked again, `pipeline/src/agent_review.rs` follows the
//! compiler's own suggestions, at most five times; only those that add or convert a type, or that the compiler calls
//! certain (`builder/src/compile/said.rs`). Each result is scanned again, and is in the package as `mended-N.rs`. An
//! answer equal to the last one is asked for anew, without the old source, at another temperature.
//!
//! A wish whose one tool is `by_examples` is for `learner/` alone: a pure search over a small language, bounded by
//! counted steps, whose functions (`learner/src/helpers.rs`) are the ones that it copies into the source. Its question
//! or refusal is the reason of the rejection.
#![forbid(unsafe_code)]

mod examples;
mod messages;
mod model;
mod templates;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use builder::workers::Trial;
use ledger::attempt::{Author, Objection};
use shared_types::proposal::{Example, Proposal, ToolWish};

pub use examples::Examples;
pub use messages::of_compiler;
pub use model::{ModelImplementer, instructions, tokens_told};
pub use templates::{Fault, Library, Templates};

/// What is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Assignment<'a> {
    /// The wish.
    pub proposal: &'a Proposal,
    /// What became of the attempt before, if there was one.
    pub feedback: Option<&'a Feedback<'a>>,
    /// The source of the installed version, where the wish is to change a skill that there is.
    pub installed: Option<&'a str>,
    /// What may still be spent on this proposal.
    pub left: Left,
}

impl Assignment<'_> {
    /// Which attempt this is, from 1.
    fn attempt(&self) -> u32 {
        self.feedback.map_or(1, |f| f.attempt + 1)
    }
}

/// The examples of a tool that the writer of the source is shown, and the one that is held back. It is tried all the same: a
/// source that knows nothing but its examples fails there. A single example is shown, since it tells the form of the answer.
pub fn examples(tool: &ToolWish) -> (&[Example], Option<&Example>) {
    match tool.examples.split_last() {
        Some((last, shown)) if !shown.is_empty() => (shown, Some(last)),
        _ => (&tool.examples, None),
    }
}

/// The examples of a template that are held back from the skill: the last one of each tool. A template is filled without its
/// examples, so nothing in the source tells the answer, also where there is only one.
pub fn examples_of_template(kept: &[Trial]) -> Vec<&Trial> {
    let is_last = |at: usize, trial: &Trial| !kept[at + 1..].iter().any(|later| later.tool == trial.tool);
    kept.iter().enumerate().filter(|(at, trial)| is_last(*at, trial)).map(|(_, trial)| trial).collect()
}

/// What may still be spent on a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Tokens of models, read and written.
    pub tokens: u64,
    /// Time in which models are asked.
    pub time: Duration,
}

impl Left {
    /// No bound at all, for those that spend nothing.
    pub const ENDLESS: Left = Left { tokens: u64::MAX, time: Duration::MAX };
}

/// An attempt that failed, and why.
#[derive(Debug, Clone, Copy)]
pub struct Feedback<'a> {
    /// Which attempt it was, from 1.
    pub attempt: u32,
    /// The source that failed; empty if there was none.
    pub source: &'a str,
    /// Whether all but the tools' functions of it was written by this program.
    pub scaffolded: bool,
    /// What scan, compiler, link or trial said.
    pub messages: &'a [Objection],
}

/// A source, and where it comes from.
#[derive(Debug, Clone)]
pub struct Written {
    /// The skill's one file.
    pub source: String,
    /// Who wrote it, such as `template dice` or `model NAME/MODEL`.
    pub author: Author,
    /// Examples to try, beside those of the proposal.
    pub examples: Vec<Trial>,
    /// What was sent to a model and what it answered; how a template was chosen and filled.
    pub transcript: String,
    /// What it cost: the server's own figure, or an estimate from the bytes; 0 for a template.
    pub tokens: u64,
}

/// What an implementer makes of an assignment.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A source.
    Written(Written),
    /// It cannot be done, and why.
    Infeasible {
        /// For the person.
        reason: String,
        /// What was sent and answered.
        transcript: String,
        /// What it cost.
        tokens: u64,
    },
    /// Another implementer must write it; why, for the person.
    NotMine(String),
    /// The model answered, but with nothing that is a source; what is wrong with it, to be fed back.
    Garbage {
        /// The message for the next attempt.
        message: String,
        /// What was sent and answered.
        transcript: String,
        /// What it cost.
        tokens: u64,
    },
    /// More would be spent than what is left for the proposal; it is not tried again.
    Over {
        /// Which bound, in words for the person.
        bound: String,
        /// What it cost all the same.
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
