//! What the parts of the bot say to each other, by types. A learned skill that the approver lets send or receive a core event
//! has the same as JSON: [`Message::read`] and [`Answer::read`] are the way in, `Serialize` and [`Answer::to_json`] the way out.
//!
//! | event | content | answer |
//! |---|---|---|
//! | `user_input` | [`Input`] | [`Answer::Turn`], or what the command shows |
//! | `memory_query` | [`Recall`] | the records |
//! | `memory_store` | [`Remember`] | what became of it |
//! | `skill_proposal` | [`Request`] | the wishes, or what to tell the person |
//! | `assistant_output` | [`Show`] | what the person said, where something was asked |

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::core;
use crate::id::{ConversationId, EventType, SkillName};
use crate::memory::Turn;
use crate::risk::Risk;

mod answer;
mod outcome;
mod rows;

pub use answer::{Answer, FolderRow, Permissions, Policy, Reminded, Reply, StoredFact, Then, TurnResult};
pub use outcome::TurnOutcome;
pub use rows::{ActionRow, ProposalRow, ProviderRow, ResultRow, SkillRow};

/// Tokens spent on an answer of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
}

/// The content of an event.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// `user_input`.
    Input(Input),
    /// `memory_query`.
    Recall(Recall),
    /// `memory_store`.
    Remember(Remember),
    /// `skill_proposal`.
    Request(Request),
    /// `assistant_output`.
    Show(Show),
    /// An event of a skill's own, `<skill>.<event>`.
    Own(EventType, Value),
}

/// What the person wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Input {
    /// A line to answer.
    Line(Line),
    /// A command.
    Command(Command),
}

/// A line to answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The line.
    pub text: String,
    /// Whether the answer is shown while it comes.
    #[serde(default)]
    pub stream: bool,
    /// Whether nobody typed it: it stands in a workflow.
    #[serde(default)]
    pub untyped: bool,
    /// Whether a program sent it for somebody, who may be in need. No learned skill can say so.
    #[serde(skip)]
    pub relayed: bool,
    /// The call that the line is, where the person names a tool themselves: no model is asked. No learned skill can send one.
    #[serde(skip)]
    pub call: Option<NamedCall>,
}

/// A call of a tool that the person names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedCall {
    /// The tool's full name.
    pub tool: String,
    /// The arguments, a JSON object.
    pub arguments: Value,
}

/// What the conversation is asked for by a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// The last line once more.
    Retry {
        /// Whether the answer is shown while it comes.
        #[serde(default)]
        stream: bool,
    },
    /// An earlier conversation: its identifier, or `last`.
    Resume {
        /// Which one.
        #[serde(default)]
        argument: String,
    },
    /// What memory knows, about these words or at all.
    Memory {
        /// The words.
        #[serde(default)]
        argument: String,
    },
    /// The conversations so far.
    Conversations,
    /// What was asked for.
    Proposals,
    /// The reminders that are due, which are reported with the answer. No learned skill can ask.
    #[serde(skip_deserializing)]
    Due {
        /// When the person began to be here, in seconds since 1970.
        since: i64,
    },
    /// The limits of a turn.
    Policy,
    /// The rights of the skills and of the profile.
    Permissions,
    /// The providers; with `NAME [MODEL]` the choice of one, with `-` of none.
    Model {
        /// The choice.
        #[serde(default)]
        argument: String,
    },
}

/// A question to memory. A limit is the most records that are answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Recall {
    /// The facts, the most relevant first; without words the newest, oldest first.
    Facts {
        /// The words.
        #[serde(default)]
        query: String,
        /// The most facts.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// What the person said that they prefer and how they are called, oldest first.
    Preferences,
    /// The messages, the most relevant first.
    Turns {
        /// The words.
        #[serde(default)]
        query: String,
        /// The most messages.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// The newest messages of a conversation, oldest first.
    Conversation {
        /// The conversation.
        id: String,
        /// The most messages.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// The conversations, the newest first.
    Conversations {
        /// The most conversations.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// What the conversations before this one were about, in words that the person typed, the newest first.
    Past {
        /// The most conversations.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// The identifier of the last conversation.
    Last,
    /// What an identifier names.
    Show {
        /// The identifier.
        id: String,
    },
    /// The reminders that are due: see [`Command::Due`].
    #[serde(skip_deserializing)]
    Due {
        /// When the person began to be here, in seconds since 1970.
        since: i64,
    },
}

/// What memory is to do. Only the skills that speak for the person may do more than add facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Remember {
    /// Keep a fact.
    Fact {
        /// The fact.
        #[serde(default)]
        text: String,
        /// Who said it; the person, if nobody is named.
        #[serde(default)]
        said_by: Option<String>,
        /// The turn in which it was said.
        #[serde(default)]
        turn_id: Option<String>,
        /// Whether it came from outside.
        #[serde(default)]
        outside: bool,
    },
    /// Forget what an identifier names, or the facts that words mean.
    Forget {
        /// The words.
        #[serde(default)]
        query: String,
        /// The identifier.
        #[serde(default)]
        id: Option<String>,
    },
    /// Keep the messages of a turn.
    Turns {
        /// The messages.
        records: Vec<Turn>,
    },
    /// Keep the facts that the person's line tells.
    Extract {
        /// The line.
        line: String,
        /// The turn.
        #[serde(default)]
        turn_id: Option<String>,
        /// The conversation, if it is not this one.
        #[serde(default)]
        conversation_id: Option<String>,
    },
    /// What a line that the person typed wants of the reminders. No learned skill can send one.
    #[serde(skip_deserializing)]
    Remind {
        /// The command, and behind `|` what it is about.
        command: String,
        /// The code of the language in which the person is answered.
        language: String,
        /// Whether it is said once more, so that it changes nothing.
        again: bool,
        /// What it may go back to.
        around: Around,
    },
    /// Forget everything.
    Clear,
}

/// What a line about the reminders may go back to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Around {
    /// The number of the reminder that was set or moved just now.
    pub last: Option<u64>,
    /// What the line says beside its order.
    pub beside: String,
    /// The person's lines before it, the newest first, and facts.
    pub earlier: Vec<String>,
}

/// What the proposer is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Request {
    /// The proposals of the profile.
    List,
    /// One of them, by its identifier, the beginning of it, or its name.
    Show {
        /// Which one.
        #[serde(default)]
        id: String,
    },
    /// A proposal for a wish.
    Wish {
        /// The wish.
        #[serde(default)]
        wish: String,
        /// The line in which it was said.
        #[serde(default)]
        line: String,
    },
}

/// What the person is shown or asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Show {
    /// More of the answer.
    Stream {
        /// The text.
        stream: String,
    },
    /// The answer begins anew.
    StreamAgain {
        /// Whether it does.
        stream_again: bool,
    },
    /// What is being done.
    Status {
        /// In words.
        status: String,
    },
    /// A remark beside the answer.
    Note {
        /// The remark.
        note: String,
    },
    /// What the running call waits for.
    Waiting {
        /// In words.
        waiting: String,
        /// Whether it stays on the screen.
        #[serde(default)]
        told: bool,
    },
    /// A text under the skill's name.
    Say {
        /// The text.
        say: String,
    },
    /// A question under the skill's name.
    Ask {
        /// The question.
        ask: String,
    },
    /// The gate's question; the kernel alone asks it.
    #[serde(skip_deserializing)]
    Approve {
        /// The call.
        approve: Box<CallQuestion>,
    },
}

