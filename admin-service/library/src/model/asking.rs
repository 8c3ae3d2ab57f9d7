//! One question to a model, within its bounds; an answer that only repeats the last attempt is asked for anew.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use models::{Message, ModelError, Provider, Request, TASK};

use super::bounds::{Bounds, Cost};
use super::reply::{self, Reply};
use super::transcript::Transcript;
use crate::{Answer, Left, Unavailable};

/// Asks a provider.
pub(super) struct Asker {
    pub(super) provider: Box<dyn Provider>,
}

impl Asker {
    /// Asks once, within what is left; an answer that says the same as the last attempt is asked for anew, without it.
    pub(super) fn ask(&self, question: Question<'_>, cancel: &AtomicBool) -> Asked {
        let Question { system, messages, attempt, left, before } = question;
        let request = Request {
            system,
            messages,
            metadata: BTreeMap::from([(TASK.to_owned(), "implement".to_owned())]),
            ..Request::default()
        };
        let first = self.exchange(request.clone(), attempt, left, cancel);
        let same = |answer: &str| !before.trim().is_empty() && code_of(answer) == code_of(before);
        let (tokens, time) = match &first {
            Asked::Answered(transcript) if same(&transcript.answer) => {
                (transcript.cost.tokens, transcript.time)
            }
            _ => return first,
        };
        // The wish alone, as if nothing had been tried, and with more freedom.
        let messages = request.messages.into_iter().take(1).collect();
        let request = Request { messages, temperature: Some(ANEW), ..request };
        let left = Left { tokens: left.tokens.saturating_sub(tokens), time: left.time.saturating_sub(time) };
        match self.exchange(request, attempt, left, cancel) {
            Asked::Answered(mut second) => {
                second.cost.tokens += tokens;
                second.time += time;
                Asked::Answered(second)
            }
            Asked::Ended(Ok(Answer::Over { bound, tokens: more })) => {
                Asked::Ended(Ok(Answer::Over { bound, tokens: tokens + more }))
            }
            Asked::Ended(_) => first,
        }
    }

    fn exchange(&self, request: Request, attempt: u32, left: Left, cancel: &AtomicBool) -> Asked {
        let bounds = Bounds::of(left, &request);
        if let Some(bound) = bounds.exceeded_before() {
            return Asked::Ended(Ok(Answer::Over { bound, tokens: 0 }));
        }
        let start = Instant::now();
        let asked = bounds.keep(cancel, |watch, stop| self.provider.chat(&request, watch, stop));
        let mut transcript = Transcript::of(attempt, &request);
        match asked.result {
            Ok(response) => {
                let cost = Cost::of(response.usage, &request, &response.text);
                transcript.author = format!("{}/{}", response.provider, response.model);
                transcript.cost = cost;
                transcript.time = start.elapsed();
                transcript.answer = response.text;
                Asked::Answered(transcript)
            }
            Err(ModelError::Cancelled { .. }) if asked.over.is_some() => {
                let tokens = Cost::of(None, &request, "").tokens + asked.streamed;
                Asked::Ended(Ok(Answer::Over { bound: asked.over.unwrap_or_default(), tokens }))
            }
            Err(error) => {
                transcript.author = self.provider.name().to_owned();
                transcript.cost = Cost::of(None, &request, "");
                transcript.time = start.elapsed();
                Asked::Ended(unanswered(&error, transcript))
            }
        }
    }
}

/// One question to a model.
pub(super) struct Question<'a> {
    pub(super) system: String,
    pub(super) messages: Vec<Message>,
    pub(super) attempt: u32,
    pub(super) left: Left,
    /// What the last attempt said; empty where there was none.
    pub(super) before: &'a str,
}

/// What became of a question.
pub(super) enum Asked {
    /// An answer, with all that led to it.
    Answered(Transcript),
    /// None: the bounds, the server or a stop ended it.
    Ended(Result<Answer, Unavailable>),
}

/// How freely a model answers that has said the same twice.
const ANEW: f32 = 0.9;

/// The code of an answer without the spaces, which make no difference.
fn code_of(answer: &str) -> String {
    let code = match reply::read(answer) {
        Reply::Source(source) => source,
        Reply::Infeasible(_) | Reply::Garbage(_) => answer.to_owned(),
    };
    code.split_whitespace().collect()
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
        | ModelError::NoImages { .. }
        | ModelError::Unknown { .. }
        | ModelError::UnknownModel { .. } => Err(Unavailable(error.to_string())),
    }
}
