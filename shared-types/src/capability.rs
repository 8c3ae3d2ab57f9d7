//! The capability tokens and sets of them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::sorted;
use serde::{Deserialize, Serialize};

/// One right that a skill may be given; the whole list, in the order in which people read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Token {
    /// Ask the person a question.
    #[serde(rename = "user:input")]
    UserInput,
    /// Show the person something beside a tool's returned text.
    #[serde(rename = "user:output")]
    UserOutput,
    /// Read records of memory.
    #[serde(rename = "memory:read")]
    MemoryRead,
    /// Store records of memory.
    #[serde(rename = "memory:write")]
    MemoryWrite,
    /// Ask a language model.
    #[serde(rename = "llm:call")]
    LlmCall,
    /// Read files of the workspace.
    #[serde(rename = "file:read")]
    FileRead,
    /// Write files of the workspace.
    #[serde(rename = "file:write")]
    FileWrite,
    /// Record sound.
    #[serde(rename = "audio:read")]
    AudioRead,
    /// Play sound.
    #[serde(rename = "audio:write")]
    AudioWrite,
    /// Read pins.
    #[serde(rename = "gpio:read")]
    GpioRead,
    /// Set pins.
    #[serde(rename = "gpio:write")]
    GpioWrite,
    /// Fetch from named hosts; a URL can carry data out, so this is a way out too.
    #[serde(rename = "network:read")]
    NetworkRead,
    /// Send to named hosts.
    #[serde(rename = "network:write")]
    NetworkWrite,
}

impl Token {
    /// Every token, in reading order.
    pub const ALL: [Token; 13] = [
        Token::UserInput,
        Token::UserOutput,
        Token::MemoryRead,
        Token::MemoryWrite,
        Token::LlmCall,
        Token::FileRead,
        Token::FileWrite,
        Token::AudioRead,
        Token::AudioWrite,
        Token::GpioRead,
        Token::GpioWrite,
        Token::NetworkRead,
        Token::NetworkWrite,
    ];

    /// The token's spelling in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Token::UserInput => "user:input",
            Token::UserOutput => "user:output",
            Token::MemoryRead => "memory:read",
            Token::MemoryWrite => "memory:write",
            Token::LlmCall => "llm:call",
            Token::FileRead => "file:read",
            Token::FileWrite => "file:write",
            Token::AudioRead => "audio:read",
            Token::AudioWrite => "audio:write",
            Token::GpioRead => "gpio:read",
            Token::GpioWrite => "gpio:write",
            Token::NetworkRead => "network:read",
            Token::NetworkWrite => "network:write",
        }
    }

    /// What the token lets a skill do, in words for a person: `This skill can ...`.
    pub fn in_words(self) -> &'static str {
        match self {
            Token::UserInput => "ask you questions",
            Token::UserOutput => "show you messages of its own",
            Token::MemoryRead => "read memory records",
            Token::MemoryWrite => "store memory records",
            Token::LlmCall => "ask the language model",
            Token::FileRead => "read workspace files",
            Token::FileWrite => "write workspace files",
            Token::AudioRead => "listen to the microphone",
            Token::AudioWrite => "play sound",
            Token::GpioRead => "read pins",
            Token::GpioWrite => "switch pins",
            Token::NetworkRead => "fetch from the network",
            Token::NetworkWrite => "send to the network",
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is not a capability token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is not a capability token; allowed: {allowed}", word = crate::text::cut(.0, 80), allowed = allowed())]
pub struct UnknownToken(pub String);

fn allowed() -> String {
    Token::ALL.map(Token::as_str).join(" ")
}

impl FromStr for Token {
    type Err = UnknownToken;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Token::ALL.into_iter().find(|t| t.as_str() == s).ok_or_else(|| UnknownToken(s.to_owned()))
    }
}

/// A set of tokens, always in reading order.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenSet(BTreeSet<Token>);

impl TokenSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the set holds `token`.
    pub fn contains(&self, token: Token) -> bool {
        self.0.contains(&token)
    }

    /// Adds a token.
    pub fn insert(&mut self, token: Token) {
        self.0.insert(token);
    }

    /// The tokens, in reading order.
    pub fn iter(&self) -> impl Iterator<Item = Token> + '_ {
        self.0.iter().copied()
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tokens of this set that `other` lacks.
    pub fn without(&self, other: &TokenSet) -> TokenSet {
        TokenSet(sorted::collected(self.0.difference(&other.0).copied()))
    }

    /// The tokens of both sets together.
    pub fn union(&self, other: &TokenSet) -> TokenSet {
        TokenSet(sorted::collected(self.0.union(&other.0).copied()))
    }
}

impl FromIterator<Token> for TokenSet {
    fn from_iter<I: IntoIterator<Item = Token>>(tokens: I) -> Self {
        TokenSet(sorted::collected(tokens))
    }
}

impl fmt::Display for TokenSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        let words: Vec<&str> = self.iter().map(Token::as_str).collect();
        f.write_str(&words.join(" "))
    }
}
