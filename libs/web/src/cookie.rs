//! The one cookie of a server's pages.

use axum::http::{HeaderMap, header};

/// The longest token that is looked at, in bytes.
pub const LONGEST_TOKEN: usize = 200;

/// When a browser sends the cookie with a request that a page of another site caused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameSite {
    /// Never.
    Strict,
    /// Where a person follows a link, as one in a notification.
    Lax,
}

/// The value of the cookie of this name. Two of them count as none: a stranger must not decide which one counts.
pub fn read(headers: &HeaderMap, name: &str) -> Option<String> {
    let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.split_once('='));
    let mut found = pairs.filter(|(found, _)| found.trim() == name).map(|(_, value)| value.trim());
    let value = found.next().filter(|value| is_token(value))?;
    found.next().is_none().then(|| value.to_owned())
}

/// Whether a text can be a token, and the value of a cookie.
pub fn is_token(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte);
    !text.is_empty() && text.len() <= LONGEST_TOKEN && text.bytes().all(fits)
}

/// The cookie as a browser gets it; no script reads it. Without an age, in seconds, it ends with the browser.
pub fn baked(name: &str, value: &str, age: Option<u32>, same_site: SameSite, is_secure: bool) -> String {
    let age = age.map(|age| format!("; Max-Age={age}")).unwrap_or_default();
    let secure = if is_secure { "; Secure" } else { "" };
    format!("{name}={value}; HttpOnly; SameSite={same_site:?}; Path=/{age}{secure}")
}

/// Whether the browser came over TLS, which a program before this server ended.
pub fn is_secure(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    text("x-forwarded-proto").eq_ignore_ascii_case("https") || text("origin").starts_with("https:")
}

#[cfg(test)]
mod tests;
