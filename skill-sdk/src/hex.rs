//! Bytes as two hexadecimal digits each.

use alloc::string::String;
use alloc::vec::Vec;

use crate::Unread;

const KIND: &str = "hex";

/// Writes bytes, or the UTF-8 of a text, in small letters.
pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    let mut text = String::new();
    for byte in bytes.as_ref() {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).unwrap_or_default());
        }
    }
    text
}

/// Reads it back, with small or large letters; blanks are passed over.
///
/// # Errors
/// A sign that is not a hexadecimal digit, or half a byte at the end.
pub fn decode(text: impl AsRef<[u8]>) -> Result<Vec<u8>, Unread> {
    let text = core::str::from_utf8(text.as_ref()).map_err(|_| Unread::NotText)?;
    let (mut bytes, mut half) = (Vec::with_capacity(text.len() / 2), None);
    for sign in text.chars().filter(|sign| !sign.is_ascii_whitespace()) {
        let digit = sign.to_digit(16).ok_or(Unread::Sign(sign, KIND))? as u8;
        half = match half {
            None => Some(digit),
            Some(high) => {
                bytes.push(high << 4 | digit);
                None
            }
        };
    }
    match half {
        None => Ok(bytes),
        Some(_) => Err(Unread::CutOff(KIND)),
    }
}

#[cfg(test)]
mod tests;
