//! Anthropic's messages: one body out, one answer in, piece by piece unless the configuration says otherwise.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value, json};

use crate::attachment::Attachment;
use crate::config::ProviderConfig;
use crate::error::ModelError;
use crate::exchange::{Sending, exchange, settled};
use crate::plain_calls::Teller;
use crate::provider::{Kind, Provider, Watch};
use crate::request::{Message, Request, Response, Role, ToolCall};
use crate::transport::Transport;
use crate::wire_names::WireNames;

use stream::Assembly;

mod stream;

/// A server that speaks Anthropic's messages.
pub struct Anthropic {
    name: String,
    model: String,
    models: Vec<String>,
    max_tokens: u32,
    temperature: Option<f64>,
    stream: bool,
    images: bool,
    transport: Arc<dyn Transport>,
}

impl Anthropic {
    /// A provider of that configuration whose bodies go through `transport`.
    pub fn new(config: &ProviderConfig, transport: Arc<dyn Transport>) -> Self {
        Anthropic {
            name: config.name.clone(),
            model: config.model.clone().unwrap_or_default(),
            models: config.models.clone(),
            temperature: config.temperature,
            max_tokens: config.max_tokens.unwrap_or(DEFAULT_TOKENS),
            stream: config.stream,
            images: config.images,
            transport,
        }
    }
}

/// The longest answer when nothing is said; this kind of server wants a number.
pub const DEFAULT_TOKENS: u32 = 4096;

impl Provider for Anthropic {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> Kind {
        Kind::Anthropic
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn models(&self) -> &[String] {
        &self.models
    }

    fn takes_images(&self) -> bool {
        self.images
    }

    fn chat(
        &self,
        request: &Request,
        watch: &mut Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Response, ModelError> {
        let names = WireNames::of(&request.tools, &request.named);
        let model = request.model.as_deref().unwrap_or(&self.model);
        let mut body = build(request, model, &names);
        if let (None, Some(degree)) = (request.temperature, self.temperature) {
            body.insert("temperature".to_owned(), json!(degree));
        }
        body.insert("max_tokens".to_owned(), json!(self.max_tokens));
        if self.stream {
            body.insert("stream".to_owned(), json!(true));
        }
        let body = serde_json::to_string(&body).expect("a value of texts and numbers can be written");
        let mut teller = Teller::new(watch, &names);
        let wire = Assembly::new(&self.name, &names);
        let sending = Sending {
            transport: &*self.transport,
            provider: &self.name,
            body: &body,
            rank: request.rank(),
            cancel,
        };
        let came = exchange(&sending, wire, &names, &mut teller)
            .unwrap_or_else(|error| Err(error.into_model_error(&self.name)));
        settled(came, &self.name, model, &names, teller)
    }
}

fn build(request: &Request, model: &str, names: &WireNames) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    let own = request.messages.iter().filter(|m| m.role == Role::System).map(|m| m.content.as_str());
    let system: Vec<&str> =
        std::iter::once(request.system.as_str()).chain(own).filter(|s| !s.is_empty()).collect();
    if !system.is_empty() {
        body.insert("system".to_owned(), json!(system.join("\n\n")));
    }
    body.insert("messages".to_owned(), Value::Array(messages(request, names)));
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|t| {
            json!({"name": names.to_wire(&t.name), "description": t.description, "input_schema": t.parameters})
        });
        body.insert("tools".to_owned(), tools.collect());
    }
    if let Some(temperature) = request.temperature {
        body.insert("temperature".to_owned(), json!(crate::openai::exact(temperature)));
    }
    body
}

/// The conversation in turns: this kind of server takes the user's and the assistant's word by turns, the user's first,
/// and the results of tools as the user's.
fn messages(request: &Request, names: &WireNames) -> Vec<Value> {
    let last_line = request.messages.iter().rposition(|m| m.role == Role::User);
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for (i, message) in request.messages.iter().enumerate() {
        let memories: &[String] = if Some(i) == last_line { &request.memories } else { &[] };
        let (role, blocks) = match message.role {
            Role::System => continue,
            Role::User => {
                let mut blocks: Vec<Value> = message.attachments.iter().map(image).collect();
                blocks.extend(text_block(&crate::openai::user_text(message, memories)));
                ("user", blocks)
            }
            Role::Tool => ("user", vec![result(message)]),
            Role::Assistant => {
                let mut blocks = text_block(&message.content);
                blocks.extend(message.tool_calls.iter().map(|call| tool_use(call, names)));
                ("assistant", blocks)
            }
        };
        if blocks.is_empty() || (turns.is_empty() && role == "assistant") {
            continue;
        }
        match turns.last_mut() {
            Some((of, turn)) if *of == role => turn.extend(blocks),
            _ => turns.push((role, blocks)),
        }
    }
    turns.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

/// An empty text is refused by the server, so it is not a block.
fn text_block(text: &str) -> Vec<Value> {
    if text.trim().is_empty() { Vec::new() } else { vec![json!({"type": "text", "text": text})] }
}

/// A picture stands before the text that is about it, as the protocol's documentation advises.
fn image(picture: &Attachment) -> Value {
    json!({"type": "image", "source": {
        "type": "base64", "media_type": picture.media_type(), "data": picture.base64()}})
}

fn result(message: &Message) -> Value {
    let id = identifier(message.tool_call_id.as_deref().unwrap_or_default());
    json!({"type": "tool_result", "tool_use_id": id, "content": message.content})
}

fn tool_use(call: &ToolCall, names: &WireNames) -> Value {
    let input = if call.arguments.is_object() { call.arguments.clone() } else { json!({}) };
    json!({"type": "tool_use", "id": identifier(&call.id), "name": names.to_wire(&call.name), "input": input})
}

/// A call may have been named by another kind of server, which takes more characters.
fn identifier(id: &str) -> String {
    let id: String =
        id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).take(200).collect();
    if id.is_empty() { "_".to_owned() } else { id }
}

#[cfg(test)]
mod tests;
