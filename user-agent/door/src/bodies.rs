//! What is sent over HTTP, by types: the description of the interface is made of them.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Number, Value, json};

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
    /// The reason that the stop was given, while it holds; it may be empty.
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
    /// The conversation to continue, as an answer named it; without it a new one begins.
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
    /// Texts that a model is shown as content from outside, at most 4. They say yes to no call.
    #[schemars(length(max = 4))]
    #[serde(default)]
    pub texts: Vec<SentText>,
}

/// A text that goes with a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentText {
    /// What it is called, which ends with `.txt`, `.md`, `.csv` or `.json`.
    #[schemars(regex(pattern = r"^[^\n]+\.(txt|md|csv|json)$"))]
    pub name: String,
    /// What stands in it; at most 16,384 bytes.
    #[schemars(length(max = 16384))]
    pub text: String,
}

/// The most bytes of a text.
pub const LONGEST_TEXT: usize = 16 * 1024;

/// Whether a file of that name is sent as a text.
pub fn is_text(name: &str) -> bool {
    let end = name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
    end.is_some_and(|end| ["txt", "md", "csv", "json"].contains(&end.as_str()))
}

/// A picture that goes with a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentPicture {
    /// What it is called, for people.
    pub name: String,
    /// Its bytes in base64, as RFC 4648 has it in section 4.
    #[schemars(extend("pattern" = PICTURE, "contentEncoding" = "base64"))]
    pub data: String,
}

/// Base64 whose first bytes are those of a PNG, a JPEG, a GIF or a WebP, as `models::attachment` judges them.
const PICTURE: &str = concat!(
    "^(?:iVBORw0KGgo=|(?:",
    "iVBORw0KGg[o-r][A-Za-z0-9+/]",
    "|/9j/",
    "|R0lGOD[dl]h",
    "|UklGR[g-v][A-Za-z0-9+/]{4}[BFJNRVZdhlptx159]XRUJQ",
    ")(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?)$",
);

/// The person's word about a call that an event `question` asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerRequest {
    /// The number of the question.
    #[schemars(range(min = 0, max = LARGEST))]
    #[serde(deserialize_with = "whole_number")]
    pub question: u64,
    /// Whether the call may be made.
    pub yes: bool,
}

/// The largest whole number that every reader of JSON has (RFC 8259, section 6).
const LARGEST: u64 = (1 << 53) - 1;

/// A whole number of at most [`LARGEST`]. `2.0` is one, as JSON Schema has it (validation, section 6.1.1).
fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let number = Number::deserialize(deserializer)?;
    let of_fraction = || {
        let read = number.as_f64().filter(|read| read.fract() == 0.0 && *read >= 0.0)?;
        format!("{:.0}", read.abs()).parse().ok()
    };
    let read = number.as_u64().or_else(of_fraction).filter(|read| *read <= LARGEST);
    read.ok_or_else(|| D::Error::custom(format_args!("{number} is not a whole number from 0 to {LARGEST}")))
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

/// The one model, for clients of OpenAI's interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ListedModel {
    /// Its name.
    pub id: String,
    /// `model`
    pub object: String,
    /// 0
    pub created: u64,
    /// Whose it is.
    pub owned_by: String,
}

/// The models that there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ListedModels {
    /// `list`
    pub object: String,
    /// One.
    pub data: Vec<ListedModel>,
}

/// Who says a message of a chat completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The client's instructions.
    System,
    /// The same under a newer name.
    Developer,
    /// The person.
    User,
    /// The bot.
    Assistant,
    /// A tool of the client.
    Tool,
}

/// A message of a chat completion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompletionMessage {
    /// Who says it.
    pub role: Speaker,
    /// A text, or parts; null or empty for an assistant that only called tools.
    #[serde(default)]
    pub content: Value,
}

/// A message of a chat completion, as the description has it. Other keys, such as `name` and `tool_calls`, have no effect.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum DescribedMessage {
    /// The user's.
    User(UserMessage),
    /// Anybody else's.
    Other(OtherMessage),
}

/// The user's message.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
pub struct UserMessage {
    /// user
    #[schemars(extend("const" = "user"))]
    pub role: String,
    /// What is said.
    pub content: UserContent,
}

