//! Bytes of a page to text: UTF-8 and the Western encodings, which the web treats as one.

use shared_types::text;

/// How far into a page its own word about its encoding is looked for, in bytes.
const HEAD: usize = 1024;

/// Windows-1252 where it differs from Latin-1: the bytes 0x80 to 0x9F.
const WESTERN: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// Decodes by a byte order mark, the header's `charset`, the page's own word, or else as UTF-8, or as Windows-1252 where
/// that does not hold. `cut` tells that the last character may be missing its end. Control characters but line ends and
/// tabs become U+FFFD.
///
/// # Errors
/// A sentence about an encoding that is not read, or bytes that are no text.
pub fn decode(bytes: &[u8], content_type: &str, cut: bool) -> Result<String, String> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err("a page in UTF-16 is not read".to_owned());
    }
    if bytes.iter().take(HEAD).any(|b| *b == 0) {
        return Err("it is no text but binary data".to_owned());
    }
    let (bytes, marked) = match bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]) {
        Some(rest) => (rest, true),
        None => (bytes, false),
    };
    let named =
        if marked { Some("utf-8".to_owned()) } else { of_header(content_type).or_else(|| of_page(bytes)) };
    let decoded = match named.as_deref() {
        Some("utf-8" | "utf8") => utf8(bytes, cut),
        Some("iso-8859-1" | "latin1" | "windows-1252" | "cp1252" | "iso-8859-15") => western(bytes),
        Some("us-ascii" | "ascii") | None => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(e) if cut && e.error_len().is_none() => utf8(bytes, cut),
            Err(_) => western(bytes),
        },
        Some(other) => {
            let other = text::cut(other, 40);
            return Err(format!(
                "the encoding `{other}` is not read; UTF-8, ISO-8859-1 and Windows-1252 are"
            ));
        }
    };
    Ok(decoded
        .chars()
        .map(|c| if c.is_control() && !matches!(c, '\n' | '\r' | '\t') { '\u{FFFD}' } else { c })
        .collect())
}

fn utf8(bytes: &[u8], cut: bool) -> String {
    let whole = match std::str::from_utf8(bytes) {
        Err(e) if cut && e.error_len().is_none() => &bytes[..e.valid_up_to()],
        _ => bytes,
    };
    String::from_utf8_lossy(whole).into_owned()
}

fn western(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|b| match b {
            0x80..=0x9F => WESTERN[usize::from(*b - 0x80)],
            other => char::from(*other),
        })
        .collect()
}

fn of_header(content_type: &str) -> Option<String> {
    let after = content_type.split(';').skip(1).find_map(|p| p.trim().strip_prefix("charset="))?;
    Some(after.trim().trim_matches(['"', '\'']).to_owned()).filter(|name| !name.is_empty())
}

/// What an HTML or XML page says about itself.
fn of_page(bytes: &[u8]) -> Option<String> {
    let head = western(&bytes[..bytes.len().min(HEAD)]).to_ascii_lowercase();
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
