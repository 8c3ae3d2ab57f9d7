//! The messages of an editor that are read, by types of our own.
//!
//! Five are read, by a field or two of each. The protocol's crate (`agent-client-protocol-schema`) has a type for every message of
//! both sides, and brings serde_with, derive_more and strum for them. A field that is not named here is accepted and has no effect,
//! as the protocol wants it.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use shared_types::text;

use crate::rpc::{NO_PARAMETERS, Refusal};

/// The version that is spoken.
pub(super) const PROTOCOL: u16 = 1;
/// The longest name of a resource that is passed on, in characters.
const LONGEST_NAME: usize = 300;

/// `session/new`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewSession {
    /// The editor's folder.
    pub(super) cwd: String,
    /// Servers of tools.
    #[serde(default)]
    pub(super) mcp_servers: Vec<Value>,
}

/// `session/load`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LoadSession {
    pub(super) session_id: String,
    /// The editor's folder.
    pub(super) cwd: String,
    /// Servers of tools.
    #[serde(default)]
    pub(super) mcp_servers: Vec<Value>,
}

/// `session/prompt`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Prompt {
    pub(super) session_id: String,
    /// The line, in blocks.
    pub(super) prompt: Vec<Block>,
}

/// `session/cancel`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cancel {
    pub(super) session_id: String,
}

/// A block of a prompt.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Block {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A file or another thing that the editor names.
    ResourceLink {
        /// Its address.
        uri: String,
    },
    /// A file or another thing that comes with its content.
    Resource {
        /// The thing.
        resource: Resource,
    },
    /// A picture, a sound, or what a later version has.
    #[serde(other)]
    Other,
}

/// What comes with its content.
#[derive(Debug, Deserialize)]
pub(super) struct Resource {
    /// Its address.
    uri: String,
    /// The content, where it is a text.
    text: Option<String>,
}

/// Reads the parameters of a method.
///
/// # Errors
/// They do not fit.
pub(super) fn read<T: DeserializeOwned>(params: &Value) -> Result<T, Refusal> {
    T::deserialize(params)
        .map_err(|e| (NO_PARAMETERS, format!("`params` do not fit: {}", text::line(&e.to_string()))))
}

/// The blocks of a prompt as one line of the conversation. What a resource holds is quoted line by line, so that no text of it can
/// pass for the end of the quotation.
///
/// # Errors
/// A block that is not read.
pub(super) fn line(blocks: &[Block]) -> Result<String, Refusal> {
    let parts = blocks.iter().map(|block| match block {
        Block::Text { text } => Ok(text.clone()),
        Block::ResourceLink { uri } => Ok(format!("[named by the editor, not read: {}]", name(uri))),
        Block::Resource { resource: Resource { uri, text: Some(text) } } => {
            let quoted: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
            Ok(format!("[content from outside, {}:]\n{}", name(uri), quoted.join("\n")))
        }
        Block::Resource { resource: Resource { text: None, .. } } | Block::Other => Err((
            NO_PARAMETERS,
            "a prompt holds blocks of text, of links and of resources with a text".to_owned(),
        )),
    });
    Ok(parts.collect::<Result<Vec<_>, _>>()?.join("\n\n"))
}

fn name(uri: &str) -> String {
    text::cut(&text::line(uri), LONGEST_NAME)
}
