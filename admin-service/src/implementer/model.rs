//! A language model writes the source: the SDK's reference and the rules as instructions, the wish as data.

mod prompt;
mod reply;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use models::{ModelError, Provider, Request, Response, TASK};

use self::reply::Reply;
use super::{Answer, Assignment, Implementer, Unavailable, Written};

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
        let sent = transcript_of(&request);
        let response = match self.provider.chat(&request, &mut |_| {}, cancel) {
            Ok(response) => response,
            Err(error) => return unanswered(&error, sent),
        };
        let transcript =
            format!("{sent}[answer of {}/{}]\n{}\n", response.provider, response.model, response.text);
        let tokens = tokens(&sent, &response);
        Ok(match reply::read(&response.text) {
            Reply::Source(source) => Answer::Written(Written {
                source,
                author: format!("model {}/{}", response.provider, response.model),
                examples: Vec::new(),
                transcript,
                tokens,
            }),
            Reply::Infeasible(reason) => Answer::Infeasible(reason),
            Reply::Garbage(message) => Answer::Garbage { message, transcript, tokens },
        })
    }
}

/// What a failed request means: to wait, to count as a failed attempt, or to look for somebody else.
fn unanswered(error: &ModelError, sent: String) -> Result<Answer, Unavailable> {
    match error {
        ModelError::Malformed { .. } | ModelError::TooLarge { .. } => {
            let tokens = estimate(&sent);
            let transcript = format!("{sent}[no answer]\n{error}\n");
            Ok(Answer::Garbage { message: error.to_string(), transcript, tokens })
        }
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

/// What an exchange cost: as the provider says it, else as its length suggests.
fn tokens(sent: &str, response: &Response) -> u64 {
    let told = response.usage.map(|usage| usage.input.saturating_add(usage.output)).filter(|told| *told > 0);
    told.unwrap_or_else(|| estimate(sent) + estimate(&response.text))
}

/// Four bytes to a token, a little less than in most languages.
fn estimate(text: &str) -> u64 {
    (text.len() as u64).div_ceil(4)
}

/// What is sent, in words; a provider adds its key later, so none is in here.
fn transcript_of(request: &Request) -> String {
    let mut text = format!("[system]\n{}\n", request.system);
    for message in &request.messages {
        let role = format!("{:?}", message.role).to_lowercase();
        text.push_str(&format!("[{role}]\n{}\n", message.content));
    }
    text
}
