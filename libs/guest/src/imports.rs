//! One host function per need, and what a module's shape says before anything of it runs.

use std::fmt;

use serde::{Deserialize, Serialize};
use shared_types::capability::{Token, TokenSet};

use crate::error::LoadError;

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
    /// Reads a file.
    FileRead,
    /// Writes a file.
    FileWrite,
    /// Fetches from a named host.
    HttpGet,
    /// Sends to a named host.
    HttpPost,
    /// Sends an event.
    Dispatch,
}

/// What must be granted for a host function to be linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Every skill has it.
    Nothing,
    /// The token.
    Token(Token),
    /// Any event in `emits_events`.
    Emits,
}

impl HostFn {
    /// Every host function, in reading order.
    pub const ALL: [HostFn; 14] = [
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

/// The largest module that is read, in bytes.
pub const MAX_MODULE_BYTES: usize = 2 << 20;

/// What the section headers say, which the interpreter does not tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    pub(crate) start: bool,
    pub(crate) memories: u32,
    pub(crate) tables: u32,
    pub(crate) custom_sections: Vec<String>,
}

/// Walks the section headers; the content of a section stays the interpreter's business.
pub(crate) fn outline(bytes: &[u8]) -> Result<Outline, LoadError> {
    if bytes.get(..8) != Some(b"\0asm\x01\0\0\0") {
        return Err(LoadError::Malformed { at: 0, what: "this is not a WebAssembly module of version 1" });
    }
    let mut outline = Outline::default();
    let mut reader = Reader { bytes, at: 8 };
    while !reader.is_empty() {
        let id = reader.take(1)?[0];
        let size = reader.number()?;
        let start = reader.at;
        let content = reader.take(size as usize)?;
        let mut section = Reader { bytes: &bytes[..start + content.len()], at: start };
        match id {
            CUSTOM => {
                let length = section.number()?;
                let name = String::from_utf8_lossy(section.take(length as usize)?);
                if outline.custom_sections.len() < MAX_CUSTOM_SECTIONS {
                    outline.custom_sections.push(shared_types::text::cut(&name, 80));
                }
            }
            TABLE => outline.tables = section.number()?,
            MEMORY => outline.memories = section.number()?,
            START => outline.start = true,
            _ => {}
        }
    }
    Ok(outline)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn is_empty(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], LoadError> {
        let end = self.at.checked_add(length).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or(LoadError::Malformed { at: self.at, what: "a length points beyond the end" })?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// A u32 of at most five LEB128 bytes.
    fn number(&mut self) -> Result<u32, LoadError> {
        let mut number = 0u64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(number)
                    .map_err(|_| LoadError::Malformed { at: self.at, what: "a number is too large" });
            }
        }
        Err(LoadError::Malformed { at: self.at, what: "a number is too long" })
    }
}

const CUSTOM: u8 = 0;
const TABLE: u8 = 4;
const MEMORY: u8 = 5;
const START: u8 = 8;
const MAX_CUSTOM_SECTIONS: usize = 32;

#[cfg(test)]
mod tests;
