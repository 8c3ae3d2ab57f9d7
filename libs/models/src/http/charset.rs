//! Bytes of a page to text, in any encoding of the web (<https://encoding.spec.whatwg.org/>).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use shared_types::text;

/// How far into a page its own word about its encoding is looked for, in bytes.
const HEAD: usize = 1024;

/// Why bytes are not text.
#[derive(Debug, thiserror::Error)]
pub enum NotText {
    /// They hold what no text does.
    #[error("it is not text but binary data")]
    Binary,
    /// The encoding that is named for them is unknown.
    #[error("the encoding `{0}` is not known")]
    Encoding(String),
}

/// Decodes by a byte order mark, the header's `charset`, the page's own word, or else as UTF-8, or as Windows-1252 where
/// that does not hold. `cut` tells that the last character may be missing its end. Control characters but line ends and
/// tabs become U+FFFD.
///
/// # Errors
/// See [`NotText`].
pub fn decode(bytes: &[u8], content_type: &str, cut: bool) -> Result<String, NotText> {
    let (encoding, bytes) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, &bytes[mark..]),
        None => (named(bytes, content_type, cut)?, bytes),
    };
    let is_wide = encoding == UTF_16LE || encoding == UTF_16BE;
    if !is_wide && bytes.iter().take(HEAD).any(|b| *b == 0) {
        return Err(NotText::Binary);
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let room = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len());
    let mut text = String::with_capacity(room);
    // Of what was cut, a character without its end is left in the decoder.
    let _ = decoder.decode_to_string(bytes, &mut text, !cut);
    if text.chars().take(HEAD).any(|c| c == '\0') {
        return Err(NotText::Binary);
    }
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    Ok(text.chars().map(|c| if is_control(c) { '\u{FFFD}' } else { c }).collect())
}

/// The encoding that the server or the page names, or else the one that fits the bytes.
fn named(bytes: &[u8], content_type: &str, cut: bool) -> Result<&'static Encoding, NotText> {
    let of_header = of_header(content_type);
    let is_the_pages = of_header.is_none();
    match of_header.or_else(|| of_page(bytes)).as_deref() {
        // Bytes in which a page could name an encoding are not in UTF-16 (HTML, "prescan a byte stream").
        Some(name) if is_the_pages && name.starts_with("utf-16") => Ok(UTF_8),
        Some("x-user-defined") if is_the_pages => Ok(WINDOWS_1252),
        Some("us-ascii" | "ascii") | None => {
            let is_utf8 =
                std::str::from_utf8(bytes).map_or_else(|e| cut && e.error_len().is_none(), |_| true);
            Ok(if is_utf8 { UTF_8 } else { WINDOWS_1252 })
        }
        Some(name) => Encoding::for_label_no_replacement(name.as_bytes())
            .ok_or_else(|| NotText::Encoding(text::cut(name, 40))),
    }
}

fn of_header(content_type: &str) -> Option<String> {
    let after = content_type.split(';').skip(1).find_map(|p| p.trim().strip_prefix("charset="))?;
    Some(after.trim().trim_matches(['"', '\'']).to_owned()).filter(|name| !name.is_empty())
}

/// What an HTML or XML page says about itself.
fn of_page(bytes: &[u8]) -> Option<String> {
    let head: String = bytes.iter().take(HEAD).map(|b| char::from(b.to_ascii_lowercase())).collect();
    let within = |start: &str, key: &str| {
        let tag = head.get(head.find(start)?..)?;
        let mut rest = tag;
        loop {
            rest = rest.get(rest.find(key)? + key.len()..)?;
            let value = rest.trim_start().strip_prefix('=').map(str::trim_start);
            if let Some(value) = value {
                let value = value.trim_start_matches(['"', '\'']);
                let end = value.find(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c)));
                return Some(value[..end.unwrap_or(value.len())].to_owned()).filter(|name| !name.is_empty());
            }
        }
    };
    if head.trim_start().starts_with("<?xml")
        && let Some(end) = head.find("?>")
        && head[..end].contains("encoding")
    {
        return within("<?xml", "encoding");
    }
    within("<meta", "charset")
}

#[cfg(test)]
mod tests;
