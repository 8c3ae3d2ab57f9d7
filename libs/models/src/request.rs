//! What is asked of a provider and what comes back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_types::message::Usage;

use crate::attachment::{Attachment, Text};
use crate::phrases::Phrase;

/// The key of [`Request::metadata`] that says what the request is for: `chat`, `propose`, `extract`, `implement`, `skill`.
pub const TASK: &str = "task";

/// The key of [`Request::metadata`] for the code of the language in which the person wants to be answered, where one is set.
pub const LANGUAGE: &str = "language";

/// One question to a provider.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The stable instructions; what changes from turn to turn belongs elsewhere, so that a server can keep its cache.
    pub system: String,
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// The tools offered.
    pub tools: Vec<ToolSpec>,
    /// Tools that the instructions name without a description; a call of one is a call.
    pub named: Vec<String>,
    /// What is remembered and may matter now, as the person typed it.
    pub memories: Vec<String>,
    /// The model's name; without it, the provider's own.
    pub model: Option<String>,
    /// The sampling temperature.
    pub temperature: Option<f32>,
    /// Hints for the router and the companion, such as [`TASK`].
    pub metadata: BTreeMap<String, String>,
}

/// The tools that can be called: those offered, and those only named.
pub(crate) fn callable<'a>(tools: &'a [ToolSpec], named: &'a [String]) -> Vec<&'a str> {
    let offered = tools.iter().map(|tool| tool.name.as_str());
    let others = named.iter().map(String::as_str);
    offered.chain(others.filter(|name| tools.iter().all(|tool| tool.name != *name))).collect()
}

impl Request {
    /// What the request is for; `chat` when nothing is said.
    pub fn task(&self) -> &str {
        self.metadata.get(TASK).map_or("chat", String::as_str)
    }

    /// Whether a person waits for the answer and sees it while it comes.
    pub fn is_chat(&self) -> bool {
        self.task() == "chat"
    }

    /// Whether pictures go with it.
    pub fn has_pictures(&self) -> bool {
        self.messages.iter().any(|message| !message.attachments.is_empty())
    }

    /// Who waits for the answer.
    pub fn rank(&self) -> Rank {
        if self.task() == "extract" { Rank::Behind } else { Rank::Person }
    }
}

/// Who waits for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    Person,
    /// Nobody: where room is short, the person's requests go first.
    Behind,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The program.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
}

/// One entry of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The text.
    #[serde(default)]
    pub content: String,
    /// The calls that the model asked for; of [`Role::Assistant`] only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// The call that this is the result of; of [`Role::Tool`] only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// What is remembered and went along with the text, as data; of [`Role::User`] only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<String>,
    /// Pictures that go along; of [`Role::User`] only. No history, log or summary holds their bytes.
    #[serde(skip)]
    pub attachments: Vec<Attachment>,
    /// Texts that go along as data; of [`Role::User`] only. No history, log or summary holds their words.
    #[serde(skip)]
    pub texts: Vec<Text>,
}

impl Message {
    /// A message of the program.
    pub fn system(content: impl Into<String>) -> Self {
        Message::plain(Role::System, content.into())
    }

    /// A line of the person.
    pub fn user(content: impl Into<String>) -> Self {
        Message::plain(Role::User, content.into())
    }

    /// A text of the model.
    pub fn assistant(content: impl Into<String>) -> Self {
        Message::plain(Role::Assistant, content.into())
    }

    /// The model's wish to call tools, with the text that came along.
    pub fn calls(content: impl Into<String>, tool_calls: Vec<ToolCall>) -> Self {
        Message { tool_calls, ..Message::assistant(content) }
    }

    /// The result of one tool call.
    pub fn tool(call_id: impl Into<String>, content: impl Into<String>) -> Self {
        Message { tool_call_id: Some(call_id.into()), ..Message::plain(Role::Tool, content.into()) }
    }

    fn plain(role: Role, content: String) -> Self {
        Message {
            role,
            content,
            tool_calls: Vec::new(),
            tool_call_id: None,
            memories: Vec::new(),
            attachments: Vec::new(),
            texts: Vec::new(),
        }
    }
}

/// A tool as it is offered to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// `<skill>.<tool>`.
    pub name: String,
    /// One line.
    pub description: String,
    /// The parameters as JSON Schema, within the subset of `shared_types::schema`.
    pub parameters: Value,
    /// Sentence patterns that mean this tool.
    pub phrases: Vec<Phrase>,
    /// Sentences that it answers, in any language: for people, no provider is sent them.
    pub examples: Vec<String>,
    /// Whether a call changes nothing that lasts: then a line with a slip of the finger may mean it.
    pub only_answers: bool,
}

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's name for this call; its result carries it back.
    pub id: String,
    /// `<skill>.<tool>`, or what the model invented when `fault` says so.
    pub name: String,
    /// The arguments; `null` when they could not be read.
    pub arguments: Value,
    /// Why the call must not be made: reported to the model as the call's result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl ToolCall {
    /// A call without fault.
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: Value) -> Self {
        ToolCall { id: id.into(), name: name.into(), arguments, fault: None }
    }
}

/// What a provider answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Response {
    /// The text; empty when only tools are called.
    pub text: String,
    /// The calls asked for.
    pub tool_calls: Vec<ToolCall>,
    /// The tokens spent, where the provider says so.
    pub usage: Option<Usage>,
    /// The provider's own answer, where it may help a search for faults.
    pub raw: Option<Value>,
    /// The provider's name in the configuration.
    pub provider: String,
    /// The model that answered.
    pub model: String,
    /// What is amiss with the answer, for the person: that it was cut, for instance.
    pub notice: Option<String>,
}
