//! Base64 by RFC 4648: three bytes as four signs.

use alloc::string::String;
use alloc::vec::Vec;

use crate::Unread;

const KIND: &str = "base64";
const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Writes bytes, or the UTF-8 of a text, with `=` at the end where it is due.
pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    let bytes = bytes.as_ref();
    let mut text = String::with_capacity(bytes.len().div_euclid(3) * 4 + 4);
    for three in bytes.chunks(3) {
        let mut bits = 0_u32;
        for at in 0..3 {
            bits = bits << 8 | u32::from(three.get(at).copied().unwrap_or(0));
        }
        for at in 0..4 {
            let sign = char::from(SIGNS[(bits >> (18 - 6 * at) & 63) as usize]);
            text.push(if at > three.len() { '=' } else { sign });
        }
    }
    text
}

/// Reads it back. Blanks are passed over, `-` and `_` count as `+` and `/`, and the `=` may be missing.
///
/// # Errors
/// A sign that does not occur in base64 or follows its end, or an end within a byte.
pub fn decode(text: impl AsRef<[u8]>) -> Result<Vec<u8>, Unread> {
    let text = core::str::from_utf8(text.as_ref()).map_err(|_| Unread::NotText)?;
    let (mut bytes, mut bits, mut signs, mut padding) = (Vec::with_capacity(text.len()), 0_u32, 0, 0);
    for sign in text.chars().filter(|sign| !sign.is_ascii_whitespace()) {
        let value = match sign {
            'A'..='Z' => u32::from(sign) - 65,
            'a'..='z' => u32::from(sign) - 71,
            '0'..='9' => u32::from(sign) + 4,
            '+' | '-' => 62,
            '/' | '_' => 63,
            '=' => {
                padding += 1;
                continue;
            }
            _ => return Err(Unread::Sign(sign, KIND)),
        };
        if padding > 0 {
            return Err(Unread::AfterEnd(sign, KIND));
        }
        bits = bits << 6 | value;
        signs += 1;
        if signs % 4 != 1 {
            bytes.push((bits >> (6 - 2 * ((signs - 1) % 4))) as u8);
        }
    }
    // Two or three signs at the end are one or two bytes, and some bits of 0.
    let over = [0, 6, 4, 2][signs % 4];
    let whole = signs % 4 != 1 && bits & ((1 << over) - 1) == 0;
    if whole && (padding == 0 || padding == (4 - signs % 4) % 4) {
        Ok(bytes)
    } else {
        Err(Unread::CutOff(KIND))
    }
}

#[cfg(test)]
mod tests;
