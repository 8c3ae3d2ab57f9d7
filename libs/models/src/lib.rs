//! Model providers behind one trait, the router, and the offline companion.
//!
//! - [`attachment`]: pictures that go with a message
//! - [`request`]: what is asked and what comes back, the same for every provider
//! - [`error`]: why a provider did not answer
//! - [`provider`]: the trait [`Provider`]
//! - [`transport`]: how a body reaches a server and an answer comes back
//! - [`config`]: provider entries of a configuration file, checked in one pass
//! - [`sse`]: server-sent events out of bytes
//! - [`openai`]: OpenAI-compatible chat completions
//! - [`anthropic`]: Anthropic's messages
//! - [`human`]: a person who answers in place of a model
//! - [`embedded`]: the built-in companion: deterministic, no key, no network
//! - [`mock`]: scripted answers for tests by configuration
//! - [`breaker`]: how long a provider that failed is left alone
//! - [`router`]: which provider answers, and what to do when it does not
//! - [`phrases`]: which tool a line means, without a model
//! - `http` (feature `http`): the only HTTP client of the workspace
//!
//! # How it works
//!
//! A model's answer comes as server-sent events. `net` parses them (`libs/models/src/sse.rs`), blanks the provider's
//! key in each, gathers them for 30 ms and sends them on; while `mind` does not read, `net` does not read from the
//! server either, and a cancel closes the connection. `mind` reads the wire format, hands the pieces to what shows
//! them, and judges the whole (`libs/models/src/draft.rs`). The router (`libs/models/src/router.rs`) passes over a
//! provider that failed until its pause is over (`breaker.rs`), and tells once who answers in its place and once that
//! it is back. Of a stream that breaks the words are kept and marked, and no call; only where no word came the next
//! provider is asked.
#![forbid(unsafe_code)]

pub mod anthropic;
pub mod attachment;
pub mod breaker;
pub mod config;
mod draft;
pub mod embedded;
pub mod error;
mod exchange;
#[cfg(feature = "http")]
pub mod http;
pub mod human;
pub mod mock;
pub mod openai;
pub mod phrases;
mod plain_calls;
pub mod provider;
pub mod request;
pub mod router;
pub mod sse;
pub mod transport;
mod wire_names;

pub use anthropic::Anthropic;
pub use attachment::{Attachment, AttachmentError};
pub use config::{Endpoint, ModelsConfig, ProviderConfig};
pub use embedded::Embedded;
pub use error::ModelError;
pub use human::Human;
pub use mock::Mock;
pub use openai::OpenAi;
pub use phrases::{Candidate, Phrase};
pub use provider::{Kind, Piece, Provider, Watch};
pub use request::{LANGUAGE, Message, Rank, Request, Response, Role, TASK, ToolCall, ToolSpec};
pub use router::{Routed, Router};
pub use shared_types::message::Usage;
pub use transport::{Incoming, Part, Transport, TransportError};
