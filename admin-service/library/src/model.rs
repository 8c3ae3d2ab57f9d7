//! A language model writes the source: the SDK's reference and the rules as instructions, the wish as data.

mod advice;
mod asking;
mod bounds;
mod functions;
mod prompt;
mod reply;
#[cfg(test)]
mod tests;
mod transcript;

use std::sync::atomic::AtomicBool;

use builder::scaffold;
use builder::workers::{self, ChildFault, Job};
use ledger::attempt::Author;
use models::Provider;
use shared_types::proposal::Proposal;

use self::asking::{Asked, Asker, Question};
use self::functions::Assemble;
use self::reply::Reply;
use self::transcript::Transcript;
use super::{Answer, Assignment, Implementer, Unavailable, Written};

pub use self::transcript::tokens_told;

/// The instructions that a model gets before the wish.
pub fn instructions(proposal: &Proposal, installed: bool) -> String {
    match is_scaffolded(proposal, installed) {
        true => functions::instructions(proposal),
        false => prompt::instructions(),
    }
}

/// Whether the model writes functions for the tools of the wish, and the program the rest; a skill that is there is changed whole.
fn is_scaffolded(proposal: &Proposal, installed: bool) -> bool {
    !installed && scaffold::serves(proposal)
}

/// Has a model write the source.
pub struct ModelImplementer {
    asker: Asker,
    assemble: Assemble,
}

impl ModelImplementer {
    /// An implementer that asks this provider.
    pub fn new(provider: Box<dyn Provider>) -> Self {
        let assemble: Assemble = |order, cancel| {
            let order = serde_json::to_vec(order)
                .map_err(|e| ChildFault::Failed { code: 0, words: e.to_string() })?;
            workers::run(Job::Assemble, &order, cancel)
        };
        ModelImplementer { asker: Asker { provider }, assemble }
    }
}

impl Implementer for ModelImplementer {
    fn name(&self) -> &str {
        self.asker.provider.name()
    }

    fn write(&self, assignment: &Assignment<'_>, cancel: &AtomicBool) -> Result<Answer, Unavailable> {
        if is_scaffolded(assignment.proposal, assignment.installed.is_some()) {
            return functions::write(&self.asker, self.assemble, assignment, cancel);
        }
        let question = Question {
            system: prompt::instructions(),
            messages: prompt::messages(assignment),
            attempt: assignment.attempt(),
            left: assignment.left,
            before: assignment.feedback.map_or("", |f| f.source),
        };
        match self.asker.ask(question, cancel) {
            Asked::Answered(transcript) => Ok(judge(transcript)),
            Asked::Ended(ended) => ended,
        }
    }
}

/// What an answer means.
fn judge(mut transcript: Transcript) -> Answer {
    let tokens = transcript.cost.tokens;
    match reply::read(&transcript.answer) {
        Reply::Source(source) => {
            transcript.came_to = format!("a source of {} lines", source.lines().count());
            let author = Author::model(&transcript.author, false);
            Answer::Written(Written {
                source,
                author,
                examples: Vec::new(),
                transcript: transcript.text(),
                tokens,
            })
        }
        Reply::Infeasible(reason) => {
            transcript.came_to = format!("INFEASIBLE: {reason}");
            Answer::Infeasible { reason, transcript: transcript.text(), tokens }
        }
        Reply::Garbage(message) => {
            transcript.came_to = format!("no source: {message}");
            Answer::Garbage { message, transcript: transcript.text(), tokens }
        }
    }
}
