//! What crosses the socketpair: a length (u32, little-endian, at most 4 MiB) and one JSON value.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The largest frame, without its length.
pub const MAX_FRAME: usize = 4 * 1024 * 1024;

/// The most requests that run beside each other: `mind` waits for a place, and `net` refuses what is beyond.
pub const MOST_AT_ONCE: usize = 8;

/// What `mind` asks; it names providers and skills, never hosts of providers or keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Ask {
    /// One body for a provider's chat endpoint.
    Chat {
        /// The number of the request.
        id: u64,
        /// What is sent.
        chat: Chat,
    },
    /// One request of a learned skill.
    Fetch {
        /// The number of the request.
        id: u64,
        /// What is fetched.
        fetch: Fetch,
    },
    /// A page or a search for the conversation.
    Visit {
        /// The number of the request.
        id: u64,
        /// What is read.
        visit: Visit,
    },
    /// The end of a request; it gets no answer any more.
    Cancel {
        /// The number of the request that ends.
        cancel: u64,
    },
}

/// One body for a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chat {
    /// The provider's name.
    pub provider: String,
    /// The body, JSON as text.
    pub body: String,
}

/// One request of a learned skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fetch {
    /// The skill's name.
    pub skill: String,
    /// `GET` or `POST`.
    pub method: String,
    pub url: String,
    /// Header names and values.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The body; empty for `GET`.
    #[serde(default)]
    pub body: String,
}

/// A page or a search for the conversation; `net` has read the profile's granted hosts and the search engine itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Visit {
    /// The address, or the words of a search.
    pub url: String,
    /// Whether the engine is asked for these words.
    #[serde(default)]
    pub is_search: bool,
}

/// What a page is, beside its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// The address at which it was found in the end.
    pub url: String,
    /// The content type; empty where the server names none.
    pub kind: String,
    /// Whether there was more than was read.
    pub cut: bool,
}

/// What `net` answers: any number of parts, then one end, good or bad.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    /// The data of the next events of a chat.
    Events {
        /// The number of the request.
        id: u64,
        /// The data, in order.
        events: Vec<String>,
    },
    /// The server answered, or is done with its events.
    Ok {
        /// The number of the request.
        id: u64,
        /// The answer.
        ok: Reply,
    },
    /// There is no answer.
    Err {
        /// The number of the request.
        id: u64,
        /// Why.
        err: Failure,
    },
}

impl Answer {
    /// The number of the request.
    pub fn id(&self) -> u64 {
        match self {
            Answer::Events { id, .. } | Answer::Ok { id, .. } | Answer::Err { id, .. } => *id,
        }
    }
}

/// A server's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body as text, bytes that are not UTF-8 replaced; `None` when all of it came as events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// After how many milliseconds the server wants to be asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// What the page is, where one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<Sheet>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The kind, so that the caller can decide.
    pub kind: FailureKind,
    /// The sentence.
    pub message: String,
    /// The limit that was passed, for [`FailureKind::TooLarge`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// No connection, or a broken one.
    Network,
    /// No answer in time.
    Timeout,
    /// More bytes than allowed.
    TooLarge,
    /// The rules forbid it.
    Denied,
    /// There is no key that can be used.
    NoKey,
    /// As many requests run as may run at a time.
    Busy,
    /// A request with this number runs already.
    Repeated,
}

/// A frame that cannot be sent or read; after it, nothing on the line can be trusted.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// Longer than a frame may be.
    #[error("a frame of {0} bytes; at most {MAX_FRAME} are allowed")]
    TooLarge(usize),
    /// Not the JSON that was expected.
    #[error("a frame that cannot be read: {0}")]
    Content(#[from] serde_json::Error),
}

/// One value as a frame, length included.
///
/// # Errors
/// A value whose JSON is longer than a frame may be.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, FrameError> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, value)?;
    let length = frame.len() - 4;
    let Some(length) = u32::try_from(length).ok().filter(|_| length <= MAX_FRAME) else {
        return Err(FrameError::TooLarge(length));
    };
    frame[..4].copy_from_slice(&length.to_le_bytes());
    Ok(frame)
}

/// Takes the first whole frame off `buffer`, if there is one.
///
/// # Errors
/// A length beyond the limit, or content that is not `T`.
pub fn decode<T: DeserializeOwned>(buffer: &mut Vec<u8>) -> Result<Option<T>, FrameError> {
    let Some(length) = buffer.first_chunk::<4>().map(|b| u32::from_le_bytes(*b) as usize) else {
        return Ok(None);
    };
    if length > MAX_FRAME {
        return Err(FrameError::TooLarge(length));
    }
    if buffer.len() < 4 + length {
        return Ok(None);
    }
    let value = serde_json::from_slice(&buffer[4..4 + length])?;
    buffer.drain(..4 + length);
    Ok(Some(value))
}
