//! The trait that every provider has.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::request::{Request, Response};

/// The kinds of provider that a configuration may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The built-in companion.
    Embedded,
    /// A server that speaks OpenAI-compatible chat completions.
    OpenaiCompatible,
    /// Scripted answers from a file.
    Mock,
    /// A server that speaks Anthropic's messages.
    Anthropic,
    /// A person who answers in place of a model.
    Human,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 5] =
        [Kind::Embedded, Kind::OpenaiCompatible, Kind::Anthropic, Kind::Mock, Kind::Human];

    /// The spelling in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Embedded => "embedded",
            Kind::OpenaiCompatible => "openai-compatible",
            Kind::Mock => "mock",
            Kind::Anthropic => "anthropic",
            Kind::Human => "human",
        }
    }

    /// Whether a provider of this kind is a server that is reached by HTTP.
    pub fn is_remote(self) -> bool {
        matches!(self, Kind::OpenaiCompatible | Kind::Anthropic)
    }

    /// The kind of that spelling.
    pub fn parse(word: &str) -> Option<Self> {
        Kind::ALL.into_iter().find(|k| k.as_str() == word)
    }
}

/// What a provider tells while its answer comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// More of the answer's text; the pieces joined are the answer's text.
    Text(&'a str),
    /// The model began to call the tool of that name.
    Call(&'a str),
    /// What was reported so far is void: another provider begins, or the same one begins anew.
    Again,
}

/// The receiver of the pieces of an answer as they come.
pub type Watch<'a> = dyn FnMut(Piece<'_>) + 'a;

/// Something that answers a request: it blocks until it has an answer, fails, or `cancel` becomes true.
pub trait Provider: Send + Sync {
    /// The name in the configuration.
    fn name(&self) -> &str;

    /// What kind of provider it is.
    fn kind(&self) -> Kind;

    /// The model that is asked when a request names none; empty where there is only one.
    fn model(&self) -> &str {
        ""
    }

    /// The other models that a request may name.
    fn models(&self) -> &[String] {
        &[]
    }

    /// Whether its model takes pictures.
    fn takes_images(&self) -> bool {
        false
    }

    /// Answers one request, and tells `watch` the pieces where they come one by one.
    ///
    /// # Errors
    /// See [`ModelError`].
    fn chat(
        &self,
        request: &Request,
        watch: &mut Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Response, ModelError>;
}
