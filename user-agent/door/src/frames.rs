//! What crosses the socketpair between the door and `mind`, in frames as between `mind` and `net`.
//!
//! The door reads what anybody sends, so `mind` takes its frames as hostile: a token is judged by `mind`, and what the door says
//! of a caller beyond the token is not asked.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bodies::{SentPicture, SentText};

/// The most requests that wait for an answer at a time.
pub const MOST_OPEN: usize = 512;

/// The longest line, in bytes.
pub const LONGEST_LINE: usize = 64 * 1024;

/// The longest token that is looked at, in bytes.
pub use web::cookie::LONGEST_TOKEN;

/// One request of somebody outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The number of the request, which each part of the answer carries.
    pub id: u64,
    /// The token that came with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// What is asked.
    pub ask: Ask,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    /// Whether anybody is here; nobody needs a token for it.
    Health,
    /// Whether the token is one of the profile's.
    Known,
    /// A session for who knows the profile's PIN; nobody needs a token for it.
    Session {
        pin: String,
        /// The address from which it came, as the door says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// What the browser says it was given when the PIN was right in it before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        browser: Option<String>,
    },
    /// Whether the PIN was right in this browser before; it opens nothing.
    Browser {
        /// What it was given then.
        browser: String,
    },
    /// The end of the session that came as the token.
    Leave,
    /// The newest conversations.
    Conversations {
        /// The most.
        limit: usize,
    },
    /// What was said in a conversation, oldest first.
    Conversation {
        /// Which one.
        id: String,
    },
    /// The newest facts.
    Facts {
        /// The most.
        limit: usize,
    },
    /// Forgets a fact or a conversation.
    Forget {
        /// Which one.
        id: String,
    },
    /// Puts other words in the place of a fact.
    Correct {
        /// Which one.
        id: String,
        words: String,
    },
    /// What holds.
    Status,
    /// The tools that there are.
    Tools,
    /// What memory knows about words.
    Search {
        /// The words.
        query: String,
        /// The most facts, and the most messages.
        limit: usize,
    },
    /// The newest receipts.
    Receipts {
        /// The most.
        limit: usize,
    },
    /// Figures for a program that watches.
    Metrics,
    /// The emergency stop of the profile. Nothing here takes it away again.
    Stop {
        /// Why.
        reason: String,
    },
    /// A line to answer.
    Chat {
        /// The line.
        message: String,
        /// The conversation that it continues.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        conversation: Option<String>,
        /// Whether that conversation begins with this line, where none is kept under the name.
        #[serde(default)]
        begins: bool,
        /// Whether the answer is wanted while it comes.
        #[serde(default)]
        stream: bool,
        /// Whether somebody who watches can be asked about calls.
        #[serde(default)]
        asks: bool,
        /// The pictures that go with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pictures: Vec<SentPicture>,
        /// The texts that do.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        texts: Vec<SentText>,
    },
    /// The person's word about a call that the gate asks about.
    Answer {
        /// The number of the question.
        question: u64,
        /// Whether it is a yes.
        yes: bool,
    },
    /// The end of a request that nobody waits for any more. It has no answer.
    Cancel {
        /// The number of that request.
        of: u64,
    },
}

/// What `mind` tells the door.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ToDoor {
    /// A part of the answer to a request.
    Answered(Answered),
    /// Accept nobody else, and end when the requests that came are answered.
    Leave,
}

/// One part of an answer: any number of pieces, then one end, good or bad.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The number of the request.
    pub id: u64,
    pub part: Part,
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The line is taken, and waits for the conversation.
    Taken,
    /// More of the reply.
    Piece(String),
    /// The reply begins anew: what came before is void.
    Again,
    /// What is being done.
    Doing(String),
    /// A remark beside the reply.
    Note(String),
    /// The gate asks about a call: facts of the program, and the arguments.
    Question(Value),
    /// The end: the body of the answer.
    Done(Value),
    /// The end: there is no answer.
    Refused {
        /// The kind.
        why: Refusal,
        /// The sentence.
        message: String,
    },
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The token is missing or is not one of the profile's.
    Unauthorized,
    /// What was asked cannot be asked.
    Invalid,
    /// The guard or a rule does not let it happen.
    Forbidden,
    /// It is for the person of the profile alone, and a program asks.
    NotPerson,
    /// Nothing has that name.
    NotFound,
    /// Too much waits.
    Busy,
    /// Too many PINs were wrong.
    Later,
    /// Somebody ended it.
    Cancelled,
    /// It could not be done.
    Failed,
    /// Nobody may talk now, or nobody is here.
    Unavailable,
}
