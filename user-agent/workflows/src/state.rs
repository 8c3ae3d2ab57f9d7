//! What a run has done so far. The log is the truth; this is what a replay of it gives.

use serde::{Deserialize, Serialize};
use shared_types::id::{ConversationId, Digest, StepId, WorkflowName};
use shared_types::provenance::Provenance;

use super::place::Place;

/// One record of a run's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// When, in RFC 3339.
    pub at: String,
    /// What happened.
    #[serde(flatten)]
    pub what: Event,
}

/// What happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Event {
    /// The run began; this is the first record and there is no second one.
    Begun {
        /// The run, which is also its conversation.
        run: ConversationId,
        workflow: WorkflowName,
        /// Where it is.
        place: Place,
        /// Its file as it was then.
        sha256: Digest,
        /// Whether a schedule began it.
        #[serde(default)]
        scheduled: bool,
    },
    /// A step is about to be done. Without a later record of it nobody knows whether it was.
    Started { step: StepId },
    /// A step was done.
    Done {
        step: StepId,
        /// What it answered.
        text: String,
        /// What the conversation has held since.
        holds: Provenance,
    },
    /// A step came to nothing.
    Failed {
        step: StepId,
        why: String,
        /// Whether a rule or a person forbade it.
        denied: bool,
        /// What the conversation has held since.
        holds: Provenance,
    },
    /// The run stopped at an approval.
    Waits { step: StepId },
    /// A person answered an approval.
    Answered {
        step: StepId,
        /// Whether it was a yes.
        yes: bool,
        /// Who, as the operating system knows them.
        by: String,
    },
    /// A person decided about a step that was begun and not finished.
    Resolved {
        step: StepId,
        /// Done again; else passed over.
        again: bool,
        /// Who, as the operating system knows them.
        by: String,
    },
    /// The run is over.
    Ended { how: End },
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// Every step was done, or failed and was passed over as the workflow says.
    Done,
    /// A step failed.
    Failed,
    /// A rule or a person forbade a step.
    Refused,
}

impl End {
    /// The spelling in output.
    pub fn as_str(self) -> &'static str {
        match self {
            End::Done => "done",
            End::Failed => "failed",
            End::Refused => "refused",
        }
    }
}

/// How far a step is.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// Begun, and nobody knows whether it was done.
    Begun,
    /// To be done again; a person said so.
    Again,
    /// Done, with its text.
    Done(String),
    /// It came to nothing; why, and whether it was forbidden.
    Failed(String, bool),
    /// It waits for a person.
    Waits,
    /// A person said no.
    No(String),
    /// Passed over; a person said so.
    Skipped,
}

impl Progress {
    /// The spelling in output.
    pub fn as_str(&self) -> &'static str {
        match self {
            Progress::Begun => "begun",
            Progress::Again => "again",
            Progress::Done(_) => "done",
            Progress::Failed(_, true) => "denied",
            Progress::Failed(_, false) => "failed",
            Progress::Waits => "waiting",
            Progress::No(_) => "no",
            Progress::Skipped => "skipped",
        }
    }
}

/// Why a record cannot stand where it does.
#[derive(Debug, thiserror::Error)]
pub enum Misplaced {
    /// An ended run goes no further.
    #[error("something follows the end of the run")]
    AfterEnd,
    /// Only the first record begins a run.
    #[error("the run begins twice")]
    BegunTwice,
    /// The step is not so far, or is finished.
    #[error("`{next}` cannot follow for the step {step}")]
    Step {
        /// What it would become.
        next: &'static str,
        step: StepId,
    },
}

/// A run as its log tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The run, which is also its conversation.
    pub run: ConversationId,
    pub workflow: WorkflowName,
    /// Where it was.
    pub place: Place,
    /// Its file as it was.
    pub sha256: Digest,
    /// Whether a schedule began it.
    pub scheduled: bool,
    /// When it began.
    pub begun: String,
    /// When something happened last.
    pub last: String,
    /// What its conversation holds.
    pub holds: Provenance,
    /// How far the steps are that were looked at, in the order of the workflow.
    pub steps: Vec<(StepId, Progress)>,
    /// How it ended, if it has.
    pub ended: Option<End>,
}

impl State {
    /// The state that the first record gives; `None` for any other record.
    pub fn first(record: &Record) -> Option<State> {
        let Event::Begun { run, workflow, place, sha256, scheduled } = &record.what else { return None };
        Some(State {
            run: run.clone(),
            workflow: workflow.clone(),
            place: *place,
            sha256: sha256.clone(),
            scheduled: *scheduled,
            begun: record.at.clone(),
            last: record.at.clone(),
            holds: place.provenance(),
            steps: Vec::new(),
            ended: None,
        })
    }

    /// Takes the next record in. What cannot follow is refused: an ended run goes no further, a finished step stays finished.
    ///
    /// # Errors
    /// See [`Misplaced`].
    pub fn take(&mut self, record: &Record) -> Result<(), Misplaced> {
        if self.ended.is_some() {
            return Err(Misplaced::AfterEnd);
        }
        let (step, next) = match &record.what {
            Event::Begun { .. } => return Err(Misplaced::BegunTwice),
            Event::Ended { how } => {
                self.ended = Some(*how);
                self.last.clone_from(&record.at);
                return Ok(());
            }
            Event::Started { step } => (step, Progress::Begun),
            Event::Done { step, text, .. } => (step, Progress::Done(text.clone())),
            Event::Failed { step, why, denied, .. } => (step, Progress::Failed(why.clone(), *denied)),
            Event::Waits { step } => (step, Progress::Waits),
            Event::Answered { step, yes: true, by } => (step, Progress::Done(format!("approved by {by}"))),
            Event::Answered { step, yes: false, by } => (step, Progress::No(by.clone())),
            Event::Resolved { step, again: true, .. } => (step, Progress::Again),
            Event::Resolved { step, again: false, .. } => (step, Progress::Skipped),
        };
        if let Event::Done { holds, .. } | Event::Failed { holds, .. } = &record.what {
            self.holds = self.holds.with(*holds);
        }
        // What may follow what, for one step; everything else is refused.
        let fits = matches!(
            (self.step(step), &record.what),
            (None, Event::Started { .. } | Event::Waits { .. })
                | (Some(Progress::Begun | Progress::Again), Event::Started { .. })
                | (Some(Progress::Begun), Event::Done { .. } | Event::Failed { .. } | Event::Resolved { .. })
                | (Some(Progress::Waits), Event::Answered { .. })
        );
        if !fits {
            return Err(Misplaced::Step { next: next.as_str(), step: step.clone() });
        }
        match self.steps.iter_mut().find(|(id, _)| id == step) {
            Some((_, progress)) => *progress = next,
            None => self.steps.push((step.clone(), next)),
        }
        self.last.clone_from(&record.at);
        Ok(())
    }

    /// How far a step is, if it was looked at.
    pub fn step(&self, id: &StepId) -> Option<&Progress> {
        self.steps.iter().find(|(step, _)| step == id).map(|(_, progress)| progress)
    }

    /// The word for where the run stands.
    pub fn word(&self) -> &'static str {
        match self.ended {
            Some(end) => end.as_str(),
            None if self.steps.iter().any(|(_, p)| *p == Progress::Waits) => "waiting",
            None => "stopped",
        }
    }
}

#[cfg(test)]
mod tests;
