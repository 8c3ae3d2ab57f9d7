//! Why a text could not be read.

use alloc::string::{String, ToString};
use core::fmt;

/// Why a text is not base64, hex or a date. It prints as a sentence; `?` makes a text or a refusal of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// A sign that does not occur in texts of this kind.
    Sign(char, &'static str),
    /// A sign after the end.
    AfterEnd(char, &'static str),
    /// An end within a byte.
    CutOff(&'static str),
    /// Bytes that are not UTF-8.
    NotText,
    /// A text that is not a date.
    NotADate(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Sign(sign, kind) => write!(f, "`{sign}` does not occur in {kind}"),
            Unread::AfterEnd(sign, kind) => write!(f, "`{sign}` follows the end of the {kind}"),
            Unread::CutOff(kind) => write!(f, "the {kind} is cut off"),
            Unread::NotText => f.write_str("these bytes are not text"),
            Unread::NotADate(text) => write!(f, "`{text}` is not a date such as 2030-01-31"),
        }
    }
}

impl From<Unread> for String {
    fn from(unread: Unread) -> String {
        unread.to_string()
    }
}
