//! A language model writes the source: the SDK's reference and the rules as instructions, the wish as data.

mod bounds;
mod prompt;
mod reply;
#[cfg(test)]
mod tests;
mod transcript;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use models::{ModelError, Provider, Request, TASK};

use self::bounds::{Bounds, Cost};
use self::reply::Reply;
use self::transcript::Transcript;
use super::{Answer, Assignment, Implementer, Unavailable, Written};

/// What every model is told before the wish; the same for each.
pub fn instructions() -> String {
    prompt::instructions()
}

/// Has a model write the source.
pub struct ModelImplementer {
    provider: Box<dyn Provider>,
}

impl ModelImplementer {
    /// An implementer that asks this provider.
    pub fn new(provider: Box<dyn Provider>) -> Self {
        ModelImplementer { provider }
    }
}

impl Implementer for ModelImplementer {
    fn name(&self) -> &str {
        self.provider.name()
    }

    fn write(&self, assignment: &Assignment<'_>, cancel: &AtomicBool) -> Result<Answer, Unavailable> {
        let request = Request {
            system: prompt::instructions(),
            messages: prompt::messages(assignment),
            metadata: BTreeMap::from([(TASK.to_owned(), "implement".to_owned())]),
            ..Request::default()
        };
        let bounds = Bounds::of(assignment.left, &request);
        if let Some(bound) = bounds.exceeded_before() {
            return Ok(Answer::Over { bound, tokens: 0 });
        }
        let start = Instant::now();
        let asked = bounds.keep(cancel, |watch, stop| self.provider.chat(&request, watch, stop));
        let attempt = assignment.feedback.map_or(1, |f| f.attempt + 1);
        let mut transcript = Transcript::of(attempt, &request);
        match asked.result {
            Ok(response) => {
                let cost = Cost::of(response.usage, &request, &response.text);
                transcript.author = format!("{}/{}", response.provider, response.model);
                transcript.cost = cost;
                transcript.time = start.elapsed();
                transcript.answer = response.text;
                Ok(judge(transcript))
            }
            Err(ModelError::Cancelled { .. }) if asked.over.is_some() => {
                let tokens = Cost::of(None, &request, "").tokens + asked.streamed;
                Ok(Answer::Over { bound: asked.over.unwrap_or_default(), tokens })
            }
            Err(error) => {
                transcript.author = self.provider.name().to_owned();
                transcript.cost = Cost::of(None, &request, "");
                transcript.time = start.elapsed();
                unanswered(&error, transcript)
            }
        }
    }
}

/// What an answer means.
fn judge(mut transcript: Transcript) -> Answer {
    let tokens = transcript.cost.tokens;
    match reply::read(&transcript.answer) {
        Reply::Source(source) => {
            transcript.came_to = format!("a source of {} lines", source.lines().count());
            let author = format!("model {}", transcript.author);
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

/// What a failed request means: to wait, to count as a failed attempt, or to look for somebody else.
fn unanswered(error: &ModelError, mut transcript: Transcript) -> Result<Answer, Unavailable> {
    match error {
        ModelError::Malformed { .. } | ModelError::TooLarge { .. } => {
            let message = error.to_string();
            transcript.came_to = format!("no answer that can be read: {message}");
            let tokens = transcript.cost.tokens;
            Ok(Answer::Garbage { message, transcript: transcript.text(), tokens })
        }
        ModelError::BrokeOff { why, .. } => unanswered(why, transcript),
        ModelError::Refused { .. } => Ok(Answer::NotMine(error.to_string())),
        ModelError::Network { .. }
        | ModelError::Auth { .. }
        | ModelError::NoKey { .. }
        | ModelError::Rate { .. }
        | ModelError::Timeout { .. }
        | ModelError::Rejected { .. }
        | ModelError::Denied { .. }
        | ModelError::Cancelled { .. }
        | ModelError::Unknown { .. }
        | ModelError::UnknownModel { .. } => Err(Unavailable(error.to_string())),
    }
}