/// A call of a tool that needs the person's yes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallQuestion {
    /// The tool, by its full name.
    pub tool: String,
    /// Its skill.
    pub skill: SkillName,
    /// Whether that skill was learned.
    pub learned: bool,
    /// The risk at which the call was judged.
    pub risk: Risk,
    /// Why somebody is asked.
    pub reason: String,
    /// The arguments.
    pub args: Value,
    /// Where the call carries data to.
    pub to: Option<String>,
    /// The words of the arguments that the person did not type.
    pub untyped: Vec<String>,
}

impl Message {
    /// Reads what a learned skill sends.
    ///
    /// # Errors
    /// The event is a core event with other content.
    pub fn read(event_type: &EventType, payload: Value) -> Result<Message, serde_json::Error> {
        use crate::json::read;
        Ok(match event_type.as_str() {
            core::USER_INPUT => Message::Input(read(&payload)?),
            core::MEMORY_QUERY => Message::Recall(read(&payload)?),
            core::MEMORY_STORE => Message::Remember(read(&payload)?),
            core::SKILL_PROPOSAL => Message::Request(read(&payload)?),
            core::ASSISTANT_OUTPUT => Message::Show(read(&payload)?),
            _ => Message::Own(event_type.clone(), payload),
        })
    }

    /// The event.
    pub fn event_type(&self) -> EventType {
        let name = match self {
            Message::Input(_) => core::USER_INPUT,
            Message::Recall(_) => core::MEMORY_QUERY,
            Message::Remember(_) => core::MEMORY_STORE,
            Message::Request(_) => core::SKILL_PROPOSAL,
            Message::Show(_) => core::ASSISTANT_OUTPUT,
            Message::Own(event_type, _) => return event_type.clone(),
        };
        name.parse().expect("the core event types are well-formed")
    }

    /// The content as a learned skill receives it.
    pub fn to_json(&self) -> Value {
        let written = match self {
            Message::Input(input) => serde_json::to_value(input),
            Message::Recall(recall) => serde_json::to_value(recall),
            Message::Remember(remember) => serde_json::to_value(remember),
            Message::Request(request) => serde_json::to_value(request),
            Message::Show(show) => serde_json::to_value(show),
            Message::Own(_, payload) => return payload.clone(),
        };
        written.expect("a message has text keys alone")
    }
}

impl Input {
    /// A line that the person typed.
    pub fn typed(text: &str, stream: bool) -> Input {
        Input::Line(Line { text: text.to_owned(), stream, ..Line::default() })
    }

    /// A call that the person made by its name. The line says it as text, each argument as it was typed: these are the person's
    /// words.
    pub fn called(call: NamedCall) -> Input {
        let mut text = format!("/call {}", call.tool);
        for (name, value) in call.arguments.as_object().into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            text.push_str(&format!("\n{name}: {value}"));
        }
        Input::Line(Line { text, call: Some(call), ..Line::default() })
    }

    /// Whether it is only looked at: what comes of it enters no prompt.
    pub fn is_look(&self) -> bool {
        !matches!(self, Input::Line(_) | Input::Command(Command::Retry { .. }))
    }
}

impl Recall {
    /// A conversation, as far back as is usual.
    pub fn conversation(id: &ConversationId) -> Recall {
        Recall::Conversation { id: id.to_string(), limit: None }
    }
}

/// Makes a message of its content.
macro_rules! message {
    ($($content:ident),*) => {$(
        impl From<$content> for Message {
            fn from(content: $content) -> Message {
                Message::$content(content)
            }
        }
    )*};
}

message!(Input, Recall, Remember, Request, Show);

impl From<Command> for Message {
    fn from(command: Command) -> Message {
        Message::Input(Input::Command(command))
    }
}

#[cfg(test)]
mod tests;
