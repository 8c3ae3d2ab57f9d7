//! What is sent over HTTP, by types: the description of the interface is made of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Whether the bot answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// `ok`
    pub status: String,
    /// The language of the profile, where one is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// What holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Status {
    /// The version of the program.
    pub version: String,
    /// The profile.
    pub profile: String,
    /// For whom it is: child, teen, adult or work.
    pub audience: String,
    /// readonly, supervised or full.
    pub autonomy: String,
    /// The tier of isolation that was reached: full, namespace, process or degraded.
    pub isolation: Option<String>,
    /// The provider that is asked first.
    pub provider: Option<String>,
    /// The names of the active skills.
    pub skills: Vec<String>,
    /// The serial of the signed manifest.
    pub manifest_serial: u64,
    /// Why no tool runs, while the emergency stop holds.
    pub stopped: Option<String>,
    /// The reason that the stop was given, while it holds; it may be no words.
    pub stop_reason: Option<String>,
    /// Why nobody may talk, while that is so.
    pub halted: Option<String>,
    /// How many lines wait for an answer.
    pub waiting: usize,
    /// How many skills of this profile are ready for review, and wait for an approver.
    pub ready: usize,
    /// The language of the profile, where one is set.
    pub language: Option<String>,
    /// Whether a PIN opens a session of the pages.
    pub asks_pin: bool,
}

/// A tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// Its full name.
    pub name: String,
    /// One line.
    pub description: String,
    /// JSON Schema of its parameters.
    pub parameters: Value,
    /// low, medium or high; null where the arguments decide.
    pub risk: Option<String>,
    /// The skill that has it.
    pub skill: String,
    /// learned or built-in.
    pub origin: String,
    /// What the skill was granted.
    pub tokens: Vec<String>,
}

/// The tools that there are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tools {
    /// In the order of the manifest.
    pub tools: Vec<Tool>,
}

/// What memory knows about words, the most relevant first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// Facts and preferences.
    pub facts: Vec<Value>,
    /// Messages of conversations.
    pub messages: Vec<Value>,
}

/// Records of attempted calls of tools.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Receipts {
    /// Oldest first.
    pub receipts: Vec<Value>,
}

/// Figures for a program that watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Conversations that began here.
    pub conversations: u64,
    /// Calls of tools that somebody wanted.
    pub tool_calls: u64,
    /// Those that the gate denied.
    pub tool_denials: u64,
    /// Times that a provider was asked in vain.
    pub provider_errors: u64,
    /// Whether the chain of receipts holds.
    pub receipt_chain_valid: bool,
    /// Lines that wait for an answer.
    pub waiting: u64,
}

/// A line to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatRequest {
    /// The line; at most 65,536 bytes.
    #[schemars(length(min = 1, max = 65536), regex(pattern = r"\S"))]
    pub message: String,
    /// The conversation to go on with, as an answer named it; without it a new one begins.
    #[schemars(regex(pattern = r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"))]
    #[serde(default)]
    pub conversation_id: Option<String>,
    /// Whether the answer is sent as events while it comes. `Accept: text/event-stream` says the same.
    #[serde(default)]
    pub stream: bool,
    /// Whether the client answers an event `question`, by `POST /chat/answer` or on its WebSocket. Without it, or with the token of a program, a call
    /// that would ask is not made.
    #[serde(default)]
    pub asks: bool,
    /// Pictures for a model that takes some: PNG, JPEG, GIF or WebP by their first bytes, at most 4, and 2 MiB together. With the token of
    /// a program there are none.
    #[schemars(length(max = 4))]
    #[serde(default)]
    pub pictures: Vec<SentPicture>,
}

/// A picture that goes with a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentPicture {
    /// What it is called, for people.
    pub name: String,
    /// Its bytes in base64, as RFC 4648 has it in section 4.
    pub data: String,
}

/// The person's word about a call that an event `question` asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerRequest {
    /// The number of the question.
    pub question: u64,
    /// Whether the call may be made.
    pub yes: bool,
}