/// What the user says.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum UserContent {
    /// A text.
    Text(#[schemars(regex(pattern = r"\S"))] String),
    /// Parts: texts, and pictures that go with the last message, as addresses `data:...;base64,...`. A message that is not the last one
    /// may be without a text.
    Parts(#[schemars(extend("contains" = text_part(), "items" = part(), "maxItems" = 16))] Vec<Value>),
}

/// The schema of a part.
fn part() -> Value {
    let address = format!("^data:[a-z]+/[a-z.+-]+;base64,{}", PICTURE.trim_start_matches('^'));
    let picture = json!({
        "type": "object",
        "properties": {
            "type": {"const": "image_url"},
            "image_url": {
                "type": "object",
                "properties": {"url": {"type": "string", "pattern": address}},
                "required": ["url"],
            },
        },
        "required": ["type", "image_url"],
    });
    let text = json!({
        "type": "object",
        "properties": {"type": {"const": "text"}, "text": {"type": "string"}},
        "required": ["type", "text"],
    });
    json!({"anyOf": [text, picture]})
}

/// The schema of a part that has a text.
fn text_part() -> Value {
    json!({
        "type": "object",
        "properties": {"type": {"const": "text"}, "text": {"type": "string", "pattern": r"\S"}},
        "required": ["type", "text"],
    })
}

/// A message that is not the user's.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
pub struct OtherMessage {
    /// system, developer, assistant or tool.
    #[schemars(extend("enum" = ["system", "developer", "assistant", "tool"]))]
    pub role: String,
    /// A text, or parts of which those of type `text` are read; null or empty for an assistant that only called tools.
    #[serde(default)]
    pub content: Value,
}

/// What a client of OpenAI's chat completions sends. Keys that are not named here are accepted and have no effect.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct CompletionRequest {
    /// The last of the user's messages is the line that is answered; messages after it have no effect.
    #[schemars(
        with = "Vec<DescribedMessage>",
        length(min = 1),
        extend("contains" = json!({"type": "object", "properties": {"role": {"const": "user"}}, "required": ["role"]}))
    )]
    pub messages: Vec<CompletionMessage>,
    /// Whether the answer is sent as events while it comes.
    #[serde(default)]
    pub stream: Option<bool>,
    /// Whether the last event tells the tokens spent.
    #[serde(default)]
    pub stream_options: Option<StreamOptions>,
    /// One answer is given.
    #[schemars(extend("enum" = [1, null]))]
    #[serde(default)]
    pub n: Value,
    /// The client's tools are not called; the bot has its own.
    #[schemars(extend("enum" = ["none", "auto", null]))]
    #[serde(default)]
    pub tool_choice: Value,
    /// The answer is a text.
    #[schemars(extend("enum" = [{"type": "text"}, null]))]
    #[serde(default)]
    pub response_format: Value,
    /// The answer is a text.
    #[schemars(extend("enum" = [["text"], null]))]
    #[serde(default)]
    pub modalities: Value,
    /// Probabilities are not reported.
    #[schemars(extend("enum" = [false, null]))]
    #[serde(default)]
    pub logprobs: Value,
}

impl CompletionRequest {
    /// The field that asks for what no answer has, and why it has none.
    pub fn unanswerable(&self) -> Option<(&'static str, &'static str)> {
        let fields = [
            ("n", self.n.as_f64() == Some(1.0), &self.n, "must be 1: one answer is given"),
            (
                "tool_choice",
                self.tool_choice == "none" || self.tool_choice == "auto",
                &self.tool_choice,
                "must be `none` or `auto`: the client's tools are not called",
            ),
            (
                "response_format",
                self.response_format == json!({"type": "text"}),
                &self.response_format,
                "must be `{\"type\": \"text\"}`: no other form is promised",
            ),
            ("modalities", self.modalities == json!(["text"]), &self.modalities, "must be `[\"text\"]`"),
            (
                "logprobs",
                self.logprobs == false,
                &self.logprobs,
                "must be false: probabilities are not reported",
            ),
        ];
        let wrong = fields.into_iter().find(|(_, is_taken, value, _)| !is_taken && !value.is_null());
        wrong.map(|(field, _, _, why)| (field, why))
    }
}

/// What a stream tells beside the text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StreamOptions {
    /// The tokens spent.
    #[serde(default)]
    pub include_usage: bool,
}

/// The answer of a chat completion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompletionAnswer {
    /// A name of its own.
    pub id: String,
    /// `chat.completion`
    pub object: String,
    /// When, in seconds since 1970.
    pub created: u64,
    /// The one model.
    pub model: String,
    /// One.
    pub choices: Vec<CompletionChoice>,
    /// Tokens spent; 0 where the provider does not say so.
    pub usage: CompletionUsage,
}

/// A choice of a chat completion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompletionChoice {
    /// 0
    pub index: u64,
    /// The reply.
    pub message: CompletionReply,
    /// null
    pub logprobs: (),
    /// `stop`
    pub finish_reason: String,
}

/// The reply of a chat completion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompletionReply {
    /// assistant
    pub role: String,
    /// The text.
    pub content: String,
    /// null
    pub refusal: (),
}

/// Tokens of a chat completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompletionUsage {
    /// Tokens read.
    pub prompt_tokens: u64,
    /// Tokens written.
    pub completion_tokens: u64,
    /// Both.
    pub total_tokens: u64,
}

/// An answer to a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// The reply; null where there is none.
    pub reply: Option<String>,
    /// The conversation, to continue it.
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
    /// What became ready for review since the person was last notified. A program's token gets nothing of it.
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
    /// The field of the request that is wrong, where it is one of a chat completion, as in `messages[0].content`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
}

/// The description of this interface, in the format of OpenAPI 3.1.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Description {
    /// `3.1.0`
    pub openapi: String,
    /// What it describes.
    pub info: DescriptionInfo,
    /// What a request needs where its path says nothing else.
    pub security: Vec<Map<String, Value>>,
    /// What is answered under each path.
    pub paths: Map<String, Value>,
    /// The schemas that the paths name, and how a token is sent.
    pub components: Map<String, Value>,
}

/// What a description describes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DescriptionInfo {
    /// The program.
    pub title: String,
    /// Its version.
    pub version: String,
    /// One line.
    pub description: String,
    /// Its license.
    pub license: DescriptionLicense,
}

/// A license.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DescriptionLicense {
    /// For people.
    pub name: String,
    /// In the form of SPDX.
    pub identifier: String,
}

#[cfg(test)]
mod tests;
