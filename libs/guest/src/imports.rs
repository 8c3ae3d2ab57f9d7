//! One host function per need, and what a module's shape says before anything of it runs.

use std::fmt;

use serde::{Deserialize, Serialize};
use shared_types::capability::{Token, TokenSet};

use crate::outline::Bounds;

/// A function that the host offers; all have the type `(i32, i32) -> i64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostFn {
    /// Writes a line to the skill's log.
    Log,
    /// Reads the clock.
    Now,
    /// Draws a random number.
    Random,
    /// Asks the person a question.
    Ask,
    /// Shows the person a line.
    Say,
    /// Reads records.
    MemoryQuery,
    /// Stores or removes a record.
    MemoryStore,
    /// Asks the language model.
    LlmChat,
    /// Lists a folder.
    FileList,
    FileRead,
    FileWrite,
    /// Fetches from a named host.
    HttpGet,
    /// Sends to a named host.
    HttpPost,
    /// Waits for what somebody says in a conversation by voice.
    AudioListen,
    /// Has a text spoken in a conversation by voice.
    AudioSay,
    /// The level of a line of a chip.
    GpioRead,
    /// Switches a line of a chip.
    GpioWrite,
    /// Waits until a line of a chip changes.
    GpioWait,
    /// Sends an event.
    Dispatch,
}

/// What must be granted for a host function to be linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Every skill has it.
    Nothing,
    Token(Token),
    /// Any event in `emits_events`.
    Emits,
}

impl HostFn {
    /// Every host function, in reading order.
    pub const ALL: [HostFn; 19] = [
        HostFn::Log,
        HostFn::Now,
        HostFn::Random,
        HostFn::Ask,
        HostFn::Say,
        HostFn::MemoryQuery,
        HostFn::MemoryStore,
        HostFn::LlmChat,
        HostFn::FileList,
        HostFn::FileRead,
        HostFn::FileWrite,
        HostFn::HttpGet,
        HostFn::HttpPost,
        HostFn::AudioListen,
        HostFn::AudioSay,
        HostFn::GpioRead,
        HostFn::GpioWrite,
        HostFn::GpioWait,
        HostFn::Dispatch,
    ];

    /// The name under which a module imports it.
    pub fn name(self) -> &'static str {
        match self {
            HostFn::Log => "log",
            HostFn::Now => "now",
            HostFn::Random => "random",
            HostFn::Ask => "ask",
            HostFn::Say => "say",
            HostFn::MemoryQuery => "memory_query",
            HostFn::MemoryStore => "memory_store",
            HostFn::LlmChat => "llm_chat",
            HostFn::FileList => "file_list",
            HostFn::FileRead => "file_read",
            HostFn::FileWrite => "file_write",
            HostFn::HttpGet => "http_get",
            HostFn::HttpPost => "http_post",
            HostFn::AudioListen => "audio_listen",
            HostFn::AudioSay => "audio_say",
            HostFn::GpioRead => "gpio_read",
            HostFn::GpioWrite => "gpio_write",
            HostFn::GpioWait => "gpio_wait",
            HostFn::Dispatch => "dispatch",
        }
    }

    /// What must be granted for it.
    pub fn token(self) -> Need {
        match self {
            HostFn::Log | HostFn::Now | HostFn::Random => Need::Nothing,
            HostFn::Ask => Need::Token(Token::UserInput),
            HostFn::Say => Need::Token(Token::UserOutput),
            HostFn::MemoryQuery => Need::Token(Token::MemoryRead),
            HostFn::MemoryStore => Need::Token(Token::MemoryWrite),
            HostFn::LlmChat => Need::Token(Token::LlmCall),
            HostFn::FileList | HostFn::FileRead => Need::Token(Token::FileRead),
            HostFn::FileWrite => Need::Token(Token::FileWrite),
            HostFn::HttpGet => Need::Token(Token::NetworkRead),
            HostFn::HttpPost => Need::Token(Token::NetworkWrite),
            HostFn::AudioListen => Need::Token(Token::AudioRead),
            HostFn::AudioSay => Need::Token(Token::AudioWrite),
            HostFn::GpioRead | HostFn::GpioWait => Need::Token(Token::GpioRead),
            HostFn::GpioWrite => Need::Token(Token::GpioWrite),
            HostFn::Dispatch => Need::Emits,
        }
    }

    /// The host function of a name.
    pub fn named(name: &str) -> Option<HostFn> {
        HostFn::ALL.into_iter().find(|function| function.name() == name)
    }
}

impl fmt::Display for HostFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a module's shape says: derived from the bytes alone, never from what the module or its author claims.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The host functions that it imports, in reading order.
    pub imports: Vec<HostFn>,
    /// The tokens that those need.
    pub derived: TokenSet,
    /// Whether it can send events.
    pub emits: bool,
    /// Its size in bytes.
    pub size: usize,
    /// The memory that it starts with, in pages of 64 KiB.
    pub memory_min_pages: u32,
    /// The most memory that it declares, in pages of 64 KiB.
    pub memory_max_pages: Option<u32>,
    /// The number of its tables.
    pub tables: u32,
    /// The names of its custom sections; they never run.
    pub custom_sections: Vec<String>,
    /// The names that it exports.
    pub exports: Vec<String>,
    /// How large its parts are.
    #[serde(default)]
    pub bounds: Bounds,
}

impl Facts {
    pub(crate) fn add_import(&mut self, function: HostFn) {
        if let Err(place) = self.imports.binary_search(&function) {
            self.imports.insert(place, function);
        }
        match function.token() {
            Need::Nothing => {}
            Need::Token(token) => self.derived.insert(token),
            Need::Emits => self.emits = true,
        }
    }
}

#[cfg(test)]
mod tests;