/// A message of a client of `GET /chat/ws`.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
#[schemars(untagged)]
pub enum SocketMessage {
    /// A line to answer; the answer always comes as events.
    Line(ChatRequest),
    /// The person's word about a call.
    Answer(SocketAnswer),
    /// The end of the answer that is being given.
    Cancel(SocketCancel),
}

/// The person's word about a call that an event `question` asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SocketAnswer {
    /// The word, as `POST /chat/answer` takes it.
    pub answer: AnswerRequest,
}

/// The end of the answer that is being given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SocketCancel {
    /// true
    #[schemars(extend("const" = true))]
    pub cancel: bool,
}

/// An event of an answer, as a message to a client of `GET /chat/ws`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SocketEvent {
    /// `piece`, `again`, `doing`, `note`, `question`, `done` and `error` as `POST /chat` names them; `answered` for a word that
    /// counts; `refused` for a message that is not taken, which ends nothing.
    pub event: &'static str,
    /// The data of the event.
    pub data: Value,
}

/// What was taken as the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerTaken {
    /// Whether it was a yes.
    pub answered: bool,
}

/// The emergency stop. It is set here and never cleared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopRequest {
    /// Why, for the person who finds it.
    #[serde(default)]
    pub reason: Option<String>,
}

/// The emergency stop holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stopped {
    /// true
    pub stopped: bool,
    /// How it is cleared.
    pub hint: String,
}

/// A line of a chat completion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompletionMessage {
    /// system, developer, user, assistant or tool.
    #[schemars(extend("enum" = ["system", "developer", "user", "assistant", "tool"]))]
    pub role: String,
    /// A text, or parts of which those of type `text` are read; null for an assistant that only called tools.
    #[serde(default)]
    pub content: Value,
}

/// What a client of OpenAI's chat completions sends. Keys that are not named here are accepted and have no effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompletionRequest {
    /// The last of them must be the user's: it is the line that is answered.
    #[schemars(length(min = 1))]
    pub messages: Vec<CompletionMessage>,
    /// Whether the answer is sent as events while it comes.
    #[serde(default)]
    pub stream: bool,
    /// Whether the last event tells the tokens spent.
    #[serde(default)]
    pub stream_options: Option<StreamOptions>,
}

/// What a stream tells beside the text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StreamOptions {
    /// The tokens spent.
    #[serde(default)]
    pub include_usage: bool,
}

/// An answer to a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// The reply; null where there is none.
    pub reply: Option<String>,
    /// The conversation, to go on with.
    pub conversation_id: String,
    /// The turn.
    pub turn_id: Option<String>,
    /// The provider that answered.
    pub provider: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// Tokens spent, where the provider says so.
    pub usage: Option<Usage>,
    /// How many tools were called.
    pub calls: Option<u64>,
    /// How long it took.
    pub seconds: f64,
    /// What came of it, as in `cl-bot --json`.
    pub outcome: String,
    /// The exit code that `cl-bot` would end with.
    pub exit: u8,
    /// Why the line is not taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Why nobody could answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// Whether it was called off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled: Option<bool>,
    /// Why the reply ended before its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broke_off: Option<String>,
    /// Whether what was wanted did not happen, although there is a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<bool>,
    /// What the person should know beside the reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What became ready for review since the person was told last. A program's token is told nothing of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ready: Vec<String>,
}

impl Turn {
    /// What a client that was sent this much of the reply does not have yet. A reply that became another one follows whole, after
    /// a blank line.
    pub fn missing_after(&self, sent: &str) -> String {
        let reply = self.reply.as_deref().unwrap_or_default();
        match reply.strip_prefix(sent) {
            Some(rest) => rest.to_owned(),
            None if sent.trim() == reply.trim() => String::new(),
            None => format!("\n\n{reply}"),
        }
    }
}

/// Tokens spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens read.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// The reason.
    pub error: FailureBody,
}

/// A reason, in the shape that clients of OpenAI's interface read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailureBody {
    /// What happened, and what to do.
    pub message: String,
    /// The kind, for programs.
    pub code: String,
    /// The same kind, under the name that those clients read.
    #[serde(rename = "type")]
    pub kind: String,
}
